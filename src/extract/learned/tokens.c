/* SPDX-License-Identifier: MIT */
/*
 * Hashes words of texts and of attributes.
 *
 * Words of a text: runs of ASCII letters, of any case, digits and bytes above ASCII; each Han, Kana, Hangul is one.
 */
#include "extract/learned/tokens.h"

#include "base/ascii.h"
#include "base/cpu.h"
#include "base/hash.h"
#include "base/slice.h"
#include "extract/html/attribute.h"
#include "extract/html/display.h"

/** True for Han, Kana, Hangul: lead bytes E3 to ED. Each character is a word. */
static inline bool is_wide_lead(uint8_t c)
{
	return c >= 0xE3 && c <= 0xED;
}

static inline unsigned word_begin_of(const uint8_t *p, const uint8_t *end)
{
	return (word_byte[p[0]] + (p + 1 < end ? word_byte[p[1]] * 11U : 0)) & 255;
}

static inline bool word_begins_has(const struct word_begins *set, const uint8_t *p, const uint8_t *end)
{
	unsigned begin = word_begin_of(p, end);
	return set->bits[begin >> 3] >> (begin & 7) & 1;
}

#if defined(CPU_PATHS_AVX)
#include <immintrin.h>
#elif defined(CPU_PATHS_SSE2)
#include "base/sse2.h"
#endif

#ifdef CPU_PATHS_SSE2
enum { TEXT_WORDS = 32 };

/** One bit for each byte of the text: a word begins there; one that begins like a word of the set; a wide character. */
struct text_words {
	uint32_t begins, likely, wide;
};

typedef struct text_words text_words_find(const struct word_begins *set, struct slice text, uint32_t *before);

/** Returns the bits of bytes that belong to a text of `len` bytes, at least one. */
static inline uint32_t text_words_all(size_t len)
{
	return len < TEXT_WORDS ? ((uint32_t)1 << len) - 1 : ~(uint32_t)0;
}

#define TEXT_WORDS_IN(v, low, high) \
	_mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8((char)((low)-1))), \
		      _mm_cmplt_epi8(v, _mm_set1_epi8((char)((high) + 1))))
/* Finds bytes of words, as in word_byte, and of wide characters. */
static inline uint32_t text_words_16(const uint8_t *p, uint32_t *wide)
{
	__m128i v;
	memcpy(&v, p, sizeof(v));
	__m128i small = _mm_or_si128(v, _mm_set1_epi8(0x20));
	__m128i word = _mm_or_si128(_mm_or_si128(TEXT_WORDS_IN(small, 'a', 'z'), TEXT_WORDS_IN(v, '0', '9')), v);
	*wide = (uint32_t)_mm_movemask_epi8(TEXT_WORDS_IN(v, 0xE3, 0xED));
	return (uint32_t)_mm_movemask_epi8(word);
}
#undef TEXT_WORDS_IN

/** Finds words in the first bytes of `text`; WORDS_READ_ON more can be read. *before: the byte before is of a word. */
static inline struct text_words text_words_sse2(const struct word_begins *set, struct slice text, uint32_t *before)
{
	uint32_t wide, more, all = text_words_all(text.len);
	uint32_t bits = text_words_16(text.data, &wide) | text_words_16(text.data + 16, &more) << 16;
	bits &= all;
	struct text_words w = { .begins = bits & ~(bits << 1 | *before), .wide = (wide | more << 16) & all };
	*before = bits >> 31;
	for (uint32_t begins = w.begins; begins; begins &= begins - 1) {
		if (word_begins_has(set, text.data + __builtin_ctz(begins), text.data + text.len))
			w.likely |= begins & (0U - begins);
	}
	return w;
}
#endif

#ifdef CPU_PATHS_AVX
/*
 * Finds bytes of words, as in word_byte, except wide characters. An ASCII byte belongs to a word if the tables of its
 * upper and lower four bits share a class: 'A' to 'O', 'P' to 'Z', each with the 32 bytes above, or digits. With bit 5
 * set, all of these are small letters or digits.
 */
CPU_TARGET_AVX2 static inline __m256i text_word_bytes(__m256i v)
{
	const __m256i upper =
		_mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 0, 4, 1, 2, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0));
	const __m256i lower =
		_mm256_broadcastsi128_si256(_mm_setr_epi8(6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 3, 1, 1, 1, 1, 1));
	__m256i half = _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(15));
	__m256i agree = _mm256_and_si256(_mm256_shuffle_epi8(upper, half), _mm256_shuffle_epi8(lower, v));
	__m256i none = _mm256_cmpeq_epi8(agree, _mm256_setzero_si256());
	__m256i ascii = _mm256_andnot_si256(none, _mm256_or_si256(v, _mm256_set1_epi8(0x20)));
	return _mm256_blendv_epi8(ascii, v, v); /* a byte's top bit chooses */
}

