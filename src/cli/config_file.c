/* SPDX-License-Identifier: MIT */
/*
 * Each line is read by the same table as the command line: `min-chars = 100` is --min-chars=100, and `force = yes` is
 * --force. Text values are copied into the arena of the caller, because the file's memory is freed.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/plugin/plugins.h"
#include "base/arena.h"
#include "base/ascii.h"
#include "base/diagnostics.h"
#include "base/file.h"
#include "cli/options.h"

enum { FILE_MOST = 1 << 20 }; /* bytes; a configuration is a page or two */

struct file_place {
	const struct option_table *table;
	void *settings;
	struct arena *memory;
	struct error *err;
	const char *path;
	unsigned line;
	const struct option *plugins; /* the option that takes sections; NULL: the command has none */
	struct slice section;         /* name of the plugin; empty: before the first section */
};

static struct plugin_rows *rows_of(const struct file_place *p)
{
	return (struct plugin_rows *)(void *)((char *)p->settings + p->plugins->offset);
}

static int no_zero_byte(const struct file_place *p, struct slice value, const char *where)
{
	return value.len && memchr(value.data, 0, value.len)
		       ? error_set(p->err, DANA_ECONFIG, "%s: a zero byte in the value", where)
		       : DANA_OK;
}

/* "[plugin NAME]": names the plugin, which may be all that is said of it. */
static int begin_section(struct file_place *p, struct slice line, const char *where)
{
	static const char word[] = "[plugin";
	const size_t len = sizeof(word) - 1;
	struct slice name = slice_of(NULL, 0);
	if (p->plugins && line.len > len + 1 && memcmp(line.data, word, len) == 0 && ascii_is_space(line.data[len]))
		name = slice_trim(slice_of(line.data + len, line.len - len - 1));
	if (name.len == 0 || line.data[line.len - 1] != ']')
		return error_set(p->err, DANA_ECONFIG, "%s: a section that is unknown; expected [plugin NAME]", where);
	p->section = arena_copy(p->memory, name);
	if (!p->section.data)
		return DANA_ENOMEM;
	int status = no_zero_byte(p, name, where);
	return status < 0 ? status
			  : plugin_rows_add(rows_of(p), (struct plugin_row){ .name = p->section }, where, p->err);
}

static int parse_line(struct file_place *p, struct slice line)
{
	char path[80], where[128];
	line = slice_trim(line);
	if (line.len == 0 || line.data[0] == '#')
		return DANA_OK;
	printable(slice_from_text(p->path), path, sizeof(path));
	(void)snprintf(where, sizeof(where), "%s:%u", path, p->line);
	if (line.data[0] == '[')
		return begin_section(p, line, where);
	const uint8_t *equals = memchr(line.data, '=', line.len);
	if (!equals)
		return error_set(p->err, DANA_ECONFIG, "%s:%u: no '=' in the line; expected key = value", path,
				 p->line);
	struct slice key = slice_trim(slice_of(line.data, (size_t)(equals - line.data)));
	struct slice value = slice_trim(slice_skip(line, (size_t)(equals - line.data) + 1));
	if (p->section.len) {
		struct plugin_row row = { p->section, arena_copy(p->memory, key), arena_copy(p->memory, value) };
		if (!row.key.data || !row.value.data)
			return DANA_ENOMEM;
		int status = no_zero_byte(p, value, where);
		return status < 0 ? status : plugin_rows_add(rows_of(p), row, where, p->err);
	}
	const struct option *o = option_find(p->table, key);
	if (!o) {
		char shown[64];
		printable(key, shown, sizeof(shown));
		struct slice near = option_near(p->table, key);
		if (near.len)
			return error_set(p->err, DANA_ECONFIG, "%s:%u: unknown key '%s'; did you mean %.*s?", path,
					 p->line, shown, (int)near.len, (const char *)near.data);
		return error_set(p->err, DANA_ECONFIG,
				 "%s:%u: unknown key '%s'; expected the long name of an option, without dashes", path,
				 p->line, shown);
	}
	(void)snprintf(where, sizeof(where), "%s:%u: %s", path, p->line, o->name);
	if (o->place == OPTION_COMMAND_LINE)
		return error_set(p->err, DANA_ECONFIG, "%s belongs on the command line only", where);
	int status = no_zero_byte(p, value, where);
	if (status < 0)
		return status;
	if (o->type == OPTION_FLAG) {
		char shown[64];
		bool yes = slice_is(value, "yes") || slice_is(value, "true");
		if (!yes && !slice_is(value, "no") && !slice_is(value, "false"))
			return error_set(p->err, DANA_ECONFIG, "%s: '%s' is unknown; expected yes or no", where,
					 printable(value, shown, sizeof(shown)));
		option_set_flag(o, p->settings, yes);
		return DANA_OK;
	}
	struct slice kept = arena_copy(p->memory, value);
	if (!kept.data)
		return DANA_ENOMEM;
	return option_set(o, p->settings, (const char *)kept.data, where, p->err);
}

