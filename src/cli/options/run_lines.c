/* SPDX-License-Identifier: MIT */
#include "cli/options/run_lines.h"

#include <stdio.h>

#include "run/state_file.h"

enum { WORD = 32 };

static void put_option(const struct option *o, const struct filter_settings *s, struct buf *out)
{
	struct buf value = { 0 };
	option_value(o, s, &value);
	buf_latch(out, buf_status(&value));
	if (value.len)
		lines_put(out, o->name, buf_slice(&value));
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
		lines_put(out, word, buf_slice(&value));
		buf_free(&value);
	}
}

/* As those of plugins; the first has the option's own word. */
static void put_texts(const struct option *o, const struct filter_settings *s, struct buf *out)
{
	const struct text_list *texts = (const void *)((const char *)s + o->offset);
	for (unsigned i = 0; i < texts->n; i++) {
		char word[WORD];
		(void)snprintf(word, sizeof(word), i ? "%s-%u" : "%s", o->name, i + 1);
		lines_put(out, word, slice_from_text(texts->at[i]));
	}
}

int run_lines_options(const struct filter_settings *s, struct buf *out)
{
	for (const struct option *o = filter_options.options; o->name; o++) {
		if (!o->apart && o->type == OPTION_TEXTS)
			put_texts(o, s, out);
		else if (!o->apart)
			put_option(o, s, out);
	}
	buf_printf(out, "compress %s:%d\n", s->run.outputs.kind.encoder->name, s->run.outputs.kind.level);
	put_plugins(&s->run.plugins, out);
	return buf_status(out);
}