/* Finds first bytes of wide characters. */
CPU_TARGET_AVX2 static inline uint32_t text_words_wide(__m256i v)
{
	__m256i from = _mm256_cmpgt_epi8(v, _mm256_set1_epi8((char)0xE2));
	return (uint32_t)_mm256_movemask_epi8(
		_mm256_and_si256(from, _mm256_cmpgt_epi8(_mm256_set1_epi8((char)0xEE), v)));
}

/* Computes word_begin_of in all columns, and whether the set has that bit: first the byte, then the bit in it. */
CPU_TARGET_AVX2 static inline uint32_t text_words_likely(const struct word_begins *set, __m256i first, __m256i second)
{
	const __m256i bit_of = _mm256_set1_epi64x((long long)0x8040201008040201U);
	__m128i low, high;
	memcpy(&low, set->bits, sizeof(low));
	memcpy(&high, set->bits + 16, sizeof(high));
	__m256i twice = _mm256_add_epi8(second, second), four = _mm256_add_epi8(twice, twice);
	__m256i eleven = _mm256_add_epi8(_mm256_add_epi8(four, four), _mm256_add_epi8(twice, second));
	__m256i place = _mm256_add_epi8(first, eleven);
	__m256i at = _mm256_and_si256(_mm256_srli_epi16(place, 3), _mm256_set1_epi8(15));
	__m256i byte = _mm256_blendv_epi8(_mm256_shuffle_epi8(_mm256_broadcastsi128_si256(low), at),
					  _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(high), at), place);
	__m256i bit = _mm256_shuffle_epi8(bit_of, _mm256_and_si256(place, _mm256_set1_epi8(7)));
	return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_and_si256(byte, bit), bit));
}

CPU_TARGET_AVX2 static inline struct text_words text_words_avx2(const struct word_begins *set, struct slice text,
								uint32_t *before)
{
	__m256i v, w;
	memcpy(&v, text.data, sizeof(v));
	memcpy(&w, text.data + 1, sizeof(w));
	__m256i first = text_word_bytes(v);
	uint32_t all = text_words_all(text.len), last = text.len <= TEXT_WORDS ? (uint32_t)1 << (text.len - 1) : 0;
	uint32_t bits = ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(first, _mm256_setzero_si256())) & all;
	struct text_words words = { .begins = bits & ~(bits << 1 | *before) };
	if ((uint32_t)_mm256_movemask_epi8(v) & all)
		words.wide = text_words_wide(v) & all;
	*before = bits >> 31;
	words.likely = text_words_likely(set, first, text_word_bytes(w)) & words.begins;
	/* the byte after the last one does not belong to the text */
	if (words.begins & last) {
		const uint8_t *p = text.data + text.len - 1;
		words.likely = (words.likely & ~last) | (word_begins_has(set, p, p + 1) ? last : 0);
	}
	return words;
}
#endif

#define SAME4(x) [x] = (x), [(x) + 1] = (x) + 1, [(x) + 2] = (x) + 2, [(x) + 3] = (x) + 3

#define SAME16(x) SAME4(x), SAME4((x) + 4), SAME4((x) + 8), SAME4((x) + 12)

#define LOWER4(x) [x] = (x) | 32, [(x) + 1] = ((x) + 1) | 32, [(x) + 2] = ((x) + 2) | 32, [(x) + 3] = ((x) + 3) | 32

const uint8_t word_byte[256] = {
	SAME4('0'),    SAME4('4'),    ['8'] = '8',   ['9'] = '9',  LOWER4('A'),  LOWER4('E'),   LOWER4('I'),
	LOWER4('M'),   LOWER4('Q'),   LOWER4('U'),   ['Y'] = 'y',  ['Z'] = 'z',  SAME4('a'),    SAME4('e'),
	SAME4('i'),    SAME4('m'),    SAME4('q'),    SAME4('u'),   ['y'] = 'y',  ['z'] = 'z',   SAME16(0x80),
	SAME16(0x90),  SAME16(0xA0),  SAME16(0xB0),  SAME16(0xC0), SAME16(0xD0), [0xE0] = 0xE0, [0xE1] = 0xE1,
	[0xE2] = 0xE2, [0xEE] = 0xEE, [0xEF] = 0xEF, SAME16(0xF0),
};

/* Hashes the word at p, and returns its end. */
static inline const uint8_t *hash_word(const uint8_t *p, const uint8_t *end, uint32_t *hash)
{
	uint32_t h = HASH_FNV32_START;
	if (is_wide_lead(*p)) {
		for (const uint8_t *stop = end - p > 3 ? p + 3 : end; p < stop; p++)
			h = hash_fnv32_byte(*p, h);
	} else {
		for (uint8_t c; p < end && (c = word_byte[*p]) != 0; p++)
			h = hash_fnv32_byte(c, h);
	}
	*hash = h ^ h >> 15;
	return p;
}

/** Returns the hash of the word at p, which ends at `end` at the latest. */
static uint32_t words_hash(const uint8_t *p, const uint8_t *end)
{
	uint32_t hash;
	(void)hash_word(p, end, &hash);
	return hash;
}

