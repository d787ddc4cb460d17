/* SPDX-License-Identifier: MIT */
/*
 * The incremental tokeniser that all methods share: UTF-8 bytes in, cut anywhere; runs of bytes and tags out. It does
 * not keep the page, only its state and the source of one tag. Events borrow memory, which is valid during the call.
 *
 * Example: "a<b>c<!--d-->" gives the runs TEXT "a", CODE "<b>", the event of the tag b, and the runs TEXT "c", VOID
 * "<!--d-->".
 *
 * Most of a page is ordinary markup, for which a call for each run and each tag is slow. A handler may take it in
 * larger pieces: as units (a text and a tag) or stretches (up to a window of texts and tags, as bit masks).
 */
#ifndef DANA_EXTRACT_HTML_TOKENIZER_H
#define DANA_EXTRACT_HTML_TOKENIZER_H

#include "extract/html/byte_masks.h"
#include "extract/html/tag.h"
#include "extract/html/white_space.h"

enum html_run_kind {
	HTML_TEXT,   /* outside of tags; character references are not decoded */
	HTML_CODE,   /* bytes of tags, '<' and '>' included, of doctype, processing instructions and bogus comments */
	HTML_HIDDEN, /* comments, and <script>, <style> with their tags and content */
};

/**
 * A piece of the page. Pieces follow each other without gap or overlap; together they are the page, byte for byte. One
 * text, one tag or one comment may come in several pieces, depending on how the input is cut: a consumer's result must
 * not depend on where a piece ends.
 */
struct html_run {
	enum html_run_kind kind;
	bool skipped;  /* inside of noscript, template, svg, ..., or one of their tags */
	uint8_t tag;   /* CODE: enum html_tag of this tag. TEXT: the raw element around it (title, textarea) */
	bool closing;  /* CODE: an end tag */
	uint8_t space; /* enum white_space of this or, CODE, VOID: the last text; COLLAPSES if it is not asked for */
	bool formula;  /* TEXT: a formula, or raised text, for a handler that asks for it (inline_text.h) */
	bool raised;   /* TEXT: skipped, since what is written for it comes after it */
	bool first;    /* CODE, VOID: the first piece of its tag or comment */
	struct slice bytes;            /* never empty */
	const struct byte_mask *masks; /* classes of the bytes; byte i has bit (at + i) % 64 of masks[(at + i) / 64] */
	size_t at;
	uint64_t offset; /* position of bytes.data[0] in the page */
};

/** Attributes are read from this many bytes of a tag; later ones are ignored. The same for every split. */
enum { HTML_TAG_BYTES = 16 << 10 };

/** A tag, after its last CODE (or VOID: script, style) piece. */
struct html_tag_event {
	uint8_t tag;
	bool closing, self_closing;
	bool skipped;        /* inside a skipped element, or the tag of one */
	uint8_t space;       /* enum white_space of the text after it, as in html_run */
	struct slice name;   /* as written; at most 64 bytes */
	struct slice source; /* from '<' to '>', at most HTML_TAG_BYTES bytes: for attribute.h */
	uint64_t start, end; /* positions of '<' and of the byte after '>' */
};

/**
 * The commonest case in one call: a text (perhaps empty) and the whole tag that follows it, both in one window. The tag
 * does not begin or end a skipped or raw element, and the unit does not lie in one. It replaces a TEXT run, a CODE run
 * with `first`, and the tag's event.
 */
struct html_unit {
	const uint8_t *window; /* bytes of the text: window[text..code) */
	/** Bit i % 64 of masks[i / 64] belongs to window[i]; readable for 64 bytes after `end`. */
	const struct byte_mask *masks;
	size_t text, code, end; /* of the tag: window[code..end) */
	size_t len;             /* of the window: bytes that can be read */
	uint64_t base;          /* position of window[0] in the page */
	size_t name_len;
	uint8_t tag;
	bool closing, self_closing;
};

/**
 * A stretch of markup: texts, whole tags, comments, scripts and styles, but nothing of other raw elements, all in one
 * window. It begins after a tag or comment and ends after one. It replaces the runs and tag events of its content.
 *
 * Example, with from = 0 and to = 12: "one<b>two<p>" has the bits 3 to 5, 9 to 11 and all from 12 on set in `code`, and
 * bit 9 in `breaks`, as <p> is not inline; `starts` has the bits 3 and 9; `voids` and `links` are 0.
 */
