/* SPDX-License-Identifier: MIT */
/* A whole page in memory, from any charset to UTF-8. For commands that work on pages, not on archives. */
#ifndef DANA_LAB_PAGE_DECODER_H
#define DANA_LAB_PAGE_DECODER_H

#include "archive/charset/convert.h"
#include "base/buf.h"
#include "base/status.h"
#include "lab/gold.h"

struct page_decoder {
	struct byte_sink sink; /* takes UTF-8 */
	struct charset_convert *convert;
	struct buf page; /* the last page, UTF-8 */
};

/** DANA_OK or DANA_ENOMEM; page_decoder_free in both cases. `d` must stay where it is. */
int page_decoder_init(struct page_decoder *d);
/**
 * Decodes into d->page. `label`: name of the charset, of the web or of iconv; empty = by the page's own marks and
 * bytes. DANA_OK or an error; DANA_ECONFIG: the name is not known.
 */
int page_decoder_decode(struct page_decoder *d, struct slice bytes, struct slice label);
/** Reads a file, or standard input for "-", up to `most` bytes, and decodes it. DANA_OK or an error with a message. */
int page_decoder_read(struct page_decoder *d, const char *path, uint64_t most, struct slice label, struct error *err);
/** 0, or DANA_ECONFIG with a message when the index of a gold folder names a charset that is not known. */
int page_decoder_check_gold(const struct gold_folder *gold, struct error *err);
void page_decoder_free(struct page_decoder *d);

#endif
