/* SPDX-License-Identifier: MIT */
/*
 * All blocks have one type, as tables of other programs ask: what a kind of block does not have is null.
 */
#include "archive/batch.h"

#include <stdint.h>
#include <stdlib.h>

#include "archive/document.h"
#include "base/ascii.h"
#include "base/json.h"
#include "base/status.h"
#include "base/utf8.h"

/*
 * Values are appended to growing buffers; the bits of nulls begin with the first row that is null.
 */

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

struct slice input_column_row(const struct input_column *c, int64_t i)
{
	const struct ArrowArray *a = c->array;
	const uint8_t *valid = a->null_count ? a->buffers[0] : NULL;
	const int64_t at = a->offset + i;
	if (valid && !(valid[at / 8] >> at % 8 & 1))
		return slice_of(NULL, 0);
	if (c->layout == 'v') {
		const struct view *v = (const struct view *)a->buffers[1] + at;
		if (v->len <= (int32_t)sizeof(v->at.bytes))
			return slice_of(v->at.bytes, (size_t)v->len);
		return between(a->buffers[2 + v->at.far.buffer], v->at.far.offset, (int64_t)v->at.far.offset + v->len);
	}
	if (c->layout == 'Z') {
		const int64_t *ends = a->buffers[1];
		return between(a->buffers[2], ends[at], ends[at + 1]);
	}
	const int32_t *ends = a->buffers[1];
	return between(a->buffers[2], ends[at], ends[at + 1]);
}

/* A text in a list. */
static const struct column_type item_text_type = { "item", COLUMN_TEXT, false, NULL, 0 };

static const struct column_type row_type = { "item", COLUMN_LIST, false, &item_text_type, 1 };

static const struct column_type block_members[] = {
	{ "t", COLUMN_TEXT, false, NULL, 0 },        { "n", COLUMN_INTEGER, true, NULL, 0 },
	{ "d", COLUMN_INTEGER, true, NULL, 0 },      { "id", COLUMN_TEXT, true, NULL, 0 },
	{ "lang", COLUMN_TEXT, true, NULL, 0 },      { "rows", COLUMN_LIST, true, &row_type, 1 },
	{ "url", COLUMN_TEXT, true, NULL, 0 },       { "alt", COLUMN_TEXT, true, NULL, 0 },
	{ "text", COLUMN_TEXT, true, NULL, 0 },      { "p", COLUMN_REAL, true, NULL, 0 },
	{ "start", COLUMN_INTEGER, false, NULL, 0 }, { "kept", COLUMN_BOOLEAN, true, NULL, 0 },
};

/* A block of a page: the members of its JSON object (doc/MARKDOWN.md, "Blocks"), null where it does not have them. */
static const struct column_type item_block_type = { "item", COLUMN_STRUCT, false, block_members,
						    sizeof(block_members) / sizeof(*block_members) };

int row_batch_add_column(struct row_batch *b, struct column_type type)
{
	const size_t i = b->n++;
	b->type[i] = type;
	return column_init(&b->column[i], &b->type[i]);
}

int64_t row_batch_rows(const struct row_batch *b)
{
	return b->column[0].rows;
}

size_t row_batch_bytes(const struct row_batch *b)
{
	size_t bytes = 0;
	for (size_t i = 0; i < b->n; i++)
		bytes += column_bytes(&b->column[i]);
	return bytes;
}

int row_batch_status(const struct row_batch *b)
{
	int status = DANA_OK;
	for (size_t i = 0; i < b->n && status == DANA_OK; i++)
		status = column_status(&b->column[i]);
	return status;
}

void row_batch_clear(struct row_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		column_clear(&b->column[i]);
}

void row_batch_free(struct row_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		column_free(&b->column[i]);
}

/* ---- rows ---- */

/* The array of structs: it has no bytes of its own, but room for the bits of nulls, which no row needs. */
struct table {
	const void *buffers[1];
	struct ArrowArray column[BATCH_COLUMNS], *columns[BATCH_COLUMNS];
};

