/* SPDX-License-Identifier: MIT */
/*
 * Documents as columns of Arrow: builds a batch of rows from documents, and describes its schema.
 *
 * A batch is one column: of structs, whose children are the columns of the documents' fields. A column holds values one
 * after the other, where variable ones end, and which rows are null, all in the layout of Arrow. It grows by one value
 * for each row, and is emptied when its memory is passed on. The values of lists and structs are in columns of their
 * own, its children: a row of a list with two items is
 *
 *	add_text(&list->children[0], a), add_text(&list->children[0], b), end_group(list);
 *
 * Offsets have 32 bits: a column holds less than 2 GiB. Failures latch, as in a struct buf: column_status has them.
 */
#include "archive/batch.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/utf8.h"

enum { MOST_OF_A_BYTE = 3 }; /* U+FFFD in place of one */

enum column_kind {
	COLUMN_TEXT,    /* utf8 */
	COLUMN_INTEGER, /* int64: engines on the JVM have no unsigned numbers */
	COLUMN_REAL,    /* float64 */
	COLUMN_BOOLEAN,
	COLUMN_LIST,   /* of any number of values of its one child */
	COLUMN_STRUCT, /* a value of each child */
};

/* What a column holds, what it is called, and whether its rows can be null; rows of a struct cannot. */
struct column_type {
	const char *name;
	enum column_kind kind;
	bool nullable;
	const struct column_type *children;
	size_t n_children;
};

struct column {
	const struct column_type *type; /* borrowed */
	bool full;                      /* a value was refused because 2 GiB would be exceeded */
	int64_t rows, nulls;
	struct buf values;       /* bytes of texts; numbers; bits */
	struct buf ends;         /* TEXT: int32, of each text, after a first 0; LIST: the same in rows of the child */
	struct buf valid;        /* a bit for each row, from the first one that is null; empty: all are valid */
	struct column *children; /* LIST, STRUCT: as many as the type has */
};

enum { COLUMN_OBJECT = DOCUMENT_FIELD_COUNT, COLUMN_REASON }; /* besides the fields */

struct document_batch {
	struct column rows;
	struct column_type all, type[BATCH_COLUMNS];
	unsigned char field[BATCH_COLUMNS]; /* of the document, for each column */
	struct column_type texts;           /* of methods, each under its name; zeroed: there is one method */
	bool of_pages;
	struct json_reader *reader; /* of blocks */
	struct buf characters;      /* of a string with escapes */
};

static int column_init(struct column *c, const struct column_type *type)
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

static void add_end(struct column *c, size_t end)
{
	const int32_t first = 0, offset = (int32_t)end;
	c->full |= end > INT32_MAX;
	if (c->ends.len == 0)
		buf_append(&c->ends, &first, sizeof(first));
	buf_append(&c->ends, &offset, sizeof(offset));
}

/* Ends a row of a list, or of a struct, whose values are in its children. */
static void end_group(struct column *c)
{
	if (c->type->kind == COLUMN_LIST)
		add_end(c, (size_t)c->children[0].rows);
	end_row(c, true);
}

/* Not to a struct. */
static void add_null(struct column *c)
{
	const uint64_t zero = 0;
	if (c->type->kind == COLUMN_TEXT)
		add_end(c, c->values.len);
	else if (c->type->kind == COLUMN_LIST)
		add_end(c, (size_t)c->children[0].rows);
	else if (c->type->kind == COLUMN_BOOLEAN)
		add_bit(&c->values, c->rows, false);
	else
		buf_append(&c->values, &zero, sizeof(zero));
	end_row(c, false);
}

/* NULL data: null. */
static void add_text(struct column *c, struct slice text)
{
	if (!text.data) {
		add_null(c);
		return;
	}
	const size_t good = utf8_valid_prefix(text);
	c->full |= good + (text.len - good) * MOST_OF_A_BYTE > INT32_MAX - c->values.len;
	if (c->full)
		return;
	/* heads of records may hold any bytes; Arrow's texts are UTF-8 */
	buf_append(&c->values, text.data, good);
	text = slice_skip(text, good);
	while (text.len) {
		uint8_t replaced[4];
		uint32_t code;
		text = slice_skip(text, utf8_decode(text, &code));
		buf_append(&c->values, replaced, utf8_put(code, replaced));
		const size_t valid = utf8_valid_prefix(text);
		buf_append(&c->values, text.data, valid);
		text = slice_skip(text, valid);
	}
	add_end(c, c->values.len);
	end_row(c, true);
}

