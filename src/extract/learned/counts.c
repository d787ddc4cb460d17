#include "extract/learned/counts.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/utf8.h"
#include "html/entity.h"

enum char_class {
	CHAR_LETTER = 0, /* and everything that has no class of its own */
	CHAR_SPACE = 1,
	CHAR_STOP = 2,
	CHAR_COMMA = 4,
	CHAR_CLOSER = 8,    /* may follow a stop */
	CHAR_QUOTE = 16,
	CHAR_SEPARATOR = 32,
	CHAR_UPPER = 64,
	CHAR_OTHER = 128,   /* has to be looked at: digits, colon, $, references, bytes above ASCII */
};

/* Control characters count as white space, as in the pages of the nineties they are. */
static const uint8_t ascii_class[256] = {
	[0 ... ' '] = CHAR_SPACE,
	['.'] = CHAR_STOP,
	['!'] = CHAR_STOP,
	['?'] = CHAR_STOP,
	[','] = CHAR_COMMA,
	[';'] = CHAR_COMMA,
	['"'] = CHAR_CLOSER | CHAR_QUOTE,
	['\''] = CHAR_CLOSER,
	[')'] = CHAR_CLOSER,
	[']'] = CHAR_CLOSER,
	['|'] = CHAR_SEPARATOR,
	['>'] = CHAR_SEPARATOR,
	['/'] = CHAR_SEPARATOR,
	['$'] = CHAR_OTHER,
	['A' ... 'Z'] = CHAR_UPPER,
	['0' ... '9'] = CHAR_OTHER,
	[':'] = CHAR_OTHER,
	['&'] = CHAR_OTHER,
	[0x80 ... 0xFF] = CHAR_OTHER,
};

/* Scripts without spaces between words: Thai, Lao, Myanmar, Khmer, Han, Kana, Hangul. */
static bool is_wide(uint32_t c)
{
	if (c < 0xE00)
		return false;
	return c <= 0xEFF || (c >= 0x1000 && c <= 0x109F) || (c >= 0x1780 && c <= 0x17FF) ||
	       (c >= 0x2E80 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7AF) || (c >= 0xF900 && c <= 0xFAFF) ||
	       (c >= 0x20000 && c <= 0x3FFFF);
}

static unsigned classify(uint32_t c)
{
	switch (c) {
	case 0xA0: case 0x200B: case 0x3000: case 0xFEFF:
		return CHAR_SPACE;
	case 0x3002: case 0xFF01: case 0xFF1F: case 0x61F: case 0x6D4: case 0x964: case 0x2026:
		return CHAR_STOP;
	case 0xFF0C: case 0x3001: case 0x60C: case 0x61B: case 0xFF1B:
		return CHAR_COMMA;
	case 0x201D: case 0x300D:
		return CHAR_CLOSER | CHAR_QUOTE;
	case 0x2019: case 0xFF09:
		return CHAR_CLOSER;
	case 0xBB:
		return CHAR_CLOSER | CHAR_SEPARATOR;
	case 0x201C: case 0x201E: case 0xAB: case 0x300C:
		return CHAR_QUOTE;
	case 0xB7: case 0x2022:
		return CHAR_SEPARATOR;
	default:
		return c < 0x80 ? ascii_class[c] & 127U : CHAR_LETTER;
	}
}

/* Dollar, pound, yen, and the block of currency symbols. */
static bool is_currency(uint32_t c)
{
	return c == '$' || c == 0xA3 || c == 0xA5 || (c >= 0x20A0 && c <= 0x20CF) || c == 0xFF04 || c == 0xFFE5;
}

static void count_character(struct counts *c, uint32_t character)
{
	unsigned class = classify(character);
	if (class & CHAR_SPACE) {
		c->in_word = false;
		return;
	}
	bool wide = character >= 0xE00 && is_wide(character);
	if (wide) {
		c->units += 2;
		c->wide++;
		c->words++;
		c->in_word = false;
	} else {
		c->units++;
		c->words += !c->in_word;
		c->in_word = true;
	}
	c->upper += (class & CHAR_UPPER) != 0;
	c->digits += character >= '0' && character <= '9';
	c->quotes += (class & CHAR_QUOTE) != 0;
	c->separators += (class & CHAR_SEPARATOR) != 0;
	c->currency += is_currency(character);
	if (class & CHAR_STOP) {
		c->stops++;
		c->ending = ENDS_STOP;
	} else if (class & CHAR_COMMA) {
		c->commas++;
		c->ending = ENDS_PLAIN;
	} else if (character == ':') {
		c->ending = ENDS_COLON;
	} else if (!(class & CHAR_CLOSER)) {
		c->ending = ENDS_PLAIN;
	}
}

