/* SPDX-License-Identifier: MIT */
/*
 * Splits a head into named fields without copying: names and values are slices of the text. Only a folded value moves,
 * within the text. Example: "A: one\r\n two\r\n" is the field A with the value "one two": "two" is moved left over the
 * line break and the blank, to stand one blank after "one".
 */
#include "archive/warc/field.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"

int field_list_add(struct field_list *list, struct slice name, struct slice value)
{
	struct field *items = grow_items(list->items, list->len, &list->cap, sizeof(*items));

	if (!items)
		return DANA_ENOMEM;
	list->items = items;
	list->items[list->len++] = (struct field){ name, value };
	return DANA_OK;
}

/*
 * Moves a folded line to the end of the value that it continues. The line break and the blank between them make the
 * room.
 */
static void unfold(struct field *field, uint8_t *text, struct slice line)
{
	struct slice more = slice_trim(line);

	if (more.len == 0)
		return;
	uint8_t *end = text + (field->value.data - text) + field->value.len;

	if (field->value.len) {
		*end++ = ' ';
		field->value.len++;
	}
	memmove(end, more.data, more.len);
	field->value.len += more.len;
}

int field_list_parse(struct field_list *list, uint8_t *text, size_t len, size_t most)
{
	bool may_fold = false; /* the line before was a field */

	for (size_t at = 0; at < len;) {
		const uint8_t *lf = memchr(text + at, '\n', len - at);
		size_t next = lf ? (size_t)(lf - text) + 1 : len;
		struct slice line = slice_of(text + at, next - at);

		at = next;
		if (line.data[0] == ' ' || line.data[0] == '\t') {
			if (may_fold)
				unfold(&list->items[list->len - 1], text, line);
			continue;
		}
		const uint8_t *colon = memchr(line.data, ':', line.len);
		struct slice name = slice_trim(slice_of(line.data, colon ? (size_t)(colon - line.data) : 0));

		may_fold = name.len > 0;
		if (!may_fold)
			continue;
		if (list->len >= most) {
			list->cut = true;
			break;
		}
		size_t skip = (size_t)(colon - line.data) + 1;
		struct slice value = slice_trim(slice_of(line.data + skip, line.len - skip));
		int status = field_list_add(list, name, value);

		if (status < 0)
			return status;
	}
	return DANA_OK;
}

void field_list_clear(struct field_list *list)
{
	list->len = 0;
	list->cut = false;
}

void field_list_free(struct field_list *list)
{
	free(list->items);
	*list = (struct field_list){ 0 };
}

bool field_number(struct slice value, uint64_t *number)
{
	return decimal_number(value, INT64_MAX, number);
}

struct slice field_without_brackets(struct slice value)
{
	if (value.len >= 2 && value.data[0] == '<' && value.data[value.len - 1] == '>')
		return slice_of(value.data + 1, value.len - 2);
	return value;
}
