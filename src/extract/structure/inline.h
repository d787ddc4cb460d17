/* SPDX-License-Identifier: MIT */
/* The inside of a piece as one line of Markdown: text, emphasis, code, links, pictures, formulas. */
#ifndef DANA_STRUCTURE_INLINE_H
#define DANA_STRUCTURE_INLINE_H

#include "extract/structure/page.h"
#include "extract/structure/structure.h"
#include "extract/structure/url.h"

struct segment;

/** Zeroed it is empty; its memory is used again for the next piece and the next page. */
struct inline_writer {
	const struct structure_page *page;
	const struct style *style;
	struct link_base base;        /* the address that links are relative to; empty if it is not known */
	bool base_is_odd, url_is_odd; /* bytes in it may have to be written in another way */
	bool failed;                  /* memory was exhausted on this page */
	bool ends_in_text;            /* the piece that was appended last: not with a mark */
	size_t open_brackets;         /* escape.h; the caller sets it to 0 where a block begins */
	struct buf text;              /* of the segments */
	struct buf run;               /* text between two marks, before it is escaped */
	struct buf scratch;
	struct buf url, plain; /* of the link or picture that is being written */
	struct segment *segment;
	size_t n_segments, cap;
};

enum inline_kind {
	INLINE_EMPTY,
	INLINE_TEXT,
	INLINE_FORMULA, /* only TeX, to be written on lines of its own */
};

/** Begins a page with this address (may be empty). */
int inline_begin(struct inline_writer *w, const struct structure_page *page, const struct style *style,
		 struct slice url);
/** Appends a piece and sets *kind. Linear in the piece. */
int inline_append(struct inline_writer *w, const struct piece *piece, struct buf *out, enum inline_kind *kind);
/**
 * Makes w->url the address of a picture, empty if it is none that is written (url.h), and w->plain the text for it.
 */
int inline_picture(struct inline_writer *w, const struct mark *mark);
/** Appends an attribute's value with its references decoded. */
int inline_decode(struct buf *to, struct slice value);
/** Appends w->url as Markdown takes an address in parentheses. */
int inline_url(const struct inline_writer *w, struct buf *to);
/** Returns whether inline_url may have to write bytes of an address in another way. */
bool inline_url_is_odd(struct slice url);
void inline_free(struct inline_writer *w);

#endif