/* A column that was moved out of the table has no release any more. */
static void release_table(struct ArrowArray *array)
{
	struct table *t = array->private_data;
	for (int64_t i = 0; i < array->n_children; i++) {
		if (t->column[i].release)
			t->column[i].release(&t->column[i]);
	}
	free(t);
	array->release = NULL;
}

int row_batch_export(struct row_batch *b, struct ArrowArray *out)
{
	struct table *t = calloc(1, sizeof(*t));
	const int64_t rows = row_batch_rows(b);
	int status = t ? DANA_OK : DANA_ENOMEM;
	for (size_t i = 0; i < b->n && status == DANA_OK; i++) {
		status = column_export(&b->column[i], &t->column[i]);
		t->columns[i] = &t->column[i];
	}
	struct ArrowArray all = { .length = rows,
				  .n_buffers = 1,
				  .n_children = (int64_t)b->n,
				  .buffers = t ? t->buffers : NULL,
				  .children = t ? t->columns : NULL,
				  .release = release_table,
				  .private_data = t };
	if (status == DANA_OK)
		*out = all;
	else if (t)
		release_table(&all);
	if (status < 0)
		row_batch_clear(b);
	return status;
}

/*
 * Schemas own all that they point to, names too, because a schema may outlive its batch and be moved out of the schema
 * that it is a part of.
 */

struct node {
	struct ArrowSchema **children;
	char name[];
};

static void batch_release(struct ArrowSchema *schema)
{
	struct node *node = schema->private_data;
	for (int64_t i = 0; i < schema->n_children; i++) {
		struct ArrowSchema *child = node->children[i];
		if (child->release)
			child->release(child);
		free(child);
	}
	free(node->children);
	free(node);
	schema->release = NULL;
}

/* Makes a schema that has room for `n` children, and none. */
static int batch_make(struct ArrowSchema *out, const char *format, const char *name, bool nullable, size_t n)
{
	const size_t name_size = strlen(name) + 1;
	struct node *node = malloc(sizeof(*node) + name_size);
	struct ArrowSchema **children = calloc(n + 1, sizeof(struct ArrowSchema *));
	if (!node || !children) {
		free(node);
		free(children);
		return DANA_ENOMEM;
	}
	node->children = children;
	memcpy(node->name, name, name_size);
	*out = (struct ArrowSchema){ .format = format,
				     .name = node->name,
				     .flags = nullable ? ARROW_FLAG_NULLABLE : 0,
				     .children = node->children,
				     .release = batch_release,
				     .private_data = node };
	return DANA_OK;
}

/* Describes a column and its children, as the child of another one that has room for it. */
static int describe(struct ArrowSchema *parent, const struct column_type *type)
{
	static const char *const formats[] = { [COLUMN_TEXT] = "u",    [COLUMN_INTEGER] = "l", [COLUMN_REAL] = "g",
					       [COLUMN_BOOLEAN] = "b", [COLUMN_LIST] = "+l",   [COLUMN_STRUCT] = "+s" };
	struct ArrowSchema *child = malloc(sizeof(*child));
	if (!child || batch_make(child, formats[type->kind], type->name, type->nullable, type->n_children) < 0) {
		free(child);
		return DANA_ENOMEM;
	}
	parent->children[parent->n_children++] = child;
	int status = DANA_OK;
	for (size_t i = 0; i < type->n_children && status == DANA_OK; i++)
		status = describe(child, &type->children[i]);
	return status;
}

int row_batch_schema(const struct row_batch *b, struct ArrowSchema *out)
{
	struct ArrowSchema all;
	int status = batch_make(&all, "+s", "", false, b->n);
	if (status < 0)
		return status;
	for (size_t i = 0; i < b->n && status == DANA_OK; i++)
		status = describe(&all, &b->type[i]);
	if (status == DANA_OK)
		*out = all;
	else
		batch_release(&all);
	return status;
}

