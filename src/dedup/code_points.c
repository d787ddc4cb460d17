/* SPDX-License-Identifier: MIT */
/*
 * A character whose canonical form is one other character (U+037E, the Greek question mark, is U+003B) has the kind of
 * that other one. So it makes no difference whether a text is split into words before or after it is put into NFC.
 */
#include "dedup/code_points.h"

#include <stdlib.h>
#include <utf8proc.h>

#include "base/characters.h"

enum { BLOCK = 256, MOST_PARTS = 8 };

struct code_points *code_points_new(void)
{
	return calloc(1, sizeof(struct code_points));
}

void code_points_free(struct code_points *p)
{
	free(p);
}

/* Returns the NFC of the character if that is a single character, else `c`. *stays: the NFC is `c`. */
static uint32_t canonical(uint32_t c, bool *stays)
{
	utf8proc_int32_t parts[MOST_PARTS];
	const utf8proc_option_t options = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
	utf8proc_ssize_t n = utf8proc_decompose_char((utf8proc_int32_t)c, parts, MOST_PARTS, options, NULL);

	if (n > 0 && n <= MOST_PARTS)
		n = utf8proc_normalize_utf32(parts, n, options);
	*stays = n == 1 && parts[0] == (utf8proc_int32_t)c;
	return n == 1 ? (uint32_t)parts[0] : c;
}

static bool is_mark(const utf8proc_property_t *of)
{
	return of->combining_class != 0 || of->category == UTF8PROC_CATEGORY_MN ||
	       of->category == UTF8PROC_CATEGORY_MC || of->category == UTF8PROC_CATEGORY_ME;
}

/* Returns whether `c` is a vowel or final consonant that joins the Hangul syllable before it; these are not marks. */
static bool is_jamo(uint32_t c)
{
	return c >= 0x1160 && c <= 0x11FF;
}

static bool is_punctuation(const utf8proc_property_t *of)
{
	return of->category >= UTF8PROC_CATEGORY_PC && of->category <= UTF8PROC_CATEGORY_PO;
}

static enum character_kind kind_of(uint32_t c, const utf8proc_property_t *of)
{
	if (character_is_space(c))
		return CHARACTER_SPACE;
	if (character_is_invisible(c))
		return CHARACTER_INVISIBLE;
	if (is_punctuation(of))
		return CHARACTER_PUNCTUATION;
	return character_stands_alone(c) ? CHARACTER_ALONE : CHARACTER_WORD;
}

static uint32_t properties_of(uint32_t c)
{
	bool stays;
	uint32_t form = canonical(c, &stays);
	const utf8proc_property_t *own = utf8proc_get_property((utf8proc_int32_t)c);
	const utf8proc_property_t *of = utf8proc_get_property((utf8proc_int32_t)form);
	uint32_t properties = (uint32_t)utf8proc_tolower((utf8proc_int32_t)c);

	properties |= (uint32_t)kind_of(form, of) << CODE_POINT_KIND_SHIFT;
	if (!stays || is_mark(own) || is_jamo(c))
		properties |= CODE_POINT_JOINS;
	return properties;
}

void code_points_fill(struct code_points *p, uint32_t c)
{
	uint32_t first = c - c % BLOCK;

	for (uint32_t i = first; i < first + BLOCK; i++)
		p->of[i] = properties_of(i);
}
