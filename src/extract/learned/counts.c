/* SPDX-License-Identifier: MIT */
/*
 * Counts the characters of a text by their class. Plain C looks at each character; SSE2 and AVX2 look at 32 bytes at a
 * time, make a bit mask of each class, and count the bits. Other characters and references are counted one by one,
 * except the commonest scripts'.
 *
 * Example: "Hi, you!" has 7 units (characters that are not white space), 2 words, 1 comma, 1 stop, and ends with a
 * stop.
 */
#include <stdint.h>

#include "base/cpu.h"
#include "base/utf8.h"
#include "extract/html/entity.h"
#include "extract/learned/tokens.h"

#if defined(CPU_PATHS_AVX)
#include <immintrin.h>
#elif defined(CPU_PATHS_SSE2)
#include "base/sse2.h"
#endif

enum char_class {
	CHAR_LETTER = 0, /* and everything without another class */
	CHAR_SPACE = 1,
	CHAR_STOP = 2,
	CHAR_COMMA = 4,
	CHAR_CLOSER = 8, /* may follow a stop */
	CHAR_OTHER = 16, /* needs a closer look: digits, $, references, bytes above ASCII */
};

/* Control characters count as white space: that is how pages of the nineties use them. */
static const uint8_t ascii_class[256] = {
	[0 ... ' '] = CHAR_SPACE, ['.'] = CHAR_STOP,
	['!'] = CHAR_STOP,        ['?'] = CHAR_STOP,
	[','] = CHAR_COMMA,       [';'] = CHAR_COMMA,
	['"'] = CHAR_CLOSER,      ['\''] = CHAR_CLOSER,
	[')'] = CHAR_CLOSER,      [']'] = CHAR_CLOSER,
	['$'] = CHAR_OTHER,       ['0' ... '9'] = CHAR_OTHER,
	['&'] = CHAR_OTHER,       [0x80 ... 0xFF] = CHAR_OTHER,
};

static unsigned classify(uint32_t c)
{
	if (c < 0x80)
		return ascii_class[c] & ~(unsigned)CHAR_OTHER;
	if (c == 0xA0 || c == 0x200B || c == 0x3000 || c == 0xFEFF)
		return CHAR_SPACE;
	if (c == 0x3002 || c == 0xFF01 || c == 0xFF1F || c == 0x61F || c == 0x6D4 || c == 0x964 || c == 0x2026)
		return CHAR_STOP;
	if (c == 0xFF0C || c == 0x3001 || c == 0x60C || c == 0x61B || c == 0xFF1B)
		return CHAR_COMMA;
	return c == 0x201D || c == 0x300D || c == 0x2019 || c == 0xFF09 || c == 0xBB ? CHAR_CLOSER : CHAR_LETTER;
}

static void count_character(struct counts *c, uint32_t character)
{
	unsigned class = classify(character);
	if (class & CHAR_SPACE) {
		c->in_word = false;
		return;
	}
	/* scripts without spaces between words: Thai, Lao, Myanmar, Khmer, Han, Kana, Hangul */
	const uint32_t w = character;
	bool wide = w >= 0xE00 && (w <= 0xEFF || (w >= 0x1000 && w <= 0x109F) || (w >= 0x1780 && w <= 0x17FF) ||
				   (w >= 0x2E80 && w <= 0x9FFF) || (w >= 0xAC00 && w <= 0xD7AF) ||
				   (w >= 0xF900 && w <= 0xFAFF) || (w >= 0x20000 && w <= 0x3FFFF));
	if (wide) {
		c->units += 2;
		c->words++;
		c->in_word = false;
	} else {
		c->units++;
		c->words += !c->in_word;
		c->in_word = true;
	}
	c->digits += character >= '0' && character <= '9';
	c->currency += (character == '$' || character == 0xA3 || character == 0xA5 ||
			(character >= 0x20A0 && character <= 0x20CF) || character == 0xFF04 || character == 0xFFE5);
	c->exclaims += character == '!';
	c->stops += (class & CHAR_STOP) != 0;
	c->commas += (class & CHAR_COMMA) != 0;
	if (!(class & CHAR_CLOSER))
		c->stopped = (class & CHAR_STOP) != 0;
}

static void count_letter(struct counts *c)
{
	c->units++;
	c->words += !c->in_word;
	c->in_word = true;
	c->stopped = false;
}

