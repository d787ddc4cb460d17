/* SPDX-License-Identifier: MIT */
/*
 * What goes between the service and the processes that make the texts of its pages (serve_worker): an order and the
 * bytes that it counts, then an answer and the bytes that that counts, and so on. Both are the same program.
 */
#ifndef DANA_SERVE_WORKER_H
#define DANA_SERVE_WORKER_H

#include <stdint.h>

#include "archive/single_page.h"
#include "base/slice.h"
#include "base/status.h"

enum { WISHES_MOST = 32 };

enum { PAGE_AS_JSON = 1 << 0, PAGE_AS_MARKDOWN = 1 << 1 };

/** Before the options of a page, its address, its charset, its Content-Type and its bytes. */
struct page_order {
	uint64_t options, url, charset, content_type, html; /* bytes */
	uint32_t plugins;                                   /* to be called */
	uint32_t wishes;
};

/** Before what is wrong and the text. */
struct page_answer {
	uint64_t error, text; /* bytes */
	uint64_t html_bytes, text_chars;
	int64_t status; /* as single_page_read */
};

struct plugins;
struct serve_config;

/** Returns the plugins of pages; NULL if there are none, or with an error. */
struct plugins *worker_plugins(const struct serve_config *config, struct error *err);
/**
 * What a request asks for besides the defaults of the service: its methods and options of a page, and the defaults with
 * them. It is borrowed from the bytes that it was read from.
 */
struct page_wishes {
	const char *methods[WISHES_MOST + 1], *named[WISHES_MOST + 1]; /* NULL ended; "exclude=nav" */
	struct single_page_config config;
};

/**
 * Reads `options`, texts with NUL after each: "method=danag", "exclude=nav". Returns 0, or DANA_ECONFIG with what is
 * wrong with them, together with the defaults.
 */
int page_wishes_read(struct page_wishes *w, const struct serve_config *config, struct slice options, struct error *err);
/** As single_page_new. */
int worker_page(const struct page_wishes *wishes, struct plugins *plugins, struct single_page **page,
		struct error *err);

#endif