/* Members are looked up by their names: an object has few. */

int json_column_init(struct json_column *j)
{
	static const struct json_rules rules = { .depth_most = JSON_DEPTH_MOST };
	j->reader = json_reader_new(&rules);
	return j->reader ? DANA_OK : DANA_ENOMEM;
}

void json_column_free(struct json_column *j)
{
	json_reader_free(j->reader);
	buf_free(&j->characters);
}

/* The same number as strtod's, in any locale: numerator and denominator are exact, and so one division rounds. */
static double real(struct slice written)
{
	uint64_t whole, part;
	double scale = 1;
	const struct slice rest = slice_skip(written, decimal_prefix(written, &whole));
	for (size_t n = rest.len ? decimal_prefix(slice_skip(rest, 1), &part) : 0; n; n--)
		scale *= 10;
	return scale > 1 ? ((double)whole * scale + (double)part) / scale : (double)whole;
}

static int add(struct json_column *j, struct column *c, struct json_value value);

static struct slice object(struct slice members, const char *name);

static int add_struct(struct json_column *j, struct column *c, struct json_value object)
{
	int status = DANA_OK;
	for (size_t i = 0; i < c->type->n_children && status == DANA_OK; i++)
		status = add(j, &c->children[i], json_member(object, c->type->children[i].name));
	column_end(c);
	return status;
}

static int add(struct json_column *j, struct column *c, struct json_value value)
{
	uint64_t number = 0;
	if (json_kind(value) == JSON_IS_NOTHING) {
		column_add_null(c);
		return DANA_OK;
	}
	switch (c->type->kind) {
	case COLUMN_LIST: {
		struct json_walk items = json_walk(value);
		int status = DANA_OK;
		while (status == DANA_OK && json_walk_next(&items))
			status = add(j, &c->children[0], items.value);
		column_end(c);
		return status;
	}
	case COLUMN_STRUCT:
		return add_struct(j, c, value);
	case COLUMN_INTEGER:
		(void)decimal_prefix(json_written(value), &number);
		column_add_integer(c, (int64_t)number, true);
		return DANA_OK;
	case COLUMN_REAL:
		column_add_real(c, real(json_written(value)), true);
		return DANA_OK;
	case COLUMN_BOOLEAN:
		column_add_boolean(c, slice_is(json_written(value), "true"));
		return DANA_OK;
	case COLUMN_TEXT:
	default: {
		bool repaired = false;
		struct slice text;
		buf_clear(&j->characters);
		const int status = json_characters(value, &j->characters, &text, &repaired);
		if (status == DANA_OK)
			column_add_text(c, text);
		return status;
	}
	}
}

int json_column_add(struct json_column *j, struct column *c, struct slice json)
{
	struct json_value value = { NULL, 0 };
	struct error err = { 0 };
	const int status = json.data ? json_read(j->reader, json, &value, &err) : DANA_OK;
	return status < 0 ? status : add(j, c, value);
}

int texts_column_type(struct column_type *type, const char *const *methods, size_t n)
{
	struct column_type *children = calloc(n, sizeof(*children));
	*type = (struct column_type){ "texts", COLUMN_STRUCT, false, children, n };
	if (!children)
		return DANA_ENOMEM;
	for (size_t i = 0; i < n; i++)
		children[i] = (struct column_type){ methods[i], COLUMN_TEXT, true, NULL, 0 };
	return DANA_OK;
}

void texts_column_add(struct column *c, const struct dana_method_text *texts)
{
	for (size_t i = 0; i < c->type->n_children; i++) {
		const struct dana_view text = texts ? texts[i].text : (struct dana_view){ NULL, 0 };
		column_add_text(&c->children[i], slice_of(text.data, text.len));
	}
	column_end(c);
}

void texts_column_free(struct column_type *type)
{
	free((void *)(uintptr_t)type->children);
}

/* ---- documents ---- */