static inline __attribute__((always_inline)) bool next_word(struct slice *rest, uint32_t *hash)
{
	const uint8_t *p = rest->data, *end = p + rest->len;
	while (p < end && !word_byte[*p] && !is_wide_lead(*p))
		p++;
	if (p == end)
		return false;
	p = hash_word(p, end, hash);
	*rest = slice_of(p, (size_t)(end - p));
	return true;
}

bool words_next(struct slice *rest, uint32_t *hash)
{
	return next_word(rest, hash);
}

uint32_t words_hashes(struct slice text, uint32_t *hash)
{
	uint32_t n = 0;
	while (next_word(&text, &hash[n]))
		n++;
	return n;
}

bool words_are_fewer(struct slice text, unsigned n)
{
	if (text.len + 2 <
	    2 * (size_t)n) /* a word has a byte, and one after it; at the end may be a part of a wide one */
		return true;
#ifdef CPU_PATHS_SSE2
	if (cpu_level() >= CPU_SSE2 && text.len <= TEXT_WORDS) {
		const uint32_t all = text_words_all(text.len);
		uint32_t wide, more = 0, bits = text_words_16(text.data, &wide);
		if (text.len > 16)
			bits |= text_words_16(text.data + 16, &more) << 16;
		uint32_t begins = bits & all;
		begins &= ~(begins << 1);
		for (unsigned k = 1; k < n; k++)
			begins &= begins - 1; /* without its lowest bit */
		return !begins && !((wide | more << 16) & all);
	}
#endif
	return false;
}

/*
 * A set of hashed runs of three words, and how many runs of another text are in it. Most words of a block are not in
 * the set: they are hashed only where three words in a row begin with the same two bytes as words of the set.
 *
 * Example: "the old harbour lamp" makes the runs "the old harbour" and "old harbour lamp"; "At the old harbour" has one
 * of them.
 */

static uint32_t hash_run(uint32_t first, uint32_t second, uint32_t third)
{
	uint32_t h = (first * 0x9E3779B1U ^ second) * 0x85EBCA6BU ^ third;
	h ^= h >> 15;
	h *= 0xC2B2AE35U;
	return h >> (32 - RUN_BITS);
}

void word_runs_add(struct word_runs *r, struct slice text)
{
	uint32_t word[3] = { 0 };
	for (uint32_t words = 0; r->n < RUNS_MOST;) {
		while (text.len && !word_byte[text.data[0]] && !is_wide_lead(text.data[0]))
			text = slice_skip(text, 1);
		const uint8_t *first = text.data, *end = first + text.len;
		word[0] = word[1];
		word[1] = word[2];
		if (!words_next(&text, &word[2]))
			return;
		struct word_begins *set = &r->begins;
		unsigned begin = word_begin_of(first, end);
		set->bits[begin >> 3] |= (uint8_t)(1U << (begin & 7));
		if (++words < 3)
			continue;
		uint32_t bit = hash_run(word[0], word[1], word[2]);
		r->set[bit >> 6] |= (uint64_t)1 << (bit & 63);
		r->n++;
	}
}

static bool has_run(const struct word_runs *r, uint32_t first, uint32_t second, uint32_t third)
{
	uint32_t bit = hash_run(first, second, third);
	return r->set[bit >> 6] >> (bit & 63) & 1;
}

/* Looks up three words in a row that begin like words of the set. */
static uint32_t match_plain(const struct word_runs *r, struct slice text)
{
	const uint8_t *p = text.data, *end = p + text.len;
	uint32_t hash[3] = { 0 }, row = 0, found = 0;
	for (uint32_t words = 0; words < RUN_WORDS; words++) {
		while (p < end && !word_byte[*p] && !is_wide_lead(*p))
			p++;
		if (p == end)
			break;
		row = word_begins_has(&r->begins, p, end) ? row + 1 : 0;
		struct slice rest = slice_of(p, (size_t)(end - p));
		(void)words_next(&rest, &hash[2]);
		p = rest.data;
		found += row >= 3 && has_run(r, hash[0], hash[1], hash[2]);
		hash[0] = hash[1];
		hash[1] = hash[2];
	}
	return found;
}

#ifdef CPU_PATHS_SSE2
struct run_search {
	const struct word_runs *runs;
	const uint8_t *first, *end;
	const uint8_t *last;   /* the last word that was hashed, or NULL */
	uint32_t hash, before; /* its hash, and the hash of the word before */
	uint32_t found;
};

/* Returns the word that ends before p; the caller knows that there is one. */
static const uint8_t *word_before(const struct run_search *s, const uint8_t *p)
{
	while (!word_byte[*--p])
		;
	while (p > s->first && word_byte[p[-1]])
		p--;
	return p;
}

/* Returns whether the word at p, with the two before it, is in the set. */
static bool is_in_set(struct run_search *s, const uint8_t *p)
{
	const uint8_t *second = word_before(s, p);
	uint32_t hash[3];
	if (second == s->last) {
		hash[0] = s->before;
		hash[1] = s->hash;
	} else {
		hash[0] = words_hash(word_before(s, second), s->end);
		hash[1] = words_hash(second, s->end);
	}
	hash[2] = words_hash(p, s->end);
	s->last = p;
	s->hash = hash[2];
	s->before = hash[1];
	return has_run(s->runs, hash[0], hash[1], hash[2]);
}

