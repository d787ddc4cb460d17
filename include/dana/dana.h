/* SPDX-License-Identifier: MIT */
/*
 * libdana: main-content extraction, one pass, push. C99, no dependency beyond libc and libm.
 *
 * Ownership: an extractor belongs to its caller. Results are borrowed from the extractor, valid until dana_reset,
 * dana_free or the next dana_feed. Threads: no globals but the level of vector instructions that the
 * processor has, found once; one extractor may be used by one thread at a time. Errors: negative status.
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

/* The version of this header; dana_version() is that of the library. NUMBER grows with each version: 0.1.0 is 100. */
#define DANA_VERSION_MAJOR 0
#define DANA_VERSION_MINOR 1
#define DANA_VERSION_PATCH 0
#define DANA_VERSION_NUMBER (DANA_VERSION_MAJOR * 10000 + DANA_VERSION_MINOR * 100 + DANA_VERSION_PATCH)

/* Status codes: 0 is success, errors are negative; dana_status_text gives the words. */
#define DANA_SUCCESS 0
#define DANA_OUT_OF_MEMORY -1
#define DANA_LIMIT -4 /* the page asks for more work than its size allows (max_work) */
#define DANA_BAD_OPTION -5
#define DANA_WRONG_ORDER -7

/** Bytes with a length; text is UTF-8 and not terminated. `data` is NULL where something is not known or not there. */
struct dana_view {
	const char *data;
	size_t len;
};

/* The method of an extractor that is made without a name. */
#define DANA_DEFAULT_METHOD "learned"

/* Flags of a result. */
#define DANA_TEXT_TRUNCATED 1u /* max_text_bytes was reached */
#define DANA_NO_REGION 2u      /* the method found nothing */
#define DANA_HAS_TITLE 4u      /* the page has a <title> */
#define DANA_LISTS_MEDIA 8u    /* the method looks for media; there may be none */

struct dana_extractor;

/** Zero-initialised means defaults. `struct_size` = sizeof, so that members can be added later. */
struct dana_options {
	size_t struct_size;
	const char *method;    /* "danag:gap=40"; NULL = DANA_DEFAULT_METHOD */
	size_t max_text_bytes; /* kept text, 0 = 8 MiB */
	unsigned max_depth;    /* open elements, 0 = 512 */
	/**
	 * Reads the file that a key of `method` names ("mountain:model=FILE"): 0 and its whole content, from malloc,
	 * which the library frees; positive when there is no such file; negative when it cannot be read. NULL: such
	 * keys are refused. Called by dana_new and dana_page_url. Only a model of a single site may be missing.
	 */
	int (*read_file)(void *read_arg, const char *name, char **data, size_t *len);
	void *read_arg;
	unsigned max_work; /* steps of counted work for each byte of the page, after the first 1,048,576; 0 = 64 */
	int list_blocks;   /* not 0: dana_blocks will be called */
};

/** A picture, film or sound of the page (method wlr-media). Strings are not terminated. Unknown sizes are 0. */
struct dana_media {
	const char *type; /* "img", "video", ...: terminated */
	const char *url, *alt;
	size_t url_len, alt_len;
	unsigned width, height;
	const char *
		base; /* href of the page's <base>, which `url` is relative to before the page's own URL; none: base_len 0 */
	size_t base_len;
};

/** A block of the text, as the method chose it. */
struct dana_text_block {
	size_t start, len;
	const char *tag;   /* the element it stands in, "p", "h1": terminated; "": another */
	float probability; /* that it is content, 0 to 1 */
};

/** Result. Text is UTF-8, not terminated, blocks joined by LF. */
struct dana_text {
	const char *data;
	size_t len;
	const char *title; /* text of the first <title> */
	size_t title_len;
	const char *method; /* the method that made the text, without keys; never "auto" */
	unsigned flags;
	const struct dana_media *media;
	size_t n_media;
};

/** 0, DANA_OUT_OF_MEMORY, or DANA_BAD_OPTION. `options` NULL = all defaults. */
DANA_API int dana_new(struct dana_extractor **out, const struct dana_options *options);
/**
 * Optional, before the first dana_feed of a page: its URL, for methods with models of single sites. 0,
 * DANA_OUT_OF_MEMORY, or DANA_BAD_OPTION: the model of this site cannot be read or is damaged. No other model takes
 * its place.
 */
DANA_API int dana_page_url(struct dana_extractor *x, const char *url, size_t len);
/** UTF-8 HTML in any split. 0 or an error. */
DANA_API int dana_feed(struct dana_extractor *x, const void *data, size_t len);
/** Ends the page. Once for each page. */
DANA_API int dana_finish(struct dana_extractor *x, struct dana_text *text);
/**
 * After dana_finish, with dana_options.list_blocks: the blocks of the text in its order, as long as the text is valid. NULL: the
 * method has no list of blocks (only `learned` has one).
 */
DANA_API const struct dana_text_block *dana_blocks(const struct dana_extractor *x, size_t *count);
/** Next page; keeps the memory. */
DANA_API void dana_reset(struct dana_extractor *x);
/** NULL allowed. */
DANA_API void dana_free(struct dana_extractor *x);
DANA_API const char *dana_status_text(int status);
DANA_API size_t dana_method_count(void);
/** Name of method number `index`; NULL after the last. */
DANA_API const char *dana_method_name(size_t index);
/** The version of the library, "MAJOR.MINOR.PATCH". */
DANA_API const char *dana_version(void);

#ifdef __cplusplus
}
#endif
#endif
