/* SPDX-License-Identifier: MIT */
/*
 * The parts of a text are found first, by the caller's function or the one here; one pass over them then checks each
 * part and their order. If anything is wrong, the function here finds the parts again, so that messages are the same
 * everywhere.
 */
#include "base/json_reader.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/grow.h"
#include "base/json_reader_private.h"
#include "base/utf8.h"

/* ---- parts ---- */

enum { KEEP = 4 << 20 }; /* items of room kept for the next text */
enum { RUN, SPACE, MARK, QUOTE };

static const uint8_t class_of[256] = {
	[' '] = SPACE, ['\t'] = SPACE, ['\n'] = SPACE, ['\r'] = SPACE, ['{'] = MARK,  ['}'] = MARK,
	['['] = MARK,  [']'] = MARK,   [','] = MARK,   [':'] = MARK,   ['"'] = QUOTE,
};

static int fault(struct error *err, size_t at, const char *what)
{
	return error_set(err, DANA_EFORMAT, "byte %zu: %s", at, what);
}

static void *unless_large(void *items, size_t *cap)
{
	if (*cap <= KEEP)
		return items;
	free(items);
	*cap = 0;
	return NULL;
}

/* Returns the index after the string that begins at `at`; the text's length + 1 if the string does not end. */
static size_t string_end(struct slice text, size_t at)
{
	for (at++; at < text.len && text.data[at] != '"'; at++) {
		if (text.data[at] < 0x20)
			return text.len + 1;
		at += text.data[at] == '\\';
	}
	return at + 1;
}

static size_t run_end(struct slice text, size_t at)
{
	while (at < text.len && class_of[text.data[at]] == RUN)
		at++;
	return at;
}

static int find_parts(struct json_reader *r, struct slice text, struct error *err)
{
	size_t end = 0, depth = 0;
	r->n = 0;
	r->own = unless_large(r->own, &r->cap);
	for (size_t at = 0; at < text.len; at = end) {
		const uint8_t c = text.data[at], class = class_of[c];
		end = class == QUOTE ? string_end(text, at) : class == RUN ? run_end(text, at) : at + 1;
		if (end > text.len)
			return fault(err, at, "a string that does not end, or holds a control character");
		if (class == SPACE)
			continue;
		uint32_t *more = grow_items(r->own, r->n, &r->cap, sizeof(*more));
		if (!more)
			return error_no_memory(err);
		r->own = more;
		more[r->n++] = (uint32_t)at;
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		if (depth > r->rules->depth_most || (r->rules->first_only && depth == 0))
			text = slice_first(text, end); /* ignore what follows */
	}
	r->parts = r->own;
	r->text = text;
	end = utf8_valid_prefix(text);
	return end < text.len ? fault(err, end, "not UTF-8") : DANA_OK;
}

/* ---- strings, numbers, words ---- */

/* A large string is a page, whose characters the caller will want: the check also decodes them. */
static bool string_is_good(struct json_reader *r, struct slice string)
{
	const struct slice s = json_inside(string);
	if (s.len < JSON_LARGE || s.len <= r->large.len || !memchr(s.data, '\\', s.len))
		return json_escapes_are_good(s);
	r->large = slice_of(NULL, 0);
	r->repaired = false;
	buf_shrink(&r->decoded, KEEP);
	if (buf_reserve(&r->decoded, s.len) < 0)
		return json_escapes_are_good(s);
	r->large = s;
	return json_escapes_decode(s, &r->decoded, &r->repaired);
}

/* Returns the index after the digits at `at`, or 0 if there is no digit. */
static size_t digits_end(struct slice s, size_t at)
{
	const size_t begin = at;
	while (at < s.len && ascii_is_digit(s.data[at]))
		at++;
	return at > begin ? at : 0;
}

static bool number_is_good(struct slice s)
{
	const size_t minus = s.data[0] == '-';
	size_t at = digits_end(s, minus);
	if (at > minus + 1 && s.data[minus] == '0')
		return false;
	if (at && at < s.len && s.data[at] == '.')
		at = digits_end(s, at + 1);
	if (at && at < s.len && (s.data[at] | 0x20) == 'e') {
		const bool has_sign = at + 1 < s.len && (s.data[at + 1] == '-' || s.data[at + 1] == '+');
		at = digits_end(s, at + 1 + has_sign);
	}
	return at == s.len;
}

static bool scalar_is_good(struct json_reader *r, struct slice s)
{
	static const char *const words[] = { "true", "false", "null" };
	if (s.data[0] == '"')
		return string_is_good(r, s);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (slice_equal(s, slice_from_text(words[i])))
			return true;
	}
	return number_is_good(s);
}

/* ---- the order of parts ---- */

