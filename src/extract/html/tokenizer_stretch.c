/* SPDX-License-Identifier: MIT */
/*
 * Stretches of ordinary markup: most of a page, without a call or an unpredictable branch for each tag. In chunks of up
 * to 16 blocks of 64 bytes, first the tags are found by subtracting masks (tag_bits.h) and the places of all '<' are
 * written to an array; then the names at these places are looked up one after the other.
 *
 * Example: "</p>one<b>two</b><!--x--><style>y</style>three<title>" from after "</p>". The first chunk has '<' at 7, 13,
 * 17, 25, 33 and so on. <b> and </b> are ordinary; "<!--" is not, but ends where a tag would, so html_passage_pass
 * marks it as void. <style> is not, and its content may only look like tags, so the part ends at 25.
 * html_passages_take takes the style, and the next part begins after it. <title> is raw, so that the stretch ends after
 * the style, the last complete item; "three" comes as a run.
 */
#include "extract/html/tokenizer_stretch.h"

#include "base/cpu.h"
#include "extract/html/tag_bits.h"
#include "extract/html/tokenizer_ordinary.h"
#include "extract/html/tokenizer_passage.h"
#include "extract/html/tokenizer_scan.h"
#include "extract/html/tokenizer_space.h"

enum {
	CHUNK = 16, /* blocks whose tags are looked at together */
};
_Static_assert(WINDOW - 1 <= UINT16_MAX, "the places of tags are of 16 bits");

/* Returns where the last tag that begins in p[from..at) ends; `from` if no tag begins there. */
static size_t tags_end(const struct html_tokenizer *t, size_t from, size_t at)
{
	size_t block = at / 64, first = from / 64;
	uint64_t code = t->code[block] & bits_below(at % 64);
	while (!code && block > first)
		code = t->code[--block];
	size_t end = code ? block * 64 + bits_highest(code) + 1 : from;
	return end > from ? end : from;
}

/*
 * Writes the place of each set bit to `to`, for block number `block`; returns their number. It always writes at least
 * two entries, used or not: few blocks have more tags, and a loop whose length the processor cannot predict costs more
 * than that.
 */
BITS_INLINE size_t bits_spread(uint16_t *to, size_t block, uint64_t bits)
{
	const uint64_t top = (uint64_t)1 << 63;
	size_t count = bits_count(bits), at = block * 64;
	to[0] = (uint16_t)(at + bits_lowest(bits | top));
	bits &= bits - 1;
	to[1] = (uint16_t)(at + bits_lowest(bits | top));
	bits &= bits - 1;
	for (size_t i = 2; bits; bits &= bits - 1)
		to[i++] = (uint16_t)(at + bits_lowest(bits));
	return count;
}

/*
 * Returns the first word in the blocks from..to that begins in the middle of a character; `end` if no such word
 * precedes it. The current part of the stretch begins at p[at].
 */
static size_t torn_word(const struct html_tokenizer *t, size_t at, size_t from, size_t to, size_t end)
{
	uint64_t word = from > at / 64 ? (t->code[from - 1] | t->masks[from - 1].space) >> 63 : (uint64_t)1 << at % 64;
	for (; from < to; from++) {
		uint64_t before = t->code[from] | t->masks[from].space,
			 torn = t->masks[from].cont & ~t->code[from] & (before << 1 | word);
		if (torn)
			return from * 64 + bits_lowest(torn) < end ? from * 64 + bits_lowest(torn) : end;
		word = before >> 63;
	}
	return end;
}

/* Finds the tags of a block that is irregular, or regular with '\'' for quotes. */
static __attribute__((noinline)) struct tag_bits odd_bits(const struct html_tokenizer *t, size_t block,
							  struct tag_state *s)
{
	struct tag_bits bits;
	if ((s->single || !s->quoted) && tag_bits_regular(&t->masks[block], true, s, &bits))
		s->single = s->quoted;
	else
		bits = tag_bits_walk(t->p, block * 64, &t->masks[block], s);
	return bits;
}

/*
 * Returns the '<' of the first tag before p[scanned] and p[stop] whose style keeps white space, or `stop`. `starts`:
 * the '<' of the tags in the last blocks; `last`: that of the last tag before them.
 */
