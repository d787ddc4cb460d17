/* SPDX-License-Identifier: MIT */
#include "plugin/plugin_rows.h"

#include "base/printable.h"

int plugin_rows_add(struct plugin_rows *rows, struct plugin_row row, const char *where, struct error *err)
{
	if (rows->n == PLUGIN_ROWS_MOST)
		return error_set(err, DANA_ECONFIG, "%s: more than %d plugins and keys of plugins", where,
				 PLUGIN_ROWS_MOST);
	rows->at[rows->n++] = row;
	return DANA_OK;
}

/* "key=" */
static bool is_setting(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");
	return len && text[len] == '=';
}

/* A name ends with the first colon; a path, which may hold colons, with the first one that a setting follows. */
static struct slice name_of(const char *text)
{
	size_t len = strcspn(text, ":");
	while (text[0] == '/' && text[len] && !is_setting(text + len + 1))
		len += 1 + strcspn(text + len + 1, ":");
	return slice_of(text, len);
}

static int add_pair(struct plugin_rows *rows, struct slice name, struct slice pair, const char *where,
		    struct error *err)
{
	const uint8_t *equals = pair.len ? memchr(pair.data, '=', pair.len) : NULL;
	struct plugin_row *last = rows->n ? &rows->at[rows->n - 1] : NULL;
	char shown[64];

	if (equals && equals > pair.data) {
		size_t len = (size_t)(equals - pair.data);
		const struct plugin_row row = { name, slice_of(pair.data, len), slice_skip(pair, len + 1) };
		return plugin_rows_add(rows, row, where, err);
	}
	/* Pairs stand one after the other in the same text, with a comma between. */
	if (!equals && last && last->key.data && last->name.data == name.data) {
		last->value.len = (size_t)(pair.data + pair.len - last->value.data);
		return DANA_OK;
	}
	return error_set(err, DANA_ECONFIG, "%s: '%s' is no setting; expected NAME:KEY=VALUE,...", where,
			 printable(pair, shown, sizeof(shown)));
}

int plugin_rows_parse(struct plugin_rows *rows, const char *text, const char *where, struct error *err)
{
	const struct slice name = name_of(text);
	int status = plugin_rows_add(rows, (struct plugin_row){ .name = name }, where, err);

	if (name.len == 0)
		return error_set(err, DANA_ECONFIG, "%s: the name is empty; expected NAME[:KEY=VALUE,...]", where);
	text += name.len;
	while (status == DANA_OK && *text) {
		size_t len = strcspn(++text, ",");
		status = add_pair(rows, name, slice_of(text, len), where, err);
		text += len;
	}
	return status;
}
