/* SPDX-License-Identifier: MIT */
/*
 * One loop over the values: after each of them, what may follow depends on the innermost array or object, whose kinds are the
 * bits of `objects`, one for each level.
 */
#include "base/json_check.h"

#include "base/ascii.h"
#include "base/utf8.h"

struct reader {
	struct slice rest;
	uint64_t objects; /* the innermost level is bit 0 */
	unsigned depth;
};

static void skip_space(struct reader *r)
{
	while (r->rest.len && (r->rest.data[0] == ' ' || r->rest.data[0] == '\t'))
		r->rest = slice_skip(r->rest, 1);
}

/* Takes `c` off, with the blanks around it. */
static bool take(struct reader *r, uint8_t c)
{
	skip_space(r);
	if (r->rest.len == 0 || r->rest.data[0] != c)
		return false;
	r->rest = slice_skip(r->rest, 1);
	skip_space(r);
	return true;
}

static bool take_word(struct reader *r, const char *word)
{
	const size_t len = strlen(word);
	if (!slice_equal(slice_first(r->rest, len), slice_from_text(word)))
		return false;
	r->rest = slice_skip(r->rest, len);
	return true;
}

/* Bytes of the escape at the front, which begins with a backslash; 0 if it is not valid. */
static size_t escape_len(struct slice s)
{
	if (s.len >= 2 && s.data[1] != 0 && strchr("\"\\/bfnrt", s.data[1]))
		return 2;
	if (s.len < 6 || s.data[1] != 'u')
		return 0;
	for (size_t i = 2; i < 6; i++) {
		if (!ascii_is_hex(s.data[i]))
			return 0;
	}
	return 6;
}

static bool string(struct reader *r)
{
	struct slice s = slice_skip(r->rest, 1);
	while (s.len && s.data[0] != '"') {
		const size_t n = s.data[0] == '\\' ? escape_len(s) : s.data[0] >= 0x20;
		if (n == 0)
			return false;
		s = slice_skip(s, n);
	}
	r->rest = slice_skip(s, 1);
	return s.len > 0;
}

static size_t digits(struct slice s)
{
	size_t n = 0;
	while (n < s.len && ascii_is_digit(s.data[n]))
		n++;
	return n;
}

static bool number(struct reader *r)
{
	struct slice s = slice_skip(r->rest, r->rest.data[0] == '-');
	size_t n = digits(s);
	if (n == 0 || (n > 1 && s.data[0] == '0'))
		return false;
	s = slice_skip(s, n);
	if (s.len && s.data[0] == '.') {
		n = digits(slice_skip(s, 1));
		if (n == 0)
			return false;
		s = slice_skip(s, n + 1);
	}
	if (s.len && (s.data[0] | 0x20) == 'e') {
		s = slice_skip(s, 1);
		s = slice_skip(s, s.len && (s.data[0] == '-' || s.data[0] == '+'));
		n = digits(s);
		if (n == 0)
			return false;
		s = slice_skip(s, n);
	}
	r->rest = s;
	return true;
}

static bool scalar(struct reader *r)
{
	if (r->rest.len == 0)
		return false;
	if (r->rest.data[0] == '"')
		return string(r);
	return take_word(r, "true") || take_word(r, "false") || take_word(r, "null") || number(r);
}

static bool key(struct reader *r)
{
	return r->rest.len && r->rest.data[0] == '"' && string(r) && take(r, ':');
}

static bool is_object(const struct reader *r)
{
	return r->objects & 1;
}

/* Opens arrays and objects up to a value that is neither, or an empty one. */
static bool value(struct reader *r)
{
	for (;;) {
		const bool object = take(r, '{');
		if (!object && !take(r, '['))
			return scalar(r);
		if (r->depth++ == JSON_DEPTH_MOST)
			return false;
		r->objects = r->objects << 1 | object;
		if (r->rest.len && r->rest.data[0] == (object ? '}' : ']'))
			return true; /* closed by the caller */
		if (object && !key(r))
			return false;
	}
}

/* Closes what ends here; true: another value must follow. */
static bool close_levels(struct reader *r, bool *good)
{
	while (r->depth) {
		if (take(r, ',')) {
			*good = !is_object(r) || key(r);
			return *good;
		}
		if (!take(r, is_object(r) ? '}' : ']')) {
			*good = false;
			return false;
		}
		r->objects >>= 1;
		r->depth--;
	}
	return false;
}

bool json_check(struct slice json)
{
	struct reader r = { .rest = json };
	bool good = utf8_valid_prefix(json) == json.len;
	skip_space(&r);
	while (good && (good = value(&r)) && close_levels(&r, &good))
		;
	skip_space(&r);
	return good && r.rest.len == 0;
}
