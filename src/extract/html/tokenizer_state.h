/* SPDX-License-Identifier: MIT */
/* Private to the tokeniser: its state, and what both of its files need. */
#ifndef DANA_EXTRACT_HTML_TOKENIZER_STATE_H
#define DANA_EXTRACT_HTML_TOKENIZER_STATE_H

#include "base/ascii.h"
#include "base/buf.h"
#include "extract/html/inline_text.h"
#include "extract/html/tag.h"
#include "extract/html/tokenizer.h"
#include "extract/html/white_space.h"

/** Bytes that suffice in every case: "</", a name of HTML_TAG_NAME_MOST bytes, and the byte after it. */
enum { OPENING_MOST = HTML_TAG_NAME_MOST + 4 };

enum opening_kind {
	OPENS_UNKNOWN, /* more bytes are needed */
	OPENS_NOTHING, /* '<' is text */
	OPENS_TAG,
	OPENS_DECLARATION,
	OPENS_COMMENT,
};

struct opening {
	enum opening_kind kind;
	bool closing;
	size_t len; /* bytes of the opening: the caller continues after them */
	struct html_tag_name name;
};

static inline struct opening opening_tag(struct slice b, size_t name_at)
{
	struct html_tag_name name = { 0 };
	if (b.len == OPENING_MOST) {
		name = html_tag_read(b.data + name_at);
	} else {
		/* the window ends here */
		size_t rest = b.len - name_at, most = rest < HTML_TAG_NAME_MOST ? rest : HTML_TAG_NAME_MOST;
		while (name.len < most && !html_ends_name(b.data[name_at + name.len]))
			name.len++;
		if (name.len == rest && rest < HTML_TAG_NAME_MOST)
			return (struct opening){ .kind = OPENS_UNKNOWN };
		name.tag = html_tag_find(slice_of(b.data + name_at, name.len));
	}
	return (struct opening){ OPENS_TAG, name_at == 2, name_at + name.len, name };
}

/*
 * Decides what the '<' begins that `b` begins with (HTML, section 13.2.5.6 and following): a letter begins a tag, "/"
 * and a letter an end tag, "!--" a comment, another "!", a "?" or "/" a declaration; anything else is text, such as in
 * "a < b". OPENS_UNKNOWN: the tokeniser holds the bytes back until more arrive.
 *
 * Example: "<di" at the end of a chunk may become "<div>" or "<dialog>". Unless more bytes are needed, the result does
 * not depend on the length of `b`, so every split gives the same.
 */
static inline struct opening opening_of(struct slice b)
{
	const struct opening unknown = { .kind = OPENS_UNKNOWN };
	const struct opening declaration = { .kind = OPENS_DECLARATION, .len = 2 };
	const uint8_t c = b.len < 2 ? 0 : b.data[1];
	if (b.len < 2 || (c == '/' && b.len < 3))
		return unknown;
	if (ascii_is_alpha(c))
		return opening_tag(b, 1);
	if (c == '/' && ascii_is_alpha(b.data[2]))
		return opening_tag(b, 2);
	if (c == '?' || c == '/') /* "</ " is a bogus comment */
		return declaration;
	if (c != '!')
		return (struct opening){ .kind = OPENS_NOTHING, .len = 1 };
	for (size_t i = 2; i < 4; i++) {
		if (i == b.len)
			return unknown;
		if (b.data[i] != '-')
			return declaration;
	}
	return (struct opening){ .kind = OPENS_COMMENT, .len = 4 };
}

/* The same inside raw content, where '<' is text unless it begins the end tag of the element itself. */
static inline struct opening opening_of_raw(struct slice b, enum html_tag raw)
{
	const char *name = html_tag_name(raw);
	size_t len = strlen(name);
	for (size_t i = 1; i < len + 3; i++) {
		if (i == b.len)
			return (struct opening){ .kind = OPENS_UNKNOWN };
		uint8_t c = b.data[i];
		bool in_name = i > 1 && i < len + 2;
		if (in_name ? ascii_lower(c) != (uint8_t)name[i - 2] : i == 1 ? c != '/' : !html_ends_name(c))
			return (struct opening){ .kind = OPENS_NOTHING, .len = 1 };
	}
	return (struct opening){ OPENS_TAG, true, len + 2, { len, raw } };
}

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

	struct inline_text inline_text; /* between it and the handler, if it is open */
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

/** Makes masks of the window's first `blocks` blocks, some of which must be missing, and of a few more. */
void html_masks_fill(struct html_tokenizer *t, size_t blocks);
/** Delivers p[from..to) of the window, which may be empty. */
int html_run_window(struct html_tokenizer *t, enum html_run_kind kind, size_t from, size_t to);

static inline void masks_need(struct html_tokenizer *t, size_t blocks)
{
	if (t->filled < blocks)
		html_masks_fill(t, blocks);
}

/*
 * Finds the end of a tag in the usual form, 64 bytes at a time: every opening '"' comes directly after '=', no other
 * does, and the next one closes it.
 *
 * If they alternate, the closing bits minus the opening ones are the bytes from each opening quote up to its closing
 * one: in the tag part a="x>y" b> these are 2 and 6, and the difference has the bits 2 to 5; of the '>' at 4 and 9 only
 * the second is outside. If they do not alternate, the difference misses an opening bit or has a closing one.
 *
 * Returns false if so, or the window ends; tag_scan then works byte by byte, with the same result. An '=' before p[at]
 * does not count. `single`: the same with '\'' and '"' exchanged.
 */
