/* SPDX-License-Identifier: MIT */
/* Source text to text: references are decoded, white space collapses, control characters vanish. */
#include "base/ascii.h"
#include "extract/html/entity.h"
#include "extract/structure/inline_private.h"
#include "extract/structure/text_scan.h"

enum byte_kind { PLAIN, WHITE, CONTROL, REFERENCE, HIGH };

static const uint8_t kinds[256] = {
	[0] = CONTROL,  [1] = CONTROL,  [2] = CONTROL,  [3] = CONTROL,     [4] = CONTROL,   [5] = CONTROL,
	[6] = CONTROL,  [7] = CONTROL,  [8] = CONTROL,  [9] = WHITE,       [10] = WHITE,    [11] = WHITE,
	[12] = WHITE,   [13] = WHITE,   [14] = CONTROL, [15] = CONTROL,    [16] = CONTROL,  [17] = CONTROL,
	[18] = CONTROL, [19] = CONTROL, [20] = CONTROL, [21] = CONTROL,    [22] = CONTROL,  [23] = CONTROL,
	[24] = CONTROL, [25] = CONTROL, [26] = CONTROL, [27] = CONTROL,    [28] = CONTROL,  [29] = CONTROL,
	[30] = CONTROL, [31] = CONTROL, [32] = WHITE,   ['&'] = REFERENCE, [127] = CONTROL, [0xC2] = HIGH,
};

struct collapse {
	struct buf *to;
	size_t from;
	bool *pending, *lead;
};

static int put(const struct collapse *c, const uint8_t *data, size_t len)
{
	if (*c->pending && c->to->len > c->from)
		buf_append_byte(c->to, ' ');
	else if (*c->pending)
		*c->lead = true;
	*c->pending = false;
	return buf_append(c->to, data, len);
}

/* Returns the length of what begins at s[0], which is '&' or 0xC2. */
static size_t put_special(const struct collapse *c, struct slice s, bool references)
{
	uint8_t text[8] = { s.data[0] };
	size_t len = 1, taken = 1;
	if (s.data[0] == 0xC2 && s.len > 1) {
		text[1] = s.data[1];
		taken = len = 2;
	} else if (s.data[0] == '&' && references) {
		taken = html_entity_decode(s, text, &len);
		if (taken == 0) {
			text[0] = '&';
			taken = len = 1;
		}
	}
	if ((len == 1 && kinds[text[0]] == WHITE) || (len == 2 && text[0] == 0xC2 && text[1] == 0xA0))
		*c->pending = true;
	else if (len != 1 || kinds[text[0]] != CONTROL)
		(void)put(c, text, len);
	return taken;
}

int inline_collapse(struct buf *to, size_t from, struct slice source, bool references, bool *pending, bool *lead)
{
	const struct collapse c = { to, from, pending, lead };
	size_t i = 0;
	while (i < source.len) {
		const size_t start = i;
		switch ((enum byte_kind)kinds[source.data[i]]) {
		case PLAIN:
			/* a blank between two plain bytes goes with them */
			i += text_scan_collapsed(slice_skip(source, i));
			while (i < source.len &&
			       (kinds[source.data[i]] == PLAIN ||
				(source.data[i] == ' ' && i + 1 < source.len && kinds[source.data[i + 1]] == PLAIN)))
				i++;
			(void)put(&c, source.data + start, i - start);
			break;
		case WHITE:
			*pending = true;
			i++;
			break;
		case CONTROL:
			i++;
			break;
		default:
			i += put_special(&c, slice_skip(source, i), references);
			break;
		}
	}
	return buf_status(to);
}

/* Returns whether '&' at s[0] begins a parameter of an address, "&copy=1", which is not a reference. */
static bool is_parameter(struct slice s)
{
	size_t i = 1;
	while (i < s.len && (ascii_is_alpha(s.data[i]) || ascii_is_digit(s.data[i])))
		i++;
	return i < s.len && s.data[i] == '=';
}

int inline_decode(struct buf *to, struct slice value)
{
	while (value.len) {
		uint8_t text[8];
		size_t len = slice_until(value, "&"), decoded;
		buf_append(to, value.data, len);
		value = slice_skip(value, len);
		if (value.len == 0)
			break;
		/* most are parameters, and a search for a name that is not one costs much */
		size_t taken = is_parameter(value) ? 0 : html_entity_decode(value, text, &decoded);
		if (taken && value.data[taken - 1] != ';' && taken < value.len &&
		    (value.data[taken] == '=' || ascii_is_alpha(value.data[taken]) ||
		     ascii_is_digit(value.data[taken])))
			taken = 0;
		buf_append(to, taken ? text : value.data, taken ? decoded : 1);
		value = slice_skip(value, taken ? taken : 1);
	}
	return buf_status(to);
}
