/* SPDX-License-Identifier: MIT */
/* The texts of status codes, and the error object. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

const char *status_text(int status)
{
	switch (status) {
	case DANA_OK:
		return "success";
	case DANA_ENOMEM:
		return "out of memory";
	case DANA_EIO:
		return "input or output failed";
	case DANA_EFORMAT:
		return "bad format";
	case DANA_ELIMIT:
		return "limit reached";
	case DANA_ECONFIG:
		return "bad option";
	case DANA_EPLUGIN:
		return "a plugin failed";
	case DANA_ESTATE:
		return "a call at the wrong time, or without an argument that it needs";
	case DANA_EFILES:
		return "no file descriptor is left to load a charset's table: allow more open files (ulimit -n)";
	case DANA_ELIBRARY:
		return "a library that is loaded on demand cannot be loaded";
	default:
		return status > 0 ? "success" : "unknown error";
	}
}

int error_set(struct error *err, enum dana_status status, const char *format, ...)
{
	if (!err)
		return status;
	if (err->status != DANA_OK) {
		err->later++;
		return status;
	}
	err->status = status;
	va_list args;
	va_start(args, format);
	(void)vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	return status;
}

int error_no_memory(struct error *err)
{
	return error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
}
