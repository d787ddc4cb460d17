/* SPDX-License-Identifier: MIT */
/*
 * Counts letters by the first bytes of UTF-8 characters, a block of 64 bytes at a time. A range of bytes is found by a
 * subtraction and a minimum: c is in 'a' to 'z' if c - 'a', unsigned, is at most 25, that is if it equals the minimum
 * of itself and 25.
 */
#include "extract/family/letters.h"

#include "base/cpu.h"
#include "base/status.h"
#include "extract/html/tokenizer.h"

enum {
	FIRST_LOOK = 64,    /* letters; the next look is at each doubling */
	FIRST_DANA = 256,   /* letters; earlier looks never choose it */
	FIRST_DANAG = 1024, /* the same */
};

static bool is_ascii_letter(uint8_t c)
{
	return (uint8_t)((c | 0x20) - 'a') < 26;
}

/*
 * True for the first byte of a character outside ASCII that may be a letter: neither of U+0080 to U+00BF (no-break
 * space, quotes) nor of U+2000 to U+2FFF (dashes, quotes, arrows).
 */
static bool is_foreign_letter(uint8_t c)
{
	return c >= 0xC3 && c != 0xE2;
}

/* ---- blocks ---- */

/* The letters of a block. */
struct block_letters {
	uint64_t ascii, foreign;
};

/* Returns the bytes of a block that may be letters, as bits like html_stretch.code. */
static inline uint64_t text_of(const struct html_stretch *h, size_t block)
{
	return ~(h->code[block] | h->voids[block] | h->masks[block].space | h->masks[block].cont);
}

/* Finds the letters of a block. `p`: its bytes; `text`: those that may be letters. */
typedef struct block_letters (*block_fn)(const uint8_t *p, uint64_t text);

/*
 * The loop over blocks, copied into each path: it counts as long as the letters do not reach the next look. Returns the
 * first block that was not counted; *found: its letters.
 */
static inline __attribute__((always_inline)) size_t blocks_count(struct letters *l, const struct html_stretch *h,
								 size_t from, size_t to, struct block_letters *found,
								 block_fn find)
{
	uint64_t all = l->all, foreign = l->foreign;
	for (; from < to; from++) {
		uint64_t text = text_of(h, from);
		if (!text)
			continue;
		const struct block_letters f = find(h->window + from * 64, text);
		unsigned more = bits_count(f.ascii | f.foreign);
		if (all + more >= l->next_look) {
			*found = f;
			break;
		}
		all += more;
		foreign += bits_count(f.foreign);
	}
	l->all = all;
	l->foreign = foreign;
	return from;
}

static inline struct block_letters find_plain(const uint8_t *p, uint64_t text)
{
	struct block_letters f = { 0 };
	for (; text; text &= text - 1) {
		uint8_t c = p[bits_lowest(text)];
		f.ascii |= is_ascii_letter(c) ? text & -text : 0;
		f.foreign |= is_foreign_letter(c) ? text & -text : 0;
	}
	return f;
}

#ifdef CPU_PATHS_AVX
#include <immintrin.h>

/* Finds bytes from `least` to `least` + `more`. */
CPU_TARGET_AVX2 static inline __m256i in_range(__m256i v, int least, int more)
{
	__m256i above = _mm256_sub_epi8(v, _mm256_set1_epi8((char)least));
	return _mm256_cmpeq_epi8(_mm256_min_epu8(above, _mm256_set1_epi8((char)more)), above);
}

CPU_TARGET_AVX2 static inline struct block_letters find_avx2(const uint8_t *p, uint64_t text)
{
	uint64_t ascii = 0, foreign = 0;
	for (unsigned i = 0; i < 64; i += 32) {
		__m256i v;
		memcpy(&v, p + i, sizeof(v));
		__m256i small = _mm256_or_si256(v, _mm256_set1_epi8(0x20));
		__m256i other = _mm256_andnot_si256(_mm256_cmpeq_epi8(v, _mm256_set1_epi8((char)0xE2)),
						    in_range(v, 0xC3, 0xFF - 0xC3));
		ascii |= (uint64_t)(uint32_t)_mm256_movemask_epi8(in_range(small, 'a', 25)) << i;
		foreign |= (uint64_t)(uint32_t)_mm256_movemask_epi8(other) << i;
	}
	return (struct block_letters){ ascii & text, foreign & text };
}
#endif

