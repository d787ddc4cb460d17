/* SPDX-License-Identifier: MIT */
/*
 * libdana-archive: bytes of a web archive in, documents out; or bytes of one page in any charset. It does what `dana filter` and
 * `dana extract` do, which are built on it: WARC 0.17 to 1.1 and ARC, uncompressed, in gzip or zstd, recognised by content; the
 * same limits, filters, plugins, reports of damage and texts. It contains libdana (dana.h).
 *
 * The caller pushes bytes and takes documents:
 *
 *	dana_archive_new(&a, &options);
 *	do {
 *		n = read(fd, bytes, sizeof(bytes));
 *		if (n > 0)
 *			dana_archive_push(a, bytes, n);
 *		else
 *			dana_archive_end(a);
 *		while ((answer = dana_archive_next(a, &document)) == DANA_ARCHIVE_DOCUMENT)
 *			...;
 *	} while (answer == DANA_ARCHIVE_HUNGRY);
 *	dana_archive_free(a);
 *
 * or hands in a reader and only takes documents: dana_archive_open, dana_archive_read.
 *
 * Units: bytes; offsets count bytes of the input as it is stored. Text is UTF-8, well-formed, not terminated.
 * Ownership: an archive belongs to its caller. A document is borrowed until the next call on its archive.
 * Threads: one archive is used by one thread at a time, any number of archives at once. No thread is started, no signal is touched,
 * and no file is opened but those that options name (a model, a plugin, a path), and libraries that a page needs (libcrypto for
 * digests, the detector of charsets, libcurl for the addresses of media). After fork a child may use archives of its own.
 * Errors: a negative status; the archive then only gives its error text and is freed. Damage in the input is no error: it is
 * reported (dana_archive_options.outcome), counted, and passed over.
 * The law of the split: any cut of the pushed bytes, and any cut of an input into ranges, give the same documents in the same order.
 */
#ifndef DANA_ARCHIVE_H
#define DANA_ARCHIVE_H

#include "dana.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Status codes besides those of dana.h. */
#define DANA_CANNOT_READ -2 /* a file or a reader failed */
#define DANA_NOT_A_PAGE -3  /* bytes that are no HTML page: a picture, an archive ... */
#define DANA_PLUGIN_FAILED -6
#define DANA_NO_FILES -8      /* no file descriptor is left to load a table of a charset */
#define DANA_NO_LIBRARY -9    /* a library that is loaded when it is needed is missing */
#define DANA_NO_CONVERTER -10 /* this system has no converter for the page's charset */

struct dana_archive;
struct dana_page_reader;

/** What a document lacks, or what was wrong with its record: a set (doc/FORMATS.md says what each means). */
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
	DANA_UNVERIFIED = 1 << 11
};

/**
 * A cleaned page. The caller sets `struct_size` to sizeof before each call, so that members can be added at the end; those that the
 * library does not know become zero.
 */
struct dana_document {
	size_t struct_size;
	struct dana_view text;         /* blocks joined by LF */
	struct dana_view id;           /* WARC-Record-ID without < and > */
	struct dana_view url;          /* WARC-Target-URI */
	struct dana_view date;         /* WARC-Date, as it stands there */
	struct dana_view title;        /* of the page's <title>; NULL: it has none */
	struct dana_view language;     /* BCP 47, where a plugin has set it */
	struct dana_view content_type; /* as it was sent */
	struct dana_view html;         /* the page as UTF-8, with DANA_WANT_HTML */
	struct dana_view additions;    /* members of JSON that plugins add, `,"name":{...}` each */
	const char *charset;           /* by which the page was decoded; terminated, as the two below; NULL: none */
	const char *method;            /* that made the text; never "auto" */
	const char *file;              /* dana_archive_options.name */
	int http_status;               /* 0: none */
	double language_score;         /* 0 to 1; negative: none */
	uint64_t offset;               /* of the member in which the record begins; uncompressed: of the record */
	uint64_t length;               /* of that member when it holds nothing else; UINT64_MAX: not known */
	uint64_t html_bytes;           /* of the body, its content codings undone */
	uint64_t text_chars;           /* code points of the text */
	unsigned problems;             /* set of enum dana_problem */
	const struct dana_text_block *blocks; /* of the text, with DANA_WANT_BLOCKS; NULL: the method lists none */
	size_t n_blocks;
	const struct dana_media *media; /* of methods that look for media */
	size_t n_media;
};