int config_file_parse(const struct option_table *table, void *settings, struct slice text, const char *path,
		      struct arena *memory, struct error *err)
{
	struct file_place p = { .table = table, .settings = settings, .memory = memory, .err = err, .path = path };
	for (const struct option *o = table->options; o && o->name; o++)
		p.plugins = o->type == OPTION_PLUGIN ? o : p.plugins;
	if (text.len >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0)
		text = slice_skip(text, 3); /* editors put it there */
	while (text.len) {
		const uint8_t *end = memchr(text.data, '\n', text.len);
		size_t len = end ? (size_t)(end - text.data) : text.len;
		p.line++;
		int status = parse_line(&p, slice_of(text.data, len));
		if (status < 0)
			return status;
		text = slice_skip(text, end ? len + 1 : len);
	}
	return DANA_OK;
}

/*
 * A configuration names programs' plugins and outputs, so nobody else may be able to change it. As with ssh, a group
 * may write what belongs to the user, whose own group it mostly is. Pipes and devices are not files of others.
 */
static int must_be_ours(FILE *f, const char *shown, struct error *err)
{
	struct stat st;
	if (fstat(fileno(f), &st) < 0)
		return error_set(err, DANA_ECONFIG, "--config: cannot read %s: %s", shown, system_text(errno));
	const bool ours = st.st_uid == geteuid() || st.st_uid == 0;
	if (!S_ISREG(st.st_mode) || !(st.st_mode & (ours ? S_IWOTH : S_IWOTH | S_IWGRP)))
		return DANA_OK;
	return error_set(err, DANA_ECONFIG,
			 "--config: %s can be written by %s; expected a file that only its owner can (chmod %s)", shown,
			 st.st_mode & S_IWOTH ? "everyone" : "a group of another user",
			 st.st_mode & S_IWOTH ? "o-w" : "g-w");
}

int config_file_read(const struct option_table *table, void *settings, const char *path, struct arena *memory,
		     struct error *err)
{
	char shown[80];
	struct buf text = { 0 };
	printable(slice_from_text(path), shown, sizeof(shown));
	FILE *f = fopen(path, "re");
	if (!f)
		return error_set(err, errno == ENOMEM ? DANA_ENOMEM : DANA_ECONFIG, "--config: cannot read %s: %s",
				 shown, system_text(errno));
	int status = must_be_ours(f, shown, err);
	if (status == DANA_OK)
		status = whole_file_append(f, FILE_MOST + 1, &text);
	if (status == DANA_EIO)
		status = error_set(err, DANA_ECONFIG, "--config: cannot read %s: %s", shown, system_text(errno));
	else if (status == DANA_OK && text.len > FILE_MOST)
		status = error_set(err, DANA_ECONFIG, "--config: %s is larger than 1M, which is not a configuration",
				   shown);
	(void)fclose(f);
	if (status == DANA_OK)
		status = config_file_parse(table, settings, buf_slice(&text), path, memory, err);
	buf_free(&text);
	return status;
}

int config_file_write(const struct option_table *table, const void *settings, struct buf *out)
{
	const struct option *plugins = NULL;
	for (const struct option *o = table->options; o && o->name; o++) {
		if (o->type == OPTION_PLUGIN)
			plugins = o;
		if (o->type == OPTION_PLUGIN || o->place == OPTION_COMMAND_LINE)
			continue;
		struct buf value = { 0 };
		size_t before = out->len;
		if (o->type == OPTION_TEXTS) {
			const struct text_list *texts = (const void *)((const char *)settings + o->offset);
			for (unsigned i = 0; i < texts->n; i++)
				buf_printf(out, "%s = %s\n", o->name, texts->at[i]);
		}
		if (out->len > before)
			continue;
		option_value(o, settings, &value);
		if (value.len)
			buf_printf(out, "%s = %.*s\n", o->name, (int)value.len, (const char *)value.data);
		else
			buf_printf(out, "# %s =%s%s\n", o->name, o->shown ? " " : "", o->shown ? o->shown : "");
		buf_latch(out, buf_status(&value));
		buf_free(&value);
	}
	if (plugins) {
		/* rows of one plugin stand together unless others were named between */
		const struct plugin_rows *rows =
			(const struct plugin_rows *)(const void *)((const char *)settings + plugins->offset);
		for (size_t i = 0; i < rows->n; i++) {
			const struct plugin_row *row = &rows->at[i];
			if (!row->key.data) {
				buf_printf(out, "\n[plugin %.*s]\n", (int)row->name.len, (const char *)row->name.data);
				continue;
			}
			buf_append(out, row->key.data, row->key.len);
			buf_append_text(out, " = ");
			buf_append(out, row->value.data, row->value.len);
			buf_append_byte(out, '\n');
		}
	}
	return buf_status(out);
}
