/* SPDX-License-Identifier: MIT */
/*
 * Finds the tags of a page that may hold metadata, from bytes in any pieces.
 *
 * A state machine over the page. Most bytes are skipped by a search for '<' followed by one of a few letters.
 */
#include "config.h"

#include "plugins/metadata/sieve.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/ascii.h"
#include "base/cpu.h"
#include "extract/html/attribute.h"
#include "plugins/metadata/scan.h"

/*
 * Pages have thousands of tags, and few of them matter. So 64 bytes are compared at a time, and not only with '<': the
 * next three bytes must fit one of the names. A branch for each "<" would cost more, as it is hard to predict.
 */

#if defined(CPU_PATHS_AVX)
#include <immintrin.h>
#elif defined(CPU_PATHS_SSE2)
#include "base/sse2.h"
#endif

/** Returns whether a tag of interest may begin at this '<'; three bytes follow it. */
static inline bool is_of_interest(const uint8_t *lt)
{
	enum { ME = 1, LI = 2, TI = 4, HT = 8, ST = 16, DASH = 32 };
	static const uint8_t firsts[256] = { ['m'] = ME, ['M'] = ME, ['l'] = LI, ['L'] = LI, ['t'] = TI,  ['T'] = TI,
					     ['h'] = HT, ['H'] = HT, ['s'] = ST, ['S'] = ST, ['!'] = DASH };
	static const uint8_t seconds[256] = {
		['e'] = ME,      ['E'] = ME, ['i'] = LI | TI, ['I'] = LI | TI, ['t'] = HT | ST,
		['T'] = HT | ST, ['1'] = HT, ['c'] = ST,      ['C'] = ST,      ['-'] = DASH,
	};
	/* there are many <li> */
	return (firsts[lt[1]] & seconds[lt[2]]) && ((lt[1] | 0x20) != 'l' || (lt[3] | 0x20) == 'n');
}

static const uint8_t *find_plain(const uint8_t *at, const uint8_t *end)
{
	while (at < end && (at = memchr(at, '<', (size_t)(end - at)))) {
		if (end - at < 4 || is_of_interest(at))
			return at;
		at++;
	}
	return end;
}

#ifdef CPU_PATHS_SSE2
enum { BLOCK = 64, AFTER = 3 };

/** Returns a bit for each byte of a block at which a tag of interest may begin. AFTER bytes follow the block. */
typedef uint64_t block_bits(const uint8_t *at);

BITS_INLINE const uint8_t *find_in_blocks(const uint8_t *at, const uint8_t *end, block_bits *bits_of)
{
	for (; end - at >= BLOCK + AFTER; at += BLOCK)
		for (uint64_t bits = bits_of(at); bits; bits &= bits - 1)
			if (is_of_interest(at + bits_lowest(bits)))
				return at + bits_lowest(bits);
	return find_plain(at, end);
}

BITS_INLINE uint64_t less_thans_of_16(const uint8_t *at)
{
	__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
	return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('<')));
}

BITS_INLINE uint64_t bits_sse2(const uint8_t *at)
{
	return less_thans_of_16(at) | less_thans_of_16(at + 16) << 16 | less_thans_of_16(at + 32) << 32 |
	       less_thans_of_16(at + 48) << 48;
}

#endif

#ifdef CPU_PATHS_AVX
/*
 * The allowed first, second and third bytes, each at the index of its low nibble (4 bits): the look-up of a byte finds
 * an equal byte only if the byte is allowed. Bytes are compared in lower case. A third byte '-' becomes 'm'; the third
 * byte of h1 may be anything.
 */
#define NIBBLES(...) _mm_setr_epi8(__VA_ARGS__)
#define FIRST NIBBLES(0, '!', 0, 's', 't', 0, 0, 0, 'h', 0, 0, 0, 'l', 'm', 0, 0)
#define SECOND NIBBLES(0, '1', 0, 'c', 't', 'e', 0, 0, 0, 'i', 0, 0, 0, '-', 0, 0)
#define THIRD NIBBLES(0, 0, 'r', 0, 't', 0, 0, 0, 0, 'y', 0, 0, 0, 'm', 'n', 0)
enum { SMALL = 0x20, SMALL_OR_DASH = 0x60 };

CPU_TARGET_AVX2 static inline __m256i small_32(const uint8_t *at, char bits)
{
	return _mm256_or_si256(_mm256_loadu_si256((const __m256i *)(const void *)at), _mm256_set1_epi8(bits));
}

CPU_TARGET_AVX2 static inline __m256i among_32(__m256i bytes, __m128i set)
{
	return _mm256_cmpeq_epi8(_mm256_shuffle_epi8(_mm256_broadcastsi128_si256(set), bytes), bytes);
}

