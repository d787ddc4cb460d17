/* SPDX-License-Identifier: MIT */
/* In valid JSON brackets are balanced and strings end, so that a walk over the bytes finds where a value ends. */
#include "cli/json_members.h"

static bool is_space(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t skip_space(struct slice s, size_t at)
{
	while (at < s.len && is_space(s.data[at]))
		at++;
	return at;
}

/* After the string that begins at `at`. */
static size_t skip_string(struct slice s, size_t at)
{
	for (at++; at < s.len && s.data[at] != '"'; at++) {
		if (s.data[at] == '\\')
			at++;
	}
	return at < s.len ? at + 1 : s.len;
}

/* After the value that begins at `at`. */
static size_t skip_value(struct slice s, size_t at)
{
	size_t depth = 0;
	while (at < s.len) {
		uint8_t c = s.data[at];
		if (depth == 0 && (c == ',' || c == '}' || c == ']' || is_space(c)))
			break;
		at = c == '"' ? skip_string(s, at) : at + 1;
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
	}
	return at;
}

struct json_members json_members_of(struct slice object)
{
	size_t at = skip_space(object, 0);
	return (struct json_members){ slice_skip(object, at < object.len ? at + 1 : at) };
}

bool json_members_next(struct json_members *m, struct slice *name, struct slice *value)
{
	struct slice s = m->rest;
	size_t begin = skip_space(s, 0);
	if (begin < s.len && s.data[begin] == ',')
		begin = skip_space(s, begin + 1);
	if (begin >= s.len || s.data[begin] != '"')
		return false;
	size_t end = skip_string(s, begin);
	*name = slice_of(s.data + begin, end - begin);
	begin = skip_space(s, skip_space(s, end) + 1); /* after the colon */
	end = begin < s.len ? skip_value(s, begin) : begin;
	*value = slice_of(s.data + begin, end - begin);
	m->rest = slice_skip(s, end);
	return true;
}

int json_append_compact(struct slice json, struct buf *out)
{
	size_t at = skip_space(json, 0);
	while (at < json.len) {
		size_t begin = at;
		while (at < json.len && !is_space(json.data[at]))
			at = json.data[at] == '"' ? skip_string(json, at) : at + 1;
		buf_append(out, json.data + begin, at - begin);
		at = skip_space(json, at);
	}
	return buf_status(out);
}
