// SPDX-License-Identifier: MIT
package danatext;

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

	/** Places of strings. */
	static final int ID = 0;
	static final int URL = 1;
	static final int DATE = 2;
	private static final int TITLE = 3;
	private static final int LANGUAGE = 4;
	static final int CONTENT_TYPE = 5;
	static final int HTML = 6;
	private static final int ADDITIONS = 7;
	private static final int MARKDOWN = 8;
	private static final int BLOCKS = 9;
	private static final int CHARSET = 10;
	private static final int METHOD = 11;
	static final int FILE = 12;
	private static final int KIND = 13;
	/** Where a document has them, in words of eight bytes: views, then terminated strings. */
	private static final int[] VIEWS = { 3, 5, 7, 9, 11, 13, 15, 17, 33, 38 };
	private static final int[] TERMINATED = { 19, 20, 21, 40 };

	private final String text;
	final String[] strings;
	final int httpStatus;
	private final double languageScore;
	final long offset;
	final long length;
	private final long htmlBytes;
	private final long textChars;
	private final int problems;
	private final Map<String, String> texts;
	private final String reason;

	/** Copies a document of the library; the numbers are places of members, in words. */
	Page(Struct document, String reason) {
		this.reason = reason;
		document.read();
		textChars = document.word(27);
		String body = document.text(1, textChars);
		text = body == null ? "" : body;
		strings = document.strings(VIEWS, TERMINATED);
		httpStatus = document.integer(22);
		languageScore = Double.longBitsToDouble(document.word(23));
		offset = document.word(24);
		length = document.word(25);
		htmlBytes = document.word(26);
		problems = document.integer(28);
		int n = Math.toIntExact(document.word(42));
		texts = n == 0 ? Map.of() : texts(document.word(41), n);
	}

	/** A list of struct dana_method_text. */
	private static Map<String, String> texts(long list, int n) {
		Map<String, String> texts = new LinkedHashMap<>();
		Struct text = new Struct(24);
		for (int i = 0; i < n; i++) {
			text.read(list + 24L * i);
			texts.put(text.string(0), text.view(1));
		}
		return Collections.unmodifiableMap(texts);
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
		return strings[TITLE];
	}

	/**
	 * Returns the page as Markdown.
	 *
	 * @return null if {@link Options#text} did not ask for it, or a plugin has changed the text
	 */
	public String markdown() {
		return strings[MARKDOWN];
	}

	/**
	 * Returns the page's blocks, each with the members that doc/MARKDOWN.md names, as {@code t} and {@code text}. Their
	 * numbers are Long or Double.
	 *
	 * @return empty if {@link Options#text} did not ask for them, or a plugin has changed the text
	 */
	@SuppressWarnings("unchecked")
	public List<Map<String, Object>> blocks() {
		String blocks = strings[BLOCKS];
		return blocks == null ? List.of() : (List<Map<String, Object>>) Json.parse(blocks);
	}

	/**
	 * Returns what plugins have found: an object for each, under its name, as {@code "metadata"}.
	 *
	 * @return maps, lists, String, Long, Double, Boolean and null
	 */
	@SuppressWarnings("unchecked")
	public Map<String, Object> additions() {
		String additions = strings[ADDITIONS];
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
		return strings[KIND];
	}

	/**
	 * Returns the language, with a plugin that finds it, as BCP 47 writes it.
	 *
	 * @return null if it is not known
	 */
	public String language() {
		return strings[LANGUAGE];
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
		return strings[CHARSET];
	}

	/**
	 * Returns the method that made the text.
	 *
	 * @return null for plain text, which is kept as it was sent
	 */
	public String method() {
		return strings[METHOD];
	}

	/**
	 * Returns the texts of the methods after the first, under their names.
	 *
	 * @return a value is null if the method gave none
	 */
	public Map<String, String> texts() {
		return texts;
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