struct html_stretch {
	const uint8_t *window; /* the stretch is window[from..to) */
	/**
	 * Bit i % 64 of masks[i / 64] belongs to window[i], as in the next three members; one more mask is readable.
	 * `lt` and `gt` may be changed; who takes the stretch may change `high` and `cont` of its texts.
	 */
	struct byte_mask *masks;
	const uint64_t *code;   /* bytes of tags, comments, scripts and styles; all bytes outside of from..to */
	const uint64_t *voids;  /* comments, scripts, styles, skipped elements with their tags: not visible */
	const uint64_t *breaks; /* '<' of each tag that is not inline, outside of `voids` */
	const uint64_t *starts; /* '<' of each tag and declaration; inside of `voids` they may be anything */
	const uint64_t *links;  /* '<' of each <a> and </a>, outside of `voids` */
	size_t from, to;
	uint64_t base; /* position of window[0] in the page */
	bool fast;     /* bits_fast */
	uint8_t space; /* enum white_space of all texts in it, as in html_run */
};

/** Longest window, hence longest stretch, in bytes: what the pump passes on at once. What a window cuts costs time. */
enum { HTML_WINDOW = 64 << 10 };

/** The consumer's functions. Each returns 0, or a negative status, which html_tokenizer_feed returns at once. */
struct html_handler {
	int (*run)(void *arg, const struct html_run *run);
	int (*tag)(void *arg, const struct html_tag_event *event);
	void *arg;
	/** Optional; depending on how the input is cut, some units come as runs and tags anyway. */
	int (*unit)(void *arg, const struct html_unit *unit);
	/** Optional, instead of `unit`. Which parts of a page come as stretches depends on how the input is cut. */
	int (*stretch)(void *arg, const struct html_stretch *stretch);
	/**
	 * With `stretch`, without which it has no effect: the handler ignores VOID runs. Their masks may hold anything,
	 * and scripts and styles have no tag events.
	 */
	bool voids_unread;
	/** Runs, tags and stretches have `space` set; a tag that changes it comes as a run. Not with `unit`. */
	bool white_space;
	/** Formulas come as text (inline_text.h). Not with `unit`. */
	bool formulas;
};

/** Returns the event of the unit's tag, without its white space. */
static inline struct html_tag_event html_unit_event(const struct html_unit *u)
{
	return (struct html_tag_event){ .tag = u->tag,
					.closing = u->closing,
					.self_closing = u->self_closing,
					.name = slice_of(u->window + u->code + 1 + u->closing, u->name_len),
					.source = slice_first(slice_of(u->window + u->code, u->end - u->code),
							      HTML_TAG_BYTES),
					.start = u->base + u->code,
					.end = u->base + u->end };
}

struct html_tokenizer;

/** Uses the vector paths of the level in use at the time of the call (base/cpu.h). Returns NULL without memory. */
struct html_tokenizer *html_tokenizer_new(const struct html_handler *handler);
/** Sets whether a handler with voids_unread and `stretch` reads VOID runs after all. Before the first page. */
void html_tokenizer_read_voids(struct html_tokenizer *t, bool read);
int html_tokenizer_feed(struct html_tokenizer *t, struct slice bytes);
/** Ends the page: an unfinished tag or comment ends here (its pieces are delivered, without a tag event). */
int html_tokenizer_finish(struct html_tokenizer *t);
void html_tokenizer_reset(struct html_tokenizer *t);
/** Returns the source of the first <title> outside of svg and the like, at most 16 KiB. *seen: the page has one. */
struct slice html_tokenizer_title(const struct html_tokenizer *t, bool *seen);
void html_tokenizer_free(struct html_tokenizer *t);

/** Sums over a run's masks, for methods that count. */
struct html_run_count {
	size_t chars;  /* code points */
	size_t spaces; /* white space directly after white space, to be ignored where white space collapses */
	size_t high;   /* bytes of 0x80 and above */
};

/** `after_space`: the byte before the run is white space. */
struct html_run_count html_run_sum(const struct html_run *run, bool after_space);

/*
 * Searching and counting bytes in a run by its masks. Byte i of a run has bit (at + i) % 64 of masks[(at + i) / 64];
 * the functions clear the bits before their start and find the lowest one that is left.
 *
 * Example: a run of 3 bytes at = 62 has the bits 62 and 63 of masks[0] and bit 0 of masks[1]. run_find(run, 1, 3,
 * RUN_SPACE) looks at masks[0].space & ~0 << 63, and if that is 0 at masks[1].space.
 */
enum run_class { RUN_SPACE, RUN_OTHER, RUN_HIGH };

static inline uint64_t run_class_bits(const struct byte_mask *m, enum run_class wanted)
{
	return wanted == RUN_SPACE ? m->space : wanted == RUN_OTHER ? ~m->space : m->high;
}

