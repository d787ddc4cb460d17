/* SPDX-License-Identifier: MIT */
#include "archive/plugin/plugin_rows.h"

#include "base/ascii.h"
#include "base/printable.h"

/* Returns whether this can be a key; whether the plugin has it is checked later. */
static bool is_key(struct slice key)
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

/* Removes white space at the ends and checks the row. Returns 0 or DANA_ECONFIG. */
static int check(struct plugin_row *row, const char *where, struct error *err)
{
	char shown[64];

	row->name = slice_trim(row->name);
	if (row->name.len == 0)
		return error_set(err, DANA_ECONFIG, "%s: the name of a plugin is empty", where);
	if (row->key.data) {
		row->key = slice_trim(row->key);
		row->value = slice_trim(row->value);
		if (!is_key(row->key))
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

/*
 * Returns the name, which ends at the first colon; a path may contain colons, and ends at the first one after the name
 * of a shared object.
 */
static struct slice name_of(const char *text)
{
	const char *end = text[0] == '/' ? strstr(text, ".so:") : NULL;
	return slice_of(text, end ? (size_t)(end - text) + 3 : strcspn(text, ":"));
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
	const struct slice name = name_of(text);
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
