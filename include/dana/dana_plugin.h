/* SPDX-License-Identifier: MIT */
/*
 * The interface of plugins of dana: filters and annotators of pages, written in C or C++, built with only this header
 * and dana.h. doc/PLUGINS.md of the project explains it by examples.
 *
 * A plugin is one constant `struct dana_plugin`. It reaches a page only through the functions of `struct dana_host`,
 * which it gets when it is loaded, and its functions are called by dana in this order:
 *
 * 	load                          once, before any input is read: files are read here
 * 	  open                        once for each thread that works on pages (PURE), or once (ORDERED)
 * 	    head, http, media, html, page   for each record, as far as it gets
 * 	    save                      ORDERED: at each checkpoint; restore: when a run resumes from one
 * 	    finish                    ORDERED: after the last page, when the outputs are complete
 * 	  close
 * 	unload
 *
 * Every function but `page` may be NULL; `page` may be, too, if one of head, http, media and html is set.
 *
 * Ownership: a view is borrowed, and valid until the function that got it returns; what a plugin passes to the host is
 * copied. Threads: functions with the same `instance` are never called at the same time; others may be. Errors: 0 is
 * success, negative is failure; a failure of a plugin ends the run with exit status 1 and the plugin's name (in `load`
 * and `open`: 3, before anything is read). The result of PURE functions must depend on the page and the options only,
 * because the output of dana is the same for every number of threads.
 */
#ifndef DANA_PLUGIN_H
#define DANA_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#include "dana.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Changes when plugins built before cannot be used any more. Additions only make structs longer. */
#define DANA_PLUGIN_ABI 1

/** The host's view of the current record. */
struct dana_page;
/** The host's data for a loaded plugin: its options, its name in messages. Valid while the plugin is loaded. */
struct dana_context;
/** Where `save` stores its bytes. */
struct dana_store;

/** `flags` of a plugin: one of the first two, with any of the others. */
enum dana_plugin_flags {
	DANA_PLUGIN_PURE = 1,     /* each page is looked at by itself, in any order, by several threads */
	DANA_PLUGIN_ORDERED = 2,  /* one thread gives the pages in the order of the input; excludes --parallel-inputs */
	DANA_PLUGIN_HTML = 4,     /* calls host->html, so pages are kept; the function html does not need this */
	DANA_PLUGIN_BLOCKS = 8,   /* calls host->block, so blocks are kept */
	DANA_PLUGIN_LANGUAGE = 16 /* calls host->set_language: documents get the field language_score */
};

/** Return values of functions that look at a page; negative: failure. */
enum dana_verdict { DANA_KEEP = 0, DANA_DROP = 1 };

enum dana_log_level { DANA_LOG_ERROR, DANA_LOG_WARNING, DANA_LOG_INFO /* with --verbose only */ };

enum dana_option_type {
	DANA_STRING,
	DANA_FILE,        /* a string: the name of a file; `-` is not special */
	DANA_LIST,        /* a string: items joined by commas; no item is empty */
	DANA_CHOICE,      /* a string: one of the words of `argument`, "a|b|c" */
	DANA_INTEGER,     /* decimal, with a sign where it needs one */
	DANA_SIZE,        /* not negative; K, M and G are powers of 1024 */
	DANA_NUMBER,      /* decimal, with a point where it needs one */
	DANA_BOOLEAN,     /* 1, yes, true; 0, no, false */
	DANA_FILE_WRITTEN /* as DANA_FILE: a file (and NAME* beside it) or folder; it writes nowhere else */
};

/**
 * A row of the table of options. dana checks every value before `load` is called, and makes help, manual and sample
 * configuration from the table.
 */
struct dana_option {
	const char *name; /* a-z, 0-9, '-'; NULL ends the table */
	enum dana_option_type type;
	const char *argument; /* the value in the help, as "FILE"; DANA_CHOICE: the words; NULL: from the type */
	const char *standard; /* default, as a user would write it; NULL: no default */
	const char *help;     /* begins in lower case, no full stop at the end */
	double least, most;   /* for DANA_INTEGER, DANA_SIZE, DANA_NUMBER; both 0: no limits */
};

