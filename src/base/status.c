/* SPDX-License-Identifier: MIT */
/*
 * The texts of status codes, and the error object.
 */
#include "config.h"

#include "base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * Texts for errno numbers, from any thread: strerror may write to memory that all threads share. There are two
 * functions called strerror_r: POSIX's fills the buffer and returns a status, GNU's returns the text, which may be
 * elsewhere.
 */

enum { TEXT_MOST = 256 };

const char *system_text(int error)
{
	static _Thread_local char text[TEXT_MOST];
	if (error == EMFILE)
		return "Too many open files: allow more (ulimit -n)";
	if (error == EFBIG)
		return "File too large: allow larger ones (ulimit -f)";
#ifdef STRERROR_R_CHAR_P
	return strerror_r(error, text, sizeof(text));
#else
	if (strerror_r(error, text, sizeof(text)) != 0)
		(void)snprintf(text, sizeof(text), "error %d", error);
	return text;
#endif
}

const char *status_text(int status)
{
	static const char *const texts[] = {
		[-DANA_OK] = "success",
		[-DANA_ENOMEM] = "out of memory",
		[-DANA_EIO] = "input or output failed",
		[-DANA_EFORMAT] = "bad format",
		[-DANA_ELIMIT] = "limit reached",
		[-DANA_ECONFIG] = "bad option",
		[-DANA_EPLUGIN] = "a plugin failed",
		[-DANA_ESTATE] = "a call at the wrong time, or without an argument that it needs",
		[-DANA_EFILES] =
			"no file descriptor is left to load a charset's table: allow more open files (ulimit -n)",
		[-DANA_ELIBRARY] = "a library that is loaded on demand cannot be loaded",
	};
	enum { LAST = sizeof(texts) / sizeof(*texts) - 1 };
	return status > 0 ? texts[0] : status >= -LAST ? texts[-status] : "unknown error";
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
