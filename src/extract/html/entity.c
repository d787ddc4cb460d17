/* SPDX-License-Identifier: MIT */
/*
 * Character references. The names are a sorted table made from data/ when the project is built (entity_table.h), found
 * by binary search. Names that end in ';' must match completely. Some old names are valid without it; the longest one
 * that the text begins with is then used. Example: "&notit;" is "&not" followed by "it;", as "notit" is not a name and
 * "not" is an old one, while "&notin;" is one character.
 */
#include "extract/html/entity.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"
#include "base/utf8.h"
#include "extract/html/entity_table.h"

enum {
	BARE_LONGEST = 6,  /* longest name that is valid without ';': "Aacute" */
	NAME_LONGEST = 31, /* longest name, without its ';' */
};

static const struct entity *entity_find(const uint8_t *name, size_t len)
{
	size_t low = 0, high = sizeof(entity_table) / sizeof(*entity_table);
	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct entity *e = &entity_table[middle];
		size_t common = len < e->len ? len : e->len;
		int order = memcmp(name, entity_names + e->at, common);
		if (order == 0 && len == e->len)
			return e;
		if (order == 0)
			order = len < e->len ? -1 : 1;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

static size_t named(struct slice s, uint8_t out[8], size_t *out_len)
{
	/* most references are one of these, so they are compared before the search */
	static const struct {
		char name[7];
		uint8_t len, out_len, out[2];
	} names[] = { { "&nbsp;", 6, 2, { 0xC2, 0xA0 } },
		      { "&amp;", 5, 1, { '&' } },
		      { "&quot;", 6, 1, { '"' } },
		      { "&lt;", 4, 1, { '<' } },
		      { "&gt;", 4, 1, { '>' } } };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (s.data[1] != (uint8_t)names[i].name[1] || s.len < names[i].len ||
		    memcmp(s.data, names[i].name, names[i].len) != 0)
			continue;
		memcpy(out, names[i].out, sizeof(names[i].out));
		*out_len = names[i].out_len;
		return names[i].len;
	}
	const uint8_t *name = s.data + 1;
	size_t most = s.len - 1 < NAME_LONGEST + 1 ? s.len - 1 : NAME_LONGEST + 1, len = 0;
	while (len < most && (ascii_is_alpha(name[len]) || ascii_is_digit(name[len])))
		len++;

	const struct entity *e = NULL;
	size_t taken = 0;
	if (len < most && name[len] == ';' && (e = entity_find(name, len)) != NULL)
		taken = len + 2;
	for (size_t n = len < BARE_LONGEST ? len : BARE_LONGEST; !e && n >= 2; n--) {
		const struct entity *bare = entity_find(name, n);
		if (bare && bare->bare) {
			e = bare;
			taken = n + 1;
		}
	}
	if (!e)
		return 0;
	*out_len = utf8_put(e->first, out);
	if (e->second)
		*out_len += utf8_put(e->second, out + *out_len);
	return taken;
}

static size_t numeric(struct slice s, uint8_t out[8], size_t *out_len)
{
	/* numbers 0x80 to 0x9F mean characters of windows-1252 (HTML, section 13.2.5.80) */
	static const uint16_t windows[32] = {
		0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
		0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
		0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178,
	};
	size_t i = 2;
	bool hex = i < s.len && (s.data[i] | 0x20) == 'x';
	if (hex)
		i++;
	uint32_t value = 0;
	size_t first = i;
	for (; i < s.len; i++) {
		int digit = ascii_hex(s.data[i]);
		if (digit < 0 || (digit > 9 && !hex))
			break;
		if (value < 0x110000) /* once too large it stays so, and cannot overflow */
			value = value * (hex ? 16 : 10) + (uint32_t)digit;
	}

	if (i == first)
		return 0;
	if (value >= 0x80 && value < 0xA0)
		value = windows[value - 0x80];
	*out_len = utf8_put(value == 0 || value > 0x10FFFF ? 0xFFFD : value, out);
	return i < s.len && s.data[i] == ';' ? i + 1 : i;
}

size_t html_entity_decode(struct slice s, uint8_t out[8], size_t *out_len)
{
	if (s.len < 3)
		return 0;
	return s.data[1] == '#' ? numeric(s, out, out_len) : named(s, out, out_len);
}

int html_entity_append(struct buf *out, struct slice s)
{
	while (s.len) {
		const uint8_t *amp = memchr(s.data, '&', s.len);
		size_t plain = amp ? (size_t)(amp - s.data) : s.len;
		int status = buf_append(out, s.data, plain);
		if (status < 0)
			return status;
		s = slice_skip(s, plain);
		if (!s.len)
			break;
		uint8_t text[8];
		size_t len, taken = html_entity_decode(s, text, &len);
		status = taken ? buf_append(out, text, len) : buf_append_byte(out, '&');
		if (status < 0)
			return status;
		s = slice_skip(s, taken ? taken : 1);
	}
	return DANA_OK;
}