/*
 * Returns the words that follow the words of `from`, a subset of `begins`: an addition carries each bit over the gap to
 * the next word. *carry: whether the last word of the previous text was in `from`; set to whether the last one here is.
 */
static inline uint32_t next_words(uint32_t from, uint32_t begins, uint32_t *carry)
{
	uint64_t sum = ((uint64_t)from << 1) + (uint32_t)~begins + *carry;
	*carry = (uint32_t)(sum >> 32);
	return (uint32_t)sum & begins;
}

/* Only three words in a row that begin like words of the set, found by their bits, are hashed; `find` is a constant. */
static inline __attribute__((always_inline)) uint32_t match_bits(const struct word_runs *r, struct slice text,
								 text_words_find *find)
{
	struct run_search s = { .runs = r, .first = text.data, .end = text.data + text.len };
	uint32_t before = 0, carry = 0, second_carry = 0, words = 0;
	for (const uint8_t *p = s.first; p < s.end && words < RUN_WORDS; p += TEXT_WORDS) {
		struct text_words w = find(&r->begins, slice_of(p, (size_t)(s.end - p)), &before);
		if (w.wide)
			return match_plain(r, text);
		words += (uint32_t)__builtin_popcount(w.begins);
		for (; words > RUN_WORDS; words--)
			w.begins &= ~((uint32_t)1 << (31 - __builtin_clz(w.begins)));
		uint32_t second = next_words(w.likely, w.begins, &carry) & w.likely;
		uint32_t third = next_words(second, w.begins, &second_carry) & w.likely;
		for (; third; third &= third - 1)
			s.found += is_in_set(&s, p + __builtin_ctz(third));
	}
	return s.found;
}

#endif

#ifdef CPU_PATHS_AVX
CPU_TARGET_AVX2 static uint32_t match_avx2(const struct word_runs *r, struct slice text)
{
	return match_bits(r, text, text_words_avx2);
}
#endif

uint32_t word_runs_match(const struct word_runs *r, struct slice text)
{
#ifdef CPU_PATHS_AVX
	if (cpu_level() >= CPU_AVX2)
		return match_avx2(r, text);
#endif
#ifdef CPU_PATHS_SSE2
	if (cpu_level() >= CPU_SSE2) {
		return match_bits(r, text, text_words_sse2);
	}
#endif
	return match_plain(r, text);
}

/*
 * Reads the attributes of a start tag: some have tokens, others have facts (hidden, a link). A name of up to eight
 * letters is compared as one 64-bit number, found by a perfect hash; the scores of earlier values are in a cache.
 *
 * Words of values are hashed while they are read: each as a whole, and its parts between dividers, digits, and small
 * and capital letters. No text is copied and no list of words is kept, only 2^16 weights.
 *
 * Example: <div class="article-body" id=x hidden> has the tokens "article-body", "article" and "body" of its class and
 * "x" of its id, and is hidden; "postList12" gives the word "postlist0" and the parts "post" and "list".
 */

/* Limits for one value: a page with a million classes costs no more than a page with twelve. */
enum { WORDS_OF_VALUE = 12, LONGEST_WORD = 60, SHORTEST_PART = 3, LONGEST_PART = 19, ADDRESS_READ = 48 };

/* What the hash of a word in an address begins with. */
#define ADDRESS_START 0x2545F491U

static int32_t add_token(const struct token_sink *sink, uint32_t h)
{
	h ^= h >> 15;
	h *= 0x85ebca6bU;
	h ^= h >> 13;
	h &= TOKEN_COUNT - 1;
	if (sink->seen)
		sink->seen(sink->arg, h);
	return sink->weights[h];
}

/* The hashes of the current word: as a whole, and of its open part. */
struct word_hash {
	uint32_t whole, part;
	const uint8_t *part_first;
	int32_t score;
	uint64_t tells; /* not 0: it may say something */
};

static inline __attribute__((always_inline)) void end_part(const struct token_sink *sink, struct word_hash *h,
							   const uint8_t *end)
{
	const size_t len = (size_t)(end - h->part_first);
	if (len >= SHORTEST_PART && len <= LONGEST_PART)
		h->score += add_token(sink, h->part);
	h->tells |= says_may(h->part);
	h->part = SAYS_PART_START;
}

enum word_byte { BYTE_PLAIN, BYTE_CAPITAL, BYTE_DIVIDER, BYTE_DIGIT, BYTE_ENDS };

static const uint8_t word_bytes[256] = {
	[0 ... ' '] = BYTE_ENDS, ['0' ... '9'] = BYTE_DIGIT, ['A' ... 'Z'] = BYTE_CAPITAL,
	['-'] = BYTE_DIVIDER,    ['_'] = BYTE_DIVIDER,       [':'] = BYTE_DIVIDER,
};

