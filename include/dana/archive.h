/* SPDX-License-Identifier: MIT */
/*
 * libdana-archive: bytes of a web archive in, documents out; or bytes of one page in any charset. It does what `dana
 * filter` and `dana extract` do, which are built on it: WARC 0.17 to 1.1 and ARC, uncompressed, in gzip or zstd,
 * recognised by content; with the same limits, filters, plugins, damage reports and messages. It contains libdana
 * (dana.h).
 *
 * The caller pushes bytes and takes documents:
 *
 * 	dana_archive_new(&a, &options);
 * 	do {
 * 		n = read(fd, bytes, sizeof(bytes));
 * 		if (n > 0)
 * 			dana_archive_push(a, bytes, n);
 * 		else
 * 			dana_archive_end(a);
 * 		while ((answer = dana_archive_next(a, &document)) == DANA_ARCHIVE_DOCUMENT)
 * 			...;
 * 	} while (answer == DANA_ARCHIVE_HUNGRY);
 * 	dana_archive_free(a);
 *
 * or passes a reader and only takes documents: dana_archive_open, dana_archive_read.
 *
 * A WACZ is a zip with such archives, found by its end: the bytes of an archive in it are an input, those of the zip
 * count as damaged, "not_an_archive". dana_zip_read says where they lie, as in the program and the Python package.
 *
 * Units: bytes; offsets count bytes of the input as it is stored. Text is UTF-8, well-formed, not terminated.
 * Ownership: an archive belongs to its caller. A document is borrowed until the next call on its archive. Threads: one
 * archive is used by one thread at a time, any number of archives at once. No thread is started and no signal handled.
 * The only files opened are those that options name (a model, a plugin, a path) and libraries that a page needs
 * (libcrypto for digests, the charset detector, libcurl for the addresses of media). After fork a child may use
 * archives of its own. Errors: a negative status, after which the archive gives no more documents: every call that
 * moves it on (push, end, next, read, batch, export) returns that status again. Damage in the input is not an error: it
 * is reported (dana_archive_options.outcome), counted and skipped. The law of the split: however the pushed bytes are
 * cut, and however an input is cut into ranges, the documents are the same, in the same order.
 *
 * Misuse is an error, too, which ends an archive: DANA_WRONG_ORDER is returned for NULL where no comment allows it, and
 * for a call that must not come yet, or any more. The functions that an archive or a page reader calls (`outcome`,
 * `read`, `seek`, `close`, `read_file`) must not move that archive on or read with that reader: both calls, the inner
 * and the outer one, return DANA_WRONG_ORDER. If they free it, the outer call does so, and returns DANA_WRONG_ORDER.
 */
#ifndef DANA_ARCHIVE_H
#define DANA_ARCHIVE_H

#include "arrow_abi.h"
#include "dana.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Status codes besides those of dana.h. */
#define DANA_CANNOT_READ -2 /* a file or a reader failed */
#define DANA_NOT_A_PAGE -3  /* the bytes are not an HTML page: a picture, an archive ... */
#define DANA_PLUGIN_FAILED -6
#define DANA_NO_FILES -8   /* no file descriptor is left to load a charset table */
#define DANA_NO_LIBRARY -9 /* a library that is loaded on demand is missing */

struct dana_archive;
struct dana_page_reader;
struct dana_revisits;
struct dana_site_table;

/** A set of what is missing in a document or wrong with its record (doc/FORMATS.md defines each). */
enum dana_problem {
	DANA_TRUNCATED_SOURCE = 1 << 0,
	DANA_TRUNCATED_LIMIT = 1 << 1,
	DANA_TRUNCATED_TEXT = 1 << 2,
	DANA_BAD_HTTP = 1 << 3,
	DANA_BAD_CHUNKED = 1 << 4,
	DANA_BAD_CODING = 1 << 5,
	DANA_BAD_CHARSET = 1 << 6,
	DANA_BAD_DATE = 1 << 7,
	DANA_HEAD_CUT = 1 << 8,
	DANA_BODY_LENGTH = 1 << 9,
	DANA_BAD_DIGEST = 1 << 10,
	DANA_UNVERIFIED = 1 << 11,
	DANA_STRUCTURE_CUT = 1 << 12,
	DANA_TEXTS_MISSING = 1 << 13,
	DANA_BAD_LENGTH = 1 << 14,
	DANA_CHARSET_LABEL = 1 << 15
};

