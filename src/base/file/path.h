/* SPDX-License-Identifier: MIT */
/* Names of files. */
#ifndef DANA_BASE_FILE_PATH_H
#define DANA_BASE_FILE_PATH_H

/** Returns what follows the last slash of `path`; all of it if it has no slash. NULL allowed: returns NULL. */
const char *path_name(const char *path);
/**
 * Returns the folder that the file `path` lies in, from malloc: what stands before the last slash, or "."; NULL if
 * memory is exhausted.
 */
char *path_folder(const char *path);
/** Returns `path` with `suffix` after it, from malloc; NULL if memory is exhausted. */
char *path_with(const char *path, const char *suffix);

#endif