static void add_integer(struct column *c, uint64_t value)
{
	buf_append(&c->values, &value, sizeof(value));
	end_row(c, true);
}

static void add_real(struct column *c, double value)
{
	buf_append(&c->values, &value, sizeof(value));
	end_row(c, true);
}

static void add_boolean(struct column *c, bool value)
{
	add_bit(&c->values, c->rows, value);
	end_row(c, true);
}

/* Returns 0, DANA_ENOMEM, or DANA_ELIMIT: more than 2 GiB. */
static int column_status(const struct column *c)
{
	if (buf_status(&c->values) < 0 || buf_status(&c->ends) < 0 || buf_status(&c->valid) < 0)
		return DANA_ENOMEM;
	int status = c->full ? DANA_ELIMIT : DANA_OK;
	for (size_t i = 0; i < c->type->n_children && status == DANA_OK; i++)
		status = column_status(&c->children[i]);
	return status;
}

static size_t column_bytes(const struct column *c)
{
	size_t bytes = c->values.len + c->ends.len;
	for (size_t i = 0; i < c->type->n_children; i++)
		bytes += column_bytes(&c->children[i]);
	return bytes;
}

static void column_clear(struct column *c)
{
	buf_clear(&c->values);
	buf_clear(&c->ends);
	buf_clear(&c->valid);
	c->rows = c->nulls = 0;
	c->full = false;
	for (size_t i = 0; i < c->type->n_children; i++)
		column_clear(&c->children[i]);
}

