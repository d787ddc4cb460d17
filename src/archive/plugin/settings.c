/* SPDX-License-Identifier: MIT */
/*
 * Reads the values of plugins' options.
 *
 * Every value is read once, by the type of its option, before the plugin is loaded: a plugin gets good values only.
 */
#include <stdio.h>
#include <stdlib.h>

#include "archive/plugin/plugins.h"
#include "base/arena.h"
#include "base/ascii.h"
#include "base/diagnostics.h"

bool settings_is_name(const char *text)
{
	size_t i = 0;
	while (ascii_is_digit((uint8_t)text[i]) || (text[i] >= 'a' && text[i] <= 'z') || (text[i] == '-' && i))
		i++;
	return i && text[i] == '\0';
}

bool settings_is_key(struct slice key)
{
	for (size_t i = 0; i < key.len; i++) {
		const uint8_t c = key.data[i];
		if (!ascii_is_alpha(c) && !ascii_is_digit(c) && c != '-' && c != '_')
			return false;
	}
	return key.len > 0;
}

/* Returns whether there are no line ends: rows are written as lines of a configuration file. */
static bool is_line(struct slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.data[i] < 0x20 && s.data[i] != '\t')
			return false;
	}
	return true;
}

/* Removes white space at the ends and checks the row. */
static int check(struct plugin_row *row, const char *where, struct error *err)
{
	char shown[64];
	row->name = slice_trim(row->name);
	if (row->name.len == 0)
		return error_set(err, DANA_ECONFIG, "%s: the name of a plugin is empty", where);
	if (row->key.data) {
		row->key = slice_trim(row->key);
		row->value = slice_trim(row->value);
		if (!settings_is_key(row->key))
			return error_set(err, DANA_ECONFIG,
					 "%s: '%s' cannot be a key of a plugin; expected letters, digits and '-'",
					 where, printable(row->key, shown, sizeof(shown)));
	}
	if (!is_line(row->name) || !is_line(row->value))
		return error_set(err, DANA_ECONFIG, "%s: a control character in a name or value", where);
	return DANA_OK;
}

int plugin_rows_add(struct plugin_rows *rows, struct plugin_row row, const char *where, struct error *err)
{
	if (rows->n == PLUGIN_ROWS_MOST)
		return error_set(err, DANA_ECONFIG, "%s: more than %d plugins and keys of plugins", where,
				 PLUGIN_ROWS_MOST);
	int status = check(&row, where, err);
	if (status == DANA_OK)
		rows->at[rows->n++] = row;
	return status;
}

/* `first`: the row that names the plugin. Pairs follow each other in the same text, separated by commas. */
static int add_pair(struct plugin_rows *rows, size_t first, struct slice pair, const char *where, struct error *err)
{
	const uint8_t *equals = pair.len ? memchr(pair.data, '=', pair.len) : NULL;
	struct plugin_row *last = &rows->at[rows->n - 1];
	char shown[64];
	if (equals && equals > pair.data) {
		size_t len = (size_t)(equals - pair.data);
		const struct plugin_row row = { rows->at[first].name, slice_of(pair.data, len),
						slice_skip(pair, len + 1) };
		return plugin_rows_add(rows, row, where, err);
	}
	if (!equals && last->key.data && last->value.len) {
		last->value.len = (size_t)(pair.data + pair.len - last->value.data);
		return check(last, where, err);
	}
	return error_set(err, DANA_ECONFIG, "%s: '%s' is not a setting; expected NAME:KEY=VALUE,...", where,
			 printable(pair, shown, sizeof(shown)));
}

int plugin_rows_parse(struct plugin_rows *rows, const char *text, const char *where, struct error *err)
{
	const char *end = text[0] == '/' ? strstr(text, ".so:") : NULL;
	const struct slice name = slice_of(text, end ? (size_t)(end - text) + 3 : strcspn(text, ":"));
	const size_t first = rows->n;
	int status = plugin_rows_add(rows, (struct plugin_row){ .name = name }, where, err);
	text += name.len;
	while (status == DANA_OK && *text) {
		size_t len = strcspn(++text, ",");
		status = add_pair(rows, first, slice_of(text, len), where, err);
		text += len;
	}
	return status;
}

