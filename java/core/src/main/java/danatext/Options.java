// SPDX-License-Identifier: MIT
package danatext;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How pages and archives are read: the options of {@code dana filter}, of which single pages take methods, plugins and
 * the options of a page, which the library lists: {@link #set} takes all of them. What is not set has the program's
 * default. A reader copies what it needs when it is made.
 */
public final class Options {
	/** Limits of an archive, in bytes if nothing else is said; {@code dana filter --print-limits} has the defaults. */
	public enum Limit {
		/** Head of a WARC record. */
		HEAD,
		/** One line of it. */
		HEAD_LINE,
		/** Block of a WARC record; the rest is cut off. */
		BLOCK,
		/** Head of an HTTP response. */
		HTTP_HEAD,
		/** Its lines, a number. */
		HTTP_LINES,
		/** A page after content decoding. */
		BODY,
		/** Content codings stacked, a number. */
		CODINGS,
		/** Decoded bytes for each coded one, after the first MiB. */
		EXPANSION,
		/** Window and dictionary of zstd. */
		WINDOW,
		/** Text kept of a page. */
		TEXT,
		/** Open elements, a number. */
		DEPTH,
		/** Steps of counted work for each byte of a page. */
		WORK;

		private boolean isInt() {
			return this == HTTP_LINES || this == CODINGS || this == EXPANSION || this == DEPTH || this == WORK;
		}
	}

	private static final int WANT_HTML = 1;
	private static final int REQUIRE_DIGEST = 4;
	private static final int TAKE_EMPTY = 16;
	private static final int CHECK_DIGESTS = 32;
	private static final int NO_DIGEST = 64;
	private static final int KEEP_REJECTS = 128;
	/** Pieces of 64 KiB after which a reader looks whether its thread is interrupted. */
	private static final int PIECES = 16;

	private List<String> methods = List.of();
	private List<String> plugins = List.of();
	private String pluginFolder;
	private String types;
	private String statuses;
	private String mediaTypes;
	private final Map<String, String> page = new LinkedHashMap<>();
	private SiteTable site;
	private String name;
	private String place;
	private int flags;
	private long minChars;
	private long begin;
	private long end;
	private long batchRows;
	private long batchBytes;
	private final Map<Limit, Long> limits = new EnumMap<>(Limit.class);

	/** The defaults. */
	public Options() {
		// what is zero or null is the default
	}

	private Options flag(int flag, boolean value) {
		flags = value ? flags | flag : flags & ~flag;
		return this;
	}

	/**
	 * Sets the methods. The first determines all but {@link Page#texts()}, which has the texts of the others.
	 *
	 * @param names each with its keys, "danag:gap=40"
	 * @return this
	 */
	public Options method(String... names) {
		methods = List.of(names);
		return this;
	}

	/**
	 * Sets what there is besides the plain text.
	 *
	 * @param words some of "plain", "markdown", "blocks", joined by commas
	 * @return this
	 */
	public Options text(String words) {
		return page("text", words);
	}

	/**
	 * Sets how Markdown is written.
	 *
	 * @param keys as "images=1,links=0"; null: defaults
	 * @return this
	 */
	public Options markdown(String keys) {
		return page("markdown", keys);
	}

	/**
	 * Sets whether blocks have those, too, that the method does not keep.
	 *
	 * @param value as {@code kept} of a block shows
	 * @return this
	 */
	public Options dropped(boolean value) {
		return page("dropped", value ? "1" : null);
	}

	/**
	 * Sets parts of pages that are left out.
	 *
	 * @param selectors "nav, div.ad > p"; null: none
	 * @return this
	 */
	public Options exclude(String selectors) {
		return page("exclude", selectors);
	}

	/**
	 * Sets the parts of pages that alone are read.
	 *
	 * @param selectors "main, article"; null: all
	 * @return this
	 */
	public Options only(String selectors) {
		return page("only", selectors);
	}

	/**
	 * Sets parts of the pages of hosts.
	 *
	 * @param lines of a host, a tab, "exclude", "only" or "drop", a tab, and selectors
	 * @return this
	 */
	public Options rules(String lines) {
		return page("rules", lines);
	}

	/**
	 * Sets what becomes of readers' comments of articles.
	 *
	 * @param word "keep", "drop", or "apart": pages have {@link Page#comments}
	 * @return this
	 */
	public Options comments(String word) {
		return page("comments", word);
	}

	/**
	 * Sets what becomes of tables of data.
	 *
	 * @param word "keep" or "drop"
	 * @return this
	 */
	public Options tables(String word) {
		return page("tables", word);
	}

	/**
	 * Sets what other pages of a page's site have: the method {@code learned} believes less in such text. Archives only.
	 *
	 * @param table a file of {@code dana site learn}, which is read now, as a whole; null: pages are judged alone
	 * @return this
	 * @throws DanaException if it is not such a file, or cannot be read
	 */
	public Options site(Path table) {
		site = table == null ? null : new SiteTable(table.toString());
		return this;
	}

	/** A table of sites in memory, as long as options or a reader have it. */
	private static final class SiteTable {
		private final Pointer table;

		SiteTable(String path) {
			PointerByReference out = new PointerByReference();
			Memory error = new Memory(1024);
			int status = Library.dana_site_table_open(out, path, error, error.size());
			if (status != 0)
				throw new DanaException(status, error.getString(0, "UTF-8"));
			Pointer made = out.getValue();
			table = made;
			Library.CLEANER.register(this, () -> Library.dana_site_table_free(made));
		}
	}

	/** The library's list of the options of a page, under their names. */
	private static final class PageOptions {
		private static final Map<String, Map<?, ?>> ROWS = rows();

		private static Map<String, Map<?, ?>> rows() {
			Map<String, Map<?, ?>> rows = new LinkedHashMap<>();
			for (Object row : (List<?>) Json.parse(Library.dana_page_option_list()))
				rows.put((String) ((Map<?, ?>) row).get("name"), (Map<?, ?>) row);
			return rows;
		}
	}

	/** Sets an option of a page, which the library knows by this name; null: its default. */
	private Options page(String option, String value) {
		Map<?, ?> row = PageOptions.ROWS.get(option);
		if (row == null)
			throw new IllegalArgumentException("option '" + option + "' is unknown; expected one of "
					+ String.join(", ", PageOptions.ROWS.keySet()));
		List<String> words = List.of(((String) row.get("words")).split("\\|"));
		boolean isList = row.get("type").equals("texts");
		boolean isFlag = row.get("type").equals("flag") && value != null;
		if (value != null && (isList || row.get("type").equals("word")))
			for (String word : isList ? value.split(",", -1) : new String[] { value })
				if (!words.contains(word.trim()))
					throw new IllegalArgumentException(option + " \"" + word + "\" is unknown; expected "
							+ (isList ? "some" : "one") + " of " + String.join(", ", words));
		if (value == null)
			page.remove(option);
		else
			page.put(option, isFlag && !value.equals("1") ? flag(option, value) ? "1" : "0" : value);
		return this;
	}

	/**
	 * Sets the plugins, in their order.
	 *
	 * @param specs as "metadata", "language:include=fa,ur"
	 * @return this
	 */
	public Options plugins(String... specs) {
		plugins = List.of(specs);
		return this;
	}

	/**
	 * Sets where plugins are that are not built in.
	 *
	 * @param folder null: of the installation
	 * @return this
	 */
	public Options pluginFolder(String folder) {
		pluginFolder = folder;
		return this;
	}

	/**
	 * Sets the types of records that are read.
	 *
	 * @param words as {@code --type} of {@code dana filter}
	 * @return this
	 */
	public Options type(String words) {
		types = words;
		return this;
	}

	/**
	 * Sets the statuses of HTTP that are read.
	 *
	 * @param words as {@code --status}
	 * @return this
	 */
	public Options status(String words) {
		statuses = words;
		return this;
	}

	/**
	 * Sets the media types that are read.
	 *
	 * @param words as {@code --mime}
	 * @return this
	 */
	public Options mime(String words) {
		mediaTypes = words;
		return this;
	}

	/**
	 * Sets how long a text must be.
	 *
	 * @param chars in code points; 0 takes pages without text
	 * @return this
	 */
	public Options minChars(long chars) {
		minChars = chars;
		return flag(TAKE_EMPTY, chars == 0);
	}

	/**
	 * Sets whether a record whose digest does not match counts as damaged.
	 *
	 * @param value as {@code --require-digest}
	 * @return this
	 */
	public Options requireDigest(boolean value) {
		return flag(REQUIRE_DIGEST, value);
	}

	/**
	 * Sets when digests are checked.
	 *
	 * @param word "auto", "always" or "never"
	 * @return this
	 */
	public Options checkDigests(String word) {
		if (!List.of("auto", "always", "never").contains(word))
			throw new IllegalArgumentException(
					"check_digests \"" + word + "\" is unknown; expected auto, always or never");
		return flag(CHECK_DIGESTS, word.equals("always")).flag(NO_DIGEST, word.equals("never"));
	}

	/**
	 * Sets whether documents have the page itself.
	 *
	 * @param value as {@link Document#html()}
	 * @return this
	 */
	public Options html(boolean value) {
		return flag(WANT_HTML, value);
	}

	/**
	 * Sets whether {@link ArchiveReader#rejects()} has what was skipped or damaged.
	 *
	 * @param value as {@code --rejects}
	 * @return this
	 */
	public Options rejects(boolean value) {
		return flag(KEEP_REJECTS, value);
	}

	/**
	 * Sets the name of the input.
	 *
	 * @param file {@link Document#file()}; null: the path
	 * @return this
	 */
	public Options name(String file) {
		name = file;
		return this;
	}

	/**
	 * Sets where reading resumes. Everything else must be as it was.
	 *
	 * @param word of {@link ArchiveReader#place()}; null: from the beginning
	 * @return this
	 */
	public Options place(String word) {
		place = word;
		return this;
	}

	/**
	 * Sets a range: only records whose member begins in it are read. All ranges of an input give, in order, what the
	 * whole gives.
	 *
	 * @param from in bytes of the input as stored
	 * @param to the first byte after it; 0: the end of the input
	 * @return this
	 */
	public Options range(long from, long to) {
		if (from < 0 || (to != 0 && to <= from))
			throw new IllegalArgumentException("the range from " + from + " to " + to + " is empty");
		begin = from;
		end = to;
		return this;
	}

	/**
	 * Sets when a batch closes: with the row that reaches one of both.
	 *
	 * @param rows 0: 1024
	 * @param bytes 0: 4 MiB
	 * @return this
	 */
	public Options batch(long rows, long bytes) {
		batchRows = rows;
		batchBytes = bytes;
		return this;
	}

	/**
	 * Sets a limit.
	 *
	 * @param which what is limited
	 * @param value in its unit; 0: the default
	 * @return this
	 */
	public Options limit(Limit which, long value) {
		limits.put(which, value);
		return this;
	}

	/**
	 * Sets an option by the name that it has in Python and SQL: for what comes from a file of settings.
	 *
	 * @param option "method" (several joined by commas), "plugins" (one, or a JSON array of several), "type", "status",
	 *        "mime", "min_chars", "require_digest", "check_digests", "html", "site", "batch_rows", "batch_bytes", or an
	 *        option of a page: "text", "exclude", "recall" and all others that the library lists
	 * @param value its value as text
	 * @return this
	 * @throws IllegalArgumentException for an unknown option, or another value than it takes
	 */
	public Options set(String option, String value) {
		switch (option) {
		case "method":
			// "danag:gap=40,unit=chars,learned" are two methods: what has "=" before any ":" is a key of the one before
			return method(value.split(",(?![^,:=]*=)"));
		case "plugins":
			return plugins(value.startsWith("[") ? list(value).toArray(new String[0]) : new String[] { value });
		case "type":
			return type(value);
		case "status":
			return status(value);
		case "mime":
			return mime(value);
		case "min_chars":
			return minChars(Long.parseLong(value));
		case "require_digest":
			return requireDigest(flag(option, value));
		case "check_digests":
			return checkDigests(value);
		case "html":
			return html(flag(option, value));
		case "batch_rows":
			return batch(Long.parseLong(value), batchBytes);
		case "batch_bytes":
			return batch(batchRows, Long.parseLong(value));
		case "site":
			return site(Path.of(value));
		default:
			return page(option, value);
		}
	}

	/**
	 * Returns the strings of a JSON array, as options have lists.
	 *
	 * @param value as {@code ["language", "metadata"]}
	 * @return its strings
	 */
	public static List<String> list(String value) {
		try {
			return ((List<?>) Json.parse(value)).stream().map(String.class::cast).toList();
		} catch (ClassCastException | IndexOutOfBoundsException | NumberFormatException e) {
			throw new IllegalArgumentException(value + " is no JSON array of strings", e);
		}
	}

	private static boolean flag(String option, String value) {
		if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false"))
			throw new IllegalArgumentException("option " + option + " is '" + value + "'; expected true or false");
		return Boolean.parseBoolean(value);
	}

	private String firstMethod() {
		return methods.isEmpty() ? null : methods.get(0);
	}

	/** The options of a page, each as NAME=VALUE. */
	private List<String> ofPages() {
		return page.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList();
	}

	/** struct dana_page_options */
	Struct ofPage() {
		Struct o = new Struct(152).put(firstMethod()).put(0).put(0).putInt(0).put(0).put(methods, 1).put(0).put(0).put(0);
		return o.put(plugins, 0).put(pluginFolder).putBuffer().putInt(0).putInt(0).put(ofPages(), 0);
	}

	/** struct dana_limits */
	private Struct ofLimits() {
		Struct limited = new Struct(88);
		for (Limit limit : Limit.values()) {
			long value = limits.getOrDefault(limit, 0L);
			if (limit.isInt())
				limited.putInt(value);
			else
				limited.put(value);
		}
		return limited;
	}

	/** struct dana_archive_options */
	Struct ofArchive(String path, long size) {
		Struct o = new Struct(296).put(firstMethod()).put(name == null ? path : name);
		o.put(types).put(statuses).put(mediaTypes).put(minChars).put(plugins, 0).put(pluginFolder);
		o.put(begin).put(end).put(size).putInt(flags).put(limits.isEmpty() ? null : ofLimits()).put(0).put(0).put(0).put(0).put(0);
		o.putBuffer().putInt(0).put(0).put(place).putInt(PIECES).put(batchRows).put(batchBytes);
		o.put(methods, 1).put(0).put(0).put(0).putInt(0).putInt(0);
		return o.put(site == null ? null : site.table, site).put(ofPages(), 0);
	}
}
