/* SPDX-License-Identifier: MIT */
/*
 * Each line is read by the same table as the command line: `min-chars = 100` is --min-chars=100, and `force = yes` is
 * --force. Text values are copied into the arena of the caller, because the file's memory is freed.
 */
#include "config/config_file.h"

#include <errno.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/ascii.h"
#include "base/printable.h"

enum { FILE_MOST = 1 << 20 }; /* bytes; a configuration is a page or two */

struct place {
	const struct option_table *table;
	void *settings;
	struct arena *memory;
	struct error *err;
	const char *path;
	unsigned line;
};

static int unknown_key(const struct place *p, struct slice key)
{
	char shown[64], path[80];
	printable(key, shown, sizeof(shown));
	printable(slice_from_text(p->path), path, sizeof(path));
	struct slice near = option_near(p->table, key);
	if (near.len)
		return error_set(p->err, DANA_ECONFIG, "%s:%u: unknown key '%s'; did you mean %.*s?", path, p->line,
				 shown, (int)near.len, (const char *)near.data);
	return error_set(p->err, DANA_ECONFIG,
			 "%s:%u: unknown key '%s'; expected the long name of an option, without dashes", path, p->line,
			 shown);
}

static int set_flag(const struct place *p, const struct option *o, struct slice value, const char *where)
{
	char shown[64];
	bool yes = slice_is(value, "yes") || slice_is(value, "true");
	if (!yes && !slice_is(value, "no") && !slice_is(value, "false"))
		return error_set(p->err, DANA_ECONFIG, "%s: '%s' is unknown; expected yes or no", where,
				 printable(value, shown, sizeof(shown)));
	option_set_flag(o, p->settings, yes);
	return DANA_OK;
}

static int parse_line(struct place *p, struct slice line)
{
	char path[80], where[128];
	line = slice_trim(line);
	if (line.len == 0 || line.data[0] == '#')
		return DANA_OK;
	printable(slice_from_text(p->path), path, sizeof(path));
	const uint8_t *equals = memchr(line.data, '=', line.len);
	if (!equals)
		return error_set(p->err, DANA_ECONFIG, "%s:%u: no '=' in the line; expected key = value", path,
				 p->line);
	struct slice key = slice_trim(slice_of(line.data, (size_t)(equals - line.data)));
	struct slice value = slice_trim(slice_skip(line, (size_t)(equals - line.data) + 1));
	const struct option *o = option_find(p->table, key);
	if (!o)
		return unknown_key(p, key);
	(void)snprintf(where, sizeof(where), "%s:%u: %s", path, p->line, o->name);
	if (o->place == OPTION_COMMAND_LINE)
		return error_set(p->err, DANA_ECONFIG, "%s belongs on the command line only", where);
	if (memchr(value.data, 0, value.len))
		return error_set(p->err, DANA_ECONFIG, "%s: a zero byte in the value", where);
	if (o->type == OPTION_FLAG)
		return set_flag(p, o, value, where);
	struct slice kept = arena_copy(p->memory, value);
	if (!kept.data)
		return DANA_ENOMEM;
	return option_set(o, p->settings, (const char *)kept.data, where, p->err);
}

int config_file_parse(const struct option_table *table, void *settings, struct slice text, const char *path,
		      struct arena *memory, struct error *err)
{
	struct place p = { .table = table, .settings = settings, .memory = memory, .err = err, .path = path };
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

static int read_all(FILE *f, struct buf *text)
{
	for (;;) {
		if (buf_reserve(text, 4096) < 0)
			return DANA_ENOMEM;
		size_t n = fread(text->data + text->len, 1, 4096, f);
		text->len += n;
		if (n == 0)
			return ferror(f) ? DANA_EIO : DANA_OK;
		if (text->len > FILE_MOST)
			return DANA_ELIMIT;
	}
}

int config_file_read(const struct option_table *table, void *settings, const char *path, struct arena *memory,
		     struct error *err)
{
	char shown[80];
	struct buf text = { 0 };
	printable(slice_from_text(path), shown, sizeof(shown));
	FILE *f = fopen(path, "re");
	if (!f)
		return error_set(err, DANA_ECONFIG, "--config: cannot read %s: %s", shown, system_text(errno));
	int status = read_all(f, &text);
	if (status == DANA_EIO)
		status = error_set(err, DANA_ECONFIG, "--config: cannot read %s: %s", shown, system_text(errno));
	else if (status == DANA_ELIMIT)
		status = error_set(err, DANA_ECONFIG, "--config: %s is larger than 1M, which is no configuration",
				   shown);
	(void)fclose(f);
	if (status == DANA_OK)
		status = config_file_parse(table, settings, buf_slice(&text), path, memory, err);
	buf_free(&text);
	return status;
}

static void write_option(const struct option *o, const void *settings, struct buf *out)
{
	struct buf value = { 0 };

	option_value(o, settings, &value);
	if (value.len)
		buf_printf(out, "%s = %.*s\n", o->name, (int)value.len, (const char *)value.data);
	else
		buf_printf(out, "# %s =%s%s\n", o->name, o->shown ? " " : "", o->shown ? o->shown : "");
	buf_latch(out, buf_status(&value));
	buf_free(&value);
}

int config_file_write(const struct option_table *table, const void *settings, struct buf *out)
{
	for (const struct option *o = table->options; o && o->name; o++) {
		if (o->place != OPTION_COMMAND_LINE)
			write_option(o, settings, out);
	}
	return buf_status(out);
}