static size_t styled_tag(struct html_tokenizer *t, const uint16_t *starts, size_t count, size_t last, size_t scanned,
			 size_t stop)
{
	for (size_t at = t->styled; at < scanned && at < stop; at = html_next_styled(t, at + 1)) {
		if (!(t->code[at / 64] >> at % 64 & 1))
			continue;
		while (count && starts[count - 1] > at)
			count--;
		return count ? starts[count - 1] : last;
	}
	return stop;
}

/*
 * Returns where a part must end. Where white space is kept, a tag that changes it ends the part, which is known only
 * after all of the part is scanned; so little is scanned at once.
 */
static size_t part_limit(const struct html_tokenizer *t, size_t at)
{
	size_t most = (at / 64 + CHUNK) * 64;
	return t->white.len && most < t->n ? most : t->n;
}

/* What stands before p[at] in its block, where a part begins. */
struct block_before {
	uint64_t mask, code, breaks, voids, starts, links;
};

/* Takes what the part must not change in its first block, whose masks then have no tags before p[at]. */
BITS_INLINE struct block_before before_part(struct html_tokenizer *t, size_t at)
{
	const size_t block = at / 64;
	const uint64_t mask = bits_below(at % 64);

	masks_need(t, block + 1);
	t->masks[block].lt &= ~mask;
	t->masks[block].gt &= ~mask;
	return (struct block_before){ mask,
				      t->code[block] & mask,
				      t->breaks[block] & mask,
				      t->voids[block] & mask,
				      t->starts[block] & mask,
				      t->links[block] & mask };
}

BITS_INLINE void put_before(struct html_tokenizer *t, size_t block, const struct block_before *b)
{
	t->code[block] |= b->code;
	t->breaks[block] |= b->breaks;
	t->starts[block] |= b->starts;
	t->links[block] |= b->links;
	t->voids[block] = (t->voids[block] & ~b->mask) | b->voids;
}

/*
 * Finds the tags of blocks [from, to) and fills t->code, t->starts, t->breaks, t->links and t->voids. Returns the
 * number of tags, whose '<' are in `starts`; *inner: bits of the bytes in the middle of characters, all blocks joined.
 */
BITS_INLINE size_t blocks_scan(struct html_tokenizer *t, size_t from, size_t to, uint16_t *starts, struct tag_state *s,
			       uint64_t *inner)
{
	const uint64_t voids = t->skip == HTML_TAG_OTHER ? 0 : ~(uint64_t)0;
	size_t count = 0;

	masks_need(t, to);
	for (size_t block = from; block < to; block++) {
		const struct byte_mask *m = &t->masks[block];
		struct tag_bits bits;
		if (s->single || !tag_bits_regular(m, false, s, &bits)) {
			struct tag_state copy = *s; /* so that the compiler keeps *s in registers */
			bits = odd_bits(t, block, &copy);
			*s = copy;
		}
		t->code[block] = bits.code;
		t->starts[block] = bits.starts;
		t->breaks[block] = t->links[block] = 0;
		t->voids[block] = voids;
		count += bits_spread(starts + count, block, bits.starts);
		*inner |= m->cont;
	}
	return count;
}

/*
 * Returns how many of the tags, the first ones, belong to the part; those too near to the window's end for
 * name_properties come as runs. `passes`: passages that do not disturb the tags, which end before p[end], belong to it.
 */
BITS_INLINE size_t tags_take(struct html_tokenizer *t, const uint16_t *starts, size_t count, bool passes, size_t end)
{
	while (count && starts[count - 1] + (size_t)NAME_NEAR > t->n)
		count--;
	for (size_t i = 0;; i++) {
		const uint16_t *rest = starts + i;
		i += t->skip == HTML_TAG_OTHER ? tags_ordinary(t, rest, count - i)
					       : tags_ordinary_skipped(t, rest, count - i);
		if (i == count || !passes || !html_passage_pass(t, starts[i], i + 1 < count ? starts[i + 1] : end, end))
			return i;
	}
}

/*
 * Scans ordinary markup from p[at] on, which follows a tag or comment, and fills t->code and the like.
 * Returns where something else begins, or t->n; *end: where the last tag before that ends. A word that begins in the
 * middle of a character (damaged UTF-8) also counts as something else: the methods decide by runs which segment such
 * bytes belong to.
 */
