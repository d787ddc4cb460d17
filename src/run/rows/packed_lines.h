/* SPDX-License-Identifier: MIT */
/* The lines of a file that may be compressed (gzip, zstd: recognised by its first bytes). One thread. */
#ifndef DANA_RUN_ROWS_PACKED_LINES_H
#define DANA_RUN_ROWS_PACKED_LINES_H

#include "base/buf.h"
#include "base/status.h"

struct packed_lines;

/** "-": standard input. NULL with `err`. */
struct packed_lines *packed_lines_open(const char *path, struct error *err);
/**
 * The next line with its line end, valid until the next call; the last one may have none. 1; 0: there are no more;
 * DANA_EIO, DANA_EFORMAT (damaged, or cut), DANA_ENOMEM.
 */
int packed_lines_next(struct packed_lines *p, struct slice *line, struct error *err);
/** NULL allowed. */
void packed_lines_close(struct packed_lines *p);

#endif
