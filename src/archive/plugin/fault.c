/* SPDX-License-Identifier: MIT */
/* Statuses and messages of a plugin's failures. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "archive/plugin/page_private.h"

enum { LINE = 1024 };

int plugin_failed(const struct plugin *p, const char *function, int result, const struct error *said, struct error *err)
{
	if (said->status == DANA_ENOMEM)
		return error_set(err, DANA_ENOMEM, "plugin %s: %s", p->def->name, said->text);
	if (said->status != DANA_OK && p->option)
		return error_set(err, DANA_ECONFIG, "%s", said->text);
	if (said->status != DANA_OK)
		return error_set(err, DANA_EPLUGIN, "plugin %s: %s", p->def->name, said->text);
	return error_set(err, DANA_EPLUGIN, "plugin %s: its function %s returned %d and gave no reason", p->def->name,
			 function, result);
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);
	return len >= n && strcmp(text + len - n, end) == 0;
}

enum dana_status plugin_status_of(const char *text)
{
	bool memory = ends_with(text, status_text(DANA_ENOMEM)) || ends_with(text, system_text(ENOMEM));
	return memory ? DANA_ENOMEM : DANA_EPLUGIN;
}

int page_fault(struct dana_page *p, enum dana_status status, const char *format, ...)
{
	char message[LINE];
	va_list args;
	va_start(args, format);
	(void)vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return error_set(&p->error, status, "%s", message);
}
