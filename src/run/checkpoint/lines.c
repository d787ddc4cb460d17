/* SPDX-License-Identifier: MIT */
#include "run/checkpoint/lines.h"

#include "base/printable.h"

enum { SHOWN = 120 };

/* The next line of *text as its word and value; false at the end. */
static bool next_line(struct slice *text, struct slice *word, struct slice *value)
{
	if (text->len == 0)
		return false;
	const uint8_t *end = memchr(text->data, '\n', text->len);
	struct slice line = slice_first(*text, end ? (size_t)(end - text->data) : text->len);
	const uint8_t *space = line.len ? memchr(line.data, ' ', line.len) : NULL;
	*word = slice_first(line, space ? (size_t)(space - line.data) : line.len);
	*value = slice_skip(line, word->len + 1);
	*text = slice_skip(*text, line.len + 1);
	return true;
}

/* Returns its value; empty if the line is missing, which is the same. */
static struct slice find(struct slice text, struct slice wanted)
{
	struct slice word, value;
	while (next_line(&text, &word, &value)) {
		if (slice_equal(word, wanted))
			return value;
	}
	return slice_of(NULL, 0);
}

static const char *show(struct slice value, char *shown)
{
	return value.len ? printable(value, shown, SHOWN) : "not given";
}

static void put_difference(struct slice word, const char *was, const char *is, struct buf *what)
{
	char name[SHOWN];
	buf_printf(what, "%s was %s, and is %s now", printable(word, name, SHOWN), was, is);
}

bool lines_differ(struct slice then, struct slice now, struct buf *what)
{
	char shown[2][SHOWN];
	struct slice word, was, is, rest = then;
	while (next_line(&rest, &word, &was)) {
		is = find(now, word);
		if (!slice_equal(was, is)) {
			put_difference(word, show(was, shown[0]), show(is, shown[1]), what);
			return true;
		}
	}
	for (rest = now; next_line(&rest, &word, &is);) {
		was = find(then, word);
		if (is.len && was.len == 0) {
			put_difference(word, show(was, shown[0]), show(is, shown[1]), what);
			return true;
		}
	}
	return false;
}

void lines_put(struct buf *out, const char *word, struct slice value)
{
	buf_printf(out, "%s ", word);
	for (size_t i = 0; i < value.len; i++) {
		if (value.data[i] < ' ' || value.data[i] == 0x7f)
			buf_printf(out, "\\x%02x", value.data[i]);
		else
			buf_append_byte(out, value.data[i]);
	}
	buf_append_byte(out, '\n');
}