/** Returns the word of problem `1 << bit`, as outputs have it; NULL after the last. */
DANA_API const char *dana_problem_word(unsigned bit);

/** The text of a page that a method besides the first has extracted. */
struct dana_method_text {
	const char *method;    /* as it was asked for, with its keys; terminated */
	struct dana_view text; /* as dana_document.text; NULL: it gave none, or a plugin has changed that */
};

/**
 * A cleaned page. The caller sets `struct_size` to sizeof before each call, so that members can be added at the end;
 * members that the library does not know become zero.
 */
struct dana_document {
	size_t struct_size;
	struct dana_view text;         /* blocks joined by LF */
	struct dana_view id;           /* WARC-Record-ID without < and > */
	struct dana_view url;          /* WARC-Target-URI */
	struct dana_view date;         /* WARC-Date, as written there */
	struct dana_view title;        /* of the page's <title>; NULL if it has no title */
	struct dana_view language;     /* BCP 47, if a plugin has set it */
	struct dana_view content_type; /* as sent */
	struct dana_view html;         /* the page as UTF-8, with DANA_WANT_HTML */
	struct dana_view additions;    /* JSON members that plugins add, `,"name":{...}` each */
	const char *charset;           /* of the page; terminated, as are the next two; NULL: not known */
	const char *method;    /* that extracted the text; never "auto"; NULL: plain text, kept as it was sent */
	const char *file;      /* dana_archive_options.name */
	int http_status;       /* 0: not known */
	double language_score; /* 0 to 1; negative: not known */
	uint64_t offset;       /* of the member in which the record begins; uncompressed: of the record */
	uint64_t length;       /* of that member if it holds nothing else; UINT64_MAX: not known */
	uint64_t html_bytes;   /* of the body, after content decoding */
	uint64_t text_chars;   /* code points of the text */
	unsigned problems;     /* set of enum dana_problem */
	const struct dana_text_block *blocks; /* of the text, with DANA_WANT_BLOCKS; NULL: the method lists no blocks */
	size_t n_blocks;
	const struct dana_media *media; /* of methods that look for media */
	size_t n_media;
	struct dana_view markdown; /* with DANA_MARKDOWN; NULL: not asked for, or a plugin has changed the text */
	/* Of documents of an archive; terminated; NULL for single pages. */
	const char *made_id;        /* `id`, or if the record has none the id of its conversion record */
	const char *created;        /* `date`, or if it cannot be read the date that a conversion record would have */
	int finds_language;         /* a plugin looks for languages: JSONL has `language_score` */
	struct dana_view structure; /* with DANA_BLOCKS: a JSON array of blocks; NULL as with markdown */
	const char *page_kind;      /* as dana_page_kind returns it; NULL: not known */
	/* Of `more_methods` of the options, in their order. */
	const struct dana_method_text *texts;
	size_t n_texts;
	const void *fields; /* for dana_document_field */
};

/** Returns the name of field `i` of documents, from 0, in the order of JSONL (doc/FORMATS.md); NULL after the last. */
DANA_API const char *dana_field_name(unsigned i);
/**
 * Returns what field `i` holds, borrowed as the document is: also of fields that this header has no member for. Of a
 * zeroed document, or NULL, what a page has that cannot be read.
 */
DANA_API struct dana_value dana_document_field(const struct dana_document *document, unsigned i);
/** Sets values 0 to n - 1 as dana_document_field returns them, in one call. Returns how many fields there are. */
DANA_API unsigned dana_document_values(const struct dana_document *document, struct dana_value *values, unsigned n);

enum dana_outcome_kind { DANA_OUTCOME_DOCUMENT, DANA_OUTCOME_SKIPPED, DANA_OUTCOME_DAMAGED };

/** The outcome of one record, or of a region of the input that is not a record. Strings are terminated. */
struct dana_outcome {
	enum dana_outcome_kind kind;
	const char *reason;       /* "status", "bad_member", "plugin:NAME"; see doc/FORMATS.md; NULL for a document */
	struct dana_view detail;  /* what is wrong; of a document, with its record's length; NULL data: nothing */
	struct dana_view id, url; /* NULL data if not known */
	uint64_t offset;
};

