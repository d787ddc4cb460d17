/*
 * Texts and plain tags straight into segments: what content_stream and segmenter do together, for most of a page at a fraction of
 * their cost. 64 bytes at a time by their masks, no call and no branch for a byte.
 */
#include "base/status.h"
#include "extract/segmenter.h"
#include "html/run_scan.h"

enum { CHUNK = 64 };

/* Out of line, so that a tag without text, the commonest unit, costs no stack frame. */
#define RARE __attribute__((noinline))

/* Always whole chunks: a copy of fixed size is a few moves. What lies behind the bytes that count is overwritten. */
static inline void copy_chunk(uint8_t *to, const uint8_t *from)
{
	memcpy(to, from, CHUNK);
}

static inline int append_chunk(struct segmenter *g, const uint8_t *p, size_t len)
{
	struct buf *text = chain_selector_text(g->chain);
	int status = text->cap - text->len < CHUNK ? buf_reserve(text, CHUNK) : DANA_OK;
	if (status < 0)
		return status;
	copy_chunk(text->data + text->len, p);
	text->len += len;
	return DANA_OK;
}

/* Content as in segmenter_content, at most a chunk of it; a whole chunk can be read. */
static inline int put_words(struct segmenter *g, const uint8_t *p, size_t len, size_t chars)
{
	size_t units = g->bytes ? len : chars;
	int status = DANA_OK;
	if (g->used + units <= g->length && g->used < g->length) {
		g->content += units;
		g->used += units;
		return append_chunk(g, p, len);
	}
	if (len != chars)
		return segmenter_content_across(g, slice_of(p, len), chars, false);
	for (size_t done = 0, part; done < len && status >= 0; done += part) {
		status = segmenter_make_room(g);
		if (status < 0)
			break;
		part = len - done < g->length - g->used ? len - done : (size_t)(g->length - g->used);
		g->content += part;
		g->used += part;
		status = append_chunk(g, p + done, part);
	}
	return status;
}

/* The bytes of a chunk that `keep` tells, those of `ctl` as blanks; answers how many. `to` holds two chunks. */
static size_t collapse(uint8_t *to, const uint8_t *p, uint64_t keep, uint64_t ctl)
{
	size_t len = 0;
	while (keep) {
		unsigned from = (unsigned)__builtin_ctzll(keep);
		uint64_t gap = ~(keep >> from);
		unsigned n = gap ? (unsigned)__builtin_ctzll(gap) : CHUNK;
		copy_chunk(to + len, p + from);
		for (uint64_t bits = ctl >> from & mask_range(0, n); bits; bits &= bits - 1)
			to[len + (unsigned)__builtin_ctzll(bits)] = ' ';
		len += n;
		keep &= ~mask_range(0, from + n);
	}
	return len;
}

/* The text from `at` on, where it has its first word. */
static int put_text(struct segmenter *g, struct content_stream *s, const struct html_unit *u, size_t at)
{
	uint64_t before = 0; /* the byte before the chunk is white space */
	int status = DANA_OK;
	while (at < u->code && status >= 0) {
		size_t n = u->code - at < CHUNK ? u->code - at : CHUNK;
		uint64_t all = ~(uint64_t)0 >> (CHUNK - n);
		uint64_t space = MASK_BITS_AT(u->masks, space, at) & all, ctl = MASK_BITS_AT(u->masks, ctl, at) & all;
		uint64_t high = MASK_BITS_AT(u->masks, high, at) & all;
		uint64_t drop = space & (space << 1 | before);
		before = space >> (n - 1);
		const uint8_t *p = u->window + at;
		uint8_t collapsed[2 * CHUNK];
		size_t len = n, cont = high ? (size_t)__builtin_popcountll(MASK_BITS_AT(u->masks, cont, at) & all) : 0;
		if (drop | ctl) {
			len = collapse(collapsed, p, all & ~drop, ctl);
			p = collapsed;
		}
		status = put_words(g, p, len, len - cont);
		at += n;
	}
	s->after_space = before;
	return status;
}

/* What stands before the first word: content_stream's unit_starts and the beginning of a block. */
static int text_starts(struct segmenter *g, struct content_stream *s, bool space)
{
	static const uint8_t blank[CHUNK] = " ";
	bool lone = s->lone_space;
	s->lone_space = false;
	if (s->block_pending) {
		s->block_pending = false;
		int status = segmenter_make_room(g);
		return status < 0 ? status : buf_append_byte(chain_selector_text(g->chain), '\n');
	}
	if (s->after_space)
		return DANA_OK;
	if (space)
		return put_words(g, blank, 1, 1);
	return lone ? buf_append_byte(chain_selector_text(g->chain), ' ') : DANA_OK;
}

/* A text that is more than white space, or longer than a chunk. */
static RARE int unit_text(struct segmenter *g, struct content_stream *s, const struct html_unit *u)
{
	size_t at = u->text;
	uint64_t words = 0;
	for (; at < u->code; at += CHUNK) {
		words = ~MASK_BITS_AT(u->masks, space, at);
		if (words)
			break;
	}
	if (words)
		at += (size_t)__builtin_ctzll(words);
	if (at >= u->code) {
		s->lone_space = true;
		return DANA_OK;
	}
	int status = text_starts(g, s, at > u->text);
	return status < 0 ? status : put_text(g, s, u, at);
}

/* The text began in an earlier window. */
static RARE int unit_text_goes_on(struct content_stream *s, const struct html_unit *u)
{
	struct html_run run = unit_text_run(u);
	int status = run.bytes.len ? content_stream_run(s, &run) : DANA_OK;
	content_stream_unit_end(s);
	return status;
}

/* Characters, or bytes, of a tag with white space collapsed, which is not plain. */
static RARE size_t code_length(const struct content_stream *s, const struct html_unit *u)
{
	size_t len = u->end - u->code;
	struct html_run run = unit_code_run(u);
	struct html_run_count sum = html_run_sum(&run, false);
	return (s->bytes ? len : sum.chars) - sum.spaces;
}

int segmenter_unit(struct segmenter *g, struct content_stream *s, const struct html_unit *u)
{
	int status = DANA_OK;
	size_t len = u->code - u->text;
	if (s->unit_seen | s->unit_space) {
		status = unit_text_goes_on(s, u);
	} else if (len > CHUNK || ~MASK_BITS_AT(u->masks, space, u->text) & mask_range(0, len)) {
		status = unit_text(g, s, u);
	} else {
		s->lone_space |= len != 0;
	}
	if (status < 0)
		return status;
	/* without a branch: which tags are inline is hard to foresee */
	bool block = !html_tag_is(u->tag, TAG_INLINE);
	s->block_pending |= block;
	s->after_space |= block;
	s->lone_space &= !block;
	return segmenter_code(g, u->plain ? u->end - u->code : code_length(s, u));
}