static void column_free(struct column *c)
{
	buf_free(&c->values);
	buf_free(&c->ends);
	buf_free(&c->valid);
	for (size_t i = 0; c->children && i < c->type->n_children; i++)
		column_free(&c->children[i]);
	free(c->children);
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

static void give(struct owned *o, size_t i, struct buf *from)
{
	static const int32_t zero = 0;
	o->memory[i] = from->data;
	o->buffers[i] = from->data ? (const void *)from->data : (const void *)&zero;
	*from = (struct buf){ 0 };
}

/* Passes the rows on to `out`. With an error some are lost. */
static int column_export(struct column *c, struct ArrowArray *out)
{
	const size_t n = c->type->n_children;
	struct owned *o = calloc(1, sizeof(*o) + n * sizeof(o->child[0]));
	if (o)
		o->children = calloc(n + 1, sizeof(*o->children));
	if (!o || !o->children) {
		free(o);
		return DANA_ENOMEM;
	}
	o->n = n;
	for (size_t i = 0; i < n; i++)
		o->children[i] = &o->child[i];
	/* a text has two buffers next to the bits of validity, a struct none, the others one */
	const enum column_kind kind = c->type->kind;
	const bool has_ends = kind == COLUMN_TEXT || kind == COLUMN_LIST,
		   has_values = kind != COLUMN_LIST && kind != COLUMN_STRUCT;
	give(o, 0, &c->valid);
	if (c->nulls == 0)
		o->buffers[0] = NULL;
	if (has_ends)
		give(o, 1, &c->ends);
	if (has_values)
		give(o, 1 + has_ends, &c->values);
	int status = DANA_OK;
	*out = (struct ArrowArray){ .length = c->rows,
				    .null_count = c->nulls,
				    .n_buffers = 1 + has_ends + has_values,
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

/*
 * Schemas own all that they point to, names too, because a schema may outlive its batch and be moved out of the schema
 * that it is a part of.
 */
struct schema_node {
	struct ArrowSchema **children;
	char name[];
};

static void release_schema(struct ArrowSchema *schema)
{
	struct schema_node *node = schema->private_data;
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

/* Describes a column and its children. */
static int describe(struct ArrowSchema *out, const struct column_type *type)
{
	static const char *const formats[] = { [COLUMN_TEXT] = "u",    [COLUMN_INTEGER] = "l", [COLUMN_REAL] = "g",
					       [COLUMN_BOOLEAN] = "b", [COLUMN_LIST] = "+l",   [COLUMN_STRUCT] = "+s" };
	const size_t name_size = strlen(type->name) + 1;
	struct schema_node *node = malloc(sizeof(*node) + name_size);
	struct ArrowSchema **children = calloc(type->n_children + 1, sizeof(struct ArrowSchema *));
	if (!node || !children) {
		free(node);
		free(children);
		return DANA_ENOMEM;
	}
	node->children = children;
	memcpy(node->name, type->name, name_size);
	*out = (struct ArrowSchema){ .format = formats[type->kind],
				     .name = node->name,
				     .flags = type->nullable ? ARROW_FLAG_NULLABLE : 0,
				     .children = children,
				     .release = release_schema,
				     .private_data = node };
	int status = DANA_OK;
	for (size_t i = 0; i < type->n_children && status == DANA_OK; i++) {
		struct ArrowSchema *child = malloc(sizeof(*child));
		status = child ? describe(child, &type->children[i]) : DANA_ENOMEM;
		if (status == DANA_OK)
			children[out->n_children++] = child;
		else
			free(child);
	}
	if (status < 0)
		release_schema(out);
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

static const struct column_type item_text_type = { "item", COLUMN_TEXT, false, NULL, 0 };
static const struct column_type row_type = { "item", COLUMN_LIST, false, &item_text_type, 1 };

/*
 * A block of a page: the members of its JSON object (doc/MARKDOWN.md, "Blocks"). All blocks have one type, as tables of
 * other programs ask: what a kind of block does not have is null.
 */
static const struct column_type block_members[] = {
	{ "t", COLUMN_TEXT, false, NULL, 0 },        { "n", COLUMN_INTEGER, true, NULL, 0 },
	{ "d", COLUMN_INTEGER, true, NULL, 0 },      { "id", COLUMN_TEXT, true, NULL, 0 },
	{ "lang", COLUMN_TEXT, true, NULL, 0 },      { "rows", COLUMN_LIST, true, &row_type, 1 },
	{ "url", COLUMN_TEXT, true, NULL, 0 },       { "alt", COLUMN_TEXT, true, NULL, 0 },
	{ "text", COLUMN_TEXT, true, NULL, 0 },      { "p", COLUMN_REAL, true, NULL, 0 },
	{ "start", COLUMN_INTEGER, false, NULL, 0 }, { "kept", COLUMN_BOOLEAN, true, NULL, 0 },
};

static const struct column_type item_block_type = { "item", COLUMN_STRUCT, false, block_members,
						    sizeof(block_members) / sizeof(*block_members) };

static bool is_wanted(const struct document_field *field, const struct document_columns *columns)
{
	const bool finds_language = columns->with >> WITH_LANGUAGE & 1;
	return field->outputs & TO_ARROW && (field->condition == WITH_ALL || columns->with >> field->condition & 1) &&
	       (!columns->of_pages || document_field_of_page(field, finds_language));
}

static struct column_type type_of(const struct document_batch *b, const struct document_field *f)
{
	const bool is_always = f->storage == STORED_TEXT || f->storage == STORED_NAME || f->storage == STORED_COUNT ||
			       f->storage == STORED_TRUNCATED || f->storage == STORED_PROBLEMS;
	struct column_type type = { f->name, COLUMN_TEXT, b->of_pages || f->condition != WITH_ALL || !is_always, NULL,
				    0 };
	switch (f->column) {
	case ARROW_NONE:
	case ARROW_TEXT:
		break;
	case ARROW_INTEGER:
		type.kind = COLUMN_INTEGER;
		break;
	case ARROW_REAL:
		type.kind = COLUMN_REAL;
		break;
	case ARROW_BOOLEAN:
		type.kind = COLUMN_BOOLEAN;
		break;
	case ARROW_WORDS:
		type.kind = COLUMN_LIST;
		type.children = &item_text_type;
		type.n_children = 1;
		break;
	case ARROW_BLOCKS:
		type.kind = COLUMN_LIST;
		type.children = &item_block_type;
		type.n_children = 1;
		break;
	case ARROW_TEXTS:
		return b->texts;
	}
	return type;
}

static void choose_column(struct document_batch *b, unsigned char field, struct column_type type)
{
	b->field[b->all.n_children] = field;
	b->type[b->all.n_children++] = type;
}

static int choose_columns(struct document_batch *b, const struct document_columns *columns)
{
	static const struct json_rules rules = { .depth_most = JSON_DEPTH_MOST };
	b->of_pages = columns->of_pages;
	b->all = (struct column_type){ "", COLUMN_STRUCT, false, b->type, 0 };
	if (columns->with >> WITH_BLOCKS & 1 && !(b->reader = json_reader_new(&rules)))
		return DANA_ENOMEM;
	if (columns->n_methods) {
		struct column_type *members = calloc(columns->n_methods, sizeof(*members));
		b->texts = (struct column_type){ "texts", COLUMN_STRUCT, false, members, columns->n_methods };
		if (!members)
			return DANA_ENOMEM;
		for (size_t i = 0; i < columns->n_methods; i++)
			members[i] = (struct column_type){ columns->methods[i], COLUMN_TEXT, true, NULL, 0 };
	}
	/* archives have the columns in the order of the fields, pages in the order of their places */
	const unsigned places = columns->of_pages ? UCHAR_MAX : 1;
	for (unsigned place = 1; place <= places; place++) {
		if (columns->of_pages && place == PAGE_REASON_PLACE)
			choose_column(b, COLUMN_REASON, (struct column_type){ "reason", COLUMN_TEXT, true, NULL, 0 });
		for (unsigned char i = 0; i < DOCUMENT_FIELD_COUNT; i++) {
			const struct document_field *f = &document_fields[i];
			if (is_wanted(f, columns) && (!columns->of_pages || f->place == place))
				choose_column(b, i, type_of(b, f));
		}
	}
	for (size_t i = 0; i < columns->n_objects && b->all.n_children < BATCH_COLUMNS; i++) {
		bool is_there = false; /* it is where the plugin adds nothing to documents */
		for (size_t k = 0; k < b->all.n_children; k++)
			is_there |= strcmp(b->type[k].name, columns->objects[i]) == 0;
		if (!is_there)
			choose_column(b, COLUMN_OBJECT,
				      (struct column_type){ columns->objects[i], COLUMN_TEXT, true, NULL, 0 });
	}
	return column_init(&b->rows, &b->all);
}

struct document_batch *document_batch_new(const struct document_columns *columns)
{
	struct document_batch *b = calloc(1, sizeof(*b));
	if (b && choose_columns(b, columns) == DANA_OK)
		return b;
	document_batch_free(b);
	return NULL;
}

void document_batch_free(struct document_batch *b)
{
	if (!b)
		return;
	if (b->rows.type)
		column_free(&b->rows);
	json_reader_free(b->reader);
	buf_free(&b->characters);
	free((void *)(uintptr_t)b->texts.children);
	free(b);
}

int64_t document_batch_rows(const struct document_batch *b)
{
	return b->rows.rows;
}

size_t document_batch_bytes(const struct document_batch *b)
{
	return column_bytes(&b->rows);
}

int document_batch_export(struct document_batch *b, struct ArrowArray *out)
{
	int status = column_export(&b->rows, out);
	if (status < 0)
		column_clear(&b->rows);
	return status;
}

void document_batch_clear(struct document_batch *b)
{
	column_clear(&b->rows);
}

int document_batch_schema(const struct document_batch *b, struct ArrowSchema *out)
{
	return describe(out, &b->all);
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

/*
 * Adds a JSON value as a row, by the type of the column: arrays are lists, objects structs, whose members are looked up
 * by their names: an object has few. The JSON is the library's own: it is valid, values have the kinds that the type
 * says, numbers are not negative and have few digits.
 */
static int add_json(struct document_batch *b, struct column *c, struct json_value value)
{
	uint64_t number = 0;
	int status = DANA_OK;
	if (json_kind(value) == JSON_IS_NOTHING) {
		add_null(c);
		return DANA_OK;
	}
	switch (c->type->kind) {
	case COLUMN_LIST: {
		struct json_walk items = json_walk(value);
		while (status == DANA_OK && json_walk_next(&items))
			status = add_json(b, &c->children[0], items.value);
		end_group(c);
		return status;
	}
	case COLUMN_STRUCT:
		for (size_t i = 0; i < c->type->n_children && status == DANA_OK; i++)
			status = add_json(b, &c->children[i], json_member(value, c->type->children[i].name));
		end_group(c);
		return status;
	case COLUMN_INTEGER:
		(void)decimal_prefix(json_written(value), &number);
		add_integer(c, number);
		return DANA_OK;
	case COLUMN_REAL:
		add_real(c, real(json_written(value)));
		return DANA_OK;
	case COLUMN_BOOLEAN:
		add_boolean(c, slice_is(json_written(value), "true"));
		return DANA_OK;
	case COLUMN_TEXT:
	default: {
		bool repaired = false;
		struct slice text;
		buf_clear(&b->characters);
		status = json_characters(value, &b->characters, &text, &repaired);
		if (status == DANA_OK)
			add_text(c, text);
		return status;
	}
	}
}

/* Without `texts` null for each method. */
static void add_texts(struct column *c, const struct dana_method_text *texts)
{
	for (size_t i = 0; i < c->type->n_children; i++) {
		const struct dana_view text = texts ? texts[i].text : (struct dana_view){ NULL, 0 };
		add_text(&c->children[i], slice_of(text.data, text.len));
	}
	end_group(c);
}

static int add_blocks(struct document_batch *b, struct column *c, struct slice blocks)
{
	struct json_value json = { NULL, 0 };
	struct error err = { 0 };
	const int status = json_read(b->reader, blocks, &json, &err);
	return status < 0 ? status : add_json(b, c, json);
}

static int add_field(struct document_batch *b, struct column *c, const struct document *doc,
		     const struct document_field *field)
{
	const struct field_value value = document_value(doc, field);
	switch (value.is) {
	case DANA_VALUE_NONE:
	case DANA_VALUE_NULL:
		if (c->type->kind == COLUMN_STRUCT)
			add_texts(c, NULL);
		else
			add_null(c);
		break;
	case DANA_VALUE_TEXT: /* a text of no bytes is a text: NULL data would be null */
		add_text(c, value.text.len ? value.text : slice_from_text(""));
		break;
	case DANA_VALUE_COUNT:
		add_integer(c, value.count);
		break;
	case DANA_VALUE_REAL:
		add_real(c, value.real);
		break;
	case DANA_VALUE_BOOLEAN:
		add_boolean(c, value.count);
		break;
	case DANA_VALUE_JSON:
		if (c->type->kind == COLUMN_LIST)
			return add_blocks(b, c, value.text);
		add_text(c, value.text);
		break;
	case DANA_VALUE_MEMBER:
		if (c->type->kind == COLUMN_STRUCT) {
			add_texts(c, doc->texts);
			break;
		}
		for (unsigned i = 0; i < PROBLEM_WORDS; i++) {
			if (doc->problems >> i & 1)
				add_text(&c->children[0], slice_from_text(problem_word(i)));
		}
		end_group(c);
		break;
	}
	return DANA_OK;
}

int document_batch_add(struct document_batch *b, const struct document *doc, const char *reason)
{
	int status = DANA_OK;
	for (size_t i = 0; i < b->all.n_children && status == DANA_OK; i++) {
		struct column *c = &b->rows.children[i];
		if (b->field[i] == COLUMN_REASON)
			add_text(c, reason ? slice_from_text(reason) : slice_of(NULL, 0));
		else if (!doc && c->type->kind == COLUMN_STRUCT)
			add_texts(c, NULL);
		else if (!doc)
			add_null(c);
		else if (b->field[i] == COLUMN_OBJECT)
			add_text(c, additions_member(doc->additions, slice_from_text(b->type[i].name)));
		else
			status = add_field(b, c, doc, &document_fields[b->field[i]]);
	}
	end_group(&b->rows);
	return status == DANA_OK ? column_status(&b->rows) : status;
}
