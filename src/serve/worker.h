/* SPDX-License-Identifier: MIT */
/*
 * What goes between the service and the processes that make the texts of its pages (serve_worker): an order and the
 * bytes that it counts, then an answer and the bytes that that counts, and so on. Both are the same program.
 */
#ifndef DANA_SERVE_WORKER_H
#define DANA_SERVE_WORKER_H

#include <stdint.h>

#include "base/status.h"

enum { PAGE_AS_JSON = 1 << 0, PAGE_AS_MARKDOWN = 1 << 1 };

/** Before the address of a page, its charset, its Content-Type and its bytes. */
struct page_order {
	uint64_t url, charset, content_type, html; /* bytes */
	uint32_t plugins;                          /* to be called */
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
struct single_page;

/** Returns the plugins of pages; NULL if there are none, or with an error. */
struct plugins *worker_plugins(const struct serve_config *config, struct error *err);
/** As single_page_new. */
int worker_page(const struct serve_config *config, struct plugins *plugins, struct single_page **page,
		struct error *err);

#endif
