/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "serve/parameters.h"

#include <stdio.h>

#include "base/ascii.h"
#include "base/diagnostics.h"

const char *const page_parameters[] = { "url",    "charset", "plugin",
					"method", "format",  PAGE_OPTIONS(PAGE_PARAMETER, ) NULL };

void parameters_clear(struct parameters *p)
{
	for (unsigned i = 0; i < PARAMETERS; i++) {
		buf_clear(&p->value[i]);
		p->given[i] = false;
	}
}

void parameters_free(struct parameters *p)
{
	for (unsigned i = 0; i < PARAMETERS; i++)
		buf_free(&p->value[i]);
}

struct slice parameter_value(const struct parameters *p, unsigned parameter)
{
	return p->given[parameter] ? slice_first(buf_slice(&p->value[parameter]), p->value[parameter].len - 1)
				   : slice_of(NULL, 0);
}

/* The value is complete: texts of options end with NUL, so that they have none. */
static int end_value(struct parameters *p, unsigned i, struct error *err)
{
	if (memchr(p->value[i].data ? p->value[i].data : (const uint8_t *)"", 0, p->value[i].len))
		return error_set(err, DANA_ECONFIG, "the parameter %s has the character U+0000", page_parameters[i]);
	p->given[i] = true;
	return buf_append_byte(&p->value[i], 0) < 0 ? error_no_memory(err) : DANA_OK;
}

/* ---- queries ---- */

int parameters_read_query(struct parameters *p, struct slice query, struct error *err)
{
	struct slice name, value;
	while (request_query_next(&query, &name, &value)) {
		unsigned i = 0;
		while (page_parameters[i] && !slice_equal(name, slice_from_text(page_parameters[i])))
			i++;
		const bool repeatable = i == PARAMETER_METHOD || i == PARAMETER_PLUGIN;
		if (i == PARAMETERS || (p->given[i] && !repeatable)) /* the first counts */
			continue;
		if (p->given[i])
			p->value[i].data[p->value[i].len - 1] = ','; /* in place of the NUL */
		if (!request_decode(value, false, &p->value[i]))
			return error_set(
				err, DANA_ECONFIG,
				"the parameter %s cannot be decoded; expected %%XX for each byte that is escaped",
				page_parameters[i]);
		const int status = end_value(p, i, err);
		if (status < 0)
			return status;
	}
	return DANA_OK;
}

/* ---- JSON ---- */

/* Returns the number of the parameter of this name, in which a hyphen is as good as an underscore. */
static unsigned find(struct slice name)
{
	unsigned i = 0;
	name = slice_first(slice_skip(name, 1), name.len - 2); /* its quotes */
	for (; page_parameters[i]; i++) {
		const struct slice known = slice_from_text(page_parameters[i]);
		size_t at = 0;
		while (at < known.len && at < name.len &&
		       (known.data[at] == name.data[at] || (known.data[at] == '-' && name.data[at] == '_')))
			at++;
		if (at == known.len && at == name.len)
			break;
	}
	return i;
}

static int append_scalar(struct json_value value, struct buf *out, bool *good)
{
	const enum json_kind kind = json_kind(value);
	struct slice text = json_written(value);
	struct buf space = { 0 };
	bool repaired;
	int status = DANA_OK;
	*good = true;
	if (kind == JSON_IS_STRING)
		status = json_characters(value, &space, &text, &repaired);
	else if (kind == JSON_IS_BOOLEAN)
		text = slice_from_text(*text.data == 't' ? "1" : "0");
	else
		*good = kind == JSON_IS_NUMBER;
	if (status == DANA_OK && *good)
		status = buf_append(out, text.data, text.len);
	buf_free(&space);
	return status;
}

int parameters_set_json(void *arg, struct slice name, struct json_value value, struct error *err)
{
	struct parameters *p = arg;
	const enum json_kind kind = json_kind(value);
	const unsigned i = find(name);
	char shown[80];
	bool good = true;
	if (i == PARAMETERS) {
		struct buf names = { 0 };
		for (unsigned k = 0; k < PARAMETERS; k++)
			buf_printf(&names, " %s", page_parameters[k]);
		(void)error_set(err, DANA_ECONFIG, "no parameter has the name %s; known are html, html_base64%.*s",
				printable(name, shown, sizeof(shown)), (int)names.len,
				names.data ? (const char *)names.data : "");
		buf_free(&names);
		return DANA_ECONFIG;
	}
	buf_clear(&p->value[i]);
	p->given[i] = false;
	if (kind == JSON_IS_NULL)
		return DANA_OK;
	int status = DANA_OK;
	if (kind != JSON_IS_ARRAY && kind != JSON_IS_OBJECT)
		status = append_scalar(value, &p->value[i], &good);
	for (struct json_walk walk = json_walk(value); status == DANA_OK && good && json_walk_next(&walk);) {
		if (p->value[i].len)
			buf_append_byte(&p->value[i], ',');
		if (kind == JSON_IS_OBJECT && walk.name.len > 2) {
			buf_append(&p->value[i], walk.name.data + 1, walk.name.len - 2);
			buf_append_byte(&p->value[i], '=');
		}
		status = append_scalar(walk.value, &p->value[i], &good);
	}
	if (status < 0)
		return error_no_memory(err);
	if (!good)
		return error_set(err, DANA_ECONFIG,
				 "the value of %s is none; expected a string, a number, true, false, or a list of them",
				 page_parameters[i]);
	return end_value(p, i, err);
}

/* ---- options of a page ---- */

/* Appends "name=value" and NUL. */
static void add_option(struct buf *options, const char *name, struct slice value)
{
	buf_printf(options, "%s=", name);
	buf_append(options, value.data, value.len);
	buf_append_byte(options, 0);
}

/* Returns whether it is a name of a method: their keys may name files, and are no parameters. */
static bool is_method(struct slice name)
{
	const char *known;
	size_t i = 0;
	while ((known = dana_method_name(i)) && !slice_is(name, known))
		i++;
	return known != NULL;
}

int parameters_options(const struct parameters *p, enum reply_format format, struct buf *options, struct error *err)
{
	struct buf keys = { 0 };
	for (struct slice rest = parameter_value(p, PARAMETER_METHOD); rest.len;) {
		const struct slice name = slice_first(rest, slice_until(rest, ","));
		rest = slice_skip(rest, name.len + (name.len < rest.len));
		if (!is_method(name))
			return error_set(err, DANA_ECONFIG,
					 "the parameter method has a name that is unknown; expected names of dana "
					 "methods, joined by commas");
		add_option(options, "method", name);
	}
	struct slice given = slice_of(NULL, 0); /* of markdown */
	for (const struct page_option *row = page_option_list; row->name; row++) {
		const struct slice value = parameter_value(p, PARAMETER_OPTIONS + (unsigned)(row - page_option_list));
		if (value.len)
			add_option(options, row->name, value);
		if (strcmp(row->name, "markdown") == 0)
			given = value;
	}
	if (format >= FORMAT_MARKDOWN)
		add_option(options, "text", slice_from_text("markdown"));
	if (format > FORMAT_MARKDOWN) {
		buf_printf(&keys, "%.*s%sformat=%s", (int)given.len, given.data ? (const char *)given.data : "",
			   given.len ? "," : "", reply_formats[format].name);
		add_option(options, "markdown", buf_slice(&keys));
		buf_latch(options, buf_status(&keys));
		buf_free(&keys);
	}
	return buf_status(options) < 0 ? error_no_memory(err) : DANA_OK;
}
