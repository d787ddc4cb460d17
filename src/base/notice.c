/* SPDX-License-Identifier: MIT */
#include "base/notice.h"

#include <stdarg.h>
#include <stdio.h>

void notice(const struct notices *to, const char *format, ...)
{
	char text[NOTICE_MOST];
	va_list args;
	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	to->line(to->arg, text);
}
