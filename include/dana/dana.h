/* SPDX-License-Identifier: MIT */
/*
 * libdana: main-content extraction, one pass, push. C99, no dependency beyond libc and libm.
 *
 * Ownership: an extractor belongs to its caller. Results are borrowed from the extractor, valid until dana_reset,
 * dana_free or the next dana_feed. Threads: one extractor may be used by one thread at a time, any number of extractors
 * at once; the only global state is the processor's level of vector instructions, found once. Errors: a negative
 * status; the first of a page stays until dana_reset.
 *
 * Misuse is an error, too. DANA_WRONG_ORDER is returned for NULL where a comment does not allow it, by dana_page_url
 * after the first dana_feed of a page, by dana_feed and dana_finish after dana_finish, and by what reads a result while
 * there is none. An extractor must not be used by the `read_file` that it calls: dana_page_url then fails with
 * DANA_WRONG_ORDER, and frees the extractor if that was asked for.
 */
#ifndef DANA_DANA_H
#define DANA_DANA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define DANA_API __attribute__((visibility("default")))
#else
#define DANA_API
#endif

/*
 * The version of this header; dana_version() returns the version of the library. NUMBER grows with each: 1.0.0 is
 * 10000.
 */
#define DANA_VERSION_MAJOR 1
#define DANA_VERSION_MINOR 2
#define DANA_VERSION_PATCH 0
#define DANA_VERSION_NUMBER (DANA_VERSION_MAJOR * 10000 + DANA_VERSION_MINOR * 100 + DANA_VERSION_PATCH)

/* Status codes: 0 is success, errors are negative; dana_status_text describes each. */
#define DANA_SUCCESS 0
#define DANA_OUT_OF_MEMORY -1
#define DANA_LIMIT -4 /* the page needs more work than its size allows (max_work) */
#define DANA_BAD_OPTION -5
#define DANA_WRONG_ORDER -7 /* a call at the wrong time, or NULL where none is allowed */

/**
 * Bytes with a length; text is UTF-8 and not terminated. `data` is NULL if the value is not known or does not exist.
 */
struct dana_view {
	const char *data;
	size_t len;
};

/** What a field of a document is (dana_document_field; `field` of the functions for plugins). */
enum dana_value_kind {
	DANA_VALUE_NONE, /* the document has no such field, which depends on the options */
	DANA_VALUE_NULL,
	DANA_VALUE_TEXT,
	DANA_VALUE_COUNT,
	DANA_VALUE_REAL,
	DANA_VALUE_BOOLEAN, /* `count` is 0 or 1 */
	DANA_VALUE_JSON,    /* `text` is JSON */
	/**
	 * A list: the member of struct dana_document that has this name. text.data is its first item, and `count` the
	 * number of items; of `problems`, the set itself.
	 */
	DANA_VALUE_MEMBER
};

struct dana_value {
	enum dana_value_kind is;
	struct dana_view text; /* borrowed from the document */
	uint64_t count;
	double real;
};

/* The method if none is named. */
#define DANA_DEFAULT_METHOD "learned"

/* Flags of a result. */
#define DANA_TEXT_TRUNCATED 1u   /* max_text_bytes was reached */
#define DANA_NO_REGION 2u        /* the method found nothing */
#define DANA_HAS_TITLE 4u        /* the page has a <title> */
#define DANA_LISTS_MEDIA 8u      /* the method looks for media, and may have found some */
#define DANA_LACKS_STRUCTURE 16u /* a limit left structure of the Markdown out; its text is there */

/* What dana_options.structure asks for, as a set. */
#define DANA_MARKDOWN 1u
#define DANA_BLOCKS 2u  /* a list of blocks, for dana_structure_json */
#define DANA_DROPPED 4u /* with DANA_BLOCKS: those that the method does not keep, too */

/** What becomes of a kind of parts of a page. */
enum dana_parts {
	DANA_PARTS_KEEP,  /* they are a part of the text, as far as the method takes them for content */
	DANA_PARTS_DROP,  /* they are there for neither method nor structure */
	DANA_PARTS_APART, /* the same, and dana_comments has their text */
};

