/* SPDX-License-Identifier: MIT */
/*
 * Decides what a '<' begins, from the bytes that follow it (HTML, section 13.2.5.6 and following): a letter begins a
 * tag, "/" and a letter an end tag, "!--" a comment, another "!", a "?" or "/" a declaration; anything else is text,
 * such as in "a < b".
 *
 * If the input ends too early the result is OPENS_UNKNOWN, and the tokeniser holds the bytes back until more arrive.
 * Example: "<di" at the end of a chunk may become "<div>" or "<dialog>".
 */
#ifndef DANA_HTML_TOKENIZER_STATE_H
#define DANA_HTML_TOKENIZER_STATE_H

#include "base/ascii.h"
#include "base/buf.h"
#include "extract/html/formula.h"
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
 * `b` begins with '<'. Unless more bytes are needed, the result does not depend on the length of `b`, so every split
 * gives the same.
 */
static inline struct opening opening_of(struct slice b)
{
	const struct opening unknown = { .kind = OPENS_UNKNOWN };
	const struct opening declaration = { .kind = OPENS_DECLARATION, .len = 2 };
	if (b.len < 2)
		return unknown;

	uint8_t c = b.data[1];
	if (ascii_is_alpha(c))
		return opening_tag(b, 1);
	if (c == '/') {
		if (b.len < 3)
			return unknown;
		return ascii_is_alpha(b.data[2]) ? opening_tag(b, 2) : declaration; /* "</ " is a bogus comment */
	}
	if (c == '?')
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
		bool fits;
		if (i == 1)
			fits = c == '/';
		else if (i < len + 2)
			fits = ascii_lower(c) == (uint8_t)name[i - 2];
		else
			fits = ascii_is_space(c) || c == '/' || c == '>';
		if (!fits)
			return (struct opening){ .kind = OPENS_NOTHING, .len = 1 };
	}
	return (struct opening){ OPENS_TAG, true, len + 2, { len, raw } };
}

/* Private to the tokeniser: its state. */

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

/*
 * Private to the tokeniser: delivers runs, and scans tags, declarations and comments, which may end in a later window.
 */

/**
 * Makes the masks of the window's first `blocks` blocks, and of a few more. The window must have that many blocks, and
 * some of their masks must be missing.
 */
void html_masks_fill(struct html_tokenizer *t, size_t blocks);

/* Each of the following returns 0, or a negative status of its own or the handler's. */

/** Delivers p[from..to) of the window. */
int html_run_window(struct html_tokenizer *t, enum html_run_kind kind, size_t from, size_t to);

/** Delivers the first `len` held bytes of an opening that began in an earlier window. */
int html_run_held(struct html_tokenizer *t, enum html_run_kind kind, size_t len);

/** Sets the state for the tag, comment or declaration that an opening begins; returns the kind of its bytes. */
enum html_run_kind html_opening_enter(struct html_tokenizer *t, const struct opening *o);

/** Continues at t->at in the current tag, declaration or comment, whose bytes before p[from] have been delivered. */
int html_step_markup(struct html_tokenizer *t, size_t from);

/*
 * Finds '<' and the end of a tag in the current window, by masks.
 *
 * The end of a tag is its first '>' outside of quotes. Which bytes are inside of quotes is the parity of the quotes so
 * far. Example: the tag part a="x>y" b> has quotes at 2 and 6; the parity is odd for the bits 2 to 5; of the '>' at 4
 * and 9 only the second has even parity.
 */

/* Masks are made on demand, this many blocks ahead: scripts and comments need none. */
enum { FILL_AHEAD = 8 };

static inline void masks_need(struct html_tokenizer *t, size_t blocks)
{
	if (t->filled < blocks)
		html_masks_fill(t, blocks);
}

static inline size_t next_lt(struct html_tokenizer *t, size_t from)
{
	for (size_t block = from / 64, keep = from % 64; block * 64 < t->n; block++, keep = 0) {
		masks_need(t, block + 1);
		uint64_t bits = t->masks[block].lt & ~(uint64_t)0 << keep;
		if (bits)
			return block * 64 + (size_t)__builtin_ctzll(bits);
	}
	return t->n;
}