enum { SHOWN = 64, WHERE = 128, NUMBER_MOST = 64 };

const char *settings_argument(const struct dana_option *o)
{
	static const char *const by_type[] = { "TEXT", "FILE", "ITEM,...", "WORD", "N", "SIZE", "NUMBER", "0|1" };
	return o->argument ? o->argument : by_type[o->type];
}

/* ---- numbers ---- */

static bool is_integer(struct slice s)
{
	size_t i = s.len && (s.data[0] == '-' || s.data[0] == '+');
	bool any = false;
	for (; i < s.len && ascii_is_digit(s.data[i]); i++)
		any = true;
	return any && i == s.len;
}

/* ---- a value ---- */

static bool read_value(struct setting *v)
{
	switch (v->option->type) {
	case DANA_INTEGER:
		if (!is_integer(slice_from_text(v->text)) || strlen(v->text) > 18)
			return false;
		v->integer = strtoll(v->text, NULL, 10);
		v->number = (double)v->integer;
		return true;
	case DANA_SIZE: {
		const struct slice s = slice_from_text(v->text);
		uint64_t number;
		if (!decimal_with_unit(s, &number) || number > INT64_MAX ||
		    s.len - !ascii_is_digit(s.data[s.len - 1]) > 18)
			return false;
		v->integer = (int64_t)number;
		v->number = (double)v->integer;
		return true;
	}
	case DANA_NUMBER: {
		/* digits, a point with digits, a sign: what strtod reads alike in every locale of this program, which
		 * sets none */
		const struct slice s = slice_from_text(v->text), whole = slice_first(s, slice_until(s, "."));
		const struct slice fraction = slice_skip(s, whole.len + 1);
		if (!is_integer(whole) || s.len > NUMBER_MOST ||
		    (whole.len < s.len &&
		     (fraction.len == 0 || !ascii_is_digit(fraction.data[0]) || !is_integer(fraction))))
			return false;
		v->number = strtod(v->text, NULL);
		return true;
	}
	case DANA_BOOLEAN: {
		const struct slice s = slice_from_text(v->text);
		v->integer = word_index("1|yes|true", s) >= 0;
		return v->integer || word_index("0|no|false", s) >= 0;
	}
	case DANA_CHOICE:
		return word_index(v->option->argument, slice_from_text(v->text)) >= 0;
	case DANA_LIST:
		return list_is_good(v->text);
	case DANA_STRING:
	case DANA_FILE:
	case DANA_FILE_WRITTEN:
	default:
		return v->text[0] != '\0';
	}
}

static int set(struct setting *v, const char *text, const char *where, struct error *err)
{
	const struct dana_option *o = v->option;
	char shown[SHOWN];
	v->text = text;
	(void)printable(slice_from_text(text), shown, sizeof(shown));
	if (!read_value(v)) {
		static const char *const expected[] = { [DANA_LIST] = "item,item,... without empty items",
							[DANA_INTEGER] = "a whole number",
							[DANA_SIZE] = "a number, optionally followed by K, M or G",
							[DANA_NUMBER] = "a decimal number",
							[DANA_BOOLEAN] = "1 or 0",
							[DANA_FILE_WRITTEN] = NULL };
		if (o->type == DANA_CHOICE)
			return word_refuse(o->argument, slice_from_text(text), where, err);
		return error_set(err, DANA_ECONFIG, "%s: %s%s%s is wrong; expected %s", where, *text ? "'" : "",
				 *text ? shown : "the empty value", *text ? "'" : "",
				 expected[o->type] ? expected[o->type] : settings_argument(o));
	}
	if (((o->least != 0 || o->most != 0) &&
	     (o->type == DANA_INTEGER || o->type == DANA_SIZE || o->type == DANA_NUMBER)) &&
	    (v->number < o->least || v->number > o->most))
		return error_set(err, DANA_ECONFIG, "%s: %s is out of range; expected %.15g to %.15g", where, shown,
				 o->least, o->most);
	return DANA_OK;
}

