/* SPDX-License-Identifier: MIT */
/* `dana plugins`: what is built in and what is found in the folder of plugins, with options. */
#include "config.h"

#include "cli/plugins.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "archive/plugin/loader.h"
#include "archive/plugin/registry.h"
#include "archive/plugin/settings.h"
#include "base/printable.h"
#include "cli/command.h"
#include "cli/options/help.h"

enum { MARGIN = 26, REASON_SIZE = 1024 };

static int put_built_in(struct buf *out);

const struct option_table plugins_options = {
	.command = "plugins",
	.summary = "list the plugins with their options",
	.synopsis = "",
	.description =
		"Lists the filters that each run of dana filter asks, the plugins that are built in, and those that are found as "
		"shared objects in " DANA_PLUGIN_FOLDER ", each with its options.\n\n"
		"dana filter --plugin NAME:KEY=VALUE,KEY=VALUE takes the plugin NAME; several --plugin follow each other in their "
		"order. What follows a comma and has no '=' belongs to the value before the comma. In a configuration file a "
		"section [plugin NAME] with lines of KEY = VALUE does the same. An absolute path to a file NAME.so takes a plugin "
		"from another folder; the file and its folder must belong to root or the user, and nobody else may write them.",
	.write_details = put_built_in,
	.examples = "dana plugins\n"
		    "dana filter --plugin url:block=domains.txt.gz crawl.warc.gz >pages.jsonl",
};

static void put_option(const struct dana_option *o, struct buf *out)
{
	const size_t start = out->len;
	buf_printf(out, "    %s=%s", o->name, settings_argument(o));
	const size_t column = out->len - start;
	if (column + 2 > MARGIN)
		buf_printf(out, "\n%*s", MARGIN, "");
	else
		buf_printf(out, "%*s", (int)(MARGIN - column), "");
	buf_append_text(out, o->help);
	if (o->standard)
		buf_printf(out, " (default: %s)", o->standard);
	buf_append_byte(out, '\n');
}

static void put_plugin(const struct dana_plugin *p, struct buf *out)
{
	buf_printf(out, "  %-12s %s%s\n", p->name, p->help,
		   p->flags & DANA_PLUGIN_ORDERED ? "; sees the pages in their order" : "");
	for (const struct dana_option *o = p->options; o && o->name; o++)
		put_option(o, out);
}

static int put_built_in(struct buf *out)
{
	bool any = false;
	buf_append_text(out, "Filters of every run, and their options of dana filter:\n");
	for (const struct registry_row *row = registry_table; row->plugin; row++) {
		if (row->option)
			buf_printf(out, "  %-12s %s (%s)\n", row->plugin->name, row->plugin->help, row->option);
	}
	buf_append_text(out, "\nBuilt in:\n");
	for (const struct registry_row *row = registry_table; row->plugin; row++) {
		if (row->option)
			continue;
		put_plugin(row->plugin, out);
		any = true;
	}
	return buf_append_text(out, any ? "" : "  none\n");
}

/* ---- what is found ---- */

static int is_shared_object(const struct dirent *entry)
{
	const size_t len = strlen(entry->d_name);
	return len > 3 && strcmp(entry->d_name + len - 3, ".so") == 0;
}

/* A file that cannot be loaded is named with the reason: a run that asks for it would be refused with the same words. */
static void put_found(const char *file, struct buf *out)
{
	struct loaded loaded;
	struct error err = { 0 };
	const struct slice name = slice_of(file, strlen(file) - 3);
	char shown[64], reason[REASON_SIZE];
	if (loader_open(&loaded, name, DANA_PLUGIN_FOLDER, &err) == DANA_OK)
		put_plugin(loaded.plugin, out);
	else
		buf_printf(out, "  %-12s not usable: %s\n", printable(name, shown, sizeof(shown)),
			   printable_message(slice_from_text(err.text), reason, sizeof(reason)));
	loader_close(&loaded);
}

static void put_folder(struct buf *out)
{
	struct dirent **entries;
	int n = scandir(DANA_PLUGIN_FOLDER, &entries, is_shared_object, alphasort);
	buf_printf(out, "\nFound in %s:\n%s", DANA_PLUGIN_FOLDER, n > 0 ? "" : "  none\n");
	for (int i = 0; i < n; i++) {
		put_found(entries[i]->d_name, out);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

int plugins_run(int argc, char **argv)
{
	struct options_rest rest = { 0 };
	struct buf out = { 0 };
	int code = command_options(&plugins_options, NULL, argc, argv, &rest);
	if (code < 0) {
		put_built_in(&out);
		put_folder(&out);
		code = command_print_made("plugins", DANA_OK, &out);
	}
	options_rest_free(&rest);
	return code;
}

/* ---- sample and completion ---- */

int plugins_sample(struct buf *out)
{
	for (const struct registry_row *row = registry_table; row->plugin; row++) {
		const struct dana_plugin *p = row->plugin;
		if (row->option)
			continue;
		buf_printf(out, "\n## Plugin %s: %s\n\n#[plugin %s]\n", p->name, p->help, p->name);
		for (const struct dana_option *o = p->options; o && o->name; o++)
			help_sample_line(o->name, o->standard, settings_argument(o), o->help, out);
	}
	return buf_status(out);
}

/* A word for each value that an option can have. */
static void put_words(const struct dana_option *o, struct buf *out)
{
	const char *words = o->type == DANA_CHOICE ? o->argument : o->type == DANA_BOOLEAN ? "0|1" : "";
	if (o->type == DANA_FILE || o->type == DANA_FILE_WRITTEN)
		buf_printf(out, "%s=@files ", o->name);
	else if (!*words)
		buf_printf(out, "%s= ", o->name);
	while (*words) {
		const size_t len = strcspn(words, "|");
		buf_printf(out, "%s=%.*s ", o->name, (int)len, words);
		words += len + (words[len] == '|');
	}
}

void plugins_completion(void (*write)(const char *plugin, const char *keys, struct buf *out), struct buf *out)
{
	for (const struct registry_row *row = registry_table; row->plugin; row++) {
		struct buf keys = { 0 };
		if (row->option)
			continue;
		for (const struct dana_option *o = row->plugin->options; o && o->name; o++)
			put_words(o, &keys);
		if (buf_append_byte(&keys, 0) == DANA_OK)
			write(row->plugin->name, (const char *)keys.data, out);
		else
			out->failed = true;
		buf_free(&keys);
	}
}
