/* SPDX-License-Identifier: MIT */
/* The table is sorted by its codes of two letters. */
#include "plugins/language/codes.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/language/iso639_list.h"

static int by_code(const void *key, const void *row)
{
	return memcmp(key, ((const struct iso639_row *)row)->two, 2);
}

static const struct iso639_row *row_of(const char *two)
{
	return bsearch(two, iso639_list, sizeof(iso639_list) / sizeof(iso639_list[0]), sizeof(iso639_list[0]), by_code);
}

size_t primary_subtag(const char *tag)
{
	return strcspn(tag, "-");
}

const char *iso639_3(const char *tag, char out[4])
{
	size_t len = primary_subtag(tag);
	const struct iso639_row *row = len == 2 ? row_of(tag) : NULL;

	if (!row && len != 3)
		return NULL;
	memcpy(out, row ? row->three : tag, 3);
	out[3] = '\0';
	return out;
}

bool tag_matches(const char *tag, const char *item, size_t len)
{
	size_t n = memchr(item, '-', len) ? strlen(tag) : primary_subtag(tag);
	char code[4];

	if (len == 3 && iso639_3(tag, code))
		return !memcmp(code, item, len);
	return n == len && !memcmp(tag, item, len);
}

bool tag_is_possible(const char *item, size_t len)
{
	const char *hyphen = memchr(item, '-', len);
	size_t primary = hyphen ? (size_t)(hyphen - item) : len;

	for (size_t i = 0; i < primary; i++)
		if (item[i] < 'a' || item[i] > 'z')
			return false;
	return primary == 3 || (primary == 2 && row_of(item));
}