static inline __attribute__((always_inline)) bool tag_scan_quotes(const struct html_tokenizer *t, size_t at,
								  bool single, size_t *end)
{
	uint64_t quoted = 0; /* 1: the 64 bytes begin inside of quotes */
	uint64_t equals_before = 0;
	uint64_t from = ~(uint64_t)0 << at % 64; /* the bytes that are looked at */

	for (size_t block = at / 64; block * 64 < t->n; block++, from = ~(uint64_t)0) {
		const struct byte_mask *m = &t->masks[block];
		const uint64_t equals = m->equals & from;
		const uint64_t quotes = (single ? m->apos : m->quote) & from,
			       others = (single ? m->quote : m->apos) & from;
		const uint64_t opening = quotes & (equals << 1 | equals_before);
		const uint64_t inside = (quotes ^ opening) - opening - quoted; /* including the opening quotes */
		const uint64_t ends = m->gt & from & ~inside;
		const uint64_t looked_at = ends ^ (ends - 1); /* the bits up to the first end, or all bits */
		if (((quotes & (inside ^ opening)) | (others & ~inside)) & looked_at)
			return false;

		if (ends) {
			*end = block * 64 + (size_t)__builtin_ctzll(ends) + 1;
			return true;
		}
		quoted = inside >> 63;
		equals_before = equals >> 63;
	}
	return false;
}

/* Tries one kind of quotes, then the other: nearly every tag has only one. */
static inline bool tag_scan_plain(const struct html_tokenizer *t, size_t at, size_t *end)
{
	return tag_scan_quotes(t, at, false, end) || tag_scan_quotes(t, at, true, end);
}

/* Returns the bytes that decide what p[at] opens; fewer if the window ends. */
static inline struct slice opening_bytes(const struct html_tokenizer *t, size_t at)
{
	return slice_of(t->p + at, t->n - at < OPENING_MOST ? t->n - at : OPENING_MOST);
}

/* Returns the byte `back` places before p[i], even if it was in an earlier window. */
static inline uint8_t byte_before(const struct html_tokenizer *t, size_t i, size_t back)
{
	return i >= back ? t->p[i - back] : t->tail[back - i - 1];
}

/*
 * Returns whether '>' at p[i] ends the comment that begins at `start` of the page: "-->", "--!>", and the whole
 * comments "<!-->" and "<!--->" (HTML, section 13.2.5.43 to 52). The dashes of the opening count for the last two, not
 * for "--!>".
 */
static inline bool comment_ends(const struct html_tokenizer *t, uint64_t start, size_t i)
{
	uint64_t inside = t->base + i - start - 4; /* bytes between "<!--" and '>' */
	if (byte_before(t, i, 1) == '-')
		return byte_before(t, i, 2) == '-';
	return inside >= 3 && byte_before(t, i, 1) == '!' && byte_before(t, i, 2) == '-' && byte_before(t, i, 3) == '-';
}

/**
 * Returns the first place in the window, from p[at] on, where a style keeps white space, or t->n. It need not be in a
 * tag. Within one window `at` must never decrease.
 */
static inline size_t html_next_styled(struct html_tokenizer *t, size_t at)
{
	if (t->styled <= at)
		t->styled = white_space_find(t->p, at, t->n, t->n);
	return t->styled;
}

/**
 * Takes the complete tags of p[from..to), up to the first that changes the white space of the text after it. Returns
 * where the tag before that one ends, so that it comes as a run; or `to`.
 */
size_t html_space_follow(struct html_tokenizer *t, size_t from, size_t to);
/**
 * Delivers as much as can be decided without masks of a comment, or of the content of a script or style, in which t->at
 * is; perhaps nothing. Returns 0 or the handler's error.
 */
int html_step_void(struct html_tokenizer *t);
/**
 * Delivers the stretch that begins at t->at, in STATE_TEXT, after a tag or comment; t->at does not move if there is no
 * stretch. Returns 0 or the handler's error.
 */
int html_step_stretch(struct html_tokenizer *t);

/** Returns whether the content of an element, and its tags, are not part of the visible page. */
static inline bool html_is_script(enum html_tag tag)
{
	return tag == HTML_TAG_SCRIPT || tag == HTML_TAG_STYLE;
}

/**
 * Returns whether a tag ends a skipped element that has not been closed (HTML, sections 13.2.6.4.17 and 13.2.6.5): <p>
 * in <svg>, say. A reading of <ruby> ends at the next one and with its block; a film at the end of what is around it.
 */
static inline bool html_breaks_out(enum html_tag skip, enum html_tag tag, bool closing)
{
	const bool reading = skip == HTML_TAG_RT || skip == HTML_TAG_RP || skip == HTML_TAG_RTC,
		   film = skip == HTML_TAG_VIDEO || skip == HTML_TAG_AUDIO;
	if (closing)
		return tag == HTML_TAG_BODY || tag == HTML_TAG_HTML || (reading && tag == HTML_TAG_RUBY) ||
		       ((reading || film) && !html_tag_is(tag, TAG_SKIP) &&
			(html_tag_is(tag, TAG_SPECIAL) || tag == HTML_TAG_DIV || (reading && tag == HTML_TAG_P)));
	if (tag == HTML_TAG_INPUT || tag == HTML_TAG_TEXTAREA)
		return skip == HTML_TAG_SELECT;
	if (reading && (tag == HTML_TAG_RB || tag == HTML_TAG_RTC))
		return true;
	if (tag == HTML_TAG_RT || tag == HTML_TAG_RP)
		return skip == HTML_TAG_RT || skip == HTML_TAG_RP;
	return html_tag_is(tag, TAG_BREAKS_OUT) &&
	       (skip == HTML_TAG_SVG || skip == HTML_TAG_MATH || skip == HTML_TAG_SELECT || reading);
}

#endif