/*
 * Counts most text that is not ASCII without checking each property: two-byte letters of Latin, Greek, Cyrillic, Hebrew
 * and Arabic, and Han and Hangul. Returns the number of bytes counted, or 0 if the character needs a closer look.
 */
static size_t count_common(struct counts *c, const uint8_t *p, const uint8_t *end)
{
	c->arabic |= *p == 0xD9 || *p == 0xDB; /* also in broken UTF-8: vectors look at single bytes */
	if (*p >= 0xC3 && *p <= 0xDF && end - p >= 2 && (p[1] & 0xC0) == 0x80) {
		if ((*p == 0xD8 && (p[1] == 0x8C || p[1] == 0x9B || p[1] == 0x9F)) || (*p == 0xDB && p[1] == 0x94))
			return 0;
		count_letter(c);
		return 2;
	}
	if (*p >= 0xE4 && *p <= 0xEC && end - p >= 3 && (p[1] & 0xC0) == 0x80 && (p[2] & 0xC0) == 0x80) {
		if (*p == 0xEA && p[1] < 0xB0) /* there are other scripts between Han and Hangul */
			return 0;
		c->units += 2;
		c->words++;
		c->in_word = false;
		c->stopped = false;
		return 3;
	}
	return 0;
}

/* True for the first byte of a character that count_common does not count. */
static bool is_rare(uint8_t c)
{
	return c >= 0x80 && (c < 0xC3 || (c > 0xDF && (c < 0xE4 || c > 0xEC)));
}

/* Counts the character at p, and quick ones that follow, up to ASCII other than '&'. Returns the end. */
static const uint8_t *count_other(struct counts *c, const uint8_t *p, const uint8_t *end)
{
	if (*p == '&') {
		uint8_t out[8];
		size_t out_len = 0, n = html_entity_decode(slice_of(p, (size_t)(end - p)), out, &out_len);
		if (n == 0)
			count_character(c, '&');
		for (struct slice s = slice_of(out, out_len); n && s.len;) {
			uint32_t character;
			s = slice_skip(s, utf8_decode(s, &character));
			count_character(c, character);
		}
		return p + (n ? n : 1);
	}
	if (*p < 0x80)
		return p;
	size_t n = count_common(c, p, end);
	if (n)
		return p + n;
	/* further rare ones are counted as well, with single blanks between them */
	do {
		uint32_t character;
		p += utf8_decode(slice_of(p, (size_t)(end - p)), &character);
		count_character(c, character);
	} while (p < end && (is_rare(*p) || (*p == ' ' && end - p > 1 && is_rare(p[1]))));
	return p;
}

#ifdef CPU_PATHS_SSE2
enum { AT_ONCE = 32 };

/* What an ASCII character that is not a letter, digit or blank adds: four counts of one byte each. */
#define ADDS_STOP ((uint64_t)1)
#define ADDS_COMMA ((uint64_t)1 << 8)
#define ADDS_CURRENCY ((uint64_t)1 << 16)
#define ADDS_EXCLAIM ((uint64_t)1 << 24)
#define IS_CLOSER ((uint64_t)1 << 63)
static const uint64_t added[128] = {
	['.'] = ADDS_STOP,  ['!'] = ADDS_STOP | ADDS_EXCLAIM,
	['?'] = ADDS_STOP,  [','] = ADDS_COMMA,
	[';'] = ADDS_COMMA, ['"'] = IS_CLOSER,
	['\''] = IS_CLOSER, [')'] = IS_CLOSER,
	[']'] = IS_CLOSER,  ['$'] = ADDS_CURRENCY,
};

/* One bit for each of AT_ONCE bytes. */
struct text_bits {
	uint32_t digit, blank, special; /* ASCII; special: all that add to a count, and perhaps others */
	uint32_t high;                  /* not ASCII */
	uint32_t other;                 /* needs a closer look */
	uint32_t inside, wide;          /* bytes of a letter after its first; all bytes of wide characters */
	uint32_t wide_begins;
};

/* Counts kept in registers: sums, and the last character that decides how the text ends (NULL if there is none). */
struct text_sums {
	uint64_t units_words; /* words in the upper half */
	uint32_t digits, in_word;
	const uint8_t *last;
};

