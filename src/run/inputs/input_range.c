/* SPDX-License-Identifier: MIT */
#include "run/inputs/input_range.h"

#include <inttypes.h>

#include "base/ascii.h"

/* Takes a number off the front. Returns false if no digits are there, or the number is too large. */
static bool take_number(struct slice *text, uint64_t *number)
{
	const size_t before = text->len;
	*number = 0;
	while (text->len && ascii_is_digit(text->data[0])) {
		const unsigned digit = text->data[0] - '0';
		if (*number > (UINT64_MAX - digit) / 10)
			return false;
		*number = *number * 10 + digit;
		*text = slice_skip(*text, 1);
	}
	return text->len < before;
}

bool input_range_read(struct slice text, struct input_range *range)
{
	struct input_range r = { 0 };
	if (!take_number(&text, &r.begin) || text.len == 0 || text.data[0] != '-')
		return false;
	text = slice_skip(text, 1);
	if (text.len && (!take_number(&text, &r.end) || text.len || r.end <= r.begin))
		return false;
	*range = r;
	return true;
}

int input_range_write(struct input_range range, struct buf *out)
{
	buf_printf(out, "%" PRIu64 "-", range.begin);
	return range.end ? buf_printf(out, "%" PRIu64, range.end) : buf_status(out);
}

bool input_range_cut(struct slice *name, struct input_range *range)
{
	size_t at = name->len;
	while (at > 0 && name->data[at - 1] != '@' && name->data[at - 1] != '/')
		at--;
	if (at < 2 || name->data[at - 1] != '@' || !input_range_read(slice_skip(*name, at), range))
		return false;
	name->len = at - 1;
	return true;
}