enum dana_outcome_kind { DANA_OUTCOME_DOCUMENT, DANA_OUTCOME_SKIPPED, DANA_OUTCOME_DAMAGED };

/** What became of one record, or of a region of the input that is none. Strings are terminated. */
struct dana_outcome {
	enum dana_outcome_kind kind;
	const char
		*reason; /* "status", "bad_member", "plugin:NAME"; a closed list (doc/FORMATS.md); of a document NULL */
	struct dana_view detail, id, url; /* NULL data where not known */
	uint64_t offset;
};

/** Limits in bytes unless a comment says otherwise; 0: the default, which is that of `dana filter --print-limits`. */
struct dana_limits {
	size_t struct_size;
	uint64_t head, head_line; /* of a WARC record */
	uint64_t block;           /* of a WARC record, that is passed on */
	uint64_t http_head;
	unsigned http_lines; /* lines */
	uint64_t body;       /* after content decoding */
	unsigned codings;    /* content codings stacked */
	unsigned expansion;  /* decoded : coded, after the first MiB */
	uint64_t window;     /* of zstd, and its dictionary */
	uint64_t text;       /* kept text of a page */
	unsigned depth;      /* open elements */
	unsigned work;       /* steps of counted work for each byte of a page */
};

enum dana_archive_flags {
	DANA_WANT_HTML = 1,      /* documents have `html` */
	DANA_WANT_BLOCKS = 2,    /* documents have `blocks` */
	DANA_REQUIRE_DIGEST = 4, /* a record whose block is not the one of its WARC-Block-Digest is damaged */
	DANA_NEEDS_URI = 8,      /* records whose URI is empty are skipped, as with WARC output */
	DANA_TAKE_EMPTY = 16     /* documents without text, too; as --min-chars 0 */
};

/** Zero-initialised means the defaults of `dana filter`. Strings are borrowed for the call that gets them, but `name`. */
struct dana_archive_options {
	size_t struct_size;
	const char *method; /* "danag:gap=40"; NULL = DANA_DEFAULT_METHOD */
	const char *name;   /* `file` of documents; borrowed as long as the archive lives; NULL = "-" */
	/* As --type, --status and --mime; NULL = "response,resource", "200", "text/html,application/xhtml+xml". */
	const char *types, *statuses, *media_types;
	uint64_t min_chars; /* as --min-chars; 0 = 1, or with DANA_TAKE_EMPTY none */
	/* As --plugin: "language:include=fa,ur". Plugins that need their pages in order (duplicates, boilerplate) are refused. */
	const char *const *plugins;
	size_t n_plugins;
	const char *plugin_folder; /* of plugins that are not built in; NULL = the one that was compiled in */
	/*
	 * Only records whose member (uncompressed: whose first byte) lies in [begin, end) of the input; `end` 0: to its end. The
	 * documents of all ranges of an input, in order, are those of the whole. Where `size` is given, an input is not read up to
	 * `begin`: DANA_ARCHIVE_SEEK leaps over it.
	 */
	uint64_t begin, end;
	uint64_t size; /* of the input, which then must be seekable: DANA_ARCHIVE_SEEK has to be obeyed; 0: not known */
	unsigned flags;                   /* set of enum dana_archive_flags */
	const struct dana_limits *limits; /* NULL = all defaults */
	const char *schema;               /* of dana_archive_line: "dana", "datatrove", "dolma"; NULL = "dana" */
	/** Is told of each record, in the order of the input, within dana_archive_next. NULL: nobody wants to know. */
	void (*outcome)(void *outcome_arg, const struct dana_outcome *outcome);
	void *outcome_arg;
	/** As dana_options.read_file: reads the model that a key of `method` names. NULL: the file is opened. */
	int (*read_file)(void *read_arg, const char *name, char **data, size_t *len);
	void *read_arg;
	/** Where a text goes when no archive can be made: error_size bytes, terminated. NULL: nobody wants it. */
	char *error;
	size_t error_size;
};

/* ---- push ---- */

enum dana_archive_answer {
	DANA_ARCHIVE_HUNGRY = 0,   /* no document waits: push more, or say that it was all */
	DANA_ARCHIVE_DOCUMENT = 1, /* `document` is filled */
	DANA_ARCHIVE_SEEK = 2,     /* push from dana_archive_seek_to on; what was pushed is used up */
	DANA_ARCHIVE_OVER = 3      /* all documents were taken */
};

