/* SPDX-License-Identifier: MIT */
/* Values of a valid text: brackets are balanced, strings end, escapes are complete. */
#include "base/json_reader_private.h"
#include "base/utf8.h"

static uint8_t first_byte(const struct json_reader *r, size_t part)
{
	return r->text.data[r->parts[part]];
}

/* Returns the part after the value. */
static size_t skip(const struct json_reader *r, size_t part)
{
	size_t depth = 0;
	do {
		const uint8_t c = first_byte(r, part++);
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
	} while (depth);
	return part;
}

enum json_kind json_kind(struct json_value v)
{
	if (!v.reader)
		return JSON_IS_NOTHING;
	switch (first_byte(v.reader, v.part)) {
	case '"':
		return JSON_IS_STRING;
	case '{':
		return JSON_IS_OBJECT;
	case '[':
		return JSON_IS_ARRAY;
	case 'n':
		return JSON_IS_NULL;
	case 't':
	case 'f':
		return JSON_IS_BOOLEAN;
	default:
		return JSON_IS_NUMBER;
	}
}

struct slice json_written(struct json_value v)
{
	if (!v.reader)
		return slice_of(NULL, 0);
	const struct slice first = json_part(v.reader, v.part);
	const struct slice last = json_part(v.reader, skip(v.reader, v.part) - 1);
	return slice_of(first.data, (size_t)(last.data - first.data) + last.len);
}

int json_append(struct json_value v, struct buf *out)
{
	const size_t end = v.reader ? skip(v.reader, v.part) : 0;
	for (size_t i = v.part; i < end; i++) {
		const struct slice part = json_part(v.reader, i);
		buf_append(out, part.data, part.len);
	}
	return buf_status(out);
}

/* ---- strings ---- */

uint32_t json_character(struct slice *rest)
{
	const uint8_t *at = rest->data;
	uint32_t c;
	if (at[0] == '\\')
		*rest = slice_skip(*rest, (size_t)(json_escape_read(at, at + rest->len, &c) - at));
	else
		*rest = slice_skip(*rest, utf8_decode(*rest, &c));
	return c;
}

int json_characters(struct json_value v, struct buf *space, struct slice *text, bool *repaired)
{
	*text = json_kind(v) == JSON_IS_STRING ? json_inside(json_part(v.reader, v.part)) : slice_of(NULL, 0);
	if (text->len == 0 || !memchr(text->data, '\\', text->len))
		return DANA_OK;
	if (text->data == v.reader->large.data) {
		*text = buf_slice(&v.reader->decoded);
		if (v.reader->repaired)
			*repaired = true;
		return DANA_OK;
	}
	const size_t before = space->len;
	if (buf_reserve(space, text->len) < 0) /* no escape is shorter than its character */
		return DANA_ENOMEM;
	(void)json_escapes_decode(*text, space, repaired);
	*text = slice_skip(buf_slice(space), before);
	return DANA_OK;
}

/* ---- members and items ---- */

struct json_walk json_walk(struct json_value of)
{
	const enum json_kind kind = json_kind(of);
	struct json_walk w = { .reader = of.reader };
	if (kind == JSON_IS_OBJECT || kind == JSON_IS_ARRAY)
		w.next = of.part + 1;
	return w;
}

bool json_walk_next(struct json_walk *w)
{
	const struct json_reader *r = w->reader;
	size_t part = w->next;
	if (part && first_byte(r, part) == ',')
		part++;
	if (!part || first_byte(r, part) == '}' || first_byte(r, part) == ']')
		return false;
	w->name = slice_of(NULL, 0);
	if (first_byte(r, part + 1) == ':') {
		w->name = json_part(r, part);
		part += 2;
	}
	w->value = (struct json_value){ r, (uint32_t)part };
	w->next = skip(r, part);
	return true;
}

bool json_name_is(struct slice name, const char *text)
{
	struct slice rest = json_inside(name);
	if (rest.len && *text && rest.data[0] != (uint8_t)*text && rest.data[0] != '\\')
		return false; /* most names differ in their first character */
	const size_t len = strlen(text);
	if (rest.len <= len || !memchr(rest.data, '\\', rest.len)) /* an escape is longer than its character */
		return slice_equal(rest, slice_of(text, len));
	while (rest.len && *text && json_character(&rest) == (uint8_t)*text)
		text++;
	return rest.len == 0 && *text == '\0';
}

struct json_value json_member(struct json_value object, const char *name)
{
	struct json_value found = { NULL, 0 };
	struct json_walk w = json_walk(object);
	while (json_walk_next(&w)) {
		if (w.name.len && json_name_is(w.name, name))
			found = w.value;
	}
	return found;
}
