/* SPDX-License-Identifier: MIT */
/*
 * One pass over the two-byte characters U+0600 to U+06FF: a byte 0xD8 to 0xDB and a continuation byte. A letter that
 * two of the languages share counts for neither. Most texts have no such character, and their bytes are looked at
 * together.
 */
#include "plugins/language/arabic_letters.h"

#include <stdbool.h>
#include <stdint.h>

enum { PASHTO, SORANI, UYGHUR, SINDHI, LANGUAGES };

static const char *const tags[LANGUAGES] = { "ps", "ckb", "ug", "sd" };

static const struct {
	uint16_t letter;
	uint8_t language;
} own_letters[] = {
	{ 0x067c, PASHTO }, { 0x0681, PASHTO }, { 0x0685, PASHTO }, { 0x0689, PASHTO }, { 0x0693, PASHTO },
	{ 0x0696, PASHTO }, { 0x069a, PASHTO }, { 0x06ab, PASHTO }, { 0x06bc, PASHTO }, { 0x06cd, PASHTO },
	{ 0x0695, SORANI }, { 0x06b5, SORANI }, { 0x06ce, SORANI }, { 0x06ad, UYGHUR }, { 0x06c7, UYGHUR },
	{ 0x06c8, UYGHUR }, { 0x06cb, UYGHUR }, { 0x067b, SINDHI }, { 0x067d, SINDHI }, { 0x067f, SINDHI },
	{ 0x0680, SINDHI }, { 0x0683, SINDHI }, { 0x0684, SINDHI }, { 0x0687, SINDHI }, { 0x068a, SINDHI },
	{ 0x068d, SINDHI }, { 0x068f, SINDHI }, { 0x06a6, SINDHI }, { 0x06aa, SINDHI }, { 0x06b1, SINDHI },
	{ 0x06b3, SINDHI }, { 0x06bb, SINDHI },
};

/* Compilers turn this into vector instructions, as nothing ends the inner loop early. */
static bool has_arabic(const char *text, size_t len)
{
	enum { LANES = 16 };
	uint8_t found[LANES] = { 0 }, any = 0;
	size_t i = 0;

	for (; i + LANES <= len; i += LANES)
		for (size_t k = 0; k < LANES; k++)
			found[k] |= ((uint8_t)text[i + k] & 0xfc) == 0xd8;
	for (; i < len; i++)
		any |= ((uint8_t)text[i] & 0xfc) == 0xd8;
	for (size_t k = 0; k < LANES; k++)
		any |= found[k];
	return any;
}

const char *language_of_letters(const char *text, size_t len)
{
	size_t counts[LANGUAGES] = { 0 }, letters = 0;
	int best = 0;

	if (!has_arabic(text, len))
		return NULL;
	for (size_t i = 0; i + 1 < len; i++) {
		uint8_t lead = (uint8_t)text[i];
		if (lead < 0xd8 || lead > 0xdb)
			continue;
		uint16_t letter = (uint16_t)((lead & 0x1f) << 6 | (text[i + 1] & 0x3f));
		letters += letter >= 0x0620;
		for (size_t k = 0; k < sizeof(own_letters) / sizeof(own_letters[0]); k++)
			counts[own_letters[k].language] += own_letters[k].letter == letter;
	}
	for (int i = 1; i < LANGUAGES; i++)
		best = counts[i] > counts[best] ? i : best;
	return letters && 100 * counts[best] >= LETTERS_SHARE * letters ? tags[best] : NULL;
}