BITS_INLINE size_t part_scan(struct html_tokenizer *t, size_t at, size_t *end)
{
	NOT_ZEROED uint16_t starts[CHUNK * 64 + 4];
	struct tag_state s = { 0 };
	const size_t limit = part_limit(t, at), blocks = (limit + 63) / 64;
	const bool styled = t->handler.white_space && html_next_styled(t, at) < limit,
		   styles = styled && t->skip == HTML_TAG_OTHER, passes = !styled && !t->white.len;
	size_t last = limit, stop = limit;
	const struct block_before before = before_part(t, at);

	/* one block at first, then twice as many each time: the part may end after a few tags */
	for (size_t from = at / 64, step = 1, to; from < blocks; from = to, step = step < CHUNK ? 2 * step : CHUNK) {
		uint64_t inner = 0;

		to = from + step < blocks ? from + step : blocks;
		const size_t count = blocks_scan(t, from, to, starts, &s, &inner);
		if (from == at / 64)
			put_before(t, from, &before);
		const size_t torn = inner ? torn_word(t, at, from, to, limit) : limit;
		size_t before_torn = count;
		while (before_torn && starts[before_torn - 1] >= torn)
			before_torn--;
		const size_t good = tags_take(t, starts, before_torn, passes, to * 64);
		stop = good < before_torn ? starts[good] : torn;
		if (styles)
			stop = styled_tag(t, starts, count, last, to * 64, stop);

		if (stop < limit)
			break;
		last = count ? starts[count - 1] : last;
	}
	*end = tags_end(t, at, stop < limit || !s.open ? stop : last);
	return stop < limit ? stop : t->n;
}

static size_t part_scan_plain(struct html_tokenizer *t, size_t at, size_t *end)
{
	return part_scan(t, at, end);
}

BITS_FAST static size_t part_scan_fast(struct html_tokenizer *t, size_t at, size_t *end)
{
	return part_scan(t, at, end);
}

/* Returns the end of the stretch that begins at t->at, after a tag or comment; t->at if there is no stretch. */
static size_t stretch_scan(struct html_tokenizer *t)
{
	for (size_t at = t->at;;) {
		size_t end, stop = t->fast ? part_scan_fast(t, at, &end) : part_scan_plain(t, at, &end);
		if (t->white.len && t->skip == HTML_TAG_OTHER && end > at) {
			size_t followed = html_space_follow(t, at, end);
			if (followed < end)
				return followed;
		}
		if (stop == t->n && part_limit(t, at) < t->n && end > at) {
			at = end; /* the part ended at its limit */
			continue;
		}
		if (stop + NAME_NEAR > t->n || t->p[stop] != '<')
			return end;

		at = html_passages_take(t, stop);
		if (at == stop)
			return end;
		if (at == t->n)
			return at;
	}
}

int html_step_stretch(struct html_tokenizer *t)
{
	size_t from = t->at, to = stretch_scan(t);
	if (to == from)
		return 0;

	/* bytes outside of the stretch count as code, so that they are never taken for text */
	t->code[from / 64] |= bits_below(from % 64);
	t->voids[from / 64] &= ~bits_below(from % 64);
	t->breaks[from / 64] &= ~bits_below(from % 64);
	t->starts[from / 64] &= ~bits_below(from % 64);
	t->links[from / 64] &= ~bits_below(from % 64);
	t->code[to / 64] |= ~bits_below(to % 64);
	t->breaks[to / 64] &= bits_below(to % 64);
	t->starts[to / 64] &= bits_below(to % 64);
	t->links[to / 64] &= bits_below(to % 64);
	t->voids[to / 64] &= bits_below(to % 64);

	t->at = to;
	const struct html_stretch stretch = { .window = t->p,
					      .masks = t->masks,
					      .code = t->code,
					      .breaks = t->breaks,
					      .voids = t->voids,
					      .starts = t->starts,
					      .links = t->links,
					      .from = from,
					      .to = to,
					      .base = t->base,
					      .space = t->white.now,
					      .fast = t->fast };
	return t->handler.stretch(t->handler.arg, &stretch);
}