/** Limits in bytes unless a comment says otherwise; 0: the default, which `dana filter --print-limits` prints. */
struct dana_limits {
	size_t struct_size;
	uint64_t head, head_line; /* of a WARC record */
	uint64_t block;           /* of a WARC record; the rest is cut off */
	uint64_t http_head;
	unsigned http_lines; /* lines */
	uint64_t body;       /* after content decoding */
	unsigned codings;    /* content codings stacked */
	unsigned expansion;  /* decoded : coded, after the first MiB */
	uint64_t window;     /* of zstd, and of its dictionary */
	uint64_t text;       /* text kept of a page */
	unsigned depth;      /* open elements */
	unsigned work;       /* steps of counted work for each byte of a page */
};

enum dana_archive_flags {
	DANA_WANT_HTML = 1,      /* documents have `html` */
	DANA_WANT_BLOCKS = 2,    /* documents have `blocks` */
	DANA_REQUIRE_DIGEST = 4, /* a record whose block does not match its WARC-Block-Digest counts as damaged */
	DANA_NEEDS_URI = 8,      /* records whose URI is empty are skipped, as with WARC output */
	DANA_TAKE_EMPTY = 16,    /* documents without text are taken, too; as --min-chars 0 */
	DANA_CHECK_DIGESTS = 32, /* as --check-digests always; DANA_REQUIRE_DIGEST implies it */
	DANA_NO_DIGEST = 64,     /* as --check-digests never */
	DANA_KEEP_REJECTS = 128, /* dana_archive_rejects has what was skipped or damaged */
	DANA_KEEP_REPORT = 256   /* dana_archive_counts has `report`, which dana_report_write needs */
};

/**
 * Zero-initialised means the defaults of `dana filter`. Strings other than `name` are borrowed for the call that gets
 * them.
 */
struct dana_archive_options {
	size_t struct_size;
	const char *method; /* "danag:gap=40"; NULL = DANA_DEFAULT_METHOD */
	const char *name;   /* `file` of documents; borrowed as long as the archive lives; NULL = "-" */
	/* As --type, --status and --mime; NULL = the default of the option. */
	const char *types, *statuses, *media_types;
	uint64_t min_chars; /* as --min-chars; 0 = 1, or no limit with DANA_TAKE_EMPTY */
	/*
	 * As --plugin: "language:include=fa,ur". Plugins that need their pages in order (duplicates, boilerplate) are
	 * refused.
	 */
	const char *const *plugins;
	size_t n_plugins;
	const char *plugin_folder; /* of plugins that are not built in; NULL = the folder of the installation */
	/*
	 * Only records whose member (uncompressed: whose first byte) lies in [begin, end) of the input; `end` 0: to its
	 * end. All ranges of an input give, in order, the documents of the whole. If `size` is given,
	 * DANA_ARCHIVE_SEEK skips the input before `begin`.
	 */
	uint64_t begin, end;
	uint64_t size;  /* of the input, whose caller then must obey DANA_ARCHIVE_SEEK; 0: not known */
	unsigned flags; /* set of enum dana_archive_flags */
	const struct dana_limits *limits; /* NULL = all defaults */
	const char *schema;               /* of dana_archive_line: "dana", "datatrove", "dolma"; NULL = "dana" */
	/**
	 * Called for each record, in the order of the input, within the call that moves the archive on. May be NULL. It
	 * may ask for the counters, rejects and the place, but not push or take.
	 */
	void (*outcome)(void *outcome_arg, const struct dana_outcome *outcome);
	void *outcome_arg;
	/**
	 * As dana_options.read_file: reads the model that a key of `method` names. NULL: the library opens the file.
	 */
	int (*read_file)(void *read_arg, const char *name, char **data, size_t *len);
	void *read_arg;
	/** Buffer of error_size bytes for the reason, terminated, if no archive can be made. May be NULL. */
	char *error;
	size_t error_size;
	/* As dana_options.structure: documents, their lines and batches have `markdown`, `blocks`. */
	unsigned structure;
	const char *markdown; /* as dana_options.markdown */
	/**
	 * Goes on after the document that dana_archive_place named, instead of at `begin`; NULL: not. Everything else
	 * must be as it was.
	 */
	const char *place;
	/**
	 * Pieces of at most 64 KiB after decoding, after which dana_archive_next returns DANA_ARCHIVE_PAUSED if no
	 * document came; 0: it works until it has used up what was pushed.
	 */
	unsigned pieces;
	/** A batch closes with so many rows, or with the row by which it has so many bytes; 0: 1024, and 4 MiB. */
	uint64_t batch_rows, batch_bytes;
	/**
	 * Methods besides `method`: each page is read and decoded once, and documents, and their lines, have a plain
	 * text of each. All else, as filters, plugins and Markdown, belongs to `method`. Each once, with its keys.
	 */
	const char *const *more_methods;
	size_t n_more_methods;
	/** As dana_options.exclude, only, rules: parts of pages, chosen by selectors. */
	const char *exclude, *only, *rules;
	/** As dana_options.comments, tables: an enum dana_parts each. */
	unsigned comments, tables;
	/**
	 * As --site FILE: what other pages of a page's site have, of dana_site_table_open (site.h). Borrowed as long as
	 * the archive lives; any number of archives may use it. NULL: pages are judged alone.
	 */
	const struct dana_site_table *site;
	/** As dana_options.options: options of a page by name. */
	const char *const *options;
	size_t n_options;
	/**
	 * As --revisits resolve: the table in which the records are found that revisits refer to; documents then have
	 * the field `resolved_from`. Borrowed as long as the archive lives; any number of archives may use it. NULL:
	 * revisits are only counted.
	 */
	const struct dana_revisits *revisits;
	/**
	 * The archive read before this one in a run: its plugins continue here, with all that they have seen, so that
	 * those that compare pages (dedup-exact and others) compare the pages of both. `plugins` and what says which
	 * records are taken must be as it was. It must not be read any more; it may be freed. NULL: a run begins.
	 */
	const struct dana_archive *continues;
};