/** 64 bits of a class from bit `at` on, of two words; the mask after the one that holds bit `at` must be readable. */
#define MASK_BITS_AT(masks, member, at) \
	((masks)[(at) / 64].member >> (at) % 64 | (masks)[(at) / 64 + 1].member << 1 << (63 - (at) % 64))

/** Returns the index of the first byte in i..to of that class (RUN_OTHER: not white space), or `to`. */
static inline size_t run_find(const struct html_run *run, size_t i, size_t to, enum run_class wanted)
{
	size_t at = run->at + i, end = run->at + to;
	while (at < end) {
		uint64_t bits = run_class_bits(&run->masks[at / 64], wanted) & ~(uint64_t)0 << at % 64;
		if (bits) {
			at = at / 64 * 64 + (size_t)__builtin_ctzll(bits);
			return at < end ? at - run->at : to;
		}
		at = at / 64 * 64 + 64;
	}
	return to;
}

/** Returns the index of the first white space other than ' ' in i..to, or `to`. */
static inline size_t run_find_control(const struct html_run *run, size_t i, size_t to)
{
	while ((i = run_find(run, i, to, RUN_SPACE)) < to && run->bytes.data[i] == ' ')
		i++;
	return i;
}

/** Returns the index of the second of two adjacent white-space bytes at or after `i`, or the run's length. */
static inline size_t run_find_double_space(const struct html_run *run, size_t i)
{
	size_t at = run->at + i, end = run->at + run->bytes.len;
	uint64_t before = 0;
	while (at < end) {
		uint64_t space = run->masks[at / 64].space & ~(uint64_t)0 << at % 64;
		uint64_t bits = space & (space << 1 | before);
		if (bits) {
			at = at / 64 * 64 + (size_t)__builtin_ctzll(bits);
			return (at < end ? at : end) - run->at;
		}
		before = space >> 63;
		at = at / 64 * 64 + 64;
	}
	return run->bytes.len;
}

static inline bool run_space_at(const struct html_run *run, size_t i)
{
	size_t at = run->at + i;
	return run->masks[at / 64].space >> (at % 64) & 1;
}

/** Returns the number of bytes in i..to that are 0x80 or above. */
static inline size_t run_count_high(const struct html_run *run, size_t i, size_t to)
{
	size_t n = 0;
	for (size_t at = run->at + i, end = run->at + to; at < end;) {
		size_t last = end - at / 64 * 64 < 64 ? end - at / 64 * 64 : 64;
		n += (size_t)__builtin_popcountll(run->masks[at / 64].high & mask_range(at % 64, last));
		at = at / 64 * 64 + last;
	}
	return n;
}

/** Returns the longest run from window[at] on that is either all text, or all tags, comments and scripts. */
static inline struct html_run stretch_run(const struct html_stretch *h, size_t at)
{
	bool tags = h->code[at / 64] >> at % 64 & 1;
	uint64_t flip = tags ? ~(uint64_t)0 : 0, bits = (h->code[at / 64] ^ flip) & ~(uint64_t)0 << at % 64;
	size_t block = at / 64;
	while (!bits && ++block * 64 < h->to)
		bits = h->code[block] ^ flip;
	size_t end = bits ? block * 64 + (size_t)__builtin_ctzll(bits) : h->to;
	return (struct html_run){ .kind = tags ? HTML_CODE : HTML_TEXT,
				  .skipped = h->voids[at / 64] >> at % 64 & 1,
				  .first = tags,
				  .space = h->space,
				  .bytes = slice_of(h->window + at, (end < h->to ? end : h->to) - at),
				  .masks = h->masks,
				  .at = at,
				  .offset = h->base + at };
}

/** Returns whether a run from stretch_run has a tag that is not inline. */
static inline bool stretch_breaks(const struct html_stretch *h, const struct html_run *run)
{
	uint64_t breaks = 0;
	size_t end = run->at + run->bytes.len;
	for (size_t block = run->at / 64; block * 64 < end; block++)
		breaks |= h->breaks[block] & mask_range(block == run->at / 64 ? run->at % 64 : 0, end - block * 64);
	return breaks != 0;
}

/** Returns the unit's text as a run. */
static inline struct html_run unit_text_run(const struct html_unit *u)
{
	return (struct html_run){ .kind = HTML_TEXT,
				  .bytes = slice_of(u->window + u->text, u->code - u->text),
				  .masks = u->masks,
				  .at = u->text,
				  .offset = u->base + u->text };
}

#endif
