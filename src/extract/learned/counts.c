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
enum { AT_ONCE = 32 };

/* What an ASCII character adds that is no letter, digit or blank: five counts of a byte each. */
#define ADDS_STOP ((uint64_t)1)
#define ADDS_COMMA ((uint64_t)1 << 8)
#define ADDS_QUOTE ((uint64_t)1 << 16)
#define ADDS_SEPARATOR ((uint64_t)1 << 24)
#define ADDS_CURRENCY ((uint64_t)1 << 32)
#define IS_CLOSER ((uint64_t)1 << 63)
static const uint64_t added[128] = {
	['.'] = ADDS_STOP, ['!'] = ADDS_STOP, ['?'] = ADDS_STOP, [','] = ADDS_COMMA, [';'] = ADDS_COMMA,
	['"'] = ADDS_QUOTE | IS_CLOSER, ['\''] = IS_CLOSER, [')'] = IS_CLOSER, [']'] = IS_CLOSER,
	['|'] = ADDS_SEPARATOR, ['>'] = ADDS_SEPARATOR, ['/'] = ADDS_SEPARATOR, ['$'] = ADDS_CURRENCY,
};

/* Bits set in both halves: of the lower in the lower half, of the upper in the upper. The processor's instruction is not there everywhere. */
static inline uint64_t bits_set_twice(uint64_t x)
{
	x = x - (x >> 1 & 0x5555555555555555U);
	x = (x & 0x3333333333333333U) + (x >> 2 & 0x3333333333333333U);
	x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FU;
	x = x + (x >> 8);
	return (x + (x >> 16)) & 0x0000003F0000003FU;
}

/* One bit for each of AT_ONCE bytes. */
struct text_bits {
	uint32_t upper, digit, blank, special; /* ASCII; special: none of these, and no small letter */
	uint32_t high, other;                  /* from 0x80 on; what has to be looked at */
	uint32_t inside, wide;                 /* bytes of a character behind its first; all bytes of wide characters */
	uint32_t wide_begins;
};

static inline __m128i load_16(const uint8_t *p)
{
	__m128i v;
	memcpy(&v, p, sizeof v);
	return v;
}

/* Of p[0..15]; comparisons are signed: bytes from 0x80 on are below all others. */
#define BITS(mask) ((uint32_t)_mm_movemask_epi8(mask))
#define IS(byte) BITS(_mm_cmpeq_epi8(v, _mm_set1_epi8((char)(byte))))
#define IN(low, high)                                                                                                  \
	BITS(_mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8((char)((low) - 1))), _mm_cmplt_epi8(v, _mm_set1_epi8((char)((high) + 1)))))

static inline struct text_bits ascii_bits_16(const uint8_t *p)
{
	__m128i v = load_16(p);
	uint32_t small = IN('a', 'z'), upper = IN('A', 'Z'), digit = IN('0', '9'), high = BITS(v);
	uint32_t blank = BITS(_mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(' ')), v));
	return (struct text_bits){ .upper = upper, .digit = digit, .blank = blank, .high = high, .other = IS('&') | high,
				   .special = ~(small | upper | digit | blank | high) & 0xFFFF };
}

/* Bytes from 0x80 on: how they follow each other is not looked at yet. */
struct foreign_bits {
	uint32_t inside, two, three;    /* 80 to BF; first of two-byte letters, of Han and Hangul */
	uint32_t d8, db, ea, no_letter; /* first bytes that need a look at the second, and second bytes of D8 that are marks */
	uint32_t is_94, before_b0;
};

static inline struct foreign_bits foreign_bits_16(const uint8_t *p)
{
	__m128i v = load_16(p);
	return (struct foreign_bits){ .inside = IN(0x80 + 1, 0xBF) | IS(0x80), .two = IN(0xC3, 0xDF), .three = IN(0xE4, 0xEC),
				      .d8 = IS(0xD8), .db = IS(0xDB), .ea = IS(0xEA),
				      .no_letter = IS(0x8C) | IS(0x9B) | IS(0x9F), .is_94 = IS(0x94),
				      .before_b0 = IN(0x80 + 1, 0xAF) | IS(0x80) };
}
#undef IN
#undef IS
#undef BITS

/*
 * The bulk of text that is not ASCII, as count_common takes it: its bytes are `other` no more. `all` are the bits of bytes that
 * belong to the text.
 */
static inline void find_foreign(struct text_bits *bits, const uint8_t *p, uint32_t all)
{
	struct foreign_bits a = foreign_bits_16(p), b = foreign_bits_16(p + 16);
#define BOTH(member) (a.member | b.member << 16)
	uint32_t inside = BOTH(inside) & all;
	uint32_t marks = (BOTH(d8) << 1 & BOTH(no_letter)) | (BOTH(db) << 1 & BOTH(is_94));
	uint32_t two = inside & ~marks & BOTH(two) << 1;
	uint32_t three = inside & inside << 1 & BOTH(three) << 2 & ~(BOTH(ea) << 2 & BOTH(before_b0) << 1);
#undef BOTH
	bits->wide_begins = three >> 2;
	bits->wide = three | three >> 1 | three >> 2;
	bits->inside = two;
	bits->other &= ~(two | two >> 1 | bits->wide);
}