/* ---- the table ---- */

const struct setting *settings_find(const struct settings *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++) {
		if (strcmp(s->at[i].option->name, name) == 0)
			return &s->at[i];
	}
	return NULL;
}

static int set_row(struct settings *s, const struct dana_plugin *plugin, const struct plugin_row *row,
		   struct arena *memory, struct error *err)
{
	char where[WHERE];
	for (size_t i = 0; i < s->n; i++) {
		if (!slice_equal(slice_from_text(s->at[i].option->name), row->key))
			continue;
		const struct slice copy = arena_copy(memory, row->value);
		if (!copy.data)
			return error_no_memory(err);
		(void)snprintf(where, sizeof(where), "plugin %s: %s", plugin->name, s->at[i].option->name);
		if (memchr(row->value.data, 0, row->value.len))
			return error_set(err, DANA_ECONFIG, "%s: a zero byte in the value", where);
		return set(&s->at[i], (const char *)copy.data, where, err);
	}

	struct near_name near = near_name_of(row->key);
	struct buf names = { 0 };
	for (const struct dana_option *o = plugin->options; o && o->name; o++) {
		near_name_offer(&near, o->name);
		buf_printf(&names, "%s%s", names.len ? ", " : "", o->name);
	}
	if (names.len == 0)
		buf_append_text(&names, "none: it has no options");
	buf_append_byte(&names, 0);
	int status = buf_status(&names);
	(void)snprintf(where, sizeof(where), "plugin %s", plugin->name);
	if (status == DANA_OK)
		status = near_name_refuse(&near, where, (const char *)names.data, err);
	buf_free(&names);
	return status;
}

int settings_read(struct settings *s, const struct dana_plugin *plugin, struct slice name,
		  const struct plugin_rows *rows, struct arena *memory, struct error *err)
{
	size_t n = 0;
	while (plugin->options && plugin->options[n].name)
		n++;
	s->n = n;
	s->at = arena_alloc(memory, (s->n + 1) * sizeof(*s->at));
	if (!s->at)
		return error_no_memory(err);
	int status = DANA_OK;
	for (size_t i = 0; i < s->n && status == DANA_OK; i++) {
		s->at[i] = (struct setting){ .option = &plugin->options[i] };
		if (s->at[i].option->standard)
			status = set(&s->at[i], s->at[i].option->standard, s->at[i].option->name, err);
	}
	for (size_t i = 0; i < rows->n && status == DANA_OK; i++) {
		const struct plugin_row *row = &rows->at[i];
		if (row->key.data && slice_equal(row->name, name))
			status = set_row(s, plugin, row, memory, err);
	}
	return status;
}

/* Returns what is wrong with a row of the table; NULL if it is valid. */
static const char *row_fault(const struct dana_plugin *plugin, const struct dana_option *o)
{
	if (!settings_is_name(o->name))
		return "its name has characters other than a-z, 0-9 and '-'";
	if ((unsigned)o->type > DANA_FILE_WRITTEN)
		return "its type is unknown";
	if (!o->help || !*o->help)
		return "it has no help";
	if (o->type == DANA_CHOICE && (!o->argument || !*o->argument))
		return "its words are missing";
	for (const struct dana_option *other = plugin->options; other < o; other++) {
		if (strcmp(other->name, o->name) == 0)
			return "it is in the table twice";
	}
	struct error err = { 0 };
	struct setting v = { .option = o };
	return o->standard && set(&v, o->standard, "", &err) < 0 ? "its default is not one of its values" : NULL;
}

const char *settings_table_fault(const struct dana_plugin *plugin, struct buf *text)
{
	for (const struct dana_option *o = plugin->options; o && o->name; o++) {
		const char *fault = row_fault(plugin, o);
		char shown[SHOWN];
		if (!fault)
			continue;
		buf_printf(text, "option '%s': %s", printable(slice_from_text(o->name), shown, sizeof(shown)), fault);
		return buf_append_byte(text, 0) < 0 ? fault : (const char *)text->data;
	}
	return NULL;
}