enum state {
	FIRST, /* after an opening bracket */
	ITEM,  /* after a comma, or at the beginning */
	COLON,
	VALUE, /* after a colon */
	AFTER, /* after a value */
	BAD
};

static bool in_object(const struct json_reader *r)
{
	return r->depth && r->levels[r->depth - 1].object;
}

static enum state open_level(struct json_reader *r, bool object)
{
	if (r->depth == r->rules->depth_most)
		return BAD;
	r->levels[r->depth++] = (struct json_level){ (uint32_t)r->n_names, object };
	return FIRST;
}

static enum state value(struct json_reader *r, struct slice part)
{
	const uint8_t c = part.data[0];
	if (c == '{' || c == '[')
		return open_level(r, c == '{');
	return scalar_is_good(r, part) ? AFTER : BAD;
}

static enum state close_level(struct json_reader *r, uint8_t c)
{
	if (r->depth == 0 || c != (in_object(r) ? '}' : ']'))
		return BAD;
	r->depth--;
	return AFTER;
}

static enum state follow(struct json_reader *r, enum state state, struct slice part)
{
	const uint8_t c = part.data[0];
	if (state == FIRST && (c == '}' || c == ']'))
		return close_level(r, c);
	if ((state == FIRST || state == ITEM) && in_object(r))
		return c == '"' && string_is_good(r, part) ? COLON : BAD;
	switch (state) {
	case FIRST:
	case ITEM:
	case VALUE:
		return value(r, part);
	case COLON:
		return c == ':' ? VALUE : BAD;
	default:
		return c == ',' && r->depth ? ITEM : close_level(r, c);
	}
}

/* Returns the message for `part`, which may not follow `state`: what would be right. */
static const char *expected(const struct json_reader *r, enum state state, struct slice part)
{
	const uint8_t c = part.len ? part.data[0] : 0;
	const bool name = in_object(r) && (state == FIRST || state == ITEM);
	if (c == '"' && !json_escapes_are_good(json_inside(part)))
		return "a string with an escape that is not valid";
	if (state == AFTER)
		return r->depth == 0  ? "expected nothing more"
		       : in_object(r) ? "expected ',' or '}'"
				      : "expected ',' or ']'";
	if (state == COLON || name)
		return name ? "expected a name in quotes" : "expected ':'";
	return c == '{' || c == '[' ? "too many arrays and objects in each other" : "expected a value";
}

static int note_names(struct json_reader *r, enum state state, struct slice part, struct error *err)
{
	if (state == COLON)
		return json_names_add(r, part) < 0 ? error_no_memory(err) : DANA_OK;
	if (part.data[0] != '}')
		return DANA_OK;
	const uint8_t *twice = json_names_end(r, r->levels[r->depth].n_names);
	return twice ? fault(err, (size_t)(twice - r->text.data) - 1, "duplicate object key") : DANA_OK;
}

static int look_through(struct json_reader *r, struct error *err)
{
	enum state state = ITEM, next;
	int status = DANA_OK;
	r->depth = 0;
	r->n_names = 0;
	r->names = unless_large(r->names, &r->cap_names);
	r->large = slice_of(NULL, 0);
	for (size_t i = 0; i < r->n && status == DANA_OK; i++, state = next) {
		const struct slice part = json_part(r, i);
		next = follow(r, state, part);
		if (next == BAD)
			return fault(err, r->parts[i], expected(r, state, part));
		if (r->rules->unique_names)
			status = note_names(r, next, part, err);
	}
	if (status == DANA_OK && (state != AFTER || r->depth))
		return fault(err, r->text.len, expected(r, state, slice_of(NULL, 0)));
	return status;
}

/* ---- the reader ---- */

struct json_reader *json_reader_new(const struct json_rules *rules)
{
	struct json_reader *r = calloc(1, sizeof(*r));
	if (r)
		r->rules = rules;
	return r;
}

int json_read(struct json_reader *r, struct slice text, struct json_value *root, struct error *err)
{
	int status = DANA_EFORMAT;
	*root = (struct json_value){ NULL, 0 };
	if (text.len >= UINT32_MAX)
		return error_set(err, DANA_EFORMAT, "longer than 4 GiB");
	r->text = text;
	if (r->rules->find && text.len)
		status = r->rules->find(&r->state, text.data, text.len, &r->parts, &r->n);
	if (status == DANA_OK)
		status = look_through(r, NULL);
	if (status == DANA_ENOMEM)
		return error_no_memory(err);
	if (status < 0) {
		status = find_parts(r, text, err);
		if (status == DANA_OK)
			status = look_through(r, err);
	}
	if (status == DANA_OK)
		root->reader = r;
	return status;
}

void json_reader_free(struct json_reader *r)
{
	if (!r)
		return;
	if (r->state)
		r->rules->end(&r->state);
	buf_free(&r->decoded);
	free(r->own);
	free(r->names);
	free(r);
}
