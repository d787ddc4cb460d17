/* SPDX-License-Identifier: MIT */
/* A few ranges each, compared one after the other. */
#include "base/characters.h"

#include <stddef.h>

bool character_is_space(uint32_t c)
{
	if (c < 0x85)
		return c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x1F);
	return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
	       c == 0x202F || c == 0x205F || c == 0x3000;
}

bool character_is_invisible(uint32_t c)
{
	if (c < 0x200B)
		return c == 0xAD;
	return c == 0x200B || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
	       (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

bool character_stands_alone(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x0E00, 0x0EFF }, { 0x1000, 0x109F }, { 0x1780, 0x17FF }, { 0x3005, 0x3007 }, { 0x3040, 0x30FF },
		{ 0x31F0, 0x31FF }, { 0x3400, 0x4DBF }, { 0x4E00, 0x9FFF }, { 0xF900, 0xFAFF }, { 0x20000, 0x3FFFF },
	};
	if (c < ranges[0].first)
		return false;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		if (c <= ranges[i].last)
			return c >= ranges[i].first;
	}
	return false;
}