/**
 * Returns the options of a page, for programs that pass them on by name (`options` of the structs): an array of JSON of
 * objects with `name`; `type`: "methods" and "plugins" (which have members of their own), "texts" (some of `words`),
 * "keys" (KEY=VALUE,...), "word" (one of `words`), "flag" (0 or 1), "selectors", "lines" or "key" (of the first
 * method); `words` ("keep|drop"), `default` and `help`. Static; later versions add rows and members.
 */
DANA_API const char *dana_page_option_list(void);

/* ---- push ---- */

enum dana_archive_answer {
	DANA_ARCHIVE_HUNGRY = 0,   /* no document is ready: push more, or call dana_archive_end */
	DANA_ARCHIVE_DOCUMENT = 1, /* `document` is filled */
	DANA_ARCHIVE_SEEK = 2,     /* push from dana_archive_seek_to on; the bytes pushed before are used up */
	DANA_ARCHIVE_OVER = 3,     /* the input has ended and all documents were taken */
	DANA_ARCHIVE_PAUSED = 4    /* `pieces` of the options were looked at: call again */
};

/**
 * Makes an archive; `options` NULL = all defaults. Returns 0, DANA_BAD_OPTION, DANA_PLUGIN_FAILED, DANA_OUT_OF_MEMORY,
 * DANA_NO_LIBRARY or DANA_WRONG_ORDER.
 */
DANA_API int dana_archive_new(struct dana_archive **out, const struct dana_archive_options *options);
/**
 * Takes the next bytes of the input, which must stay valid until dana_archive_next returns anything but
 * DANA_ARCHIVE_DOCUMENT and DANA_ARCHIVE_PAUSED. Returns 0 or an error; DANA_WRONG_ORDER before dana_archive_next has
 * returned DANA_ARCHIVE_HUNGRY or DANA_ARCHIVE_SEEK for the bytes before, after the end, and for an archive that reads
 * its input itself. `bytes` may be NULL if `len` is 0.
 */
DANA_API int dana_archive_push(struct dana_archive *a, const void *bytes, size_t len);
/** Says that the input has ended. Returns 0 or an error, as dana_archive_push. */
DANA_API int dana_archive_end(struct dana_archive *a);
/**
 * As dana_archive_end, for an input that is not what its container says, as an entry of a zip with another checksum:
 * after its last record it counts as damaged, "bad_member" at offset 0, for `why`, of which up
 * to 119 bytes of ASCII are kept.
 */
