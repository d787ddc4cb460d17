/* SPDX-License-Identifier: MIT */
/* A table of the fields of a document, in the order of the keys of JSONL, and where each stands in it. */
#include "archive/arrow/document_batch.h"

#include <stdlib.h>

#include "archive/arrow/item_types.h"
#include "archive/arrow/texts_column.h"
#include "archive/stream/document.h"

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
static int add(struct document_batch *b, struct column *c, const struct document_field *f,
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
			status = add(b, &b->batch.column[i], &fields[b->field[i]], doc);
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
