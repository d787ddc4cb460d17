/* SPDX-License-Identifier: MIT */
#include "extract/html/line_numbers.h"

#include "base/ascii.h"
#include "base/status.h"

enum { DIGITS_MOST = 6 };

void line_numbers_reset(struct line_numbers *n)
{
	buf_clear(&n->places);
	n->tag = 0;
	n->next = 0;
	n->broken = false;
}

/* Returns the number that `text` is, or 0: numbers of lines begin with 1, and rarely with 0. */
static uint32_t number_of(struct slice text)
{
	uint32_t number = 0;
	text = slice_trim(text);
	if (text.len > 1 && strchr(".:|)", text.data[text.len - 1]))
		text = slice_trim(slice_first(text, text.len - 1));
	if (text.len == 0 || text.len > DIGITS_MOST)
		return 0;
	for (size_t i = 0; i < text.len; i++) {
		if (!ascii_is_digit(text.data[i]))
			return 0;
		number = number * 10 + (text.data[i] - '0');
	}
	return number;
}

int line_numbers_close(struct line_numbers *n, enum html_tag tag, struct slice line, size_t at)
{
	const bool open = n->tag == (uint8_t)tag && at > n->begun && at - n->begun <= line.len;
	n->tag = 0;
	if (!open || n->broken)
		return DANA_OK;
	const struct slice before = slice_first(line, line.len - (at - n->begun));
	const uint32_t number = slice_trim(before).len ? 0 : number_of(slice_skip(line, before.len));
	if (number == 0)
		return DANA_OK;
	n->broken = n->places.len && number != n->next;
	n->next = number + 1;
	const struct line_number place = { n->begun - (uint32_t)before.len, (uint32_t)at };
	return buf_append(&n->places, &place, sizeof(place));
}

bool line_numbers_cover(const struct line_numbers *n, struct slice part, size_t at, struct number_walk *walk)
{
	size_t count;
	const struct line_number *all = line_numbers_places(n, &count);
	for (struct slice rest = part; rest.len;) {
		const struct slice line = slice_first(rest, slice_until(rest, "\n"));
		const size_t from = at + (size_t)(line.data - part.data), to = from + line.len, i = walk->next;
		if (i < count && all[i].from >= from && all[i].from < to) {
			walk->alone = all[i].to >= to || slice_trim(slice_skip(line, all[i].to - from)).len == 0;
			walk->code |= !walk->alone;
			walk->next++;
		} else if (slice_trim(line).len) {
			if (!walk->alone)
				return false;
			walk->alone = false;
			walk->code = true;
		}
		rest = slice_skip(rest, line.len + 1);
	}
	return true;
}

bool line_numbers_end(const struct line_numbers *n, const struct number_walk *walk)
{
	size_t count;
	(void)line_numbers_places(n, &count);
	return count > 1 && walk->next == count && (walk->code || n->next - count == 1);
}

bool line_numbers_row(struct slice text, uint32_t *first, uint32_t *last)
{
	for (text = slice_trim(text); text.len; text = slice_trim(text)) {
		size_t len = 0;
		while (len < text.len && !ascii_is_space(text.data[text.len - len - 1]))
			len++;
		const uint32_t number = number_of(slice_skip(text, text.len - len));
		if (number == 0 || (*last && number + 1 != *first))
			return false;
		*first = number;
		*last = *last ? *last : number;
		text.len -= len;
	}
	return true;
}
