/* SPDX-License-Identifier: MIT */
/*
 * What goes between the service and the processes that make the texts of its pages (serve_worker): an order and the
 * bytes that it counts, then an answer and the bytes that that counts, and so on; and between it and those that fetch
 * pages (serve_fetcher): a URL, then a fetch_answer. All are the same program.
 */
#ifndef DANA_SERVE_WORKER_H
#define DANA_SERVE_WORKER_H

#include <stdint.h>

#include "archive/single_page.h"
#include "base/slice.h"
#include "base/status.h"

enum page_body {
	BODY_PAGE, /* bytes of a page */
	BODY_JSON, /* an object with the page and parameters */
	BODY_LINE, /* an object with the page; its response is a line, too */
};

/** Before the query of a request, its Content-Type, the page's URL where it was fetched, and the body. */
struct page_order {
	uint64_t query, content_type, url, body; /* bytes */
	uint32_t kind;                           /* enum page_body */
	int32_t accepts;                         /* enum reply_format that Accept asks for, or -1 */
};

/** Before what is wrong, the text, and notes for a report (report.h). */
struct page_answer {
	uint64_t error, text, notes; /* bytes */
	uint64_t html_bytes, text_chars;
	int32_t status;  /* of HTTP */
	uint32_t format; /* enum reply_format of the text */
};

/** Before what is wrong, the URL after redirects, the Content-Type and the body. */
struct fetch_answer {
	uint64_t error, url, content_type, body; /* bytes */
	int64_t status;                          /* of HTTP: 200 where the page is there */
};

struct plugins;
struct serve_config;

/** Returns 0, or an error that no page could do without: of methods, models, options or plugins. */
int worker_check(const struct serve_config *config, struct error *err);

#endif
