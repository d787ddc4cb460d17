/* SPDX-License-Identifier: MIT */
/* One page from a file or standard input to the text or JSON of its main content. */
#ifndef DANA_RUN_PAGES_PAGE_H
#define DANA_RUN_PAGES_PAGE_H

#include <stdatomic.h>

#include "archive/texts.h"
#include "base/buf.h"
#include "base/notice.h"
#include "base/status.h"
#include "base/text_list.h"
#include "run/model_reader.h"

enum extract_format { EXTRACT_TEXT, EXTRACT_JSON, EXTRACT_JSONL };

/** Common to all pages of a run. */
struct extract_page_config {
	const struct text_list *methods;
	const char *charset, *content_type, *url; /* NULL: not given */
	enum extract_format format;
	struct texts texts;     /* as text the only one: Markdown where the plain text is left out */
	struct notices notices; /* of pages and outputs */
	struct model_reader *models;
	const atomic_bool *stop; /* standard input and pipes are waited for until then */
};

/** Returns why the page `path` could not be opened, by errno: of an address, that pages are not fetched. */
const char *extract_page_fault(const char *path);

struct extract_page;

/** One for each thread. Returns 0, DANA_ECONFIG (a bad method) or DANA_ENOMEM with a text. */
int extract_page_new(struct extract_page **out, const struct extract_page_config *config, struct error *err);
/**
 * Appends what the page becomes, "-" is standard input. Returns 0, or the error, whose text does not name the file:
 * DANA_EIO, DANA_EFORMAT (not a page), DANA_ELIMIT, DANA_EFILES: of this page; DANA_ECONFIG (a model of its site),
 * DANA_ENOMEM, DANA_ESTATE (stopped): nothing more can be done.
 */
int extract_page_file(struct extract_page *p, const char *path, struct buf *out, struct error *err);
/** NULL allowed. */
void extract_page_free(struct extract_page *p);

#endif