DANA_API int dana_archive_damaged(struct dana_archive *a, const char *why);
/** Processes the pushed bytes up to the next document. Returns an enum dana_archive_answer or an error. */
DANA_API int dana_archive_next(struct dana_archive *a, struct dana_document *document);
/** Returns the offset in the input to continue from, after DANA_ARCHIVE_SEEK; 0 for NULL. */
DANA_API uint64_t dana_archive_seek_to(const struct dana_archive *a);

/* ---- pull ---- */

/** An input. `seek` may be NULL; where it is set, `size` is the size of the input. */
struct dana_reader {
	void *arg;
	/** Reads up to `size` bytes. Returns their number, 0 at the end, negative if reading failed. */
	int64_t (*read)(void *arg, void *bytes, size_t size);
	/** Moves to an offset. Returns 0, or negative if that failed. */
	int (*seek)(void *arg, uint64_t offset);
	/** Called once, by dana_archive_free, while the counters can still be asked for. May be NULL. */
	void (*close)(void *arg);
	uint64_t size;
};

/**
 * As dana_archive_new, for an input that is read with dana_archive_read. `size` of the options is taken from the
 * reader. The reader is copied, and closed even if this fails. DANA_WRONG_ORDER: it has no `read`.
 */
DANA_API int dana_archive_open(struct dana_archive **out, const struct dana_reader *reader,
			       const struct dana_archive_options *options);
/**
 * As dana_archive_open, for a file, which is an archive, not a WACZ; `path` is also the name unless the options give
 * another. Returns DANA_CANNOT_READ, too.
 */
DANA_API int dana_archive_open_path(struct dana_archive **out, const char *path,
				    const struct dana_archive_options *options);
/**
 * Reads the next document. Returns DANA_ARCHIVE_DOCUMENT, DANA_ARCHIVE_OVER or an error; DANA_WRONG_ORDER for an
 * archive that dana_archive_new has made, which has no input.
 */
DANA_API int dana_archive_read(struct dana_archive *a, struct dana_document *document);

/* ---- both ---- */

/*
 * These four also work after an error and within a function of the caller's. They return DANA_WRONG_ORDER for NULL
 * alone.
 */

/** Writes the document taken last as `dana filter` does: one JSON object and LF. Returns 0 or DANA_OUT_OF_MEMORY. */
DANA_API int dana_archive_line(struct dana_archive *a, struct dana_view *line);
/**
 * Writes what `dana filter --rejects` does, of the records since the last call, with DANA_KEEP_REJECTS: a line for
 * each. Returns 0 or DANA_OUT_OF_MEMORY.
 */
DANA_API int dana_archive_rejects(struct dana_archive *a, struct dana_view *lines);
/**
 * Writes where to continue after the document, or the batch, that was taken last: a word, terminated, for
 * dana_archive_options.place. Returns 0, or DANA_LIMIT if DANA_PLACE_SIZE is more than `size`.
 */
DANA_API int dana_archive_place(const struct dana_archive *a, char *place, size_t size);
#define DANA_PLACE_SIZE 48
/**
 * Writes the counters so far as `dana filter --stats` does, without times: one JSON object. Returns 0 or
 * DANA_OUT_OF_MEMORY.
 */
DANA_API int dana_archive_counts(struct dana_archive *a, struct dana_view *json);
/**
 * Writes the page of `dana filter --report`, piece by piece: one HTML file that loads nothing. `counts` is what
 * dana_archive_counts has written with DANA_KEEP_REPORT, or the sums of several, with the `report` of the last archive:
 * one that `continues` another takes over what that has. Returns 0, DANA_BAD_OPTION where `counts` are not that, or
 * DANA_OUT_OF_MEMORY; nothing was written then.
 */
DANA_API int dana_report_write(const char *counts, size_t len, void (*write)(void *arg, const char *html, size_t len),
			       void *arg);
/** Returns a message for the error that ended the archive; "" if there was none, and for NULL. */
DANA_API const char *dana_archive_error(const struct dana_archive *a);
/** NULL allowed. Nothing happens to an archive that a stream owns (dana_archive_export). */
DANA_API void dana_archive_free(struct dana_archive *a);

/* ---- Arrow ---- */

