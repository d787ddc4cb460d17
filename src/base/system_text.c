/* SPDX-License-Identifier: MIT */
/*
 * Texts for errno numbers, from any thread: strerror may write to memory that all threads share. There are two
 * functions called strerror_r: POSIX's fills the buffer and returns a status, GNU's returns the text, which may be
 * elsewhere.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"

enum { TEXT_MOST = 256 };

const char *system_text(int error)
{
	static _Thread_local char text[TEXT_MOST];
	if (error == EMFILE)
		return "Too many open files: allow more (ulimit -n)";
	if (error == EFBIG)
		return "File too large: allow larger ones (ulimit -f)";
#if STRERROR_R_CHAR_P
	return strerror_r(error, text, sizeof(text));
#else
	if (strerror_r(error, text, sizeof(text)) != 0)
		(void)snprintf(text, sizeof(text), "error %d", error);
	return text;
#endif
}