/** Texts known about a record: host->text_item. NULL data if one is not known, or not yet. */
enum dana_text_item {
	DANA_URL,          /* WARC-Target-URI */
	DANA_DATE,         /* WARC-Date, as written there */
	DANA_RECORD_ID,    /* WARC-Record-ID without < and > */
	DANA_RECORD_TYPE,  /* "response" */
	DANA_FILE_NAME,    /* the input as it was named; "-": standard input */
	DANA_PAYLOAD_TYPE, /* WARC-Identified-Payload-Type */
	/* from `http` on */
	DANA_CONTENT_TYPE, /* of HTTP, or of a record without HTTP; as sent */
	/* from `media` on */
	DANA_BODY_START, /* `media` only: the first 512 bytes of the body, or all of it; may be binary */
	/* in `page` */
	DANA_CHARSET,  /* of the page, before it was decoded */
	DANA_METHOD,   /* that extracted the text */
	DANA_TITLE,    /* of the page's <title>, decoded, with single spaces; NULL data if it has no title */
	DANA_LANGUAGE, /* BCP 47, as set by a plugin before this one */
	DANA_PAGE_KIND /* dana_page_kind: "article", "list", ...; only of method learned */
};

/** Numbers known about a record: host->number_item. Negative if one is not known, or not yet. */
enum dana_number_item {
	DANA_RECORD_NUMBER, /* of the record in its input, from 0 */
	DANA_OFFSET,        /* in the input, of the member in which the record begins */
	/* from `http` on */
	DANA_HTTP_STATUS, /* 0: the record has no HTTP status */
	/* in `page` */
	DANA_LENGTH,     /* of that member, if it holds nothing else */
	DANA_HTML_BYTES, /* of the body, after content decoding */
	DANA_TEXT_CHARS, /* code points of the text */
	DANA_TRUNCATED   /* 1: the page or its text was cut */
};

/** A block of the text: the text between two tags that break lines; with most methods a line. */
struct dana_block {
	struct dana_view text;
	const char *tag;    /* its element, "p", "h1"; NULL: not known */
	double probability; /* of being content, 0 to 1 (method learned); negative: the method gives no probability */
};

/**
 * Functions of the host. Later versions add functions at the end: compare `size` before you call one that was added
 * after ABI 1 was first published.
 */
struct dana_host {
	uint32_t abi, size;

	/* ---- of the plugin ---- */

	/**
	 * Return values of options; the name is one of the table, and the function must fit its type. Texts are valid
	 * until `unload` returns.
	 */
	const char *(*option_text)(const struct dana_context *c, const char *name); /* NULL: not set, no default */
	int64_t (*option_integer)(const struct dana_context *c, const char *name);  /* DANA_INTEGER, DANA_SIZE */
	double (*option_number)(const struct dana_context *c, const char *name);
	int (*option_boolean)(const struct dana_context *c, const char *name);
	/** Item `index` of a DANA_LIST, from 0; NULL data after the last. */
	struct dana_view (*option_item)(const struct dana_context *c, const char *name, size_t index);
	/** Returns whether the option was set, by the user or by its default. */
	int (*option_is_set)(const struct dana_context *c, const char *name);
	/** Prints a line that begins with the plugin's name on standard error. `format` as for printf. */
	void (*log)(const struct dana_context *c, enum dana_log_level level, const char *format, ...);
	/**
	 * Reports why load, open, save, restore or finish fails. Returns a negative number for the plugin to return.
	 */
	int (*fail)(struct dana_context *c, const char *format, ...);
	/** In `finish`: adds a number for the whole run to --stats, under the plugin's name. */
	void (*report)(struct dana_context *c, const char *name, double value);
	/** In `save`: stores bytes for `restore`; several calls are joined. Returns 0 or negative. */
	int (*store)(struct dana_store *s, const void *data, size_t len);

	/* ---- of a page: reading ---- */