/* ---- looks ---- */

void letters_begin(struct letters *l)
{
	*l = (struct letters){ .share = l->share, .literal = l->literal, .next_look = FIRST_LOOK, .choice = OPEN };
}

/*
 * Chooses if the share is close enough to either end. From 100 percent down to the threshold: within an eighth of the
 * way at the first look that may choose `dana`, twice as much at each later one, so all of the way at the fourth. From
 * 0 up: within a quarter at the first look that may choose `danag`, a quarter more at each later one.
 */
static void look(struct letters *l)
{
	const uint64_t percent800 = l->foreign * 800, share = l->share;
	l->next_look *= 2;
	l->foreign_half |= l->foreign * 2 >= l->all;
	const uint64_t doubled = l->all / FIRST_DANA, eighths = doubled < 8 ? doubled : 8;
	if (eighths && percent800 >= l->all * (800 - (100 - share) * eighths))
		l->choice = DANA;
	else if (l->all >= FIRST_DANAG && share &&
		 percent800 <= l->all * share * 2 * (bits_highest(l->all / FIRST_DANAG) + 1))
		l->choice = DANAG;
}

static void count_letters(struct letters *l, struct slice text)
{
	for (size_t i = 0; i < text.len && l->choice == OPEN; i++) {
		const bool foreign = is_foreign_letter(text.data[i]);
		l->all += foreign || is_ascii_letter(text.data[i]);
		l->foreign += foreign;
		if (l->all == l->next_look)
			look(l);
	}
}

/* Takes a part of a text, for struct references. */
static int count_part(void *arg, const struct html_run *run, const struct reference *reference)
{
	count_letters(arg, reference ? slice_of(&reference->first, 1) : run->bytes);
	return DANA_OK;
}

enum choice letters_run(struct letters *l, const struct html_run *run)
{
	const bool text = run->kind == HTML_TEXT && !run->skipped;
	if (text && l->literal)
		count_letters(l, run->bytes);
	else if (text)
		(void)references_run(&l->references, run, count_part, l);
	else
		(void)references_end(&l->references, count_part, l);
	return l->choice;
}

/* Counts the letters of one block, in which looks may fall. */
BITS_INLINE void count_found(struct letters *l, struct block_letters f)
{
	for (uint64_t all = f.ascii | f.foreign; all && l->choice == OPEN;) {
		uint64_t wanted = l->next_look - l->all;
		uint64_t rest = bits_count(all) > wanted ? bits_after(all, (unsigned)wanted, false) : 0,
			 now = all & ~rest;
		l->all += bits_count(now);
		l->foreign += bits_count(now & f.foreign);
		all = rest;
		if (l->all == l->next_look)
			look(l);
	}
}

/* The work on a stretch, copied into each path. */
static inline __attribute__((always_inline)) enum choice count_stretch(struct letters *l, const struct html_stretch *h,
								       block_fn find)
{
	for (size_t block = h->from / 64; block * 64 < h->to && l->choice == OPEN; block++) {
		struct block_letters found = { 0 };
		block = blocks_count(l, h, block, h->to / 64, &found, find);
		/* the last block, which the window may cut, byte by byte */
		if (block == h->to / 64)
			found = find_plain(h->window + block * 64, text_of(h, block));
		count_found(l, found);
	}
	return l->choice;
}

#ifdef CPU_PATHS_AVX
CPU_TARGET_AVX2 static enum choice stretch_avx2(struct letters *l, const struct html_stretch *h)
{
	return count_stretch(l, h, find_avx2);
}
#endif

enum choice letters_stretch(struct letters *l, const struct html_stretch *h)
{
	if (!l->literal && references_mark(h, NULL, false)) { /* of letters */
		for (size_t at = h->from; at < h->to && l->choice == OPEN;) {
			const struct html_run run = stretch_run(h, at);
			(void)letters_run(l, &run);
			at += run.bytes.len;
		}
		return l->choice;
	}
#ifdef CPU_PATHS_AVX
	if (cpu_level() >= CPU_AVX2)
		return stretch_avx2(l, h);
#endif
	return count_stretch(l, h, find_plain);
}

enum choice letters_end(struct letters *l)
{
	(void)references_end(&l->references, count_part, l);
	if (l->choice != OPEN)
		return l->choice;
	return l->all && l->foreign * 100 >= l->all * l->share ? DANA : DANAG;
}