CPU_TARGET_AVX2 static inline uint32_t bits_of_32(const uint8_t *at)
{
	const __m256i second = small_32(at + 2, SMALL);
	const __m256i less_than = _mm256_cmpeq_epi8(small_32(at, 0), _mm256_set1_epi8('<'));
	const __m256i begins = _mm256_and_si256(among_32(small_32(at + 1, SMALL), FIRST), among_32(second, SECOND));
	const __m256i goes_on = _mm256_or_si256(among_32(small_32(at + 3, SMALL_OR_DASH), THIRD),
						_mm256_cmpeq_epi8(second, _mm256_set1_epi8('1')));
	return (uint32_t)_mm256_movemask_epi8(_mm256_and_si256(less_than, _mm256_and_si256(begins, goes_on)));
}

CPU_TARGET_AVX2 static inline uint64_t bits_avx2(const uint8_t *at)
{
	return bits_of_32(at) | (uint64_t)bits_of_32(at + 32) << 32;
}

CPU_TARGET_AVX2 static const uint8_t *find_avx2(const uint8_t *at, const uint8_t *end)
{
	return find_in_blocks(at, end, bits_avx2);
}

CPU_TARGET_AVX512 static inline __m512i small_64(const uint8_t *at, char bits)
{
	return _mm512_or_si512(_mm512_loadu_si512(at), _mm512_set1_epi8(bits));
}

CPU_TARGET_AVX512 static inline uint64_t among_64(uint64_t where, __m512i bytes, __m128i set)
{
	return _mm512_mask_cmpeq_epi8_mask(where, _mm512_shuffle_epi8(_mm512_broadcast_i32x4(set), bytes), bytes);
}

CPU_TARGET_AVX512 static inline uint64_t bits_avx512(const uint8_t *at)
{
	const __m512i second = small_64(at + 2, SMALL);
	uint64_t bits = _mm512_cmpeq_epi8_mask(small_64(at, 0), _mm512_set1_epi8('<'));
	bits = among_64(among_64(bits, small_64(at + 1, SMALL), FIRST), second, SECOND);
	return among_64(bits, small_64(at + 3, SMALL_OR_DASH), THIRD) |
	       _mm512_mask_cmpeq_epi8_mask(bits, second, _mm512_set1_epi8('1'));
}

CPU_TARGET_AVX512 static const uint8_t *find_avx512(const uint8_t *at, const uint8_t *end)
{
	return find_in_blocks(at, end, bits_avx512);
}
#endif

const uint8_t *tag_find(const uint8_t *at, const uint8_t *end)
{
#ifdef CPU_PATHS_AVX
	if (cpu_level() >= CPU_AVX512)
		return find_avx512(at, end);
	if (cpu_level() >= CPU_AVX2)
		return find_avx2(at, end);
#endif
#ifdef CPU_PATHS_SSE2
	if (cpu_level() >= CPU_SSE2)
		return find_in_blocks(at, end, bits_sse2);

#endif
	return find_plain(at, end);
}

enum kind { META, LINK, TIME, HTML, HEADING, SCRIPT, STYLE, COMMENT, KINDS };

enum { VALUE_MOST = 4096, KEPT_MOST = 1 << 20 };

static const char *const kind_tags[KINDS] = { "<meta", "<link", "<time", "<html", "<h1", "<script", "<style", "<!--" };

static void keep(struct sieve *s, const uint8_t *from, const uint8_t *to)
{
	buf_append(&s->kept, from, (size_t)(to - from));
}

/** Appends to `near`, up to its limit. */
static void keep_near(struct sieve *s, const uint8_t *at, const uint8_t *end)
{
	size_t room = NEAR_HEADING - s->near.len, len = (size_t)(end - at);
	if (s->heading && room)
		buf_append(&s->near, at, len < room ? len : room);
}

/** Appends to `near` what no heading came before, up to its limit. */
static void keep_begin(struct sieve *s, const uint8_t *at, const uint8_t *end)
{
	const size_t room = PAGE_BEGIN - s->near.len, len = (size_t)(end - at);
	if (room)
		buf_append(&s->near, at, len < room ? len : room);
}

/** Appends to `before`, which keeps at least as many of the last bytes as it should, and "<h1". */
static void keep_before(struct sieve *s, const uint8_t *at, const uint8_t *end)
{
	enum { KEPT = BEFORE_HEADING + 3 };
	const struct slice last = slice_of(at, (size_t)(end - at));
	const size_t len = last.len < KEPT ? last.len : KEPT;
	if (s->before.len > KEPT && s->before.len + len > 2 * KEPT) { /* the last ones move to the front */
		memmove(s->before.data, s->before.data + s->before.len - KEPT, KEPT);
		s->before.len = KEPT;
	}
	buf_append(&s->before, end - len, len);
}