	struct dana_view (*text)(const struct dana_page *p); /* UTF-8, blocks joined by LF; `page`, `prepare` */
	struct dana_view (*text_item)(const struct dana_page *p, enum dana_text_item item);
	int64_t (*number_item)(const struct dana_page *p, enum dana_number_item item);
	/**
	 * Return the first field with this name, in any case, of the record's head, or of the HTTP head (from `http`
	 * on).
	 */
	struct dana_view (*warc_field)(const struct dana_page *p, const char *name);
	struct dana_view (*http_field)(const struct dana_page *p, const char *name);
	/** Blocks of the text in order, with DANA_PLUGIN_BLOCKS; after set_text its lines, without probabilities. */
	size_t (*block_count)(const struct dana_page *p);
	struct dana_block (*block)(const struct dana_page *p, size_t index);
	/** Returns the page as UTF-8, with DANA_PLUGIN_HTML; cut after --max-body bytes. */
	struct dana_view (*html)(const struct dana_page *p);
	/** Returns the bytes that `prepare` has attached. */
	struct dana_view (*attached)(const struct dana_page *p);

	/* ---- of a page: writing; these return 0, or a negative number for the plugin to return ---- */

	/**
	 * Replaces the text: UTF-8, blocks joined by LF. A page whose text becomes too short for --min-chars is
	 * dropped.
	 */
	int (*set_text)(struct dana_page *p, struct dana_view text);
	/**
	 * `tag`: BCP 47, for JSONL; `iso639_3`: one code or several joined by commas, for WARC; both empty: not known.
	 * `score`: 0 to 1, negative: no score.
	 */
	int (*set_language)(struct dana_page *p, struct dana_view tag, struct dana_view iso639_3, double score);
	/**
	 * Add members to the document's JSON object "NAME":{...}, in the order of the calls. `key`: a-z, A-Z, 0-9, '_',
	 * '-'; each once. A number is written with at most six decimals. put_json takes any JSON value and checks it.
	 */
	int (*put_text)(struct dana_page *p, const char *key, struct dana_view value); /* NULL data: null */
	int (*put_integer)(struct dana_page *p, const char *key, int64_t value);
	int (*put_number)(struct dana_page *p, const char *key, double value); /* not finite: null */
	int (*put_boolean)(struct dana_page *p, const char *key, int value);
	int (*put_list)(struct dana_page *p, const char *key, const struct dana_view *values, size_t n);
	int (*put_json)(struct dana_page *p, const char *key, struct dana_view value);
	/**
	 * Names the rule by which the page is dropped, for the rejects. Returns DANA_DROP for the plugin to return. The
	 * members that the plugin has put then appear in the line of the rejects. `rule`: UTF-8, copied, of at most 127
	 * bytes; a longer one is cut.
	 */
	int (*drop)(struct dana_page *p, const char *rule);
	/** Reports why the plugin fails at this page. Returns a negative number for the plugin to return. */
	int (*page_fail)(struct dana_page *p, const char *format, ...);
	/**
	 * Adds to counter `index` of the plugin's list; --stats shows the sum over all pages, under the plugin's name.
	 */
	void (*count)(struct dana_page *p, size_t index, uint64_t n);
	/** In `prepare`: attaches bytes for `page` of this page. */
	int (*attach)(struct dana_page *p, const void *data, size_t len);
	/** Returns memory until the function returns, aligned for any type; NULL if memory is exhausted. */
	void *(*memory)(struct dana_page *p, size_t size);

	/**
	 * In `unload`, with the context of load: returns whether the run has ended and no other will resume from its
	 * checkpoints.
	 */
	int (*run_is_over)(const struct dana_context *c);

	/**
	 * In `page` and `prepare`: returns what a field of the document holds, by its name in JSONL ("text_chars");
	 * DANA_VALUE_NONE if the name or the value is unknown.
	 */
	struct dana_value (*field)(const struct dana_page *p, const char *name);
};

