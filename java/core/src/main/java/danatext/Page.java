// SPDX-License-Identifier: MIT
package danatext;

import com.sun.jna.Pointer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The main text of a page, and what is known about it. It never changes; any thread may use it. */
public sealed class Page permits Document {
	static final int DOCUMENT_BYTES = 344;
	private static final List<String> PROBLEMS = words();
	/** DANA_TRUNCATED_SOURCE, _LIMIT and _TEXT */
	private static final int TRUNCATED = 7;

	private final String text;
	final String id;
	final String url;
	final String date;
	private final String title;
	private final String language;
	final String contentType;
	final String html;
	private final String additions;
	private final String charset;
	private final String method;
	final String file;
	final int httpStatus;
	private final double languageScore;
	final long offset;
	final long length;
	private final long htmlBytes;
	private final long textChars;
	private final int problems;
	private final String markdown;
	private final String blocks;
	private final String kind;
	private final Map<String, String> texts = new LinkedHashMap<>();
	private final String reason;

	/** Copies a document of the library, in the order of its members. */
	Page(Struct document, String reason) {
		this.reason = reason;
		document.again().getLong();
		String body = document.getView();
		text = body == null ? "" : body;
		id = document.getView();
		url = document.getView();
		date = document.getView();
		title = document.getView();
		language = document.getView();
		contentType = document.getView();
		html = document.getView();
		additions = document.getView();
		charset = document.getString();
		method = document.getString();
		file = document.getString();
		httpStatus = document.getInt();
		languageScore = document.getDouble();
		offset = document.getLong();
		length = document.getLong();
		htmlBytes = document.getLong();
		textChars = document.getLong();
		problems = document.getInt();
		for (int i = 0; i < 4; i++) // blocks, media
			document.getLong();
		markdown = document.getView();
		document.getLong(); // made_id
		document.getLong(); // created
		document.getInt(); // finds_language
		blocks = document.getView();
		kind = document.getString();
		Pointer list = document.getPointer();
		int n = Math.toIntExact(document.getLong());
		Struct each = n == 0 ? null : new Struct(list, 24 * n);
		for (int i = 0; i < n; i++)
			texts.put(each.getString(), each.getView());
	}

	private static List<String> words() {
		List<String> words = new ArrayList<>();
		for (String word; (word = Library.dana_problem_word(words.size())) != null;)
			words.add(word);
		return words;
	}

	/**
	 * Returns the main text, blocks joined by line feeds.
	 *
	 * @return empty if there is none
	 */
	public String text() {
		return text;
	}

	/**
	 * Returns the text of the page's {@code <title>}.
	 *
	 * @return null if it has none
	 */
	public String title() {
		return title;
	}

	/**
	 * Returns the page as Markdown.
	 *
	 * @return null if {@link Options#text} did not ask for it, or a plugin has changed the text
	 */
	public String markdown() {
		return markdown;
	}

	/**
	 * Returns the page's blocks, each with the members that doc/MARKDOWN.md names, as {@code t} and {@code text}. Their
	 * numbers are Long or Double.
	 *
	 * @return empty if {@link Options#text} did not ask for them, or a plugin has changed the text
	 */
	@SuppressWarnings("unchecked")
	public List<Map<String, Object>> blocks() {
		return blocks == null ? List.of() : (List<Map<String, Object>>) Json.parse(blocks);
	}

	/**
	 * Returns what plugins have found: an object for each, under its name, as {@code "metadata"}.
	 *
	 * @return maps, lists, String, Long, Double, Boolean and null
	 */
	@SuppressWarnings("unchecked")
	public Map<String, Object> additions() {
		boolean none = additions == null || additions.isEmpty();
		return none ? Map.of() : (Map<String, Object>) Json.parse("{" + additions.substring(1) + "}");
	}

	/**
	 * Returns the page's metadata: author, date, site and others; with the plugin {@code metadata}.
	 *
	 * @return empty without it
	 */
	@SuppressWarnings("unchecked")
	public Map<String, Object> metadata() {
		Object found = additions().get("metadata");
		return found == null ? Map.of() : (Map<String, Object>) found;
	}

	/**
	 * Returns the kind of page: "article", "list", "forum", "product", "documentation", "service" or "other".
	 *
	 * @return null if it is not known
	 */
	public String kind() {
		return kind;
	}

	/**
	 * Returns the language, with a plugin that finds it, as BCP 47 writes it.
	 *
	 * @return null if it is not known
	 */
	public String language() {
		return language;
	}

	/**
	 * Returns how sure the language is.
	 *
	 * @return 0 to 1; negative if it is not known
	 */
	public double languageScore() {
		return languageScore;
	}

	/**
	 * Returns the charset that the page was decoded with.
	 *
	 * @return null if it is not known
	 */
	public String charset() {
		return charset;
	}

	/**
	 * Returns the method that made the text.
	 *
	 * @return null for plain text, which is kept as it was sent
	 */
	public String method() {
		return method;
	}

	/**
	 * Returns the texts of the methods after the first, under their names.
	 *
	 * @return a value is null if the method gave none
	 */
	public Map<String, String> texts() {
		return Collections.unmodifiableMap(texts);
	}

	/**
	 * Returns the size of the page in bytes, after content decoding.
	 *
	 * @return in bytes
	 */
	public long htmlBytes() {
		return htmlBytes;
	}

	/**
	 * Returns the size of the text in code points.
	 *
	 * @return in code points
	 */
	public long textChars() {
		return textChars;
	}

	/**
	 * Returns what is missing or wrong, in words of doc/FORMATS.md, as "bad_charset".
	 *
	 * @return empty if there is nothing
	 */
	public List<String> problems() {
		List<String> found = new ArrayList<>();
		for (int i = 0; i < PROBLEMS.size(); i++)
			if ((problems & 1 << i) != 0)
				found.add(PROBLEMS.get(i));
		return found;
	}

	/**
	 * Returns whether the page or its text is incomplete.
	 *
	 * @return as {@code truncated} of JSONL
	 */
	public boolean isTruncated() {
		return (problems & TRUNCATED) != 0;
	}

	/**
	 * Returns why there is no text: the bytes are no page, need more work than a limit allows, or a plugin has dropped
	 * the page.
	 *
	 * @return null if the page was read
	 */
	public String reason() {
		return reason;
	}
}