/* Whether words were read that begin like classes of white space, or may be classes of display. */
struct shown_words {
	bool space;
	unsigned display; /* enum display_may */
};

/* Takes the next word from `rest`; returns false at the end. Bytes beyond LONGEST_WORD are skipped. */
static bool add_word(const struct token_sink *sink, uint32_t kind, struct slice *rest, bool alone,
		     struct shown_words *shown, struct token_memory *m)
{
	const uint8_t *p = rest->data, *end = p + rest->len;
	while (p < end && *p <= ' ')
		p++;
	if (p == end)
		return false;
	struct word_hash h = { .whole = HASH_FNV32_START ^ (kind * 977U), .part = SAYS_PART_START, .part_first = p };
	const uint8_t *first = p, *stop = end - p > LONGEST_WORD ? p + LONGEST_WORD : end;
	for (;;) {
		uint8_t c, class = BYTE_ENDS;
		for (; p < stop && (class = word_bytes[c = *p]) == BYTE_PLAIN; p++) {
			h.whole = hash_fnv32_byte(c, h.whole);
			h.part = hash_fnv32_byte(c, h.part);
		}
		if (p == stop || class == BYTE_ENDS)
			break;
		/* a run of digits counts as one 0; digits, dividers, and capitals after small letters, end a part */
		if (class == BYTE_CAPITAL) {
			c |= 0x20;
			if (p > first && p[-1] >= 'a' && p[-1] <= 'z') {
				end_part(sink, &h, p);
				h.part_first = p;
			}
			h.part = hash_fnv32_byte(c, h.part);
			p++;
		} else {
			end_part(sink, &h, p++);
			while (class == BYTE_DIGIT && p < stop && ascii_is_digit(*p))
				p++;
			c = class == BYTE_DIGIT ? '0' : c;
			h.part_first = p;
		}
		h.whole = hash_fnv32_byte(c, h.whole);
	}
	end_part(sink, &h, p);
	m->score += h.score + add_token(sink, h.whole);
	/* of several classes a short one is made, too: "ab ad ag" */
	if (h.tells && (p - first > 2 || alone))
		m->says |= (uint8_t)says_word(slice_of(first, (size_t)(p - first)));
	shown->space |= *first == 'w';
	shown->display |= display_class_may(first, (size_t)(p - first));
	while (p<end && * p> ' ')
		p++;
	*rest = slice_of(p, (size_t)(end - p));
	return true;
}

uint32_t token_words_first(struct slice value)
{
	uint32_t h = HASH_FNV32_START;
	const uint8_t *p = value.data, *end = p + value.len;
	while (p < end && *p <= ' ')
		p++;
	const uint8_t *first = p, *stop = end - p > LONGEST_WORD ? p + LONGEST_WORD : end;
	for (; p<stop && * p> ' '; p++) {
		if (!ascii_is_digit(*p))
			h = hash_fnv32_byte(*p, h);
	}
	return p > first ? h : 0;
}

enum { VALUE_WORDS = 32 };

/* All of a value of at most VALUE_WORDS bytes: values of the same length have equal words only if they are equal. */
struct value_words {
	uint64_t word[4];
};

static inline struct value_words short_value(const uint8_t *p, size_t len)
{
	if (len < 4)
		return (struct value_words){ { len ? p[0] | (uint64_t)p[len / 2] << 8 | (uint64_t)p[len - 1] << 16
						   : 0 } };
	if (len < 8)
		return (struct value_words){ { little_endian_32(p) | (uint64_t)little_endian_32(p + len - 4) << 32 } };
	if (len <= 16)
		return (struct value_words){ { little_endian_64(p), little_endian_64(p + len - 8) } };
	return (struct value_words){ { little_endian_64(p), little_endian_64(p + 8), little_endian_64(p + len - 16),
				       little_endian_64(p + len - 8) } };
}

static inline uint64_t value_hash(struct value_words v, size_t start)
{
	const uint64_t h = start * 0x9E3779B97F4A7C15U + v.word[0] * 0xD6E8FEB86659FD93U +
			   v.word[1] * 0xA0761D6478BD642FU + v.word[2] * 0xE7037ED1A0B428DBU +
			   v.word[3] * 0x8EBC6AF09C88C6E3U;
	return (h ^ h >> 32) * 0x9E3779B97F4A7C15U >> 16;
}

/* Returns one bit for each byte that is a small letter; bits after ADDRESS_BYTES may also be set. */
static inline uint64_t letter_bits(const uint8_t bytes[static ADDRESS_READ])
{
#ifdef CPU_PATHS_SSE2
	if (cpu_level() >= CPU_SSE2) {
		uint64_t bits = 0;
		for (unsigned i = 0; i < ADDRESS_READ; i += 16) {
			__m128i v;
			memcpy(&v, bytes + i, sizeof(v));
			v = _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8('a' - 1)),
					  _mm_cmplt_epi8(v, _mm_set1_epi8('z' + 1)));
			bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(v) << i;
		}
		return bits;
	}