enum { COLUMN_OBJECT = DOCUMENT_FIELD_COUNT, COLUMN_REASON }; /* besides the fields */

static bool is_wanted(enum field_kind kind, const struct document_columns *columns)
{
	switch (kind) {
	case FIELD_SCORE:
		return columns->language_score;
	case FIELD_MARKDOWN:
		return columns->structure & DANA_MARKDOWN;
	case FIELD_BLOCKS:
		return columns->structure & DANA_BLOCKS;
	case FIELD_TEXTS:
		return columns->n_methods;
	case FIELD_HTML:
		return columns->html;
	default:
		return kind != FIELD_MEDIA;
	}
}

static struct column_type type_of(const struct document_batch *b, const struct document_field *f)
{
	switch (f->kind) {
	case FIELD_COUNT:
		return (struct column_type){ f->name, COLUMN_INTEGER, b->of_pages, NULL, 0 };
	case FIELD_STATUS:
	case FIELD_LENGTH:
		return (struct column_type){ f->name, COLUMN_INTEGER, true, NULL, 0 };
	case FIELD_SCORE:
		return (struct column_type){ f->name, COLUMN_REAL, true, NULL, 0 };
	case FIELD_TRUNCATED:
		return (struct column_type){ f->name, COLUMN_BOOLEAN, false, NULL, 0 };
	case FIELD_PROBLEMS:
		return (struct column_type){ f->name, COLUMN_LIST, b->of_pages, &item_text_type, 1 };
	case FIELD_BLOCKS:
		return (struct column_type){ f->name, COLUMN_LIST, true, &item_block_type, 1 };
	case FIELD_TEXTS:
		return b->texts;
	default:
		return (struct column_type){ f->name, COLUMN_TEXT,
					     b->of_pages || (f->kind != FIELD_TEXT && f->kind != FIELD_NAME), NULL, 0 };
	}
}

static bool has_column(const struct document_batch *b, const char *name)
{
	for (size_t i = 0; i < b->batch.n; i++) {
		if (strcmp(b->batch.type[i].name, name) == 0)
			return true;
	}
	return false;
}

static int add_column(struct document_batch *b, unsigned char field, struct column_type type)
{
	b->field[b->batch.n] = field;
	return row_batch_add_column(&b->batch, type);
}

static int add_columns(struct document_batch *b, const struct document_columns *columns)
{
	/* Single pages have these columns, in this order. */
	static const unsigned char page[] = { FIELD_NUMBER_text,     FIELD_NUMBER_title,      FIELD_NUMBER_charset,
					      FIELD_NUMBER_method,   FIELD_NUMBER_text_chars, FIELD_NUMBER_html_bytes,
					      FIELD_NUMBER_problems, COLUMN_REASON,           FIELD_NUMBER_markdown,
					      FIELD_NUMBER_blocks,   FIELD_NUMBER_texts };
	const size_t n = columns->of_pages ? sizeof(page) : DOCUMENT_FIELD_COUNT;
	int status = columns->structure & DANA_BLOCKS ? json_column_init(&b->blocks) : DANA_OK;
	b->of_pages = columns->of_pages;
	if (status == DANA_OK && columns->n_methods)
		status = texts_column_type(&b->texts, columns->methods, columns->n_methods);
	for (size_t i = 0; i < n && status == DANA_OK; i++) {
		const unsigned char field = columns->of_pages ? page[i] : (unsigned char)i;
		if (field == COLUMN_REASON)
			status = add_column(b, field, (struct column_type){ "reason", COLUMN_TEXT, true, NULL, 0 });
		else if (is_wanted(document_fields[field].kind, columns))
			status = add_column(b, field, type_of(b, &document_fields[field]));
	}
	for (size_t i = 0; i < columns->n_objects && b->batch.n < BATCH_COLUMNS && status == DANA_OK; i++) {
		if (!has_column(b, columns->objects[i])) /* else of a plugin that adds nothing to documents */
			status = add_column(b, COLUMN_OBJECT,
					    (struct column_type){ columns->objects[i], COLUMN_TEXT, true, NULL, 0 });
	}
	return status;
}