static inline void add_sums(struct counts *c, const struct text_sums *sums)
{
	c->units += (uint32_t)sums->units_words;
	c->words += (uint32_t)(sums->units_words >> 32);
	c->digits += sums->digits;
	c->in_word = sums->in_word;
	if (sums->last)
		c->stopped = *sums->last < 0x80 && added[*sums->last] & ADDS_STOP;
}

/* Adds the counts of the characters at p whose bit is set. Returns the bits of those that may follow a stop. */
static inline uint32_t count_specials(struct counts *c, const uint8_t *p, uint32_t bits)
{
	uint64_t sum = 0;
	uint32_t closers = 0;
	for (; bits; bits &= bits - 1) {
		uint64_t adds = added[p[__builtin_ctz(bits)]];
		sum += adds & ~IS_CLOSER;
		closers |= adds & IS_CLOSER ? bits & (0U - bits) : 0;
	}
	c->stops += sum & 0xFF;
	c->commas += sum >> 8 & 0xFF;
	c->currency += sum >> 16 & 0xFF;
	c->exclaims += sum >> 24 & 0xFF;
	return closers;
}

#define TARGET
#define NAME(x) x##_sse2
typedef struct {
	__m128i low, high;
} vector_sse2;

static inline vector_sse2 load_sse2(const uint8_t *p)
{
	vector_sse2 v;
	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint32_t bits_sse2(__m128i low, __m128i high)
{
	return (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16;
}

static inline uint32_t is_sse2(vector_sse2 v, int byte)
{
	__m128i wanted = _mm_set1_epi8((char)byte);
	return bits_sse2(_mm_cmpeq_epi8(v.low, wanted), _mm_cmpeq_epi8(v.high, wanted));
}

static inline uint32_t in_sse2(vector_sse2 v, int low, int high)
{
	__m128i below = _mm_set1_epi8((char)(low - 1)), above = _mm_set1_epi8((char)(high + 1));
	return bits_sse2(_mm_and_si128(_mm_cmpgt_epi8(v.low, below), _mm_cmplt_epi8(v.low, above)),
			 _mm_and_si128(_mm_cmpgt_epi8(v.high, below), _mm_cmplt_epi8(v.high, above)));
}

static inline struct text_bits ascii_sse2(vector_sse2 v)
{
	__m128i most = _mm_set1_epi8(' ');
	uint32_t letters = in_sse2(v, 'a', 'z') | in_sse2(v, 'A', 'Z');
	struct text_bits bits = { .digit = in_sse2(v, '0', '9'), .high = bits_sse2(v.low, v.high) };
	bits.blank = bits_sse2(_mm_cmpeq_epi8(_mm_min_epu8(v.low, most), v.low),
			       _mm_cmpeq_epi8(_mm_min_epu8(v.high, most), v.high));
	bits.special = ~(letters | bits.digit | bits.blank | bits.high);
	bits.other = is_sse2(v, '&') | bits.high;
	return bits;
}

static inline uint64_t ones_sse2(uint32_t x)
{
	x = x - (x >> 1 & 0x55555555U);
	x = (x & 0x33333333U) + (x >> 2 & 0x33333333U);
	return ((x + (x >> 4)) & 0x0F0F0F0FU) * 0x01010101U >> 24;
}
#include "extract/learned/counts_lanes.h"
#endif

#ifdef CPU_PATHS_AVX
#define TARGET CPU_TARGET_AVX2
#define NAME(x) x##_avx2
typedef __m256i vector_avx2;

TARGET static inline vector_avx2 load_avx2(const uint8_t *p)
{
	vector_avx2 v;
	memcpy(&v, p, sizeof(v));
	return v;
}

TARGET static inline uint32_t is_avx2(vector_avx2 v, int byte)
{
	return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_set1_epi8((char)byte)));
}

TARGET static inline uint32_t in_avx2(vector_avx2 v, int low, int high)
{
	__m256i from = _mm256_cmpgt_epi8(v, _mm256_set1_epi8((char)(low - 1)));
	return (uint32_t)_mm256_movemask_epi8(
		_mm256_and_si256(from, _mm256_cmpgt_epi8(_mm256_set1_epi8((char)(high + 1)), v)));
}

/*
 * Classes of ASCII, one bit each: a byte has the classes that the tables of its upper and its lower four bits share.
 * Tables avoid the registers full of one byte that compilers build for each comparison.
 */