#endif
	uint64_t bits = 0;
	for (unsigned i = 0; i < ADDRESS_BYTES; i++)
		bits |= (uint64_t)((uint8_t)(bytes[i] - 'a') < 26) << i;
	return bits;
}

/* Returns the score of the first bytes of an address's path. Bytes before `limit` can be read. */
static int32_t score_of_path(const struct token_sink *sink, struct slice path, const uint8_t *limit)
{
	uint8_t copy[ADDRESS_READ];
	const uint8_t *bytes = path.data;
	if (limit - bytes < ADDRESS_READ) {
		memset(copy, 0, sizeof(copy));
		bytes = memcpy(copy, bytes, path.len);
	}
	int32_t score = 0;
	for (uint64_t bits = letter_bits(bytes) & (((uint64_t)1 << path.len) - 1); bits;) {
		unsigned first = (unsigned)__builtin_ctzll(bits), len = (unsigned)__builtin_ctzll(~(bits >> first));
		bits &= bits + (bits & (0U - bits)); /* without its lowest run */
		if (len < SHORTEST_PART || len > LONGEST_PART)
			continue;
		uint8_t before = first ? bytes[first - 1] : 0;
		uint32_t h = ADDRESS_START ^ (before == '#' || before == '?' ? before : 0U);
		/* eight bytes can be read: the end of most words is selected without a branch */
		for (unsigned k = 0; k < SHORTEST_PART; k++)
			h = hash_fnv32_byte(bytes[first + k], h);
		for (unsigned k = SHORTEST_PART; k < 8; k++) {
			uint32_t longer = hash_fnv32_byte(bytes[first + k], h);
			h ^= (h ^ longer) & (0U - (k < len));
		}
		for (unsigned k = 8; k < len; k++)
			h = hash_fnv32_byte(bytes[first + k], h);
		score += add_token(sink, h);
	}
	return score;
}

int32_t token_words_of_address(const struct token_sink *sink, struct slice address, const uint8_t *limit)
{
	const uint8_t *p = address.data, *end = p + address.len;
	if (address.len > 8 && (p[4] == ':' || p[5] == ':') && (p[0] | 0x20) == 'h') {
		const uint8_t *path = memchr(p + 8, '/', address.len - 8);
		p = path ? path : end;
	}
	const struct slice path = slice_first(slice_of(p, (size_t)(end - p)), ADDRESS_BYTES);
	if (path.len == 0)
		return 0;
	if (!sink->cache || sink->seen)
		return score_of_path(sink, path, limit);
	const uint64_t h = value_hash(short_value(path.data, path.len), path.len) >> 32;
	struct address_memory *m = &sink->cache->addresses[h % ADDRESS_CACHE];
	if (m->len != path.len || memcmp(m->path, path.data, path.len) != 0) {
		m->score = score_of_path(sink, path, limit);
		m->len = (uint8_t)path.len;
		memcpy(m->path, path.data, path.len);
	}
	return m->score;
}

/* Kinds of attribute; they separate equal words of different attributes. */
enum attr_kind { ATTR_NONE, ATTR_CLASS = 'c', ATTR_ID = 'i', ATTR_ROLE = 'r', ATTR_STYLE = 's', ATTR_INLINE = '~' };

/* Reads a value of that kind: what a style shows, or of tokens their score and, for classes, the hash of the first. */
static void read_value(const struct token_sink *sink, uint32_t kind, bool is_class, struct slice value,
		       struct token_memory *m)
{
	struct slice rest = value;
	m->score = 0;
	if (kind == ATTR_STYLE) {
		m->says = 0;
		m->class_hash = 0;
		m->shown = display_of_style(value);
		m->white = (uint8_t)white_space_of_style(value);
		return;
	}
	m->says = value.len > 1 && value.data[0] == 'S' && value.data[1] == ':' ? SAYS_OPENS : 0; /* as React's ids */
	struct shown_words shown = { false, 0 };
	for (int i = 0; i < WORDS_OF_VALUE && add_word(sink, kind, &rest, value.len == 2, &shown, m); i++)
		;
	m->class_hash = is_class ? token_words_first(value) : 0;
	const bool may = shown.display || (rest.len && display_class_may_hide(rest));
	m->shown = is_class && may ? display_of_class(value) : (struct style_display){ false, false };
	if (m->shown.unseen)
		m->says |= SAYS_HIDDEN;
	m->white =
		(uint8_t)(is_class && (shown.space || rest.len) ? display_class_space(value) : WHITE_SPACE_INHERITED);
}

