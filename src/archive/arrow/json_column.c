/* SPDX-License-Identifier: MIT */
/* Members are looked up by their names: an object has few. */
#include "archive/arrow/json_column.h"

#include "base/ascii.h"
#include "base/decimal.h"
#include "base/json_reader.h"

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
