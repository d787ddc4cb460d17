/* SPDX-License-Identifier: MIT */
/* A file that one process at a time has open for writing. */
#ifndef DANA_DEDUP_STORE_LOCKED_FILE_H
#define DANA_DEDUP_STORE_LOCKED_FILE_H

#include "base/status.h"

/**
 * Opens a regular file for reading and writing, and makes it where it is missing; no symbolic link is followed. The
 * lock ends when the descriptor is closed. DANA_EIO when it cannot be opened, or another process has it.
 */
int locked_file_open(const char *path, int *fd, struct error *err);

#endif