/* `spare` has the result if it cannot be kept in the cache. */
static inline const struct token_memory *value_tokens(const struct token_sink *sink, uint32_t kind, bool is_class,
						      struct slice value, struct token_memory *spare)
{
	if (!sink->cache || sink->seen || value.len > TOKEN_CACHE_VALUE) {
		read_value(sink, kind, is_class, value, spare);
		return spare;
	}
	uint8_t key = (uint8_t)(kind | (is_class ? 0x80 : 0));
	/* a longer value's place depends on its ends */
	struct value_words words = short_value(value.data, value.len);
	const uint64_t h = value_hash(words, key + value.len) >> 32;
	struct token_memory *m = &sink->cache->entries[h % TOKEN_CACHE];
	if (m->kind == key && m->len == value.len) {
		const struct value_words known = short_value(m->value, value.len);
		const uint64_t unlike = (words.word[0] ^ known.word[0]) | (words.word[1] ^ known.word[1]) |
					(words.word[2] ^ known.word[2]) | (words.word[3] ^ known.word[3]);
		if (unlike == 0 && (value.len <= VALUE_WORDS || memcmp(m->value, value.data, value.len) == 0))
			return m;
	}
	read_value(sink, kind, is_class, value, m);
	m->kind = key;
	m->len = (uint8_t)value.len;
	memcpy(m->value, value.data, value.len);
	return m;
}

/* True for the role of what is over the page: "dialog" and "alertdialog". */
static bool is_dialog(struct slice role)
{
	const size_t len = sizeof("dialog") - 1;
	return role.len >= len && role.data[role.len - 1] == 'g' &&
	       slice_is(slice_skip(role, role.len - len), "dialog");
}

/* True for data- attributes in which frameworks name elements with hashes for classes; of seven bytes or more. */
static bool data_names(struct slice name)
{
	static const struct {
		uint8_t len;
		char name[15];
	} names[] = { { 11, "data-testid" }, { 14, "data-component" }, { 11, "data-module" },
		      { 9, "data-role" },    { 7, "data-qa" },         { 9, "data-type" },
		      { 10, "data-block" },  { 9, "data-name" },       { 9, "data-test" } };
	if ((name.data[0] | 0x20) != 'd' || name.data[4] != '-')
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (name.len == names[i].len && slice_equal_nocase(name, slice_of(names[i].name, name.len)))
			return true;
	}
	return false;
}

/* The names of attributes that matter. */
enum attr_name { NAME_OTHER, NAME_CLASS, NAME_ID, NAME_ROLE, NAME_STYLE, NAME_HREF, NAME_HIDDEN, NAME_COLSPAN };

/* A perfect hash: each of these names is at another index of the table. */
#define NAME_PLACE(number) ((number)*0xB1DB9B0FECBFAABFU >> 60)

#define NAME(kind, ...) [NAME_PLACE(HTML_ATTR_NUMBER(__VA_ARGS__))] = { HTML_ATTR_NUMBER(__VA_ARGS__), kind }

static const struct {
	uint64_t number;
	enum attr_name name;
} attr_names[16] = {
	NAME(NAME_CLASS, 'c', 'l', 'a', 's', 's', 0, 0, 0),
	NAME(NAME_ID, 'i', 'd', 0, 0, 0, 0, 0, 0),
	NAME(NAME_ROLE, 'r', 'e', 'l', 0, 0, 0, 0, 0),
	NAME(NAME_ROLE, 'r', 'o', 'l', 'e', 0, 0, 0, 0),
	NAME(NAME_ROLE, 'i', 't', 'e', 'm', 'p', 'r', 'o', 'p'),
	NAME(NAME_ROLE, 'i', 't', 'e', 'm', 't', 'y', 'p', 'e'),
	NAME(NAME_HREF, 'h', 'r', 'e', 'f', 0, 0, 0, 0),
	NAME(NAME_HIDDEN, 'h', 'i', 'd', 'd', 'e', 'n', 0, 0),
	NAME(NAME_STYLE, 's', 't', 'y', 'l', 'e', 0, 0, 0),
	NAME(NAME_COLSPAN, 'c', 'o', 'l', 's', 'p', 'a', 'n', 0),
};

#undef NAME

/* Returns where the host that begins at p ends. Bytes before `limit` can be read. */
static const uint8_t *host_end(const uint8_t *p, const uint8_t *end, const uint8_t *limit)
{
#ifdef CPU_PATHS_SSE2
	for (; cpu_level() >= CPU_SSE2 && p < end && limit - p >= 16; p += 16) {
		__m128i v;
		memcpy(&v, p, sizeof(v));
		const __m128i ends = _mm_or_si128(
			_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('/')), _mm_cmpeq_epi8(v, _mm_set1_epi8(':'))),
			_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('?')), _mm_cmpeq_epi8(v, _mm_set1_epi8('#'))));
		const unsigned bits = (unsigned)_mm_movemask_epi8(ends);
		if (bits)
			return p + __builtin_ctz(bits) < end ? p + __builtin_ctz(bits) : end;
	}
#endif
	while (p < end && *p != '/' && *p != ':' && *p != '?' && *p != '#')
		p++;
	return p < end ? p : end;
}

/* Returns an address from its host on, without "www."; NULL: it has none. */
static inline struct slice host_and_path(struct slice address)
{
	enum { LEAST = sizeof("http://a") - 1 };
	const uint8_t *p = address.data, *const end = p + address.len;
	if (address.len >= LEAST && memcmp(p, "http", 4) == 0)
		p += p[4] == 's' ? sizeof("https:") - 1 : sizeof("http:") - 1;
	if (end - p < 2 || p[0] != '/' || p[1] != '/')
		return slice_of(NULL, 0);
	p += 2;
	if (end - p > 4 && memcmp(p, "www.", 4) == 0)
		p += 4;
	return slice_of(p, (size_t)(end - p));
}