struct dana_extractor;

/** Zero-initialised means defaults. `struct_size` = sizeof, so that members can be added later. */
struct dana_options {
	size_t struct_size;
	const char *method;    /* "danag:gap=40"; NULL = DANA_DEFAULT_METHOD */
	size_t max_text_bytes; /* kept text, 0 = 8 MiB */
	unsigned max_depth;    /* open elements, 0 = 512 */
	/**
	 * Reads the file that a key of `method` names ("mountain:model=FILE"). Returns 0 and its whole content, from
	 * malloc, which the library frees; positive if the file does not exist; negative if it cannot be read. NULL:
	 * such keys are refused. Called by dana_new and dana_page_url. Only a model of a single site may be missing.
	 */
	int (*read_file)(void *read_arg, const char *name, char **data, size_t *len);
	void *read_arg;
	unsigned max_work; /* steps of counted work for each byte of the page, after the first 1,048,576; 0 = 64 */
	int list_blocks;   /* not 0: list the blocks for dana_blocks */
	/**
	 * The page's structure beside its text: a set of DANA_MARKDOWN, DANA_BLOCKS, DANA_DROPPED. With a method that
	 * does not say which parts of the page it keeps, dana_new returns DANA_BAD_OPTION.
	 */
	unsigned structure;
	const char *markdown; /* how it is written, "images=1,links=0"; NULL = defaults (dana extract --help) */
	/**
	 * Lists of selectors ("nav, div.ad > p, [role=note]"): parts of the page that are left out, and that alone are
	 * read, for method, text and structure; NULL = all of it. `rules`: lines of a host (with its subdomains), a
	 * tab, "exclude", "only" or "drop", a tab, and a list, for pages with an address (dana_page_url). "drop": what
	 * `learned` has decided to keep goes without another decision. A selector that cannot be decided as the page
	 * passes is DANA_BAD_OPTION.
	 */
	const char *exclude, *only, *rules;
	/**
	 * Readers' comments, an enum dana_parts, and data tables, DANA_PARTS_KEEP or DANA_PARTS_DROP. What is dropped
	 * is known at a page's end, so dana_finish does the work. In forums, whose posts are the content, comments are
	 * kept.
	 */
	unsigned comments, tables;
	/**
	 * Options by name, each as "exclude=nav" or "recall=60", which count before the members above. The options are
	 * the list of dana_page_option_list in archive.h but for the method and plugins.
	 */
	const char *const *options;
	size_t n_options;
};

/** A picture, film or sound of the page (method wlr-media). Strings are not terminated. Unknown sizes are 0. */
struct dana_media {
	const char *type; /* "img", "video", ...: terminated */
	const char *url, *alt;
	size_t url_len, alt_len;
	unsigned width, height;
	const char
		*base; /* href of <base>, relative to the page's URL; `url` is relative to it. base_len 0: not there */
	size_t base_len;
};

/** A block of the text, as the method chose it: one or more lines, or the lines of a cell in a row of a table. */
struct dana_text_block {
	size_t start, len;
	const char *tag;   /* its element, "p", "h1": terminated; "": another */
	float probability; /* of being content, 0 to 1 */
};

/** A block of the page's structure; doc/MARKDOWN.md, "Blocks", has its kinds. Members that it does not have are 0. */
struct dana_structure_block {
	size_t struct_size; /* from one block to the next: later versions may add members */
	const char *type;   /* "h", "p", "li", "code", ...: terminated, static */
	uint64_t start;     /* where it begins in the page, in bytes of its UTF-8 */
	struct dana_view text;
	struct dana_view language;     /* of code */
	struct dana_view id;           /* of a footnote */
	struct dana_view url, alt;     /* of a picture */
	const struct dana_view *cells; /* of a table: rows * columns of them, row by row */
	size_t rows, columns;
	unsigned number;   /* level of a heading, number of an item */
	unsigned depth;    /* lists or quotes around it, its own included */
	float probability; /* of being content, 0 to 1, with `learned` */
	int kept;          /* 0, with DANA_DROPPED: the method does not keep it */
};

