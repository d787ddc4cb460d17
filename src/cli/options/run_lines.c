/* SPDX-License-Identifier: MIT */
#include "cli/options/run_lines.h"

#include <stdio.h>

enum { WORD = 32 };

void run_lines_put(struct buf *out, const char *word, struct slice value)
{
	buf_printf(out, "%s ", word);
	for (size_t i = 0; i < value.len; i++) {
		if (value.data[i] < ' ' || value.data[i] == 0x7f)
			buf_printf(out, "\\x%02x", value.data[i]);
		else
			buf_append_byte(out, value.data[i]);
	}
	buf_append_byte(out, '\n');
}

static void put_option(const struct option *o, const struct filter_settings *s, struct buf *out)
{
	struct buf value = { 0 };
	option_value(o, s, &value);
	buf_latch(out, buf_status(&value));
	if (value.len)
		run_lines_put(out, o->name, buf_slice(&value));
	buf_free(&value);
}

/* Their order counts, so each has a word of its own. */
static void put_plugins(const struct plugin_rows *rows, struct buf *out)
{
	for (size_t i = 0; i < rows->n; i++) {
		const struct plugin_row *row = &rows->at[i];
		char word[WORD];
		struct buf value = { 0 };
		(void)snprintf(word, sizeof(word), "plugin-%zu", i + 1);
		buf_append(&value, row->name.data, row->name.len);
		if (row->key.data) {
			buf_append_byte(&value, ':');
			buf_append(&value, row->key.data, row->key.len);
			buf_append_byte(&value, '=');
			buf_append(&value, row->value.data, row->value.len);
		}
		buf_latch(out, buf_status(&value));
		run_lines_put(out, word, buf_slice(&value));
		buf_free(&value);
	}
}

int run_lines_options(const struct filter_settings *s, struct buf *out)
{
	for (const struct option *o = filter_options.options; o->name; o++) {
		if (!o->apart)
			put_option(o, s, out);
	}
	buf_printf(out, "compress %s:%d\n", s->kind.encoder->name, s->kind.level);
	put_plugins(&s->plugins, out);
	return buf_status(out);
}