/*
 * Documents as record batches (doc/FORMATS.md, "Arrow"). What is passed on owns its memory, outlives the archive, and
 * is released by its `release`, in any thread.
 */

/** Describes the columns that the options of the archive ask for. Returns 0 or DANA_OUT_OF_MEMORY. */
DANA_API int dana_archive_schema(struct dana_archive *a, struct ArrowSchema *schema);
/**
 * As dana_archive_next, for a batch: DANA_ARCHIVE_DOCUMENT means that `batch` is filled. The batch before
 * DANA_ARCHIVE_OVER has what is left. A row of more than 2 GiB is DANA_LIMIT.
 */
DANA_API int dana_archive_batch(struct dana_archive *a, struct ArrowArray *batch);
/**
 * Makes a stream of an archive that dana_archive_open or dana_archive_open_path has made; the stream owns the archive,
 * and its `release` frees it. Returns 0, after which no second stream can be made, DANA_OUT_OF_MEMORY or
 * DANA_WRONG_ORDER: the archive stays the caller's.
 */
DANA_API int dana_archive_export(struct dana_archive *a, struct ArrowArrayStream *stream);

/* ---- archives in a zip ---- */

/** An archive in a WACZ, or in a WACZ in a zip: an input, or why it cannot be read. */
struct dana_zip_entry {
	const char *name;                 /* as the zip has it: "archive/a.warc.gz", "inner.wacz/archive/a.warc.gz" */
	uint64_t begin, length;           /* of its data in the file, or in what `zip` is inflated to */
	int deflated;                     /* then as RFC 1951 has it; else these are the bytes of the archive */
	uint64_t size;                    /* of the archive; */
	uint32_t crc;                     /* its CRC-32 */
	const struct dana_zip_entry *zip; /* the deflated WACZ in the file that it lies in; NULL: it lies in the file */
	const char
		*fault; /* why it cannot be read: it is damaged, encrypted, compressed in another way; NULL: it can */
};

enum dana_zip_answer {
	DANA_ZIP_READ = 0,
	DANA_ZIP_NONE = 1,    /* the file does not begin as a zip does */
	DANA_ZIP_DAMAGED = 2, /* it is damaged, or holds no archive; `error` says which */
};

struct dana_zip {
	size_t struct_size;
	/**
	 * Reads from an offset of the file. Returns how many bytes: `len`, or fewer at the end of the file; < 0: it
	 * failed.
	 */
	int64_t (*read)(void *arg, uint64_t offset, void *bytes, size_t len);
	/** Takes an entry, which is valid until it returns. Returns 0, or ends the call with DANA_CANNOT_READ. */
	int (*entry)(void *arg, const struct dana_zip_entry *entry);
	void *arg;
	uint64_t size; /* bytes of the file */
	char *error;   /* NULL, or room for a message */
	size_t error_size;
};

/**
 * Finds the archives in a zip, in the order of its directory; those of a deflated WACZ in it in the order of their
 * places. Only directories and local headers are read; a deflated WACZ is inflated for that. Returns an enum
 * dana_zip_answer, DANA_CANNOT_READ, DANA_OUT_OF_MEMORY or DANA_WRONG_ORDER.
 */
DANA_API int dana_zip_read(const struct dana_zip *zip);

/* ---- revisits ---- */

/**
 * A table of the records of archives, which finds the record that a revisit refers to: by its id, by URL and date, or
 * by payload digest (WARC 1.1, sections 5.13 to 5.15, 6.7). Make one, add all archives, and give it to each archive
 * that is read (dana_archive_options.revisits). Threads: one adds; then any number of archives may use it.
 */
struct dana_revisits;

/** Returns a table of at most `bytes`, 0: 64 MiB; half as much again while it grows. NULL: memory is exhausted. */
DANA_API struct dana_revisits *dana_revisits_new(uint64_t bytes);
/**
 * Reads the headers of the records of an archive: `length` bytes from `begin` of the file `path`; 0: to its end. `name`
 * is what `resolved_from` says; NULL: `path`. Both are copied. Damaged records are left out. Returns 0,
 * DANA_CANNOT_READ or DANA_OUT_OF_MEMORY.
 */
DANA_API int dana_revisits_add(struct dana_revisits *r, const char *path, const char *name, uint64_t begin,
			       uint64_t length);