enum {
	SHUFFLE_SPECIAL2 = 1,  /* of ! to / the ones that add to a count */
	SHUFFLE_SPECIAL3 = 2,  /* ; and ? */
	SHUFFLE_SPECIAL5 = 16, /* ] */
	SHUFFLE_SPECIAL = SHUFFLE_SPECIAL2 | SHUFFLE_SPECIAL3 | SHUFFLE_SPECIAL5,
	SHUFFLE_CONTROL = 4,
	SHUFFLE_SPACE = 8,
	SHUFFLE_BLANK = SHUFFLE_CONTROL | SHUFFLE_SPACE,
	SHUFFLE_AMPERSAND = 32, /* these two become a byte's top bit by a shift */
	SHUFFLE_DIGIT = 64,
};
static const uint8_t upper_half[16] = {
	[0] = SHUFFLE_CONTROL,
	[1] = SHUFFLE_CONTROL,
	[2] = SHUFFLE_SPACE | SHUFFLE_AMPERSAND | SHUFFLE_SPECIAL2,
	[3] = SHUFFLE_DIGIT | SHUFFLE_SPECIAL3,
	[5] = SHUFFLE_SPECIAL5,
};
static const uint8_t lower_half[16] = {
	[0x0] = SHUFFLE_CONTROL | SHUFFLE_DIGIT | SHUFFLE_SPACE,
	[0x1] = SHUFFLE_CONTROL | SHUFFLE_DIGIT | SHUFFLE_SPECIAL2, /* ! */
	[0x2] = SHUFFLE_CONTROL | SHUFFLE_DIGIT | SHUFFLE_SPECIAL2, /* " */
	[0x3] = SHUFFLE_CONTROL | SHUFFLE_DIGIT,
	[0x4] = SHUFFLE_CONTROL | SHUFFLE_DIGIT | SHUFFLE_SPECIAL2, /* $ */
	[0x5] = SHUFFLE_CONTROL | SHUFFLE_DIGIT,
	[0x6] = SHUFFLE_CONTROL | SHUFFLE_DIGIT | SHUFFLE_AMPERSAND,
	[0x7] = SHUFFLE_CONTROL | SHUFFLE_DIGIT | SHUFFLE_SPECIAL2, /* ' */
	[0x8] = SHUFFLE_CONTROL | SHUFFLE_DIGIT,
	[0x9] = SHUFFLE_CONTROL | SHUFFLE_DIGIT | SHUFFLE_SPECIAL2, /* ) */
	[0xA] = SHUFFLE_CONTROL,
	[0xB] = SHUFFLE_CONTROL | SHUFFLE_SPECIAL3, /* ; */
	[0xC] = SHUFFLE_CONTROL | SHUFFLE_SPECIAL2, /* , */
	[0xD] = SHUFFLE_CONTROL | SHUFFLE_SPECIAL5, /* ] */
	[0xE] = SHUFFLE_CONTROL | SHUFFLE_SPECIAL2, /* . */
	[0xF] = SHUFFLE_CONTROL | SHUFFLE_SPECIAL3, /* ? */
};

TARGET static inline uint32_t has_avx2(__m256i classes, int some)
{
	__m256i none =
		_mm256_cmpeq_epi8(_mm256_and_si256(classes, _mm256_set1_epi8((char)some)), _mm256_setzero_si256());
	return ~(uint32_t)_mm256_movemask_epi8(none);
}

TARGET static inline struct text_bits ascii_avx2(vector_avx2 v)
{
	__m128i upper, lower;
	memcpy(&upper, upper_half, sizeof(upper));
	memcpy(&lower, lower_half, sizeof(lower));
	/* a byte from 0x80 on finds 0 in the second table */
	__m256i half = _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(15));
	__m256i classes = _mm256_and_si256(_mm256_shuffle_epi8(_mm256_broadcastsi128_si256(upper), half),
					   _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(lower), v));
	struct text_bits bits = { .digit = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(classes, 1)),
				  .blank = has_avx2(classes, SHUFFLE_BLANK),
				  .special = has_avx2(classes, SHUFFLE_SPECIAL),
				  .high = (uint32_t)_mm256_movemask_epi8(v) };
	bits.other = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(classes, 2)) | bits.high;
	return bits;
}

