/* SPDX-License-Identifier: MIT */
/*
 * A field is looked for from the beginning of its list each time: lists are short, and read once in a run.
 *
 *     dana state 3
 *     ...fields...
 *     sum e3b0c44298fc1c14
 *
 * The sum finds damage, not forgery. A state with the samples of a report has some 40 KB: SHA-256 of it was a tenth of
 * what a small report costs.
 *
 * The version is looked at before the checksum, so that a later version may change everything after it.
 */
#include "run/state_file.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/ascii.h"
#include "base/diagnostics.h"
#include "base/hash.h"

enum { SHOWN = 120, DECIMAL_DIGITS = 20 };

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
static struct slice find_line(struct slice text, struct slice wanted)
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
		is = find_line(now, word);
		if (!slice_equal(was, is)) {
			put_difference(word, show(was, shown[0]), show(is, shown[1]), what);
			return true;
		}
	}
	for (rest = now; next_line(&rest, &word, &is);) {
		was = find_line(then, word);
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

void fields_put(struct buf *list, const char *name, struct slice value)
{
	buf_printf(list, "%s %zu:", name, value.len);
	buf_append(list, value.data, value.len);
	buf_append_byte(list, '\n');
}

void fields_put_text(struct buf *list, const char *name, const char *value)
{
	fields_put(list, name, slice_from_text(value));
}

void fields_put_number(struct buf *list, const char *name, uint64_t value)
{
	char digits[24];
	(void)snprintf(digits, sizeof(digits), "%" PRIu64, value);
	fields_put_text(list, name, digits);
}

void fields_put_numbers(struct buf *list, const char *name, const uint64_t *values, size_t n)
{
	struct buf digits = { 0 };
	char text[DECIMAL_DIGITS + 1];
	for (size_t i = 0; i < n; i++) {
		size_t at = sizeof(text) - 1;
		text[at] = ' ';
		for (uint64_t rest = values[i]; rest || at == sizeof(text) - 1; rest /= 10)
			text[--at] = (char)('0' + rest % 10);
		buf_append(&digits, text + at, sizeof(text) - at);
	}
	fields_put_list(list, name, &digits);
}

void fields_put_members(struct buf *list, const struct field_row *rows, size_t n, const void *object)
{
	for (const struct field_row *row = rows; row < rows + n; row++) {
		const void *at = (const char *)object + row->offset;
		if (row->size >= sizeof(uint64_t))
			fields_put_numbers(list, row->name, at, row->size / sizeof(uint64_t));
		else
			fields_put_number(list, row->name,
					  row->size == sizeof(bool) ? *(const bool *)at : *(const unsigned *)at);
	}
}

void fields_put_list(struct buf *list, const char *name, struct buf *inner)
{
	buf_latch(list, buf_status(inner));
	fields_put(list, name, buf_slice(inner));
	buf_free(inner);
}

bool fields_next(struct fields *rest, struct slice *name, struct slice *value)
{
	const struct slice list = rest->list;
	uint64_t len;
	if (rest->bad || list.len == 0)
		return false;
	const uint8_t *space = memchr(list.data, ' ', list.len);
	*name = slice_first(list, space ? (size_t)(space - list.data) : 0);
	struct slice after = slice_skip(list, name->len + 1);
	size_t digits = decimal_prefix(after, &len);
	after = slice_skip(after, digits);
	rest->bad = name->len == 0 || digits == 0 || after.len < 2 || after.data[0] != ':' || len > after.len - 2 ||
		    after.data[1 + len] != '\n';
	if (rest->bad)
		return false;
	*value = slice_of(after.data + 1, (size_t)len);
	rest->list = slice_skip(after, (size_t)len + 2);
	return true;
}

static bool find(struct fields list, const char *wanted, struct slice *value)
{
	struct slice name;
	while (fields_next(&list, &name, value)) {
		if (slice_equal(name, slice_from_text(wanted)))
			return true;
	}
	return false;
}

bool fields_has(const struct fields *f, const char *name)
{
	struct slice value;
	return find(*f, name, &value);
}

struct slice fields_get(struct fields *f, const char *name)
{
	struct slice value;
	if (find(*f, name, &value))
		return value;
	f->bad = true;
	return slice_of(NULL, 0);
}

uint64_t fields_number_to(struct fields *f, const char *name, uint64_t most)
{
	uint64_t number = 0;
	f->bad |= !decimal_number(fields_get(f, name), most, &number);
	return number;
}

uint64_t fields_number(struct fields *f, const char *name)
{
	return fields_number_to(f, name, UINT64_MAX);
}

void fields_numbers(struct fields *f, const char *name, uint64_t *values, size_t n)
{
	struct slice rest = fields_get(f, name);
	for (size_t i = 0; i < n; i++) {
		size_t digits = decimal_prefix(rest, &values[i]);
		f->bad |= digits == 0 || rest.len == digits || rest.data[digits] != ' ';
		rest = slice_skip(rest, digits + 1);
	}
	f->bad |= rest.len != 0;
}

void fields_members(struct fields *f, const struct field_row *rows, size_t n, void *object)
{
	for (const struct field_row *row = rows; row < rows + n; row++) {
		void *at = (char *)object + row->offset;
		if (row->size >= sizeof(uint64_t))
			fields_numbers(f, row->name, at, row->size / sizeof(uint64_t));
		else if (row->size == sizeof(bool))
			*(bool *)at = fields_flag(f, row->name);
		else
			*(unsigned *)at = (unsigned)fields_number_to(f, row->name, UINT32_MAX);
	}
}

bool fields_flag(struct fields *f, const char *name)
{
	return fields_number_to(f, name, 1) != 0;
}

struct fields fields_list(struct fields *f, const char *name)
{
	struct fields inner = { .list = fields_get(f, name) };
	inner.bad = f->bad;
	return inner;
}

static const char magic[] = "dana state ", sum_name[] = "sum ";

enum { SUM_DIGITS = 16, SUM_LINE = sizeof(sum_name) - 1 + SUM_DIGITS + 1 };

static int put_sum(struct slice content, struct buf *out)
{
	return buf_printf(out, "%s%0*" PRIx64 "\n", sum_name, SUM_DIGITS, hash_sip64(content, 0));
}

int state_encode(struct slice fields, struct buf *state)
{
	buf_clear(state);
	if (buf_reserve(state, sizeof(magic) + fields.len + 2 * SUM_LINE) < 0)
		return DANA_ENOMEM;
	buf_printf(state, "%s%d\n", magic, STATE_VERSION);
	buf_append(state, fields.data, fields.len);
	return put_sum(buf_slice(state), state);
}

int state_decode(struct slice state, struct slice *fields, struct error *err)
{
	const size_t before = sizeof(magic) - 1;
	const bool begins = state.len > before && memcmp(state.data, magic, before) == 0;
	uint64_t version = 0;
	const size_t digits = begins ? decimal_prefix(slice_skip(state, before), &version) : 0;
	const size_t first = before + digits + 1; /* bytes of the line that names the version */
	if (!digits || state.data[before] == '0' || first > state.len || state.data[first - 1] != '\n')
		return error_set(err, DANA_ECONFIG, "is not a state file of dana");
	if (version != STATE_VERSION)
		return error_set(err, DANA_ECONFIG, "is of %s version of dana (form %" PRIu64 "; this one knows %d)",
				 version < STATE_VERSION ? "an older" : "a newer", version, STATE_VERSION);
	if (state.len < first + SUM_LINE)
		return error_set(err, DANA_ECONFIG, "is damaged: it is cut off");
	struct slice content = slice_first(state, state.len - SUM_LINE);
	struct slice last = slice_skip(state, content.len);
	struct buf wanted = { 0 };
	int status = put_sum(content, &wanted);
	if (status == DANA_OK)
		status = slice_equal(buf_slice(&wanted), last);
	buf_free(&wanted);
	int right = status;
	if (right < 0)
		return error_no_memory(err);
	if (!right)
		return error_set(err, DANA_ECONFIG, "is damaged: its checksum is wrong");
	*fields = slice_skip(content, first);
	return DANA_OK;
}
