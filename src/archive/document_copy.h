/* SPDX-License-Identifier: MIT */
/* A document that outlives the call that passes it: for ordered plugins, which see it after its worker has gone on. */
#ifndef DANA_ARCHIVE_DOCUMENT_COPY_H
#define DANA_ARCHIVE_DOCUMENT_COPY_H

#include "archive/stream/document.h"

struct arena;

/** Copies `from` with all that it points to, but the record and the names of file and method. 0 or DANA_ENOMEM. */
int document_copy(struct document *to, const struct document *from, struct arena *arena);
/** Leaves numbers and static names: all slices and lists become empty. */
void document_forget(struct document *doc);

#endif
