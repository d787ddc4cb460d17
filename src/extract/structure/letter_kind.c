/* SPDX-License-Identifier: MIT */
/*
 * Readers of Markdown carry tables of Unicode's punctuation, of different versions and with or without symbols. So only
 * what all of them agree on is called a letter or punctuation; emphasis at the rest is left out where it would matter.
 */
#include "extract/structure/letter_kind.h"

#include "base/ascii.h"
#include "base/characters.h"
#include "base/utf8.h"

struct range {
	uint32_t first, last;
};

static bool is_in(const struct range *ranges, size_t count, uint32_t c)
{
	size_t from = 0;
	while (from < count) {
		size_t middle = (from + count) / 2;
		if (c > ranges[middle].last)
			from = middle + 1;
		else if (c < ranges[middle].first)
			count = middle;
		else
			return true;
	}
	return false;
}

/* Letters and digits without gaps. */
static const struct range letters[] = {
	{ 0xC0, 0xD6 },     { 0xD8, 0xF6 },     { 0xF8, 0x2C1 },    { 0x370, 0x373 },   { 0x376, 0x377 },
	{ 0x37B, 0x37D },   { 0x388, 0x38A },   { 0x38E, 0x3A1 },   { 0x3A3, 0x3F5 },   { 0x3F7, 0x481 },
	{ 0x48A, 0x52F },   { 0x531, 0x556 },   { 0x561, 0x587 },   { 0x5D0, 0x5EA },   { 0x620, 0x64A },
	{ 0x660, 0x669 },   { 0x66E, 0x66F },   { 0x671, 0x6D3 },   { 0x6F0, 0x6FC },   { 0x904, 0x939 },
	{ 0x966, 0x96F },   { 0x985, 0x98C },   { 0xE01, 0xE30 },   { 0xE40, 0xE46 },   { 0x10A0, 0x10C5 },
	{ 0x10D0, 0x10FA }, { 0x1E00, 0x1F15 }, { 0x3041, 0x3096 }, { 0x30A1, 0x30FA }, { 0x30FC, 0x30FE },
	{ 0x3105, 0x312F }, { 0x3400, 0x4DBF }, { 0x4E00, 0x9FFC }, { 0xAC00, 0xD7A3 }, { 0xF900, 0xFA6D },
	{ 0xFF10, 0xFF19 }, { 0xFF21, 0xFF3A }, { 0xFF41, 0xFF5A }, { 0xFF66, 0xFF9D }, { 0x20000, 0x2A6DD },
};

/* Punctuation in all versions of Unicode. */
static const struct range punctuation[] = {
	{ 0xA1, 0xA1 },     { 0xA7, 0xA7 },     { 0xAB, 0xAB },     { 0xB6, 0xB7 },     { 0xBB, 0xBB },
	{ 0xBF, 0xBF },     { 0x60C, 0x60D },   { 0x61B, 0x61B },   { 0x61F, 0x61F },   { 0x66A, 0x66D },
	{ 0x6D4, 0x6D4 },   { 0x964, 0x965 },   { 0x2010, 0x2027 }, { 0x2030, 0x2043 }, { 0x2045, 0x2051 },
	{ 0x2053, 0x205E }, { 0x3001, 0x3003 }, { 0x3008, 0x3011 }, { 0x3014, 0x301F }, { 0x30FB, 0x30FB },
	{ 0xFF01, 0xFF03 }, { 0xFF05, 0xFF0A }, { 0xFF0C, 0xFF0F }, { 0xFF1A, 0xFF1B }, { 0xFF1F, 0xFF20 },
	{ 0xFF3B, 0xFF3D }, { 0xFF3F, 0xFF3F }, { 0xFF5B, 0xFF5B }, { 0xFF5D, 0xFF5D }, { 0xFF5F, 0xFF65 },
};

enum letter_kind letter_kind_of(uint32_t c)
{
	if (c < 0x80) {
		if (c <= ' ')
			return LETTER_WHITE;
		return ascii_is_alpha((uint8_t)c) || ascii_is_digit((uint8_t)c) ? LETTER_LETTER : LETTER_PUNCTUATION;
	}
	if (character_is_space(c))
		return LETTER_WHITE;
	if (is_in(letters, sizeof(letters) / sizeof(*letters), c))
		return LETTER_LETTER;
	return is_in(punctuation, sizeof(punctuation) / sizeof(*punctuation), c) ? LETTER_PUNCTUATION : LETTER_UNSURE;
}

enum letter_kind letter_kind_first(struct slice text)
{
	uint32_t c;
	if (text.len == 0)
		return LETTER_WHITE;
	(void)utf8_decode(text, &c);
	return letter_kind_of(c);
}

enum letter_kind letter_kind_last(struct slice text)
{
	size_t begin = text.len;
	while (begin && text.len - begin < 4 && (text.data[--begin] & 0xC0) == 0x80)
		;
	return letter_kind_first(slice_skip(text, begin));
}

bool letter_kind_any(struct slice text)
{
	while (text.len) {
		uint32_t c;
		text = slice_skip(text, utf8_decode(text, &c));
		enum letter_kind kind = letter_kind_of(c);
		if (kind == LETTER_LETTER || (kind == LETTER_UNSURE && !character_is_invisible(c)))
			return true;
	}
	return false;
}