/** 0, DANA_BAD_OPTION, DANA_PLUGIN_FAILED, DANA_OUT_OF_MEMORY or DANA_NO_LIBRARY. */
DANA_API int dana_archive_new(struct dana_archive **out, const struct dana_archive_options *options);
/** The next bytes of the input, which stay valid until dana_archive_next returns 0 or another answer than a document. 0 or an error. */
DANA_API int dana_archive_push(struct dana_archive *a, const void *bytes, size_t len);
/** Nothing follows. 0 or an error. */
DANA_API int dana_archive_end(struct dana_archive *a);
/** Works on what was pushed up to the next document. enum dana_archive_answer or an error. */
DANA_API int dana_archive_next(struct dana_archive *a, struct dana_document *document);
/** After DANA_ARCHIVE_SEEK: offset in the input. */
DANA_API uint64_t dana_archive_seek_to(const struct dana_archive *a);

/* ---- pull ---- */

/** An input. `seek` may be NULL; where it is set, `size` is that of the input. */
struct dana_reader {
	void *arg;
	/** Reads up to `size` bytes: how many, 0 at the end, negative when reading failed. */
	int64_t (*read)(void *arg, void *bytes, size_t size);
	/** Goes to an offset. 0, or negative when that failed. */
	int (*seek)(void *arg, uint64_t offset);
	/** Is called once, by dana_archive_free. NULL: nothing is to be done. */
	void (*close)(void *arg);
	uint64_t size;
};

/** As dana_archive_new; `size` of the options is taken from the reader, which is copied, and closed also when this fails. */
DANA_API int dana_archive_open(struct dana_archive **out, const struct dana_reader *reader,
			       const struct dana_archive_options *options);
/** A file; its path is the name, unless the options give another. As dana_archive_open, and DANA_CANNOT_READ. */
DANA_API int dana_archive_open_path(struct dana_archive **out, const char *path,
				    const struct dana_archive_options *options);
/** The next document of an archive that was opened. DANA_ARCHIVE_DOCUMENT, DANA_ARCHIVE_OVER or an error. */
DANA_API int dana_archive_read(struct dana_archive *a, struct dana_document *document);

/* ---- both ---- */

/** The document that was taken last as `dana filter` writes it: one JSON object and LF. 0 or DANA_OUT_OF_MEMORY. */
DANA_API int dana_archive_line(struct dana_archive *a, struct dana_view *line);
/** The counters so far, as `dana filter --stats` writes them, without times: one JSON object. 0 or DANA_OUT_OF_MEMORY. */
DANA_API int dana_archive_counts(struct dana_archive *a, struct dana_view *json);
/** What the last negative status means, for people; "" before one. */
DANA_API const char *dana_archive_error(const struct dana_archive *a);
/** NULL allowed. */
DANA_API void dana_archive_free(struct dana_archive *a);

/* ---- one page ---- */

struct dana_page_options {
	size_t struct_size;
	const char *method; /* NULL = DANA_DEFAULT_METHOD */
	/** As in dana_archive_options. */
	int (*read_file)(void *read_arg, const char *name, char **data, size_t *len);
	void *read_arg;
};

/** What is known of a page besides its bytes; NULL data: not known. */
struct dana_page_source {
	struct dana_view url;
	struct dana_view charset;      /* a name of the web or of iconv; an unknown one is DANA_BAD_OPTION */
	struct dana_view content_type; /* as the server sent it; other types than HTML are DANA_NOT_A_PAGE */
};

/** Any number of pages, one after the other. 0, DANA_BAD_OPTION or DANA_OUT_OF_MEMORY. */
DANA_API int dana_page_reader_new(struct dana_page_reader **out, const struct dana_page_options *options);
/**
 * One page in any charset. 0; DANA_NOT_A_PAGE, DANA_LIMIT, DANA_NO_CONVERTER, DANA_BAD_OPTION (charset; model of the site): the
 * next page can be read all the same; DANA_NO_FILES, DANA_OUT_OF_MEMORY. `source` may be NULL.
 */
DANA_API int dana_page_read(struct dana_page_reader *p, const struct dana_page_source *source, const void *html,
			    size_t len, struct dana_document *document);
/** What the last negative status of dana_page_read means, for people. */
DANA_API const char *dana_page_error(const struct dana_page_reader *p);
/** NULL allowed. */
DANA_API void dana_page_reader_free(struct dana_page_reader *p);

#ifdef __cplusplus
}
#endif
#endif