TARGET static inline uint64_t ones_avx2(uint32_t x)
{
	return (uint64_t)__builtin_popcountll(x);
}
#include "extract/learned/counts_lanes.h"
#endif

void counts_add(struct counts *c, struct slice text)
{
#ifdef CPU_PATHS_AVX
	if (cpu_level() >= CPU_AVX2) {
		add_avx2(c, text);
		return;
	}
#endif
#ifdef CPU_PATHS_SSE2
	if (cpu_level() >= CPU_SSE2) {
		add_sse2(c, text);
		return;
	}
#endif
	const uint8_t *p = text.data, *end = p + text.len;
	while (p < end) {
		const uint8_t *run = p;
		while (p < end && ascii_class[*p] == CHAR_LETTER)
			p++;
		if (p != run) {
			c->units += (uint32_t)(p - run) - 1;
			count_letter(c);
		} else if (*p < 0x80 && *p != '&') {
			count_character(c, *p++);
		} else {
			p = count_other(c, p, end);
		}
	}
}

/*
 * Looks for digits that are followed by the rest of a time or a date. After each number the rest is tried from its
 * first separator; if it does not fit, the search continues after the number.
 *
 * Example: in "1.2 1.2.34" the first 1 is followed by ".2" and a blank, which is not a date; the second by ".2.34",
 * which is one.
 */

#ifdef CPU_PATHS_SSE2
#include "base/sse2.h"

/* Finds bytes from `least` to `least` + `more`. */
static inline __m128i in_range(__m128i v, int least, int more)
{
	__m128i above = _mm_sub_epi8(v, _mm_set1_epi8((char)least));
	return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8((char)more)), above);
}

#endif

/* Returns the first byte from p on that may begin a digit, or `end`. */
static inline const uint8_t *digit_find(const uint8_t *p, const uint8_t *end)
{
#ifdef CPU_PATHS_SSE2
	/* sixteen at a time, with the byte after them */
	for (const bool wide = cpu_level() >= CPU_SSE2; wide && end - p > 16; p += 16) {
		__m128i v, next;
		memcpy(&v, p, sizeof(v));
		memcpy(&next, p + 1, sizeof(next));
		__m128i first = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8((char)0xD9)),
					     _mm_cmpeq_epi8(v, _mm_set1_epi8((char)0xDB)));
		__m128i two = _mm_and_si128(first, in_range(next, 0xA0, 0xB9 - 0xA0));
		unsigned found = (unsigned)_mm_movemask_epi8(_mm_or_si128(in_range(v, '0', 9), two));
		if (found)
			return p + __builtin_ctz(found);
	}
#endif
	while (p < end && (*p < '0' || *p > '9') && *p != 0xD9 && *p != 0xDB)
		p++;
	return p;
}

/* Counts adjacent digits, and moves *p after them. */
static unsigned digits_pass(const uint8_t **p, const uint8_t *end)
{
	unsigned n = 0;
	for (;; n++) {
		const uint8_t *d = *p;
		const uint8_t next = end - d > 1 ? d[1] : 0; /* of U+0660 to U+0669 and U+06F0 to U+06F9 */
		if (d < end && *d >= '0' && *d <= '9')
			*p += 1;
		else if (d < end &&
			 ((*d == 0xD9 && next >= 0xA0 && next <= 0xA9) || (*d == 0xDB && next >= 0xB0 && next <= 0xB9)))
			*p += 2;
		else
			return n;
	}
}

/* Returns whether the text at p, after `digits` digits, makes them a time or a date. */
static bool completes_date(unsigned digits, const uint8_t *p, const uint8_t *end)
{
	if (digits == 0 || digits > 4 || p == end)
		return false;
	uint8_t separator = *p++;
	if (separator == ':')
		return digits <= 2 && digits_pass(&p, end) == 2;
	if (separator != '.' && separator != '/' && separator != '-')
		return false;
	unsigned month = digits_pass(&p, end);
	if (month < 1 || month > 2 || p == end || *p != separator)
		return false;
	p++;
	unsigned last = digits_pass(&p, end);
	return last >= 2 && last <= 4;
}

bool dates_found(struct slice text)
{
	const uint8_t *p = text.data, *end = p + text.len;
	while ((p = digit_find(p, end)) < end) {
		unsigned digits = digits_pass(&p, end);
		if (completes_date(digits, p, end))
			return true;
		p += digits == 0;
	}
	return false;
}
