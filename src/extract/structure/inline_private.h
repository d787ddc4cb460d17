/* SPDX-License-Identifier: MIT */
/* A piece cut into segments, between the two steps of inline.h. All functions return 0 or DANA_ENOMEM. */
#ifndef DANA_STRUCTURE_INLINE_PRIVATE_H
#define DANA_STRUCTURE_INLINE_PRIVATE_H

#include "base/status.h"
#include "extract/structure/inline.h"

enum segment_kind {
	SEGMENT_TEXT, /* white space collapsed, none at its ends */
	SEGMENT_SPACE,
	SEGMENT_RAW,     /* Markdown already */
	SEGMENT_FORMULA, /* the same, and the TeX alone */
	SEGMENT_MARK,
};

struct segment {
	uint32_t from, len; /* in `text` */
	uint32_t pair;      /* mark: the segment that closes or opens it */
	uint32_t mark;      /* its number on the page */
	uint8_t kind, mark_kind;
	uint8_t before, after; /* mark of emphasis: enum letter_kind around it */
	bool closes, dropped, display;
};

/* inline_segments.c */

/** Cuts a piece into segments: no empty marks, blanks outside of marks. */
int inline_segments(struct inline_writer *w, const struct piece *piece);

/* inline_text.c */

/**
 * Appends source text with its white space collapsed. *pending: white space comes before the next character; it is
 * written as a blank unless nothing stands after the first `from` bytes. *lead is set if the text began with it.
 */
int inline_collapse(struct buf *to, size_t from, struct slice source, bool references, bool *pending, bool *lead);
/** Appends an attribute's value with its references decoded. */
int inline_decode(struct buf *to, struct slice value);

/* inline_atom.c */

/** Appends a picture, formula, or reference of a note as Markdown, and sets *kind to what it is. */
int inline_atom(struct inline_writer *w, const struct mark *mark, struct buf *to, enum segment_kind *kind);
/** Appends inline code. */
int inline_code(const struct style *style, struct slice code, struct buf *to);
/** Appends w->url as Markdown takes an address in parentheses. */
int inline_url(const struct inline_writer *w, struct buf *to);
/** Returns whether inline_url may have to write bytes of an address in another way. */
bool inline_url_is_odd(struct slice url);
/** Sets *leads to whether a link's address is one that is written (url.h). */
int inline_link_leads(struct inline_writer *w, const struct mark *mark, bool *leads);
/** Makes w->url the absolute address of a link. */
int inline_link_url(struct inline_writer *w, const struct mark *mark);

/* inline_emphasis.c */

/** Leaves out emphasis that CommonMark would not take for it. */
void inline_emphasis(struct inline_writer *w);

#endif
