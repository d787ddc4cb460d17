/* SPDX-License-Identifier: MIT */
#include "plugins/wget2/tell.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"

void tell(const char *format, ...)
{
	struct buf line = { 0 };
	va_list args;
	va_start(args, format);
	buf_append_text(&line, "dana: ");
	buf_vprintf(&line, format, args);
	va_end(args);
	if (buf_append_byte(&line, '\n') == 0)
		(void)fwrite(line.data, 1, line.len, stderr);
	buf_free(&line);
}