/* Returns the next '>' or quote. */
static inline size_t next_stop(struct html_tokenizer *t, size_t from)
{
	for (size_t block = from / 64, keep = from % 64; block * 64 < t->n; block++, keep = 0) {
		masks_need(t, block + 1);
		const struct byte_mask *m = &t->masks[block];
		uint64_t bits = (m->gt | m->quote | m->apos) & ~(uint64_t)0 << keep;
		if (bits)
			return block * 64 + (size_t)__builtin_ctzll(bits);
	}
	return t->n;
}

/* Bit k of the result is set if the number of set bits in x, from bit 0 to bit k, is odd. */
static inline uint64_t odd_so_far(uint64_t x)
{
	x ^= x << 1;
	x ^= x << 2;
	x ^= x << 4;
	x ^= x << 8;
	x ^= x << 16;
	return x ^ x << 32;
}

/* Returns whether the last byte before p[i] that is not white space is '='. Looks no further back than p[from]. */
static inline bool follows_equals(const struct html_tokenizer *t, size_t from, size_t i)
{
	while (i > from) {
		uint8_t c = t->p[--i];
		if (!ascii_is_space(c))
			return c == '=';
	}
	return t->after_equals;
}

/*
 * Finds the end of a tag in the usual form, 64 bytes at a time: every opening '"' comes directly after '=', and the
 * next '"' closes it. Returns false if that does not hold, or the window ends; tag_scan then works byte by byte, with
 * the same result. An '=' before p[at] does not count. `single`: the same with '\'' and '"' exchanged.
 */
static inline __attribute__((always_inline)) bool tag_scan_quotes(const struct html_tokenizer *t, size_t at,
								  bool single, size_t *end)
{
	uint64_t quoted = 0; /* all ones: the 64 bytes begin inside of quotes */
	uint64_t equals_before = 0;

	for (; at < t->n; at += 64) {
		uint64_t quotes = MASK_BITS_AT(t->masks, quote, at), others = MASK_BITS_AT(t->masks, apos, at);
		uint64_t equals = MASK_BITS_AT(t->masks, equals, at);
		if (single) {
			uint64_t swap = quotes;
			quotes = others;
			others = swap;
		}

		uint64_t inside = odd_so_far(quotes) ^ quoted; /* including the opening quote, not the closing one */
		uint64_t ends = MASK_BITS_AT(t->masks, gt, at) & ~inside;
		uint64_t looked_at = ends ^ (ends - 1); /* the bits up to the first end, or all bits */
		uint64_t odd = (quotes & inside & ~(equals << 1 | equals_before)) | (others & ~inside);
		if (odd & looked_at)
			return false;

		if (ends) {
			*end = at + (size_t)__builtin_ctzll(ends) + 1;
			return true;
		}
		quoted = (uint64_t)0 - (inside >> 63);
		equals_before = equals >> 63;
	}
	return false;
}

/* Tries one kind of quotes, then the other: nearly every tag has only one. */
static inline bool tag_scan_plain(const struct html_tokenizer *t, size_t at, size_t *end)
{
	return tag_scan_quotes(t, at, false, end) || tag_scan_quotes(t, at, true, end);
}

