/* SPDX-License-Identifier: MIT */
/*
 * All blocks have one type, as tables of other programs ask: what a kind of block does not have is null.
 */
#include "archive/arrow/batch.h"

#include "archive/arrow/column.h"
#include <stdlib.h>
#include "base/status.h"
#include "base/ascii.h"
#include "base/decimal.h"
#include "base/json_reader.h"
#include <stdint.h>
#include "archive/stream/document.h"

/** A block of a page: the members of its JSON object (doc/MARKDOWN.md, "Blocks"), null where it does not have them. */
extern const struct column_type item_block_type;

/** A text in a list. */
extern const struct column_type item_text_type;

const struct column_type item_text_type = { "item", COLUMN_TEXT, false, NULL, 0 };

static const struct column_type row_type = { "item", COLUMN_LIST, false, &item_text_type, 1 };

static const struct column_type members[] = {
	{ "t", COLUMN_TEXT, false, NULL, 0 },        { "n", COLUMN_INTEGER, true, NULL, 0 },
	{ "d", COLUMN_INTEGER, true, NULL, 0 },      { "id", COLUMN_TEXT, true, NULL, 0 },
	{ "lang", COLUMN_TEXT, true, NULL, 0 },      { "rows", COLUMN_LIST, true, &row_type, 1 },
	{ "url", COLUMN_TEXT, true, NULL, 0 },       { "alt", COLUMN_TEXT, true, NULL, 0 },
	{ "text", COLUMN_TEXT, true, NULL, 0 },      { "p", COLUMN_REAL, true, NULL, 0 },
	{ "start", COLUMN_INTEGER, false, NULL, 0 }, { "kept", COLUMN_BOOLEAN, true, NULL, 0 },
};

const struct column_type item_block_type = { "item", COLUMN_STRUCT, false, members,
					     sizeof(members) / sizeof(*members) };

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

/* The array of structs: it has no bytes of its own, but a place for the bits of nulls, which no row needs. */
struct table {
	const void *buffers[1];
	struct ArrowArray column[BATCH_COLUMNS], *columns[BATCH_COLUMNS];
};

static void release(struct ArrowSchema *schema);

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

static void release(struct ArrowSchema *schema)
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
static int make(struct ArrowSchema *out, const char *format, const char *name, bool nullable, size_t n)
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
				     .release = release,
				     .private_data = node };
	return DANA_OK;
}

