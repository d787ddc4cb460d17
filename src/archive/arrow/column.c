/* SPDX-License-Identifier: MIT */
/* Values are appended to growing buffers; the bits of nulls begin with the first row that is null. */
#include "archive/arrow/column.h"

#include <stdlib.h>

#include "base/status.h"
#include "base/utf8.h"

enum { MOST_OF_A_BYTE = 3 }; /* U+FFFD in place of one */

int column_init(struct column *c, const struct column_type *type)
{
	*c = (struct column){ .type = type };
	if (type->n_children == 0)
		return DANA_OK;
	c->children = calloc(type->n_children, sizeof(*c->children));
	int status = c->children ? DANA_OK : DANA_ENOMEM;
	for (size_t i = 0; i < type->n_children && status == DANA_OK; i++)
		status = column_init(&c->children[i], &type->children[i]);
	return status;
}

/* Appends bit number `at`; all before it are there. */
static void add_bit(struct buf *bits, int64_t at, bool value)
{
	if (at % 8 == 0)
		buf_append_byte(bits, 0);
	if (value && !bits->failed)
		bits->data[at / 8] |= (uint8_t)(1u << at % 8);
}

/* Ends a row. */
static void end_row(struct column *c, bool valid)
{
	if (!valid && c->nulls == 0) {
		for (int64_t i = 0; i < c->rows; i++)
			add_bit(&c->valid, i, true);
	}
	c->nulls += !valid;
	if (c->nulls)
		add_bit(&c->valid, c->rows, valid);
	c->rows++;
}

static void add_end(struct buf *ends, size_t end)
{
	const int32_t first = 0, offset = (int32_t)end;
	if (ends->len == 0)
		buf_append(ends, &first, sizeof(first));
	buf_append(ends, &offset, sizeof(offset));
}

static bool has_room(struct column *c, size_t more)
{
	c->full |= more > INT32_MAX - c->values.len;
	return !c->full;
}

/* Heads of records may hold any bytes; Arrow's texts are UTF-8. */
static void append_well_formed(struct buf *to, struct slice text)
{
	uint8_t replaced[4];
	uint32_t c;
	while (text.len) {
		const size_t good = utf8_valid_prefix(text);
		buf_append(to, text.data, good);
		text = slice_skip(text, good);
		if (text.len == 0)
			break;
		text = slice_skip(text, utf8_decode(text, &c));
		buf_append(to, replaced, utf8_put(c, replaced));
	}
}

/* Appends where the row ends that is a list. */
static void add_list_end(struct column *c)
{
	c->full |= c->children[0].rows > INT32_MAX;
	add_end(&c->ends, (size_t)c->children[0].rows);
}

void column_end(struct column *c)
{
	if (c->type->kind == COLUMN_LIST)
		add_list_end(c);
	end_row(c, true);
}

void column_add_null(struct column *c)
{
	const uint64_t zero = 0;
	if (c->type->kind == COLUMN_TEXT)
		add_end(&c->ends, c->values.len);
	else if (c->type->kind == COLUMN_LIST)
		add_list_end(c);
	else if (c->type->kind == COLUMN_BOOLEAN)
		add_bit(&c->values, c->rows, false);
	else
		buf_append(&c->values, &zero, sizeof(zero));
	end_row(c, false);
}

void column_add_text(struct column *c, struct slice text)
{
	if (!text.data) {
		column_add_null(c);
		return;
	}
	const size_t good = utf8_valid_prefix(text);
	if (!has_room(c, good + (text.len - good) * MOST_OF_A_BYTE))
		return;
	append_well_formed(&c->values, text);
	add_end(&c->ends, c->values.len);
	end_row(c, true);
}

void column_add_integer(struct column *c, int64_t value, bool known)
{
	if (!known)
		value = 0;
	buf_append(&c->values, &value, sizeof(value));
	end_row(c, known);
}

void column_add_real(struct column *c, double value, bool known)
{
	if (!known)
		value = 0;
	buf_append(&c->values, &value, sizeof(value));
	end_row(c, known);
}

void column_add_boolean(struct column *c, bool value)
{
	add_bit(&c->values, c->rows, value);
	end_row(c, true);
}

void column_add_words(struct column *c, unsigned set, unsigned n, const char *(*word)(unsigned))
{
	for (unsigned i = 0; i < n; i++) {
		if (set >> i & 1)
			column_add_text(&c->children[0], slice_from_text(word(i)));
	}
	column_end(c);
}

int column_status(const struct column *c)
{
	const struct buf *const parts[] = { &c->values, &c->ends, &c->valid };
	int status = c->full ? DANA_ELIMIT : DANA_OK;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (buf_status(parts[i]) < 0)
			return DANA_ENOMEM;
	}
	for (size_t i = 0; i < c->type->n_children && status == DANA_OK; i++)
		status = column_status(&c->children[i]);
	return status;
}

size_t column_bytes(const struct column *c)
{
	size_t bytes = c->values.len + c->ends.len;
	for (size_t i = 0; i < c->type->n_children; i++)
		bytes += column_bytes(&c->children[i]);
	return bytes;
}

void column_clear(struct column *c)
{
	buf_clear(&c->values);
	buf_clear(&c->ends);
	buf_clear(&c->valid);
	c->rows = c->nulls = 0;
	c->full = false;
	for (size_t i = 0; i < c->type->n_children; i++)
		column_clear(&c->children[i]);
}

void column_free(struct column *c)
{
	buf_free(&c->values);
	buf_free(&c->ends);
	buf_free(&c->valid);
	for (size_t i = 0; c->children && i < c->type->n_children; i++)
		column_free(&c->children[i]);
	free(c->children);
	*c = (struct column){ 0 };
}