/** Returns how many records had no room, so that revisits of them are only counted; 0 for NULL. */
DANA_API uint64_t dana_revisits_left_out(const struct dana_revisits *r);
/** NULL allowed. No archive may use it any more. */
DANA_API void dana_revisits_free(struct dana_revisits *r);

/* ---- one page ---- */

struct dana_page_options {
	size_t struct_size;
	const char *method; /* NULL = DANA_DEFAULT_METHOD */
	/** As in dana_archive_options. */
	int (*read_file)(void *read_arg, const char *name, char **data, size_t *len);
	void *read_arg;
	unsigned structure;
	const char *markdown;
	/** As in dana_archive_options. */
	const char *const *more_methods;
	size_t n_more_methods;
	/** As in dana_archive_options. */
	const char *exclude, *only, *rules;
	/** As in dana_archive_options. */
	const char *const *plugins;
	size_t n_plugins;
	const char *plugin_folder;
	char *error;
	size_t error_size;
	/** As dana_options.comments, tables: an enum dana_parts each. */
	unsigned comments, tables;
	/** As in dana_archive_options. */
	const char *const *options;
	size_t n_options;
};

#define DANA_PAGE_DROPPED 1 /* by a plugin: a result of dana_page_read */

/** What the caller knows about a page; NULL data: not known. */
struct dana_page_source {
	struct dana_view url;
	struct dana_view charset; /* a label of the web or a name of iconv, which is never doubted; an unknown one is
				     DANA_BAD_OPTION. What a server said belongs into content_type */
	struct dana_view content_type; /* as the server sent it; text/plain and text/markdown are text as it
					stands, types other than these and HTML DANA_NOT_A_PAGE */
};

/**
 * Makes a reader of any number of pages, one after the other; `options` NULL = all defaults. Returns 0,
 * DANA_BAD_OPTION, DANA_PLUGIN_FAILED, DANA_OUT_OF_MEMORY or DANA_WRONG_ORDER.
 */
DANA_API int dana_page_reader_new(struct dana_page_reader **out, const struct dana_page_options *options);
/**
 * Reads one page in any charset. Returns 0; DANA_PAGE_DROPPED where a plugin has dropped the page, with
 * "plugin:NAME: RULE" as dana_page_error; DANA_NOT_A_PAGE, DANA_PLUGIN_FAILED, DANA_LIMIT or
 * DANA_BAD_OPTION (charset; model of the site), after which the next page can be read, as after DANA_WRONG_ORDER;
 * DANA_NO_FILES or DANA_OUT_OF_MEMORY. After any status but 0 `document` is as before, and what it borrows of the page
 * before is no longer valid. `source` may be NULL, and so may `html` if `len` is 0.
 */
DANA_API int dana_page_read(struct dana_page_reader *p, const struct dana_page_source *source, const void *html,
			    size_t len, struct dana_document *document);
/** Describes the columns that dana_page_column makes (doc/FORMATS.md, "Arrow"). Returns 0 or DANA_OUT_OF_MEMORY. */
DANA_API int dana_page_column_schema(const struct dana_page_reader *p, struct ArrowSchema *schema);
/**
 * Reads a column of pages, row for row: binary or utf8, also large ones and views. Pages in a column of utf8 are
 * characters already, as with charset "utf-8"; the address or the file name of one, as its form shows, is no page.
 * `source` says what is known of all of them, and may be NULL. What cannot be read, is no page, is dropped by a plugin
 * or makes one fail has a null text and a reason; a null is null in all columns. Returns 0; DANA_BAD_OPTION for another
 * column or an unknown charset; DANA_LIMIT if the texts have more than 2 GiB; DANA_NO_FILES or DANA_OUT_OF_MEMORY.
 */
DANA_API int dana_page_column(struct dana_page_reader *p, const struct dana_page_source *source,
			      const struct ArrowSchema *schema, const struct ArrowArray *pages, struct ArrowArray *out);
/** Returns a message for the last status other than 0 of dana_page_read and dana_page_column; "" for NULL. */
DANA_API const char *dana_page_error(const struct dana_page_reader *p);
/** NULL allowed. From within `read_file` it takes effect when the call returns, with DANA_WRONG_ORDER. */
DANA_API void dana_page_reader_free(struct dana_page_reader *p);

#ifdef __cplusplus
}
#endif
#endif
