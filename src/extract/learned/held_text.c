/* SPDX-License-Identifier: MIT */
#include "extract/learned/held_text.h"

#include <string.h>

#include "base/ascii.h"
#include "base/json_reader.h"
#include "base/status.h"

void held_text_reset(struct held_text *h)
{
	buf_shrink(&h->templates, HELD_ROOM);
	buf_shrink(&h->data, HELD_ROOM);
	h->last = 0;
}

void held_text_free(struct held_text *h)
{
	buf_free(&h->templates);
	buf_free(&h->data);
}

/* Returns the first place of two bytes, or NULL. */
static const uint8_t *find_two(struct slice s, const char two[static 2])
{
	for (const uint8_t *p = s.data, *end = s.data + s.len; p < end; p++) {
		p = memchr(p, two[0], (size_t)(end - p));
		if (!p || end - p < 2)
			return NULL;
		if (p[1] == (uint8_t)two[1])
			return p;
	}
	return NULL;
}

/* Drops the last template if it waits for values. */
static void check_last(struct held_text *h)
{
	struct slice last = slice_skip(buf_slice(&h->templates), h->last);
	if (last.len && (find_two(last, "{{") || find_two(last, "<%") || find_two(last, "${")))
		h->templates.len = h->last;
	h->last = h->templates.len;
}

int held_text_add(struct held_text *h, enum script_kind kind, struct slice bytes, bool first)
{
	struct buf *to = kind == SCRIPT_TEMPLATE ? &h->templates : &h->data;
	if (kind == SCRIPT_TEMPLATE && first)
		check_last(h);
	size_t room = HELD_MOST - to->len;
	return buf_append(to, bytes.data, bytes.len < room ? bytes.len : room);
}

struct slice held_text_templates(struct held_text *h)
{
	check_last(h);
	return buf_slice(&h->templates);
}

/* Returns the string that a JSON text begins with, in its quotes; empty if it begins with something else. */
static struct slice string_at(struct slice s)
{
	if (s.len == 0 || s.data[0] != '"')
		return slice_of(s.data, 0);
	for (size_t i = 1; i < s.len; i++) {
		if (s.data[i] == '\\')
			i++;
		else if (s.data[i] == '"')
			return slice_of(s.data, i + 1);
	}
	return slice_of(s.data, 0);
}

static struct slice skip_space(struct slice s)
{
	while (s.len && ascii_is_space(s.data[0]))
		s = slice_skip(s, 1);
	return s;
}

/* Appends the characters of a string as paragraphs. A string that is not valid JSON is passed over. */
static int add_body(struct json_reader *reader, struct slice string, struct buf *html)
{
	struct json_value value;
	struct error err = { 0 };
	struct buf space = { 0 };
	struct slice text;
	bool repaired = false;
	int status = json_read(reader, string, &value, &err);
	if (status == DANA_EFORMAT)
		return DANA_OK;
	if (status == DANA_OK)
		status = json_characters(value, &space, &text, &repaired);
	while (status == DANA_OK && text.len) {
		const uint8_t *end = memchr(text.data, '\n', text.len);
		size_t len = end ? (size_t)(end - text.data) : text.len;
		status = buf_append_text(html, "<p>");
		if (status == DANA_OK)
			status = buf_append(html, text.data, len);
		text = slice_skip(text, len + (end != NULL));
	}
	buf_free(&space);
	return status;
}

int held_text_bodies(const struct held_text *h, struct buf *html)
{
	static const char name[] = "\"articleBody\"";
	static const struct json_rules rules = { .depth_most = 1 };
	struct slice rest = buf_slice(&h->data);
	struct json_reader *reader = json_reader_new(&rules);
	int status = reader ? DANA_OK : DANA_ENOMEM;
	while (status == DANA_OK) {
		const uint8_t *at = memchr(rest.data, '"', rest.len);
		if (!at)
			break;
		rest = slice_skip(rest, (size_t)(at - rest.data));
		struct slice string = string_at(rest);
		if (string.len == 0)
			break;
		rest = slice_skip(rest, string.len);
		struct slice value = skip_space(rest);
		if (!slice_is(string, name) || value.len == 0 || value.data[0] != ':')
			continue;
		string = string_at(skip_space(slice_skip(value, 1)));
		if (string.len) {
			rest = slice_skip(rest, (size_t)(string.data + string.len - rest.data));
			status = add_body(reader, string, html);
		}
	}
	json_reader_free(reader);
	return status;
}
