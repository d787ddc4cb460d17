/* SPDX-License-Identifier: MIT */
/* Private to the tokeniser: its state. */
#ifndef DANA_HTML_TOKENIZER_STATE_H
#define DANA_HTML_TOKENIZER_STATE_H

#include "base/buf.h"
#include "extract/html/formula_filter.h"
#include "extract/html/tokenizer.h"
#include "extract/html/tokenizer_opening.h"

enum {
	WINDOW = HTML_WINDOW,
	MASKS = WINDOW / 64,
	QUOTED_TAG_MOST = 64 << 10, /* in a tag longer than this, '>' ends the tag even if it is quoted */
	TITLE_MOST = 16 << 10,
};

enum state {
	STATE_TEXT,        /* outside of tags */
	STATE_OPENING,     /* after '<' and too few bytes to decide what it begins; t->source holds them */
	STATE_TAG,         /* after a tag's name, outside of quotes */
	STATE_QUOTED,      /* in a quoted attribute value */
	STATE_DECLARATION, /* doctype, processing instruction, bogus comment: up to '>' */
	STATE_COMMENT,
	STATE_RAW, /* content of script, style, title, ...: up to its end tag */
};

struct html_tokenizer {
	struct html_handler handler;
	byte_masks_fn fill;
	enum state state;

	/* the current window */
	const uint8_t *p;
	size_t n, at;
	size_t filled; /* number of first blocks that have masks, except perhaps inside of comments and scripts */
	uint64_t base; /* page offset of p[0] */

	/* the current tag or comment */
	uint8_t tag;
	bool closing;
	bool after_equals; /* the last byte of earlier windows other than white space was '=', so a quote may begin */
	uint8_t quote;
	bool unit_begun; /* a piece of it has been delivered */
	bool tag_skipped;
	uint64_t start;    /* page offset of '<' */
	struct buf source; /* its bytes from earlier windows, at most HTML_TAG_BYTES */
	size_t name_len;
	uint8_t tail[3]; /* the last bytes of earlier windows, the last one first */

	uint8_t raw;  /* the element whose raw content this is, or HTML_TAG_OTHER */
	uint8_t skip; /* the element whose content is skipped, or HTML_TAG_OTHER */
	bool title_seen, title_open;
	struct buf title;

	struct formula_filter formulas; /* between it and the handler, if it is open */
	bool in_text;                   /* the last run was text, which may continue */
	struct white_space_state white;
	size_t styled; /* in the window: see html_next_styled */

	/* the current stretch; see struct html_stretch */
	bool fast;        /* bits_fast */
	size_t runs_till; /* in the window: the next tag, which changes white space, ends before it */
	uint64_t code[MASKS + 1], breaks[MASKS + 1], voids[MASKS + 1], starts[MASKS + 1], links[MASKS + 1];

	struct byte_mask masks[MASKS + 1]; /* of the window, then one of zeros */
	struct byte_mask held_masks[3];    /* of the bytes held in STATE_OPENING, then one of zeros */
};

#endif
