/* The tokeniser's state, for its own files. */
#ifndef DANA_HTML_TOKENIZER_STATE_H
#define DANA_HTML_TOKENIZER_STATE_H

#include "base/buf.h"
#include "html/tokenizer.h"
#include "html/tokenizer_opening.h"

enum {
	WINDOW = HTML_WINDOW,
	MASKS = WINDOW / 64,
	QUOTED_TAG_MOST = 64 << 10, /* a quoted value does not hide '>' any more in a tag longer than this */
	TITLE_MOST = 16 << 10,
};

enum state {
	STATE_TEXT,        /* outside of tags */
	STATE_OPENING,     /* '<' and the bytes behind it, too few to tell what they open; they are held */
	STATE_TAG,         /* behind a tag's name, outside of quotes */
	STATE_QUOTED,      /* in a quoted attribute value */
	STATE_DECLARATION, /* doctype, processing instruction, bogus comment: up to '>' */
	STATE_COMMENT,
	STATE_RAW, /* content of script, style, title, ...: up to its end tag */
};

struct html_tokenizer {
	struct html_handler handler;
	byte_masks_fn fill;
	enum state state;

	/* the window under way */
	const uint8_t *p;
	size_t n, at;
	size_t filled; /* blocks of it behind which no mask is filled; of those before it, the ones in voids may not be */
	uint64_t base; /* page offset of p[0] */

	/* the tag or comment under way */
	uint8_t tag;
	bool closing;
	bool behind_equals; /* the last byte of earlier windows that is no white space was '=', and may open a quote */
	uint8_t quote;
	bool unit_begun; /* a piece of it was delivered */
	bool tag_skipped;
	uint64_t start;    /* page offset of '<' */
	struct buf source; /* its bytes from earlier windows, at most HTML_TAG_BYTES */
	size_t name_len;
	uint8_t tail[3]; /* the last bytes of earlier windows, the nearest first */

	uint8_t raw;  /* element whose raw content is read; HTML_TAG_OTHER: none */
	uint8_t skip; /* element whose content is skipped; HTML_TAG_OTHER: none */
	bool title_seen, title_open;
	struct buf title;

	bool in_text; /* the last piece was text, which goes on */

	/* of a stretch */
	bool fast; /* bits_fast */
	uint64_t code[MASKS + 1], breaks[MASKS + 1], voids[MASKS + 1];

	struct byte_mask masks[MASKS + 1]; /* one of zeros behind the last */
	struct byte_mask held_masks[3];    /* of an opening that lay across windows, and one of zeros */
};

#endif