/** A plugin. Begin it with DANA_PLUGIN_HEAD; members that are left out are NULL. */
struct dana_plugin {
	uint32_t abi, size; /* DANA_PLUGIN_ABI, sizeof(struct dana_plugin) */
	uint32_t flags;     /* set of enum dana_plugin_flags */
	const char *name;   /* a-z, 0-9, '-'; for a shared object the file name without .so */
	const char *version;
	const char *help;                  /* one line: what it does; begins in lower case, no full stop at the end */
	const struct dana_option *options; /* may be NULL */
	const char *const *counters;       /* names, ended by NULL; may be NULL */
	const char *object; /* name of its JSON object, as `name`, not a key of documents; NULL: `name` */

	/**
	 * Called once for the run: reads files, and sets `shared` to what all threads read but do not change. If it
	 * fails, it must free what it holds: `unload` is not called.
	 */
	int (*load)(void **shared, const struct dana_host *host, struct dana_context *c);
	/** Called for each thread. Without it, `shared` is the instance, which the functions below must not change. */
	int (*open)(void **instance, void *shared, const struct dana_host *host, struct dana_context *c);
	/** PURE: called when the record's head is known and nothing else of it has been read. */
	int (*head)(void *instance, struct dana_page *p);
	/** PURE: called when the HTTP head is known (not for records without HTTP). */
	int (*http)(void *instance, struct dana_page *p);
	/** PURE: called when the first bytes of the body are known, before the page is decoded and parsed. */
	int (*media)(void *instance, struct dana_page *p);
	/**
	 * PURE: gets the page's HTML as it is streamed, before `page`: no bytes when a page begins, then stretch after
	 * stretch as UTF-8, of any lengths, up to --max-body bytes. The host does not keep them, which makes this
	 * cheaper than DANA_PLUGIN_HTML: the instance keeps what `page` needs. `page` may not be called for a page that
	 * begins. Returns 0 or negative, and cannot drop. The result must not depend on where the stretches end.
	 */
	int (*html)(void *instance, struct dana_page *p, struct dana_view stretch);
	/**
	 * ORDERED: called before `page`, by any thread, to compute what depends on the page alone. It attaches its
	 * result by host->attach and changes nothing else.
	 */
	int (*prepare)(void *shared, struct dana_page *p);
	/** Called for a page with its text. */
	int (*page)(void *instance, struct dana_page *p);
	/**
	 * ORDERED: called at a checkpoint: stores what `restore` needs to resume here. Output up to here is on disk.
	 */
	int (*save)(void *instance, struct dana_store *store);
	/** ORDERED: called after open when a run resumes from a checkpoint. */
	int (*restore)(void *instance, struct dana_view state);
	/**
	 * ORDERED: called when all inputs were read and all outputs are complete, not if the run breaks off. If the run
	 * is killed during or after this call, the run that resumes it calls `restore` and `finish` again with what the
	 * last `save` has stored, until it has ended: only `unload` may remove what they need, and only if
	 * host->run_is_over.
	 */
	int (*finish)(void *instance);
	void (*close)(void *instance); /* with `open` only */
	void (*unload)(void *shared);
};

/** The first members of a plugin. */
#define DANA_PLUGIN_HEAD DANA_PLUGIN_ABI, (uint32_t)sizeof(struct dana_plugin)

#if defined(__GNUC__)
#define DANA_PLUGIN_EXPORT __attribute__((visibility("default")))
#else
#define DANA_PLUGIN_EXPORT
#endif

/**
 * Begins the definition of a plugin: DANA_PLUGIN(my_filter) = { DANA_PLUGIN_HEAD, DANA_PLUGIN_PURE, "my-filter", ... };
 * A shared object exports the symbol dana_plugin. Inside dana itself, which is built with DANA_PLUGIN_BUILT_IN, it is
 * dana_plugin_my_filter.
 */
#ifdef DANA_PLUGIN_BUILT_IN
#define DANA_PLUGIN(identifier) \
	extern const struct dana_plugin dana_plugin_##identifier; \
	const struct dana_plugin dana_plugin_##identifier
#else
#define DANA_PLUGIN(identifier) \
	extern DANA_PLUGIN_EXPORT const struct dana_plugin dana_plugin; \
	const struct dana_plugin dana_plugin
#endif

#ifdef __cplusplus
}
#endif
#endif
