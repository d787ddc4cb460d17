/* SPDX-License-Identifier: MIT */
/*
 * Values are appended to growing buffers; the bits of nulls begin with the first row that is null.
 */
#include "archive/column.h"

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

/*
 * Each array owns its memory: what a buffer had grown is passed on as it is. Arrow wants a first offset also where
 * there is no row, and a pointer where there is no byte.
 */

/* What an array holds: its buffers, and the arrays of its children. */
struct owned {
	void *memory[3];
	const void *buffers[3];
	size_t n;
	struct ArrowArray **children;
	struct ArrowArray child[];
};

/* A child that was moved out of its parent has no release any more. */
static void release(struct ArrowArray *array)
{
	struct owned *o = array->private_data;
	for (size_t i = 0; i < o->n; i++) {
		if (o->child[i].release)
			o->child[i].release(&o->child[i]);
	}
	for (size_t i = 0; i < sizeof(o->memory) / sizeof(*o->memory); i++)
		free(o->memory[i]);
	free(o->children);
	free(o);
	array->release = NULL;
}

static struct owned *make(size_t n)
{
	struct owned *o = calloc(1, sizeof(*o) + n * sizeof(o->child[0]));
	if (!o)
		return NULL;
	o->n = n;
	o->children = calloc(n + 1, sizeof(*o->children));
	for (size_t i = 0; i < n && o->children; i++)
		o->children[i] = &o->child[i];
	if (o->children)
		return o;
	free(o);
	return NULL;
}

static void give(struct owned *o, size_t i, struct buf *from)
{
	static const int32_t zero = 0;
	o->memory[i] = from->data;
	o->buffers[i] = from->data ? (const void *)from->data : (const void *)&zero;
	*from = (struct buf){ 0 };
}

/* Returns how many buffers an array of that kind has. */
static int64_t give_all(struct owned *o, struct column *c)
{
	give(o, 0, &c->valid);
	if (c->nulls == 0)
		o->buffers[0] = NULL;
	switch (c->type->kind) {
	case COLUMN_TEXT:
		give(o, 1, &c->ends);
		give(o, 2, &c->values);
		return 3;
	case COLUMN_LIST:
		give(o, 1, &c->ends);
		return 2;
	case COLUMN_STRUCT:
		return 1;
	case COLUMN_INTEGER:
	case COLUMN_REAL:
	case COLUMN_BOOLEAN:
	default:
		give(o, 1, &c->values);
		return 2;
	}
}

int column_export(struct column *c, struct ArrowArray *out)
{
	const size_t n = c->type->n_children;
	struct owned *o = make(n);
	int status = o ? DANA_OK : DANA_ENOMEM;
	if (status < 0)
		return status;
	*out = (struct ArrowArray){ .length = c->rows,
				    .null_count = c->nulls,
				    .n_buffers = give_all(o, c),
				    .n_children = (int64_t)n,
				    .buffers = o->buffers,
				    .children = o->children,
				    .release = release,
				    .private_data = o };
	for (size_t i = 0; i < n && status == DANA_OK; i++)
		status = column_export(&c->children[i], &o->child[i]);
	if (status < 0)
		release(out);
	else
		column_clear(c);
	return status;
}

/* The layouts are those of Arrow's columnar format: "z" and "u", "Z" and "U" (large), "vz" and "vu" (views). */

/* A view: short bytes stand in it, others in one of the buffers. */
struct view {
	int32_t len;
	union {
		uint8_t bytes[12];
		struct {
			uint8_t prefix[4];
			int32_t buffer, offset;
		} far;
	} at;
};

int input_column_open(struct input_column *c, const struct ArrowSchema *schema, const struct ArrowArray *array,
		      struct error *err)
{
	const char *format = schema->format;
	const size_t is_view = *format == 'v';
	const char kind = format[is_view];
	*c = (struct input_column){ .array = array,
				    .is_text = kind == 'u' || kind == 'U',
				    .layout = (char)(is_view       ? 'v'
						     : kind == 'u' ? 'z'
						     : kind == 'U' ? 'Z'
								   : kind) };
	const bool known = kind && strchr(is_view ? "zu" : "zuZU", kind) && format[is_view + 1] == '\0';
	if (known && !schema->dictionary)
		return DANA_OK;
	return error_set(
		err, DANA_ECONFIG,
		"the column is of Arrow's format '%.20s'%s; expected binary or utf8, also large ones and views", format,
		schema->dictionary ? " with a dictionary" : "");
}

static struct slice between(const uint8_t *bytes, int64_t begin, int64_t end)
{
	return slice_of(bytes && end > begin ? bytes + begin : (const uint8_t *)"", (size_t)(end - begin));
}

static struct slice view_at(const struct ArrowArray *array, int64_t at)
{
	const struct view *v = (const struct view *)array->buffers[1] + at;
	if (v->len <= (int32_t)sizeof(v->at.bytes))
		return slice_of(v->at.bytes, (size_t)v->len);
	return between(array->buffers[2 + v->at.far.buffer], v->at.far.offset, (int64_t)v->at.far.offset + v->len);
}

struct slice input_column_row(const struct input_column *c, int64_t i)
{
	const struct ArrowArray *a = c->array;
	const uint8_t *valid = a->null_count ? a->buffers[0] : NULL;
	const int64_t at = a->offset + i;
	if (valid && !(valid[at / 8] >> at % 8 & 1))
		return slice_of(NULL, 0);
	if (c->layout == 'v')
		return view_at(a, at);
	if (c->layout == 'Z') {
		const int64_t *ends = a->buffers[1];
		return between(a->buffers[2], ends[at], ends[at + 1]);
	}
	const int32_t *ends = a->buffers[1];
	return between(a->buffers[2], ends[at], ends[at + 1]);
}
