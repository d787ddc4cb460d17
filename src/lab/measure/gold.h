/* SPDX-License-Identifier: MIT */
/*
 * A folder of gold pages (doc/FORMATS.md, "Gold pages"): <corpus>/<id>.html beside <corpus>/<id>.txt (the main text,
 * UTF-8, a block a line) and, where pages have media that belong to the content, <corpus>/<id>.media (addresses as
 * they stand in the page, one a line). An index.tsv with a header line lists the pages that count (columns corpus and
 * id) and may give their charset, script and url.
 *
 * Pages come sorted by corpus and id. A page without gold text is left out, and one that the index does not list.
 * Reading is for any number of threads at once.
 */
#ifndef DANA_MEASURE_GOLD_H
#define DANA_MEASURE_GOLD_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/status.h"

/** One page; texts are terminated, never NULL, empty when unknown, owned by the folder. */
struct gold_page {
	const char *corpus, *id;
	const char *charset, *script;
	const char *site; /* host of the url */
	bool listed;      /* in the index */
};

struct gold_folder;

/** DANA_OK; DANA_EIO with a message: the folder cannot be read; DANA_ENOMEM. */
int gold_open(struct gold_folder **out, const char *path, struct error *err);
size_t gold_count(const struct gold_folder *folder);
/** Pages with gold text that the index does not list; 0 without an index. */
size_t gold_left_out(const struct gold_folder *folder);
const struct gold_page *gold_page(const struct gold_folder *folder, size_t index);

enum gold_part { GOLD_HTML, GOLD_TEXT, GOLD_MEDIA };

/**
 * Reads a part into `out` (cleared first). A missing GOLD_MEDIA is empty. DANA_OK, DANA_EIO with a message,
 * DANA_ENOMEM.
 */
int gold_read(const struct gold_folder *folder, const struct gold_page *page, enum gold_part part, struct buf *out,
	      struct error *err);
/** NULL allowed. */
void gold_close(struct gold_folder *folder);

#endif