static inline struct text_bits text_bits_of(const uint8_t *p, uint32_t all)
{
	struct text_bits a = ascii_bits_16(p), b = ascii_bits_16(p + 16);
	struct text_bits bits = { .upper = a.upper | b.upper << 16, .digit = a.digit | b.digit << 16,
				  .blank = a.blank | b.blank << 16, .special = a.special | b.special << 16,
				  .high = a.high | b.high << 16, .other = a.other | b.other << 16 };
	if (bits.high & all)
		find_foreign(&bits, p, all);
	return bits;
}

/* Adds what the characters at p give for which a bit is set. Answers the bits of those that may follow a stop. */
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
	c->quotes += sum >> 16 & 0xFF;
	c->separators += sum >> 24 & 0xFF;
	c->currency += sum >> 32 & 0xFF;
	return closers;
}

/*
 * Counts characters from p on up to one that has to be looked at, or to AT_ONCE bytes; at most `most`. AT_ONCE can be read.
 * Answers the bytes it took.
 */
static inline size_t count_many(struct counts *c, const uint8_t *p, size_t most)
{
	uint32_t all = most < AT_ONCE ? ((uint32_t)1 << most) - 1 : ~(uint32_t)0;
	struct text_bits bits = text_bits_of(p, all);
	uint64_t other = bits.other | (uint64_t)1 << (most < AT_ONCE ? most : AT_ONCE);
	unsigned n = (unsigned)__builtin_ctzll(other);
	if (n == 0)
		return 0;
	all = (uint32_t)((other & (0U - other)) - 1);
	uint32_t text = ~(bits.blank | bits.wide) & all, begins = text & ~(text << 1 | c->in_word);
	uint64_t units_words = bits_set_twice((text & ~bits.inside) | (uint64_t)begins << 32);
	uint64_t upper_digits = bits_set_twice((bits.upper & all) | (uint64_t)(bits.digit & all) << 32);
	c->units += (uint32_t)units_words;
	c->words += (uint32_t)(units_words >> 32);
	c->upper += (uint32_t)upper_digits;
	c->digits += (uint32_t)(upper_digits >> 32);
	c->in_word = text >> (n - 1) & 1;
	if (bits.wide & all) {
		uint32_t wide = (uint32_t)bits_set_twice(bits.wide_begins & all);
		c->units += 2 * wide;
		c->words += wide;
		c->wide += wide;
		text |= bits.wide & all;
	}
	if (bits.special & all)
		text &= ~count_specials(c, p, bits.special & all);
	if (text) {
		uint8_t last = p[31 - __builtin_clz(text)];
		c->ending = last == ':' ? ENDS_COLON : last < 0x80 && added[last] & ADDS_STOP ? ENDS_STOP : ENDS_PLAIN;
	}
	return n;
}
#else
static inline size_t count_many(struct counts *c, const uint8_t *p, size_t most)
{
	size_t n = 0;
	while (n < most && ascii_class[p[n]] == CHAR_LETTER)
		n++;
	if (n) {
		c->units += (uint32_t)n - 1;
		count_letter(c);
	} else if (*p < 0x80 && *p != '&') {
		count_character(c, *p);
		n = 1;
	}
	return n;
}
#endif

/* First byte of a character that count_common leaves. */
static bool is_rare(uint8_t c)
{
	return c >= 0x80 && (c < 0xC3 || (c > 0xDF && (c < 0xE4 || c > 0xEC)));
}

/* Counts a character that is not ASCII; of rare ones all that follow, with single blanks between them. Answers the end. */
static const uint8_t *count_foreign(struct counts *c, const uint8_t *p, const uint8_t *end)
{
	size_t n = count_common(c, p, end);
	if (n)
		return p + n;
	do {
		uint32_t character;
		p += utf8_decode(slice_of(p, (size_t)(end - p)), &character);
		count_character(c, character);
	} while (p < end && (is_rare(*p) || (*p == ' ' && end - p > 1 && is_rare(p[1]))));
	return p;
}

void counts_add(struct counts *c, struct slice text)
{
	const uint8_t *p = text.data, *end = p + text.len;
	while (p < end) {
		p += count_many(c, p, (size_t)(end - p));
		if (p != end && *p == '&')
			p += count_reference(c, slice_of(p, (size_t)(end - p)));
		else if (p != end && *p >= 0x80)
			p = count_foreign(c, p, end);
	}
}
