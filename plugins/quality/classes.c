/* SPDX-License-Identifier: MIT */
/* Categories of characters are utf8proc's (Unicode 15). */
#include "plugins/quality/classes.h"

#include <stdbool.h>
#include <utf8proc.h>

static bool written_without_spaces(int32_t c)
{
	static const struct {
		int32_t first, last;
	} ranges[] = {
		{ 0x0e00, 0x0eff }, { 0x1000, 0x109f }, { 0x1780, 0x17ff }, { 0x3005, 0x3007 }, { 0x3040, 0x30ff },
		{ 0x31f0, 0x31ff }, { 0x3400, 0x4dbf }, { 0x4e00, 0x9fff }, { 0xf900, 0xfaff }, { 0x20000, 0x3ffff },
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

static bool is_space(int32_t c)
{
	return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
	       (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

enum char_class class_of(int32_t c)
{
	if (is_space(c))
		return CLASS_SPACE;
	utf8proc_category_t category = utf8proc_category(c);
	if (category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_SO)
		return CLASS_MARK;
	if (category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME)
		return CLASS_COMBINING;
	bool letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
	if (written_without_spaces(c))
		return letter ? CLASS_UNSPACED : CLASS_UNSPACED_2;
	if (!letter)
		return CLASS_OTHER;
	return utf8proc_tolower(c) == c ? CLASS_LETTER : CLASS_UPPER;
}

void classes_init(struct classes *t)
{
	for (int32_t c = 0; c < CLASSES_LISTED; c++)
		t->of_char[c] = (uint8_t)class_of(c);
	for (int c = 0; c < 256; c++)
		t->of_byte[c] = c < 0x80 ? t->of_char[c] : CLASS_LONG;
}
