// SPDX-License-Identifier: MIT
package danatext;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The main text of a page, and what is known about it. It never changes; any thread may use it. */
public sealed class Page permits Document {
	private static final int TEXT = Fields.place("text");
	private static final int TITLE = Fields.place("title");
	private static final int MARKDOWN = Fields.place("markdown");
	private static final int BLOCKS = Fields.place("blocks");
	private static final int ADDITIONS = Fields.place("additions");
	private static final int KIND = Fields.place("page_kind");
	private static final int LANGUAGE = Fields.place("language");
	private static final int LANGUAGE_SCORE = Fields.place("language_score");
	private static final int CHARSET = Fields.place("charset");
	private static final int METHOD = Fields.place("method");
	private static final int TEXTS = Fields.place("texts");
	private static final int COMMENTS = Fields.place("comments");
	private static final int HTML_BYTES = Fields.place("html_bytes");
	private static final int TEXT_CHARS = Fields.place("text_chars");
	private static final int PROBLEMS = Fields.place("problems");
	private static final int TRUNCATED = Fields.place("truncated");

	private final Object[] values;
	private final String reason;

	/** Copies a document of the library. */
	Page(Fields document, String reason) {
		this.reason = reason;
		values = document.read();
	}

	/** The value of a field, null where there is none. */
	@SuppressWarnings("unchecked")
	final <T> T value(int place) {
		return values[place] == Fields.ABSENT ? null : (T) values[place];
	}

	/** The same of a number. */
	final long number(int place, long none) {
		Long value = value(place);
		return value == null ? none : value;
	}

	/**
	 * Returns a field by the name that it has in JSON (doc/FORMATS.md), also one for which this class has no method.
	 *
	 * @param name as "text_chars"
	 * @return a String, Long, Double, Boolean, List or Map; {@code blocks} as a text of JSON; null if it is not known, or
	 *         the options do not ask for it
	 * @throws IllegalArgumentException if no document has such a field
	 */
	public final Object field(String name) {
		int place = Fields.NAMES.indexOf(name);
		if (place < 0)
			throw new IllegalArgumentException("a document has no field " + name);
		return value(place);
	}

	/**
	 * Returns all fields that the document has with its options, in the order of JSON; what plugins add is in
	 * {@link #additions}.
	 *
	 * @return values as of {@link #field}
	 */
	public final Map<String, Object> fields() {
		Map<String, Object> all = new LinkedHashMap<>();
		for (int i = 0; i < values.length; i++)
			if (values[i] != Fields.ABSENT && i != ADDITIONS)
				all.put(Fields.NAMES.get(i), values[i]);
		return all;
	}

	/**
	 * Returns the main text, blocks joined by line feeds.
	 *
	 * @return empty if there is none
	 */
	public String text() {
		return value(TEXT);
	}

	/**
	 * Returns the text of the page's {@code <title>}.
	 *
	 * @return null if it has none
	 */
	public String title() {
		return value(TITLE);
	}

	/**
	 * Returns the page as Markdown.
	 *
	 * @return null if {@link Options#text} did not ask for it, or a plugin has changed the text
	 */
	public String markdown() {
		return value(MARKDOWN);
	}

	/**
	 * Returns the page's blocks, each with the members that doc/MARKDOWN.md names, as {@code t} and {@code text}. Their
	 * numbers are Long or Double.
	 *
	 * @return empty if {@link Options#text} did not ask for them, or a plugin has changed the text
	 */
	@SuppressWarnings("unchecked")
	public List<Map<String, Object>> blocks() {
		String blocks = value(BLOCKS);
		return blocks == null ? List.of() : (List<Map<String, Object>>) Json.parse(blocks);
	}

	/**
	 * Returns what plugins have found: an object for each, under its name, as {@code "metadata"}.
	 *
	 * @return maps, lists, String, Long, Double, Boolean and null
	 */
	@SuppressWarnings("unchecked")
	public Map<String, Object> additions() {
		String additions = value(ADDITIONS);
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
		return value(KIND);
	}

	/**
	 * Returns the language, with a plugin that finds it, as BCP 47 writes it.
	 *
	 * @return null if it is not known
	 */
	public String language() {
		return value(LANGUAGE);
	}

	/**
	 * Returns how sure the language is.
	 *
	 * @return 0 to 1; negative if it is not known
	 */
	public double languageScore() {
		Double score = value(LANGUAGE_SCORE);
		return score == null ? -1 : score;
	}

	/**
	 * Returns the charset that the page was decoded with.
	 *
	 * @return null if it is not known
	 */
	public String charset() {
		return value(CHARSET);
	}

	/**
	 * Returns the method that made the text.
	 *
	 * @return null for plain text, which is kept as it was sent
	 */
	public String method() {
		return value(METHOD);
	}

	/**
	 * Returns the texts of the methods after the first, under their names.
	 *
	 * @return a value is null if the method gave none
	 */
	public Map<String, String> texts() {
		Map<String, String> texts = value(TEXTS);
		return texts == null ? Map.of() : texts;
	}

	/**
	 * Returns the text of readers' comments, with {@link Options#comments} "apart".
	 *
	 * @return null without it, if the page has none, or a plugin has changed the text
	 */
	public String comments() {
		return value(COMMENTS);
	}

	/**
	 * Returns the size of the page in bytes, after content decoding.
	 *
	 * @return in bytes
	 */
	public long htmlBytes() {
		return number(HTML_BYTES, 0);
	}

	/**
	 * Returns the size of the text in code points.
	 *
	 * @return in code points
	 */
	public long textChars() {
		return number(TEXT_CHARS, 0);
	}

	/**
	 * Returns what is missing or wrong, in words of doc/FORMATS.md, as "bad_charset".
	 *
	 * @return empty if there is nothing
	 */
	public List<String> problems() {
		return value(PROBLEMS);
	}

	/**
	 * Returns whether the page or its text is incomplete.
	 *
	 * @return as {@code truncated} of JSONL
	 */
	public boolean isTruncated() {
		Boolean truncated = value(TRUNCATED);
		return truncated;
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
