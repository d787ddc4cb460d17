/* SPDX-License-Identifier: MIT */
/* `dana plugins`: what is built in and what is found in the folder of plugins, with options. */
#include "config.h"

#include "archive/plugin/plugins.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/diagnostics.h"
#include "cli/command.h"
#include "cli/options.h"

enum { MARGIN = 26, REASON_SIZE = 1024 };

static int put_built_in(struct buf *out);

const struct option_table plugins_options = {
	.command = "plugins",
	.summary = "list the plugins with their options",
	.synopsis = "",
	.description = "Lists the filters that each run of dana filter asks, the plugins that are built in, and those "
		       "that are found as shared objects in " DANA_PLUGIN_FOLDER ", each with its options.\n\n"
		       "dana filter --plugin NAME:KEY=VALUE,KEY=VALUE takes the plugin NAME; several --plugin follow "
		       "each other in their order. What follows a comma and has no '=' belongs to the value before the "
		       "comma. In a configuration file a section [plugin NAME] with lines of KEY = VALUE does the "
		       "same. An absolute path to a file NAME.so takes a plugin "
		       "from another folder; the file and its folder must belong to root or the user, and nobody else "
		       "may write them.",
	.write_details = put_built_in,
	.examples = "dana plugins\n"
		    "dana filter --plugin url:block=domains.txt.gz crawl.warc.gz >pages.jsonl",
};

static void put_plugin(const struct dana_plugin *p, void *arg)
{
	struct buf *out = arg;
	buf_printf(out, "  %-12s %s%s\n", p->name, p->help,
		   p->flags & DANA_PLUGIN_ORDERED ? "; sees the pages in their order" : "");
	for (const struct dana_option *o = p->options; o && o->name; o++) {
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
}

static void each_built_in(void (*each)(const struct dana_plugin *p, void *arg), void *arg)
{
	for (const struct dana_plugin *const *row = registry_table; *row; row++)
		each(*row, arg);
}

static int put_built_in(struct buf *out)
{
	buf_append_text(out, "Filters of every run, and their options of dana filter:\n");
	for (const struct filter_row *row = filter_table; row->name; row++)
		buf_printf(out, "  %-12s %s (%s)\n", row->name, row->help, row->option);
	buf_append_text(out, "\nBuilt in:\n");
	const size_t start = out->len;
	each_built_in(put_plugin, out);
	return buf_append_text(out, out->len > start ? "" : "  none\n");
}

/* ---- what is found ---- */

static int is_shared_object(const struct dirent *entry)
{
	const size_t len = strlen(entry->d_name);
	return len > 3 && strcmp(entry->d_name + len - 3, ".so") == 0;
}

/* `faults`: gets a line for each file that cannot be loaded, unless it is NULL. Returns the number of files. */
static int each_found(void (*each)(const struct dana_plugin *p, void *arg), void *arg, struct buf *faults)
{
	struct dirent **entries;
	int n = scandir(DANA_PLUGIN_FOLDER, &entries, is_shared_object, alphasort);
	for (int i = 0; i < n; i++) {
		struct loaded loaded;
		struct error err = { 0 };
		const struct slice name = slice_of(entries[i]->d_name, strlen(entries[i]->d_name) - 3);
		if (loader_open(&loaded, name, DANA_PLUGIN_FOLDER, &err) == DANA_OK)
			each(loaded.plugin, arg);
		else if (faults) {
			/* a file that cannot be loaded is named with the reason: a run that asks for it would be
			 * refused with the same words */
			char shown[64], reason[REASON_SIZE];
			buf_printf(faults, "  %-12s not usable: %s\n", printable(name, shown, sizeof(shown)),
				   printable_message(slice_from_text(err.text), reason, sizeof(reason)));
		}
		loader_close(&loaded);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return n > 0 ? n : 0;
}

void plugins_each(void (*each)(const struct dana_plugin *p, void *arg), void *arg)
{
	each_built_in(each, arg);
	(void)each_found(each, arg, NULL);
}

int plugins_run(int argc, char **argv)
{
	struct options_rest rest = { 0 };
	struct buf out = { 0 };
	int code = command_options(&plugins_options, NULL, argc, argv, &rest);
	if (code < 0) {
		put_built_in(&out);
#ifdef PLUGIN_FILES
		buf_printf(&out, "\nFound in %s:\n", DANA_PLUGIN_FOLDER);
		if (each_found(put_plugin, &out, &out) == 0)
			buf_append_text(&out, "  none\n");
#endif
		code = command_print_made("plugins", DANA_OK, &out);
	}
	options_rest_free(&rest);
	return code;
}

/* ---- sample ---- */

static void put_sample(const struct dana_plugin *p, void *arg)
{
	struct buf *out = arg;
	buf_printf(out, "\n## Plugin %s: %s\n\n#[plugin %s]\n", p->name, p->help, p->name);
	for (const struct dana_option *o = p->options; o && o->name; o++)
		help_sample_line(o->name, o->standard, settings_argument(o), o->help, out);
}

int plugins_sample(struct buf *out)
{
	each_built_in(put_sample, out);
	return buf_status(out);
}
