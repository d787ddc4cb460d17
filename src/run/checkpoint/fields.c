/* SPDX-License-Identifier: MIT */
/* A field is looked for from the beginning of its list each time: lists are short, and read once in a run. */
#include "run/checkpoint/fields.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/decimal.h"

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
	for (size_t i = 0; i < n; i++)
		buf_printf(&digits, "%" PRIu64 " ", values[i]);
	fields_put_list(list, name, &digits);
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
