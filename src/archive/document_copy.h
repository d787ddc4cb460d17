/* SPDX-License-Identifier: MIT */
/* Copies of documents that outlive the call that passes them: ordered plugins get them after the worker has gone on. */
#ifndef DANA_ARCHIVE_DOCUMENT_COPY_H
#define DANA_ARCHIVE_DOCUMENT_COPY_H

#include "archive/document.h"

struct arena;

/**
 * Copies `from` with everything it points to except the record and the names of file and methods. Returns 0 or
 * DANA_ENOMEM.
 */
int document_copy(struct document *to, const struct document *from, struct arena *arena);
/** Empties all slices and lists; numbers and static names stay. */
void document_forget(struct document *doc);

#endif