/* Scans a tag from t->at, quote by quote. Returns true if it ends in this window; *end is the byte after its '>'. */
static inline bool tag_scan(struct html_tokenizer *t, size_t *end)
{
	size_t from = t->at;
	for (size_t i = t->at; (i = next_stop(t, i)) < t->n; i++) {
		uint8_t c = t->p[i];
		*end = i + 1;
		if (t->state == STATE_QUOTED) {
			if (c == '>' && t->base + i - t->start >= QUOTED_TAG_MOST)
				return true;
			if (c == t->quote) {
				t->state = STATE_TAG;
				t->after_equals = false;
				from = i + 1;
			}
		} else if (c == '>') {
			return true;
		} else if (follows_equals(t, from, i)) {
			t->state = STATE_QUOTED;
			t->quote = c;
		}
	}
	if (t->state == STATE_TAG)
		t->after_equals = follows_equals(t, from, t->n);
	return false;
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

/* Private to the tokeniser: ordinary markup as units, a text and the tag that follows it in one call. */

/**
 * Delivers units from t->at on, outside of skipped elements, and moves t->at past the last one. Returns 0 or the
 * handler's error.
 */
int html_step_units(struct html_tokenizer *t);

/**
 * Fills the members of the unit that describe the tag at unit->code. Returns false if the tag is not ordinary or does
 * not end in the window. Its name must be readable as html_tag_read reads it.
 */
static inline bool html_unit_tag(const struct html_tokenizer *t, struct html_unit *unit)
{
	const uint8_t *p = t->p;
	unit->closing = p[unit->code + 1] == '/';
	size_t name = unit->code + 1 + unit->closing;
	if (!ascii_is_alpha(p[name]))
		return false;
	struct html_tag_name read;
	if (!html_tag_read_near(p + name, &read))
		read = html_tag_read(p + name);
	if (html_tag_properties[read.tag] & (TAG_RAW | TAG_SKIP))
		return false;
	unit->tag = (uint8_t)read.tag;
	unit->name_len = read.len;
	unit->end = name + read.len + 1;
	if (p[unit->end - 1] != '>' && !tag_scan_plain(t, unit->end - 1, &unit->end))
		return false;
	unit->self_closing = p[unit->end - 2] == '/';
	return true;
}

/*
 * Private to the tokeniser: tags that change white space. Hardly any tag does, and those that may are found without
 * reading attributes: by one search in the window for a style that keeps white space, and by the name.
 */

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

/** Applies the tag to t->white and fills event->space. For handlers that ask for white space. */
void html_space_take(struct html_tokenizer *t, struct html_tag_event *event);

/**
 * Takes the complete tags of p[from..to), up to the first that changes the white space of the text after it. Returns
 * where the tag before that one ends, so that it comes as a run; or `to`.
 */
size_t html_space_follow(struct html_tokenizer *t, size_t from, size_t to);

/*
 * Private to the tokeniser: what interrupts ordinary markup, such as comments, scripts and the tags of skipped
 * elements.
 */

/**
 * Takes the comment, declaration, script or style at p[at], or the tag there that begins or ends a skipped element, if
 * the window holds all of it and it needs no event of its own; then those that follow with nothing but white space
 * between. Marks them as part of a stretch and returns where the last one ends; `at` if none is taken.
 */
size_t html_passages_take(struct html_tokenizer *t, size_t at);

/**
 * The same for a comment, or a tag that begins or ends a skipped element, among tags that were found as if all were
 * ordinary, up to p[end]: takes it if they hold nevertheless, and marks it in t->voids, with all that is skipped after
 * it. `next`: the '<' of the next tag, or `end`. Returns false if it is not taken.
 */
bool html_passage_pass(struct html_tokenizer *t, size_t at, size_t next, size_t end);

/** Returns whether t->at is in a comment, or in the content of a script or style. */
bool html_in_void(const struct html_tokenizer *t);

/** Delivers as much of it as can be decided without masks, perhaps nothing. Returns 0 or the handler's error. */
int html_step_void(struct html_tokenizer *t);

/* Private to the tokeniser: stretches. */

/**
 * Delivers the stretch that begins at t->at, in STATE_TEXT, after a tag or comment; t->at does not move if there is no
 * stretch. Returns 0 or the handler's error.
 */
int html_step_stretch(struct html_tokenizer *t);

/**
 * Returns whether a tag ends a skipped element that has not been closed (HTML, sections 13.2.6.4.17 and 13.2.6.5): <p>
 * in <svg>, say.
 */
static inline bool html_breaks_out(enum html_tag skip, enum html_tag tag, bool closing)
{
	if (closing)
		return tag == HTML_TAG_BODY || tag == HTML_TAG_HTML;
	switch (tag) {
	case HTML_TAG_INPUT:
	case HTML_TAG_TEXTAREA:
		return skip == HTML_TAG_SELECT;
	case HTML_TAG_BODY:
	case HTML_TAG_DIV:
	case HTML_TAG_P:
	case HTML_TAG_TABLE:
	case HTML_TAG_UL:
	case HTML_TAG_OL:
	case HTML_TAG_H1:
	case HTML_TAG_H2:
	case HTML_TAG_H3:
	case HTML_TAG_H4:
		return skip == HTML_TAG_SVG || skip == HTML_TAG_MATH || skip == HTML_TAG_SELECT;
	default:
		return false;
	}
}

#endif