/* A reference is decoded and its characters counted. Answers the bytes it takes. */
static size_t count_reference(struct counts *c, struct slice text)
{
	uint8_t out[8];
	size_t out_len = 0;
	size_t n = html_entity_decode(text, out, &out_len);
	if (n == 0) {
		count_character(c, '&');
		return 1;
	}
	for (struct slice s = slice_of(out, out_len); s.len;) {
		uint32_t character;
		s = slice_skip(s, utf8_decode(s, &character));
		count_character(c, character);
	}
	return n;
}

static void count_letter(struct counts *c)
{
	c->units++;
	c->words += !c->in_word;
	c->in_word = true;
	c->ending = ENDS_PLAIN;
}

/*
 * The bulk of text that is not ASCII, without looking at each property: two-byte letters of Latin, Greek, Cyrillic, Hebrew and
 * Arabic, and Han and Hangul. Answers the bytes it takes, 0 = the character has to be looked at.
 */
static size_t count_common(struct counts *c, const uint8_t *p, const uint8_t *end)
{
	if (*p >= 0xC3 && *p <= 0xDF && end - p >= 2 && (p[1] & 0xC0) == 0x80) {
		if ((*p == 0xD8 && (p[1] == 0x8C || p[1] == 0x9B || p[1] == 0x9F)) || (*p == 0xDB && p[1] == 0x94))
			return 0;
		count_letter(c);
		return 2;
	}
	if (*p >= 0xE4 && *p <= 0xEC && end - p >= 3 && (p[1] & 0xC0) == 0x80 && (p[2] & 0xC0) == 0x80) {
		if (*p == 0xEA && p[1] < 0xB0) /* other scripts stand between Han and Hangul */
			return 0;
		c->units += 2;
		c->wide++;
		c->words++;
		c->in_word = false;
		c->ending = ENDS_PLAIN;
		return 3;
	}
	return 0;
}

#if defined(__SSE2__)
static inline unsigned bits_set(unsigned x)
{
	/* of 16 bits; the processor's instruction is not there everywhere */
	x = x - (x >> 1 & 0x5555);
	x = (x & 0x3333) + (x >> 2 & 0x3333);
	x = (x + (x >> 4)) & 0x0F0F;
	return (x + (x >> 8)) & 0x1F;
}

/*
 * Letters, capitals and blanks at p, of 16 bytes that can be read: the same as one by one. Answers how many bytes it took: up to
 * the first that is something else.
 */
static inline size_t count_plain_16(struct counts *c, const uint8_t *p)
{
	__m128i v;
	memcpy(&v, p, sizeof v);
#define IS(byte) _mm_cmpeq_epi8(v, _mm_set1_epi8(byte))
#define ABOVE(byte) _mm_cmpgt_epi8(v, _mm_set1_epi8(byte))
	/* signed comparison: bytes from 0x80 on are below all others */
	__m128i small = _mm_andnot_si128(ABOVE('z'), ABOVE('a' - 1));
	__m128i capital = _mm_andnot_si128(ABOVE('Z'), ABOVE('A' - 1));
	unsigned blanks = (unsigned)_mm_movemask_epi8(IS(' ')), capitals = (unsigned)_mm_movemask_epi8(capital);
	unsigned letters = capitals | (unsigned)_mm_movemask_epi8(_mm_or_si128(small, IS('-')));
#undef IS
#undef ABOVE
	unsigned other = ~(letters | blanks);
	unsigned n = (unsigned)__builtin_ctz(other | 0x10000U), all = (1U << n) - 1;
	letters &= all;
	if (n == 0)
		return 0;
	unsigned begins = letters & ~(letters << 1 | c->in_word);
	c->units += bits_set(letters);
	c->words += bits_set(begins);
	c->upper += (capitals & all) ? bits_set(capitals & all) : 0;
	c->in_word = letters >> (n - 1) & 1;
	if (letters)
		c->ending = ENDS_PLAIN;
	return n;
}
#endif

void counts_add(struct counts *c, struct slice text)
{
	const uint8_t *p = text.data, *end = p + text.len;
	while (p < end) {
#if defined(__SSE2__)
		if (end - p >= 16) {
			size_t plain = count_plain_16(c, p);
			p += plain;
			if (plain == 16)
				continue;
		}
#endif
		const uint8_t *run = p;
		while (p < end && ascii_class[*p] == CHAR_LETTER)
			p++;
		if (p != run) {
			c->units += (uint32_t)(p - run) - 1;
			count_letter(c);
			if (p == end)
				return;
		}
		size_t n;
		if (*p == ' ') {
			c->in_word = false;
			p++;
		} else if (ascii_class[*p] == CHAR_UPPER) {
			count_letter(c);
			c->upper++;
			p++;
		} else if (*p == '&') {
			p += count_reference(c, slice_of(p, (size_t)(end - p)));
		} else if (*p < 0x80) {
			count_character(c, *p++);
		} else if ((n = count_common(c, p, end)) != 0) {
			p += n;
		} else {
			uint32_t character;
			p += utf8_decode(slice_of(p, (size_t)(end - p)), &character);
			count_character(c, character);
		}
	}
}
