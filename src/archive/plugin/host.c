/* SPDX-License-Identifier: MIT */
/*
 * The functions that plugins call: plugins reach only these, as dana_plugin.h describes them, and nothing else of the
 * program. This file has the table of all, and those about the plugin itself: options, messages and reports. Those
 * about a page are in page_get.c, page_set.c and members.c.
 */
#include <stdarg.h>
#include <stdio.h>

#include "archive/plugin/page_private.h"
#include "base/ascii.h"
#include "base/printable.h"

enum { LINE = 1024, SAFE = 2 * LINE };

static const struct setting *setting(const struct dana_context *c, const char *name)
{
	static const struct setting none = { NULL, NULL, 0, 0 };
	const struct setting *v = settings_find(&c->plugin->settings, name);
	return v ? v : &none;
}

static const char *option_text(const struct dana_context *c, const char *name)
{
	return setting(c, name)->text;
}

static int64_t option_integer(const struct dana_context *c, const char *name)
{
	return setting(c, name)->integer;
}

static double option_number(const struct dana_context *c, const char *name)
{
	return setting(c, name)->number;
}

static int option_boolean(const struct dana_context *c, const char *name)
{
	return setting(c, name)->integer != 0;
}

static struct dana_view view_of(struct slice s)
{
	return (struct dana_view){ (const char *)s.data, s.len };
}

static struct dana_view option_item(const struct dana_context *c, const char *name, size_t index)
{
	const char *list = setting(c, name)->text;
	while (list) {
		const size_t len = strcspn(list, ",");
		if (index-- == 0)
			return view_of(slice_trim(slice_of(list, len)));
		list = list[len] ? list + len + 1 : NULL;
	}
	return (struct dana_view){ NULL, 0 };
}

static int option_is_set(const struct dana_context *c, const char *name)
{
	return setting(c, name)->text != NULL;
}

__attribute__((format(printf, 3, 4))) static void log_line(const struct dana_context *c, enum dana_log_level level,
							   const char *format, ...)
{
	const struct plugins *s = c->owner;
	char text[LINE], safe[SAFE], line[SAFE + LINE];
	va_list args;
	if (!s->line || (level == DANA_LOG_INFO && !s->verbose) || (level != DANA_LOG_ERROR && s->quiet))
		return;
	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	(void)snprintf(line, sizeof(line), "dana: plugin %s: %s", c->plugin->def->name,
		       printable_message(slice_from_text(text), safe, sizeof(safe)));
	s->line(s->arg, line);
}

__attribute__((format(printf, 2, 3))) static int fail(struct dana_context *c, const char *format, ...)
{
	char text[LINE];
	va_list args;
	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return error_set(&c->error, plugin_status_of(text), "%s", text);
}

static int store(struct dana_store *s, const void *data, size_t len)
{
	return buf_append(s->bytes, data, len);
}

static void report(struct dana_context *c, const char *name, double value)
{
	struct plugin_names *names = &c->owner->names;
	if (names->n_reports == PLUGIN_REPORTS_MOST)
		return;
	struct plugin_report *r = &names->report[names->n_reports++];
	r->plugin = c->plugin->number;
	(void)snprintf(r->name, sizeof(r->name), "%s", name);
	r->value = value;
}

static int run_is_over(const struct dana_context *c)
{
	return c->owner->run_is_over;
}

const struct dana_host plugin_host = {
	.abi = DANA_PLUGIN_ABI,
	.size = sizeof(struct dana_host),
	.option_text = option_text,
	.option_integer = option_integer,
	.option_number = option_number,
	.option_boolean = option_boolean,
	.option_item = option_item,
	.option_is_set = option_is_set,
	.log = log_line,
	.fail = fail,
	.report = report,
	.store = store,
	.text = page_text,
	.text_item = page_text_item,
	.number_item = page_number_item,
	.warc_field = page_warc_field,
	.http_field = page_http_field,
	.block_count = page_block_count,
	.block = page_block,
	.html = page_html,
	.attached = page_attached,
	.set_text = page_set_text,
	.set_language = page_set_language,
	.put_text = page_put_text,
	.put_integer = page_put_integer,
	.put_number = page_put_number,
	.put_boolean = page_put_boolean,
	.put_list = page_put_list,
	.put_json = page_put_json,
	.drop = page_drop,
	.page_fail = page_fail,
	.count = page_count,
	.attach = page_attach,
	.memory = page_memory,
	.run_is_over = run_is_over,
};
