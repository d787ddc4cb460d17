/* SPDX-License-Identifier: MIT */
/*
 * A folder of reference pages (doc/FORMATS.md): <corpus>/<id>.html beside <corpus>/<id>.txt (the main text,
 * UTF-8, one block a line; the page may be compressed, as <id>.html.gz or .zst) and, for pages with media that belong
 * to the content, <corpus>/<id>.media (addresses as in the page, one a line). An index.tsv with a header line lists the
 * pages that count (columns corpus and id) and may give their charset, script and url.
 *
 * Pages are sorted by corpus and id. Pages without gold text, or not listed in the index, are left out. Any number of
 * threads may read at once.
 */
#ifndef DANA_LAB_GOLD_H
#define DANA_LAB_GOLD_H

#include <stdbool.h>

#include "archive/charset/convert.h"
#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"

/** One page; texts are NUL-terminated, never NULL, empty if unknown, owned by the folder. */
struct gold_page {
	const char *corpus, *id;
	const char *suffix; /* of the page: ".html", ".html.gz" */
	const char *charset, *script;
	const char *site;   /* host of the url */
	const char *domain; /* the site that the host belongs to: its registrable domain */
	bool listed;        /* in the index */
};

struct gold_folder;

/** Returns DANA_EIO with a message if the folder cannot be read. */
int gold_open(struct gold_folder **out, const char *path, struct error *err);
size_t gold_count(const struct gold_folder *folder);
/** Returns the number of pages with gold text that the index does not list; 0 without an index. */
size_t gold_left_out(const struct gold_folder *folder);
const struct gold_page *gold_page(const struct gold_folder *folder, size_t index);

enum gold_part { GOLD_HTML, GOLD_TEXT, GOLD_MEDIA };

/**
 * Reads a part into `out` (cleared first), a page without its compression. A missing GOLD_MEDIA is empty. Returns
 * DANA_EIO with a message, or DANA_ENOMEM.
 */
int gold_read(const struct gold_folder *folder, const struct gold_page *page, enum gold_part part, struct buf *out,
	      struct error *err);
void gold_close(struct gold_folder *folder);

/* A whole page in memory, from any charset to UTF-8. For commands that work on pages, not on archives. */

struct page_decoder {
	struct byte_sink sink; /* takes UTF-8 */
	struct charset_convert *convert;
	struct buf page; /* the last page, UTF-8 */
	/* page_decoder_archived: of its record, terminated; `charset` is empty if it is unknown */
	struct buf url, charset;
	struct slice wanted; /* address of the record to read, where several are at one place; empty: the first */
	bool is_first;       /* it is the first of several at this place, and none of them has the wanted URL */
};

/** `d` must stay where it is. */
int page_decoder_init(struct page_decoder *d);
/**
 * Decodes into d->page. `label`: name of the charset, of the web or of iconv; empty = by the page's own marks and
 * bytes. DANA_OK or an error; DANA_ECONFIG: the name is not known.
 */
int page_decoder_decode(struct page_decoder *d, struct slice bytes, struct slice label);
/**
 * Decompresses a page in gzip or zstd in place, up to the limit of pages; others stay. Returns 0, DANA_EFORMAT (nothing
 * of it can be read) or DANA_ENOMEM.
 */
int page_unpack(struct buf *page);
/**
 * As page_decoder_decode, of a page as it comes: compressed, in a message (MHTML), or refused as what it is. `label`:
 * as above; one that is unknown is passed over where it is the server's. An error has a message. Changes `bytes`.
 */
int page_decoder_take(struct page_decoder *d, struct buf *bytes, struct slice label, bool is_servers,
		      struct error *err);
/** Reads a file, or standard input for "-", up to `most` bytes, and takes it. DANA_OK or an error with a message. */
int page_decoder_read(struct page_decoder *d, const char *path, uint64_t most, struct slice label, struct error *err);
/** Returns whether `path` is FILE@OFFSET, a place in an archive; then appends FILE, terminated. */
bool page_decoder_place(const char *path, struct buf *file, uint64_t *offset);
/** Decodes the page of the record that begins at that place of an archive. DANA_OK or an error with a message. */
int page_decoder_archived(struct page_decoder *d, const char *file, uint64_t offset, struct error *err);
/** 0, or DANA_ECONFIG with a message when the index of a gold folder names a charset that is not known. */
int page_decoder_check_gold(const struct gold_folder *gold, struct error *err);
void page_decoder_free(struct page_decoder *d);

#endif