/** The number of a name of at most six small letters, in which the first is the lowest byte. */
#define NAME(a, b, c, d, e, f) HTML_ATTR_NUMBER(a, b, c, d, e, f, 0, 0)

static enum kind find_kind(uint64_t name)
{
	static const uint64_t names[COMMENT] = {
		NAME('m', 'e', 't', 'a', 0, 0),   NAME('l', 'i', 'n', 'k', 0, 0), NAME('t', 'i', 'm', 'e', 0, 0),
		NAME('h', 't', 'm', 'l', 0, 0),   NAME('h', '1', 0, 0, 0, 0),     NAME('s', 'c', 'r', 'i', 'p', 't'),
		NAME('s', 't', 'y', 'l', 'e', 0),
	};
	int kind = 0;
	while (kind < COMMENT && names[kind] != name)
		kind++;
	return (enum kind)kind;
}

static const uint8_t *read_name(struct sieve *s, const uint8_t *at, const uint8_t *end)
{
	uint64_t name = s->name;
	size_t len = s->name_len;

	for (; at < end; at++) {
		uint8_t c = *at;
		if (ascii_is_alpha(c)) {
			c |= 0x20;
		} else if (!ascii_is_digit(c) && c != '-' && c != '!') {
			enum kind kind = find_kind(name);
			s->state = SIEVE_TEXT;
			if (kind < COMMENT) {
				/* called when the name of a tag is complete; `at` is the byte after it */
				s->state = SIEVE_TEXT;
				if (kind == STYLE) {
					s->kind = (int)kind;
					s->state = SIEVE_RAW;
					s->copies = false;
					s->matched = 0;
				} else if (kind == HEADING && !s->heading) {
					/* without "<h1" */
					keep_before(s, s->stretch, at);
					s->before.len -= s->before.len < 3 ? s->before.len : 3;
					s->heading = true;
					buf_clear(&s->near);
					buf_append_text(&s->near, "<h1");
					keep_near(s, at, end);
					buf_append_text(&s->kept, "<h1>");
				} else if (kind != HEADING) {
					s->kind = (int)kind;
					s->state = SIEVE_TAG;
					s->tag_start = s->kept.len;
					s->place = (struct tag_place){ 0 };
					buf_append_text(&s->kept, kind_tags[kind]);
				}
			}
			return at;
		}
		name |= (uint64_t)c << 8 * len++;
		if (len == sizeof(name)) {
			s->state = SIEVE_TEXT;
			return at + 1;
		}
		if (c == '-' && name == NAME('!', '-', '-', 0, 0, 0)) {
			s->state = SIEVE_COMMENT;
			s->matched = 0;
			return at + 1;
		}
	}
	s->name = name;
	s->name_len = len;
	return at;
}

/**
 * Returns whether the tag contains the word, in any case. Byte number `at` of the word, which is not a letter, is
 * searched first.
 */
static bool tag_has(const struct sieve *s, const char *word, size_t at)
{
	const uint8_t *from = s->kept.data + s->tag_start + at, *end = s->kept.data + s->kept.len;
	const size_t n = strlen(word);
	while (from < end && (from = memchr(from, word[at], (size_t)(end - from)))) {
		if ((size_t)(end - from) >= n - at && slice_equal_nocase(slice_of(from - at, n), slice_of(word, n)))
			return true;
		from++;
	}
	return false;
}

/**
 * Returns whether the tag contains the word "canonical", in any case. Horspool's search: the byte at which the word
 * would end determines how far the search can move on, mostly by its whole length.
 */
static bool link_is_canonical(const struct sieve *s)
{
	static const char word[] = "canonical";
	enum { LEN = sizeof(word) - 1 };
	static const uint8_t shifts[32] = { ['a' & 31] = 1,
					    ['c' & 31] = 2,
					    ['i' & 31] = 3,
					    ['n' & 31] = 4,
					    ['o' & 31] = 5 };
	for (size_t i = s->tag_start; i + LEN <= s->kept.len;) {
		const uint8_t *at = s->kept.data + i, last = at[LEN - 1];
		if ((last | 0x20) == 'l' && slice_equal_nocase(slice_of(at, LEN), slice_of(word, LEN)))
			return true;
		const uint8_t shift = last & 0x40 ? shifts[last & 31] : 0;
		i += shift ? shift : LEN;
	}
	return false;
}

/* ---- scripts, styles and comments ---- */