/** A result. Text is UTF-8, not terminated, blocks joined by LF. */
struct dana_text {
	const char *data;
	size_t len;
	const char *title; /* text of the first <title> */
	size_t title_len;
	const char *method; /* the method that extracted the text, without keys; never "auto" */
	unsigned flags;
	const struct dana_media *media;
	size_t n_media;
};

/**
 * Makes an extractor; `options` NULL = all defaults. Returns 0, DANA_OUT_OF_MEMORY, DANA_BAD_OPTION or
 * DANA_WRONG_ORDER.
 */
DANA_API int dana_new(struct dana_extractor **out, const struct dana_options *options);
/**
 * Sets the URL of a page, for methods with models of single sites and for links in Markdown. Optional; before the first
 * dana_feed of the page. Returns 0, DANA_OUT_OF_MEMORY, DANA_WRONG_ORDER, or DANA_BAD_OPTION if the model of this site
 * cannot be read or is damaged: no other model replaces it.
 */
DANA_API int dana_page_url(struct dana_extractor *x, const char *url, size_t len);
/** Feeds UTF-8 HTML, cut anywhere; `data` may be NULL if `len` is 0. Returns 0 or an error. */
DANA_API int dana_feed(struct dana_extractor *x, const void *data, size_t len);
/** Ends the page and fills `text`. Once for each page. Returns 0 or an error. */
DANA_API int dana_finish(struct dana_extractor *x, struct dana_text *text);
/**
 * Returns the blocks of the text in order, after dana_finish, with dana_options.list_blocks; valid as long as the text.
 * Returns NULL if the method has no list of blocks (only `learned` has one), or there is no result.
 */
DANA_API const struct dana_text_block *dana_blocks(const struct dana_extractor *x, size_t *count);
/**
 * Sets *markdown to the page as Markdown, after dana_finish, with DANA_MARKDOWN; valid as long as the text. `data` is
 * NULL if the page has none. Returns 0, or DANA_WRONG_ORDER without either, or after a dana_finish that failed.
 */
DANA_API int dana_markdown(const struct dana_extractor *x, struct dana_view *markdown);
/**
 * Sets *blocks to a JSON array of the page's blocks, after dana_finish, with DANA_BLOCKS (doc/MARKDOWN.md, "Blocks");
 * otherwise as dana_markdown.
 */
DANA_API int dana_structure_json(const struct dana_extractor *x, struct dana_view *blocks);
/**
 * Returns the page's blocks in order, after dana_finish, with DANA_BLOCKS; valid as long as the text. The next one
 * begins `struct_size` bytes after one. Returns NULL if the page has none, or when memory is exhausted.
 */
DANA_API const struct dana_structure_block *dana_structure(const struct dana_extractor *x, size_t *count);
/**
 * Sets *comments to the text of the page's readers' comments, after dana_finish, with DANA_PARTS_APART; valid as long
 * as the text. `data` is NULL if the page has none. Returns 0, or DANA_WRONG_ORDER without either.
 */
DANA_API int dana_comments(const struct dana_extractor *x, struct dana_view *comments);
/**
 * Returns what kind of page the last one was: "article", "list", "forum", "product", "documentation", "service" or
 * "other". NULL before dana_finish, for methods other than `learned`, and for pages without text. It is static.
 */
DANA_API const char *dana_page_kind(const struct dana_extractor *x);
/** Prepares for the next page; keeps the memory. NULL allowed. */
DANA_API void dana_reset(struct dana_extractor *x);
/** NULL allowed. */
DANA_API void dana_free(struct dana_extractor *x);
DANA_API const char *dana_status_text(int status);
DANA_API size_t dana_method_count(void);
/** Returns the name of method number `index`; NULL after the last. */
DANA_API const char *dana_method_name(size_t index);
/** Returns the version of the library, "MAJOR.MINOR.PATCH". */
DANA_API const char *dana_version(void);

#ifdef __cplusplus
}
#endif
#endif