struct document_batch *document_batch_new(const struct document_columns *columns)
{
	struct document_batch *b = calloc(1, sizeof(*b));
	if (b && add_columns(b, columns) == DANA_OK)
		return b;
	document_batch_free(b);
	return NULL;
}

/* Returns the end of the JSON value that begins at `at`: the comma after it, outside of strings and brackets. */
static size_t value_end(struct slice json, size_t at)
{
	bool in_string = false;
	for (size_t depth = 0; at < json.len; at++) {
		const uint8_t c = json.data[at];
		if (in_string && c == '\\')
			at++;
		else if (c == '"')
			in_string = !in_string;
		else if (!in_string && (c == '{' || c == '['))
			depth++;
		else if (!in_string && (c == '}' || c == ']'))
			depth--;
		else if (!in_string && c == ',' && depth == 0)
			break;
	}
	return at < json.len ? at : json.len;
}

/* Returns the object that the members `,"name":{...},"other":{...}` have under that name; NULL data without one. */
static struct slice object(struct slice members, const char *name)
{
	const size_t len = strlen(name);
	for (size_t at = 0, end; at + 4 < members.len; at = end) {
		const size_t value = at + 2 + slice_until(slice_skip(members, at + 2), "\"") + 2;
		end = value_end(members, value);
		if (value - at == len + 4 && memcmp(members.data + at + 2, name, len) == 0)
			return slice_of(members.data + value, end - value);
	}
	return slice_of(NULL, 0);
}

/* A text of no bytes is a text: NULL data would be null. */
static struct slice present(struct slice text)
{
	return text.len ? text : slice_from_text("");
}

/* Returns 0 or DANA_ENOMEM; other failures latch in the column. */
static int add_field(struct document_batch *b, struct column *c, const struct document *doc,
		     const struct document_field *field)
{
	const struct field_value value = document_value(doc, field);
	if (field->kind == FIELD_TEXTS)
		texts_column_add(c, doc->texts);
	else if (field->kind == FIELD_PROBLEMS)
		column_add_words(c, doc->problems, PROBLEM_WORDS, problem_word);
	else if (field->kind == FIELD_BLOCKS)
		return json_column_add(&b->blocks, c, value.text);
	else if (value.is == VALUE_TEXT)
		column_add_text(c, present(value.text));
	else if (value.is == VALUE_COUNT)
		column_add_integer(c, (int64_t)value.count, true);
	else if (value.is == VALUE_REAL)
		column_add_real(c, value.real, true);
	else if (value.is == VALUE_BOOLEAN)
		column_add_boolean(c, value.count);
	else
		column_add_null(c);
	return DANA_OK;
}

int document_batch_add(struct document_batch *b, const struct document *doc, const char *reason)
{
	int status = DANA_OK;
	for (size_t i = 0; i < b->batch.n && status == DANA_OK; i++) {
		struct column *c = &b->batch.column[i];
		if (b->field[i] == COLUMN_REASON)
			column_add_text(c, reason ? slice_from_text(reason) : slice_of(NULL, 0));
		else if (!doc && c->type->kind == COLUMN_STRUCT)
			texts_column_add(c, NULL);
		else if (!doc)
			column_add_null(c);
		else if (b->field[i] == COLUMN_OBJECT)
			column_add_text(c, object(doc->additions, b->batch.type[i].name));
		else
			status = add_field(b, c, doc, &document_fields[b->field[i]]);
	}
	return status == DANA_OK ? row_batch_status(&b->batch) : status;
}

void document_batch_free(struct document_batch *b)
{
	if (!b)
		return;
	json_column_free(&b->blocks);
	row_batch_free(&b->batch);
	texts_column_free(&b->texts);
	free(b);
}
