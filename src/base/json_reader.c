/* SPDX-License-Identifier: MIT */
/*
 * Reads JSON: checks a whole text, then returns its values one by one.
 *
 * The parts of a text are found first, by the caller's function or the one here; one pass over them then checks each
 * part and their order. If anything is wrong, the function here finds the parts again, so that messages are the same
 * everywhere.
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/cpu.h"
#include "base/json.h"
#include "base/utf8.h"

enum { JSON_LARGE = 4096 };

/** An array or object that is not closed yet. */
struct json_level {
	uint32_t n_names; /* of the enclosing objects */
	bool object;
};

struct json_reader {
	const struct json_rules *rules;
	struct slice text;
	const uint32_t *parts; /* offsets of the parts */
	size_t n;
	uint32_t *own; /* parts that find_parts has found */
	size_t cap;
	void *state;        /* of rules->find */
	struct slice large; /* the longest string with escapes, of at least JSON_LARGE bytes, */
	struct buf decoded; /* its characters */
	bool repaired;
	unsigned depth;
	struct json_level levels[JSON_DEPTH_MOST];
	struct slice *names; /* of open objects, if they must be unique */
	size_t n_names, cap_names;
};

static inline struct slice json_inside(struct slice string)
{
	return slice_of(string.data + 1, string.len - 2);
}