/* Describes a column and its children, as the child of another one that has room for it. Returns 0 or DANA_ENOMEM. */
static int describe(struct ArrowSchema *parent, const struct column_type *type)
{
	static const char *const formats[] = { [COLUMN_TEXT] = "u",    [COLUMN_INTEGER] = "l", [COLUMN_REAL] = "g",
					       [COLUMN_BOOLEAN] = "b", [COLUMN_LIST] = "+l",   [COLUMN_STRUCT] = "+s" };
	struct ArrowSchema *child = malloc(sizeof(*child));
	if (!child || make(child, formats[type->kind], type->name, type->nullable, type->n_children) < 0) {
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
	int status = make(&all, "+s", "", false, b->n);
	if (status < 0)
		return status;
	for (size_t i = 0; i < b->n && status == DANA_OK; i++)
		status = describe(&all, &b->type[i]);
	if (status == DANA_OK)
		*out = all;
	else
		release(&all);
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

static int add_text(struct json_column *j, struct column *c, struct json_value value)
{
	bool repaired = false;
	struct slice text;
	buf_clear(&j->characters);
	const int status = json_characters(value, &j->characters, &text, &repaired);
	if (status == DANA_OK)
		column_add_text(c, text);
	return status;
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

static int add_list(struct json_column *j, struct column *c, struct json_value array)
{
	struct json_walk items = json_walk(array);
	int status = DANA_OK;
	while (status == DANA_OK && json_walk_next(&items))
		status = add(j, &c->children[0], items.value);
	column_end(c);
	return status;
}

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
	case COLUMN_LIST:
		return add_list(j, c, value);
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
	default:
		return add_text(j, c, value);
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

/* A table of the fields of a document, in the order of the keys of JSONL, and where each stands in it. */

enum source { VIEW, TERMINATED, COUNT, STATUS, SCORE, TRUNCATED, PROBLEMS, BLOCKS, TEXTS };

#define AT(member) offsetof(struct dana_document, member)

static const struct document_field {
	const char *name;
	enum column_kind kind;
	enum source source;
	bool nullable;
	size_t at; /* in the document */
} fields[] = {
	{ "text", COLUMN_TEXT, VIEW, false, AT(text) },
	{ "id", COLUMN_TEXT, VIEW, true, AT(id) },
	{ "url", COLUMN_TEXT, VIEW, true, AT(url) },
	{ "date", COLUMN_TEXT, VIEW, true, AT(date) },
	{ "title", COLUMN_TEXT, VIEW, true, AT(title) },
	{ "language", COLUMN_TEXT, VIEW, true, AT(language) },
	{ "language_score", COLUMN_REAL, SCORE, true, 0 },
	{ "page_kind", COLUMN_TEXT, TERMINATED, true, AT(page_kind) },
	{ "charset", COLUMN_TEXT, TERMINATED, true, AT(charset) },
	{ "http_status", COLUMN_INTEGER, STATUS, true, 0 },
	{ "content_type", COLUMN_TEXT, VIEW, true, AT(content_type) },
	{ "method", COLUMN_TEXT, TERMINATED, true, AT(method) },
	{ "file", COLUMN_TEXT, TERMINATED, false, AT(file) },
	{ "offset", COLUMN_INTEGER, COUNT, false, AT(offset) },
	{ "length", COLUMN_INTEGER, COUNT, true, AT(length) },
	{ "html_bytes", COLUMN_INTEGER, COUNT, false, AT(html_bytes) },
	{ "text_chars", COLUMN_INTEGER, COUNT, false, AT(text_chars) },
	{ "markdown", COLUMN_TEXT, VIEW, true, AT(markdown) },
	{ "blocks", COLUMN_LIST, BLOCKS, true, AT(structure) },
	{ "texts", COLUMN_STRUCT, TEXTS, false, AT(texts) },
	{ "truncated", COLUMN_BOOLEAN, TRUNCATED, false, 0 },
	{ "problems", COLUMN_LIST, PROBLEMS, false, 0 },
	{ "html", COLUMN_TEXT, VIEW, true, AT(html) },
};

enum { FIELDS = sizeof(fields) / sizeof(*fields) };

static bool is_wanted(const struct document_field *f, const struct document_columns *columns)
{
	return (f->source != SCORE || columns->language_score) &&
	       (f->source != BLOCKS || columns->structure & DANA_BLOCKS) &&
	       (f->source != TEXTS || columns->n_methods) &&
	       (f->at != AT(markdown) || columns->structure & DANA_MARKDOWN) && (f->at != AT(html) || columns->html);
}

static struct column_type type_of(const struct document_batch *b, const struct document_field *f)
{
	if (f->source == TEXTS)
		return b->texts;
	struct column_type type = { f->name, f->kind, f->nullable, NULL, 0 };
	if (f->kind == COLUMN_LIST) {
		type.children = f->source == BLOCKS ? &item_block_type : &item_text_type;
		type.n_children = 1;
	}
	return type;
}

static bool has_column(const struct document_batch *b, const char *name)
{
	for (size_t i = 0; i < b->batch.n; i++) {
		if (strcmp(b->batch.type[i].name, name) == 0)
			return true;
	}
	return false;
}

static int add_columns(struct document_batch *b, const struct document_columns *columns)
{
	int status = columns->structure & DANA_BLOCKS ? json_column_init(&b->blocks) : DANA_OK;
	if (status == DANA_OK && columns->n_methods)
		status = texts_column_type(&b->texts, columns->methods, columns->n_methods);
	for (unsigned char i = 0; i < FIELDS && status == DANA_OK; i++) {
		if (!is_wanted(&fields[i], columns))
			continue;
		b->field[b->batch.n] = i;
		status = row_batch_add_column(&b->batch, type_of(b, &fields[i]));
	}
	for (size_t i = 0; i < columns->n_objects && b->batch.n < BATCH_COLUMNS && status == DANA_OK; i++) {
		const struct column_type type = { columns->objects[i], COLUMN_TEXT, true, NULL, 0 };
		if (has_column(b, columns->objects[i])) /* of a plugin that adds nothing to documents */
			continue;
		b->field[b->batch.n] = FIELDS;
		status = row_batch_add_column(&b->batch, type);
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

static struct slice terminated(const char *text)
{
	return text ? slice_from_text(text) : slice_of(NULL, 0);
}

static void add_object(struct column *c, const char *name, struct dana_view additions)
{
	column_add_text(c, object(slice_of(additions.data, additions.len), name));
}

/* Returns 0 or DANA_ENOMEM; other failures latch in the column. */
static int document_batch_add(struct document_batch *b, struct column *c, const struct document_field *f,
	       const struct dana_document *doc)
{
	const void *at = (const char *)doc + f->at;
	const struct dana_view *view = at;
	switch (f->source) {
	case VIEW:
		column_add_text(c, slice_of(view->data, view->len));
		break;
	case TERMINATED:
		column_add_text(c, terminated(*(const char *const *)at));
		break;
	case COUNT:
		column_add_integer(c, (int64_t)(*(const uint64_t *)at), *(const uint64_t *)at != UINT64_MAX);
		break;
	case STATUS:
		column_add_integer(c, doc->http_status, doc->http_status > 0);
		break;
	case SCORE:
		column_add_real(c, doc->language_score, doc->language_score >= 0);
		break;
	case TRUNCATED:
		column_add_boolean(c, (doc->problems & PROBLEM_TRUNCATED) != 0);
		break;
	case BLOCKS:
		return json_column_add(&b->blocks, c, slice_of(view->data, view->len));
	case TEXTS:
		texts_column_add(c, doc->texts);
		break;
	case PROBLEMS:
	default:
		column_add_words(c, doc->problems, PROBLEM_WORDS, problem_word);
		break;
	}
	return DANA_OK;
}

int document_batch_add(struct document_batch *b, const struct dana_document *doc)
{
	int status = DANA_OK;
	for (size_t i = 0; i < b->batch.n && status == DANA_OK; i++) {
		if (b->field[i] < FIELDS)
			status = document_batch_add(b, &b->batch.column[i], &fields[b->field[i]], doc);
		else
			add_object(&b->batch.column[i], b->batch.type[i].name, doc->additions);
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

/* Those before MORE are always there. */
enum { TEXT, TITLE, CHARSET, METHOD, TEXT_CHARS, HTML_BYTES, PROBLEM_SET, REASON, MORE };

static int page_batch_add_columns(struct page_batch *b, const char *const *methods, size_t n_methods)
{
	static const struct column_type types[] = {
		{ "text", COLUMN_TEXT, true, NULL, 0 },
		{ "title", COLUMN_TEXT, true, NULL, 0 },
		{ "charset", COLUMN_TEXT, true, NULL, 0 },
		{ "method", COLUMN_TEXT, true, NULL, 0 },
		{ "text_chars", COLUMN_INTEGER, true, NULL, 0 },
		{ "html_bytes", COLUMN_INTEGER, true, NULL, 0 },
		{ "problems", COLUMN_LIST, true, &item_text_type, 1 },
		{ "reason", COLUMN_TEXT, true, NULL, 0 },
	}, markdown = { "markdown", COLUMN_TEXT, true, NULL, 0 },
	   blocks = { "blocks", COLUMN_LIST, true, &item_block_type, 1 };
	int status = b->structure & DANA_BLOCKS ? json_column_init(&b->blocks) : DANA_OK;
	for (size_t i = 0; i < MORE && status == DANA_OK; i++)
		status = row_batch_add_column(&b->batch, types[i]);
	if (status == DANA_OK && b->structure & DANA_MARKDOWN)
		status = row_batch_add_column(&b->batch, markdown);
	if (status == DANA_OK && b->structure & DANA_BLOCKS)
		status = row_batch_add_column(&b->batch, blocks);
	if (status == DANA_OK && n_methods)
		status = texts_column_type(&b->texts, methods, n_methods);
	if (status == DANA_OK && n_methods)
		status = row_batch_add_column(&b->batch, b->texts);
	return status;
}

struct page_batch *page_batch_new(unsigned structure, const char *const *methods, size_t n_methods)
{
	struct page_batch *b = calloc(1, sizeof(*b));
	if (b)
		b->structure = structure;
	if (b && page_batch_add_columns(b, methods, n_methods) == DANA_OK)
		return b;
	page_batch_free(b);
	return NULL;
}

/* Adds what only some batches have. */
static int add_structure(struct page_batch *b, const struct dana_document *page)
{
	size_t at = MORE;
	if (b->structure & DANA_MARKDOWN)
		column_add_text(&b->batch.column[at++], slice_of(page->markdown.data, page->markdown.len));
	int status = DANA_OK;
	if (b->structure & DANA_BLOCKS)
		status = json_column_add(&b->blocks, &b->batch.column[at++],
					 slice_of(page->structure.data, page->structure.len));
	if (status == DANA_OK && b->texts.n_children)
		texts_column_add(&b->batch.column[at], page->texts);
	return status;
}

int page_batch_add(struct page_batch *b, const struct dana_document *page, const char *reason)
{
	struct column *column = b->batch.column;
	for (size_t i = 0; i < b->batch.n && !page; i++) {
		if (column[i].type->kind == COLUMN_STRUCT)
			texts_column_add(&column[i], NULL);
		else if (i != REASON)
			column_add_null(&column[i]);
	}
	column_add_text(&column[REASON], terminated(reason));
	if (!page)
		return row_batch_status(&b->batch);
	column_add_text(&column[TEXT], slice_of(page->text.data, page->text.len));
	column_add_text(&column[TITLE], slice_of(page->title.data, page->title.len));
	column_add_text(&column[CHARSET], terminated(page->charset));
	column_add_text(&column[METHOD], terminated(page->method));
	column_add_integer(&column[TEXT_CHARS], (int64_t)page->text_chars, true);
	column_add_integer(&column[HTML_BYTES], (int64_t)page->html_bytes, true);
	column_add_words(&column[PROBLEM_SET], page->problems, PROBLEM_WORDS, problem_word);
	const int status = add_structure(b, page);
	return status == DANA_OK ? row_batch_status(&b->batch) : status;
}

void page_batch_free(struct page_batch *b)
{
	if (!b)
		return;
	json_column_free(&b->blocks);
	row_batch_free(&b->batch);
	texts_column_free(&b->texts);
	free(b);
}
