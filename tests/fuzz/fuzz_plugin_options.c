/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: options of plugins, as one --plugin for each line of the input. Oracles: a refusal is one printable
 * line; what is accepted has values of its option's type and range, and the values of a list are not empty.
 */
#include "config.h"

#include <stdlib.h>

#include "archive/plugin/plugins.h"
#include "base/arena.h"
#include "support/split_feed.h"

static const struct dana_option options[] = {
	{ "text", DANA_STRING, NULL, NULL, "a text", 0, 0 },
	{ "file", DANA_FILE, NULL, NULL, "a file", 0, 0 },
	{ "list", DANA_LIST, NULL, "a,b", "a list", 0, 0 },
	{ "word", DANA_CHOICE, "one|two|three", "two", "a word", 0, 0 },
	{ "whole", DANA_INTEGER, NULL, "-3", "a whole number", -1000, 1000 },
	{ "size", DANA_SIZE, NULL, "64K", "a size", 1, 1e12 },
	{ "number", DANA_NUMBER, NULL, "0.5", "a number", -1, 1 },
	{ "any", DANA_NUMBER, NULL, NULL, "any number", 0, 0 },
	{ "on", DANA_BOOLEAN, NULL, "no", "a switch", 0, 0 },
	{ .name = NULL },
};

static const struct dana_plugin plugin = { DANA_PLUGIN_HEAD, .name = "p", .version = "1", .help = "is not called",
					   .options = options };

static void must_fit(const struct setting *v)
{
	const struct dana_option *o = v->option;
	if (!v->text)
		return;
	must(v->text[0] != '\0');
	if (o->least != 0 || o->most != 0)
		must(v->number >= o->least && v->number <= o->most);
	if (o->type == DANA_INTEGER || o->type == DANA_SIZE)
		must((double)v->integer == v->number);
	if (o->type == DANA_BOOLEAN)
		must(v->integer == 0 || v->integer == 1);
	if (o->type == DANA_LIST)
		must(v->text[0] != ',' && !strstr(v->text, ",,"));
	if (o->type == DANA_CHOICE)
		must(strcmp(v->text, "one") == 0 || strcmp(v->text, "two") == 0 || strcmp(v->text, "three") == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct plugin_rows rows;
	struct slice text = slice_of(data, size);
	struct arena *memory = arena_new();
	struct buf fault = { 0 };
	must(memory != NULL);
	must(!settings_table_fault(&plugin, &fault));
	rows.n = 0;
	for (int status = DANA_OK; text.len && status == DANA_OK;) { /* NAME:KEY=VALUE,... */
		struct error err = { 0 };
		const struct slice line = arena_copy(memory, split_line(&text));
		must(line.data != NULL);
		status = plugin_rows_parse(&rows, (const char *)line.data, "--plugin", &err);
		if (status != DANA_OK)
			must_be_refusal(&err);
	}
	struct settings s;
	struct error err = { 0 };
	if (settings_read(&s, &plugin, slice_from_text("p"), &rows, memory, &err) < 0)
		must_be_refusal(&err);
	for (size_t i = 0; err.status == DANA_OK && i < s.n; i++)
		must_fit(&s.at[i]);
	arena_free(memory);
	return 0;
}