static inline bool json_is_space(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/** Returns part `i` without the white space after it. */
static inline struct slice json_part(const struct json_reader *r, size_t i)
{
	const size_t begin = r->parts[i];
	size_t end = i + 1 < r->n ? r->parts[i + 1] : r->text.len;
	while (json_is_space(r->text.data[end - 1]))
		end--;
	return slice_of(r->text.data + begin, end - begin);
}

/*
 * Escapes in JSON strings. A string that holds a page has one about every twenty bytes, so 16 bytes are searched at a
 * time.
 */

#ifdef CPU_PATHS_SSE2
#include "base/sse2.h"
#endif

enum { CODE = 6, PAIR = 12 }; /* bytes of \u00e9, \ud83d\ude00 */

/* The character meant by each letter after a backslash; 0 if the letter is not allowed. */
static const uint8_t meant[256] = {
	['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t'
};

/*
 * Returns the first backslash at or after `at`, or `end`. Copies the bytes before it to *out and advances *out, unless
 * `out` is NULL.
 */
static inline const uint8_t *pass_plain(const uint8_t *at, const uint8_t *end, uint8_t **out)
{
#ifdef CPU_PATHS_SSE2
	for (const bool wide = cpu_level() >= CPU_SSE2; wide && end - at >= 16; at += 16) {
		__m128i v;
		memcpy(&v, at, sizeof(v));
		if (out)
			memcpy(*out, &v, sizeof(v));
		const unsigned found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
		const unsigned n = found ? (unsigned)__builtin_ctz(found) : 16;
		if (out)
			*out += n;
		if (found)
			return at + n;
	}
#endif
	const uint8_t *found = memchr(at, '\\', (size_t)(end - at));
	if (!found)
		found = end;
	if (out) {
		memcpy(*out, at, (size_t)(found - at));
		*out += found - at;
	}
	return found;
}

/* True if four hex digits follow; the quote at the end of the string stops the check. */
static bool are_hex(const uint8_t *at)
{
	return ascii_is_hex(at[0]) && ascii_is_hex(at[1]) && ascii_is_hex(at[2]) && ascii_is_hex(at[3]);
}

static uint32_t four_digits(const uint8_t *at)
{
	uint32_t c = 0;
	for (int i = 0; i < 4; i++)
		c = c << 4 | (uint32_t)ascii_hex(at[i]);
	return c;
}

static bool is_surrogate(uint32_t c, uint32_t first)
{
	return (c & 0xfffffc00) == first;
}

/**
 * Stores the character, or half of a surrogate pair, of the escape at `at`. Returns the place after it, or NULL if it
 * is not valid.
 */
static const uint8_t *json_escape_read(const uint8_t *at, const uint8_t *end, uint32_t *c)
{
	*c = meant[at[1]];
	if (at[1] != 'u')
		return *c ? at + 2 : NULL;
	if (!are_hex(at + 2))
		return NULL;
	*c = four_digits(at + 2);
	if (!is_surrogate(*c, 0xd800) || end - at < PAIR || at[CODE] != '\\' || at[CODE + 1] != 'u' ||
	    !are_hex(at + CODE + 2))
		return at + CODE;
	const uint32_t low = four_digits(at + CODE + 2);
	if (!is_surrogate(low, 0xdc00))
		return at + CODE;
	*c = 0x10000 + ((*c & 0x3ff) << 10) + (low & 0x3ff);
	return at + PAIR;
}

/* Inline, so that the compiler makes one loop that writes and one that only checks. */
static inline bool pass_all(const uint8_t *at, const uint8_t *end, uint8_t **out, bool *repaired)
{
	while ((at = pass_plain(at, end, out)) < end) {
		uint32_t c = meant[at[1]];
		if (c) {
			at += 2;
			if (out)
				*(*out)++ = (uint8_t)c;
			continue;
		}
		at = json_escape_read(at, end, &c);
		if (!at)
			return false;
		if (!out)
			continue;
		if (is_surrogate(c, 0xd800) || is_surrogate(c, 0xdc00))
			*repaired = true;
		*out += utf8_put(c, *out); /* U+FFFD for these */
	}
	return true;
}

/* These two take the inside of a string, which a quote follows. This one returns whether all escapes are valid. */
static bool json_escapes_are_good(struct slice s)
{
	return pass_all(s.data, s.data + s.len, NULL, NULL);
}

/**
 * Appends the characters, for which `out` has s.len bytes of room. `repaired` as in json_characters. Returns false if
 * an escape is not valid.
 */
static bool json_escapes_decode(struct slice s, struct buf *out, bool *repaired)
{
	uint8_t *at = out->data + out->len;
	const bool good = pass_all(s.data, s.data + s.len, &at, repaired);
	out->len = (size_t)(at - out->data);
	return good;
}

/* Values of a valid text: brackets are balanced, strings end, escapes are complete. */

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

static uint32_t json_character(struct slice *rest)
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

int json_string_decode(struct slice written, struct buf *out)
{
	const struct slice inside = json_inside(written);
	bool repaired;
	if (buf_reserve(out, inside.len) < 0)
		return DANA_ENOMEM;
	(void)json_escapes_decode(inside, out, &repaired);
	return buf_status(out);
}

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

static int find_parts(struct json_reader *r, struct slice text, struct error *err)
{
	size_t end = 0, depth = 0;
	r->n = 0;
	r->own = unless_large(r->own, &r->cap);
	for (size_t at = 0; at < text.len; at = end) {
		const uint8_t c = text.data[at], class = class_of[c];
		end = at + 1;
		while (class == RUN && end < text.len && class_of[text.data[end]] == RUN)
			end++;
		if (class == QUOTE) {
			for (; end < text.len && text.data[end] != '"'; end++) {
				if (text.data[end] < 0x20)
					end = text.len;
				else
					end += text.data[end] == '\\';
			}
			end++; /* beyond the text where the string does not end */
		}
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

static bool scalar_is_good(struct json_reader *r, struct slice s)
{
	static const char *const words[] = { "true", "false", "null" };
	if (s.data[0] == '"')
		return string_is_good(r, s);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (slice_equal(s, slice_from_text(words[i])))
			return true;
	}
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

static enum state value(struct json_reader *r, struct slice part)
{
	const uint8_t c = part.data[0];
	if (c == '{' || c == '[') {
		const bool object = c == '{';
		if (r->depth == r->rules->depth_most)
			return BAD;
		r->levels[r->depth++] = (struct json_level){ (uint32_t)r->n_names, object };
		return FIRST;
	}
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

/* One character may be written in several ways. */
static int compare(const void *left, const void *right)
{
	struct slice a = *(const struct slice *)left, b = *(const struct slice *)right;
	while (a.len && b.len) {
		const uint32_t x = json_character(&a), y = json_character(&b);
		if (x != y)
			return x < y ? -1 : 1;
	}
	return (a.len > 0) - (b.len > 0);
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
		if (!r->rules->unique_names)
			continue;
		if (next == COLON) {
			struct slice *names = grow_items(r->names, r->n_names, &r->cap_names, sizeof(*names));
			if (!names)
				return error_no_memory(err);
			r->names = names;
			names[r->n_names++] = json_inside(part);
		} else if (part.data[0] == '}') {
			/* sorting an object's names brings duplicates together, so no names make this slow */
			const size_t first = r->levels[r->depth].n_names, n = r->n_names - first;
			struct slice *names = r->names + first;
			r->n_names = first;
			if (n > 1)
				qsort(names, n, sizeof(*names), compare);
			for (size_t k = 1; k < n; k++) {
				if (compare(&names[k - 1], &names[k]) != 0)
					continue;
				const uint8_t *twice =
					names[k - 1].data > names[k].data ? names[k - 1].data : names[k].data;
				return fault(err, (size_t)(twice - r->text.data) - 1, "duplicate object key");
			}
		}
	}
	if (status == DANA_OK && (state != AFTER || r->depth))
		return fault(err, r->text.len, expected(r, state, slice_of(NULL, 0)));
	return status;
}

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