/** Returns the end of the content of a script or style: one byte after the name of its end tag. */
static const uint8_t *raw_end(struct sieve *s, const uint8_t *at, const uint8_t *end)
{
	const char *name = kind_tags[s->kind] + 1;
	size_t whole = 2 + strlen(name);
	while (at < end) {
		if (!s->matched) {
			at = memchr(at, '<', (size_t)(end - at));
			if (!at)
				return end;
			s->matched = 1;
			at++;
			continue;
		}
		uint8_t c = ascii_lower(*at);
		if (s->matched == whole && !ascii_is_alpha(c) && !ascii_is_digit(c) && c != '-') {
			s->state = SIEVE_TEXT;
			return at;
		}
		bool same = s->matched < whole && c == (s->matched == 1 ? '/' : (uint8_t)name[s->matched - 2]);
		s->matched = same ? s->matched + 1 : 0;
		at += same;
		if (!same && c != '<')
			at++;
	}
	return at;
}

static const uint8_t *read_raw(struct sieve *s, const uint8_t *start, const uint8_t *end)
{
	enum { ENOUGH = JSON_LD_BYTES + 1 }; /* one byte more shows that it is too large */
	const uint8_t *at = raw_end(s, start, end);
	if (!s->copies)
		return at;
	size_t len = (size_t)(at - start), room = ENOUGH - s->value;
	len = len < room ? len : room;
	keep(s, start, start + len);
	s->value += len;
	if (s->state == SIEVE_TEXT)
		buf_append_text(&s->kept, s->value == ENOUGH ? "</script>" : ">");
	return at;
}

/* ---- the page ---- */

void sieve_begin(struct sieve *s)
{
	struct buf kept = s->kept, near = s->near, before = s->before;
	buf_shrink(&kept, KEPT_MOST);
	buf_clear(&near);
	buf_clear(&before);
	*s = (struct sieve){ .kept = kept, .near = near, .before = before };
}

static const uint8_t *step(struct sieve *s, const uint8_t *at, const uint8_t *end)
{
	switch (s->state) {
	case SIEVE_NAME:
		return read_name(s, at, end);
	case SIEVE_TAG: {
		const uint8_t *close = tag_close(&s->place, at, end);

		keep(s, at, close ? close + 1 : end);
		if (!close)
			return end;
		/* called when a tag is complete: keeps or drops it, and sets the next state */
		bool stays = true;

		s->state = SIEVE_TEXT;
		if (s->kind == TIME || s->kind == META) {
			s->state = SIEVE_VALUE;
			s->value = 0;
		} else if (s->kind == LINK) {
			stays = link_is_canonical(s);
		} else if (s->kind == SCRIPT) {
			/* "application/ld&#x2B;json" is the same type */
			stays = s->copies = tag_has(s, "ld+json", 2) || tag_has(s, "ld&", 2);
			s->state = SIEVE_RAW;
			s->matched = s->value = 0;
		}
		if (!stays)
			s->kept.len = s->tag_start;
		return close + 1;
	}
	case SIEVE_VALUE: {
		/* read text up to the next tag, and keeps its first bytes */
		const uint8_t *lt = memchr(at, '<', (size_t)(end - at));
		size_t len = (size_t)((lt ? lt : end) - at), room = VALUE_MOST - s->value;

		len = len < room ? len : room;
		keep(s, at, at + len);
		s->value += len;
		if (lt) {
			buf_append_text(&s->kept, "<>"); /* where the text ends */
			s->state = SIEVE_TEXT;
		}
		return lt ? lt : end;
	}
	case SIEVE_RAW:
		return read_raw(s, at, end);
	case SIEVE_COMMENT:
		for (; at < end; at++) {
			if (*at == '-') {
				s->matched++;
			} else if (*at == '>' && s->matched >= 2) {
				s->state = SIEVE_TEXT;
				return at + 1;
			} else {
				s->matched = 0;
				const uint8_t *dash = memchr(at, '-', (size_t)(end - at));
				if (!dash)
					return end;
				at = dash - 1;
			}
		}
		return end;
	default:
		at = tag_find(at, end);
		if (at == end)
			return end;
		s->state = SIEVE_NAME;
		s->name = s->name_len = 0;
		return at + 1;
	}
}

void sieve_write(struct sieve *s, struct slice html)
{
	const uint8_t *end = html.data + html.len;
	keep_near(s, html.data, end);
	s->stretch = html.data;
	for (const uint8_t *at = html.data; at < end;)
		at = step(s, at, end);
	if (!s->heading) {
		keep_before(s, html.data, end);
		keep_begin(s, html.data, end);
	}
}

void sieve_free(struct sieve *s)
{
	buf_free(&s->kept);
	buf_free(&s->near);
	buf_free(&s->before);
}
