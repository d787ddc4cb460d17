/* SPDX-License-Identifier: MIT */
/* Names of files, from malloc; NULL when memory is exhausted. */
#ifndef DANA_BASE_FILE_PATH_H
#define DANA_BASE_FILE_PATH_H

/** The folder that the file `path` lies in: what stands before the last slash, or ".". */
char *path_folder(const char *path);
/** `path` with `suffix` after it. */
char *path_with(const char *path, const char *suffix);

#endif
