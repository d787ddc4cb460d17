/* SPDX-License-Identifier: MIT */
/*
 * uchardet, whose C interface lets C++ exceptions through: C code cannot catch them, so that a failed allocation
 * would end the process. The program loads it as a module, when a page does not name its charset, because the run-time
 * library of C++ is large. Any thread, one at a time for each detector.
 */
#ifndef DANA_ARCHIVE_CHARSET_UCHARDET_CALL_H
#define DANA_ARCHIVE_CHARSET_UCHARDET_CALL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct uchardet;

/* Exported by the module. */
#pragma GCC visibility push(default)

/**
 * Sets *name to uchardet's name for the charset of a text, "" if it has no guess; valid until the next call. Makes the
 * detector if *detector is NULL, and keeps it there for the next call.
 */
int uchardet_call(struct uchardet **detector, const char *text, size_t len, const char **name);
/** Frees *detector, which may be NULL, and sets it to NULL. */
void uchardet_call_end(struct uchardet **detector);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
