/* SPDX-License-Identifier: MIT */
/* A file in memory. */
#ifndef DANA_BASE_FILE_WHOLE_FILE_H
#define DANA_BASE_FILE_WHOLE_FILE_H

#include <stdio.h>

#include "base/buf.h"

/** Appends what is left of an open file, at most `most` bytes. 0; DANA_EIO with errno set; DANA_ENOMEM. */
int whole_file_append(FILE *file, uint64_t most, struct buf *out);
/**
 * As dana_options.read_file (`arg` is not used): 0 with all of the file in `data`, from malloc; 1: there is no such
 * file; DANA_EIO with errno set (EFBIG above 256 MiB); DANA_ENOMEM.
 */
int whole_file_read(void *arg, const char *name, char **data, size_t *len);

#endif
