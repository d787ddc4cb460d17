/* SPDX-License-Identifier: MIT */
/* A temporary file that has no name, so that nothing of it stays after a kill. */
#ifndef DANA_BASE_FILE_NAMELESS_FILE_H
#define DANA_BASE_FILE_NAMELESS_FILE_H

#include "base/status.h"

/** In `folder`, for reading and writing: the descriptor, or DANA_EIO or DANA_ENOMEM with a text. */
int nameless_file_open(const char *folder, struct error *err);

#endif