/* Returns the hash of the host in the first bytes of an address. Bytes before `limit` can be read. */
static inline uint32_t host_hash(struct slice address, const uint8_t *from, const uint8_t *limit)
{
	enum { HOST_MOST = 64 };
	const uint8_t *const end = address.data + (address.len < HOST_MOST ? address.len : HOST_MOST);
	const struct slice host = slice_of(from, (size_t)(host_end(from, end, limit) - from));
	return host.len > VALUE_WORDS ? hash_fnv32(host, HASH_FNV32_START)
				      : (uint32_t)value_hash(short_value(host.data, host.len), host.len);
}

/* Returns how many columns a cell takes by its colspan; 0: it does not say. */
static uint16_t columns_of(struct slice value)
{
	enum { COLUMNS_MOST = 1000 };
	unsigned number = 0;
	for (size_t i = 0; i < value.len && number < COLUMNS_MOST && ascii_is_digit(value.data[i]); i++)
		number = number * 10 + value.data[i] - '0';
	return (uint16_t)(number < COLUMNS_MOST ? number : COLUMNS_MOST);
}

/* Returns the kind of an attribute whose value is in the cache; of others stores the facts. */
static inline enum attr_kind read_attr(const struct token_sink *sink, const struct html_attr *attr,
				       const uint8_t *limit, struct attribute_facts *facts)
{
	uint64_t number = attr->number, place = NAME_PLACE(number);
	enum attr_name name = attr_names[place].number == number ? attr_names[place].name : NAME_OTHER;
	static const uint8_t kinds[] = { [NAME_CLASS] = ATTR_CLASS,
					 [NAME_ID] = ATTR_ID,
					 [NAME_ROLE] = ATTR_ROLE,
					 [NAME_STYLE] = ATTR_STYLE };
	if (name == NAME_OTHER && attr->name.len < 7)
		return ATTR_NONE;
	if (name == NAME_OTHER) {
		if (attr->name.len == sizeof("aria-hidden") - 1 && slice_is(attr->name, "aria-hidden"))
			facts->hidden |= slice_is(attr->value, "true");
		else if (attr->name.len == sizeof("aria-label") - 1 && slice_is(attr->name, "aria-label"))
			facts->says |= (uint8_t)says_label(attr->value);
		return data_names(attr->name) ? ATTR_ROLE : ATTR_NONE;
	}
	if (name == NAME_ROLE) {
		facts->hidden |= is_dialog(attr->value);
		if (number == HTML_ATTR_NUMBER('r', 'o', 'l', 'e', 0, 0, 0, 0))
			facts->no_table = slice_is(attr->value, "presentation") || slice_is(attr->value, "none");
	}
	if (name <= NAME_STYLE)
		return (enum attr_kind)kinds[name];
	if (name == NAME_HREF) {
		facts->href = true;
		facts->place = attr->value.len && attr->value.data[0] == '#';
		const struct slice host = host_and_path(attr->value);
		facts->host = host.data ? host_hash(attr->value, host.data, limit) : 0;
		facts->says |= (uint8_t)(host.data ? says_place(host) : says_address(attr->value));
		facts->score += token_words_of_address(sink, attr->value, limit);
	} else if (name == NAME_HIDDEN) {
		facts->unseen |= display_hidden(attr->value);
	} else {
		facts->columns = columns_of(attr->value);
	}
	return ATTR_NONE;
}

void tokens_of_tag(const struct token_sink *sink, struct html_attr_reader *attrs, bool is_inline,
		   struct attribute_facts *facts)
{
	NOT_ZEROED struct html_attr attr;
	NOT_ZEROED struct token_memory spare;
	*facts = (struct attribute_facts){ .white = WHITE_SPACE_INHERITED, .first = attrs->at, .attrs = attrs };
	while (html_attr_next(attrs, &attr)) {
		enum attr_kind kind = read_attr(sink, &attr, attrs->limit, facts);
		if (kind == ATTR_NONE || attr.value.len == 0)
			continue;
		const struct token_memory *m = value_tokens(sink, is_inline && kind != ATTR_STYLE ? ATTR_INLINE : kind,
							    kind == ATTR_CLASS, attr.value, &spare);
		if (kind == ATTR_STYLE) {
			facts->unseen |= m->shown.unseen;
			facts->line |= m->shown.line;
			facts->white = m->white == WHITE_SPACE_INHERITED ? facts->white : m->white;
			continue;
		}
		facts->score += m->score;
		facts->says |= m->says;
		facts->line |= m->shown.line;
		if (facts->class_hash == 0)
			facts->class_hash = m->class_hash;
		facts->white = facts->white == WHITE_SPACE_INHERITED ? m->white : facts->white;
	}
	facts->hidden |= facts->unseen;
}
