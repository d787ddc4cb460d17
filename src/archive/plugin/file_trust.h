/* SPDX-License-Identifier: MIT */
/* Checks whether a file may be used as code or as a secret: only root and the user can have written or replaced it. */
#ifndef DANA_PLUGIN_FILE_TRUST_H
#define DANA_PLUGIN_FILE_TRUST_H

#include "base/status.h"

/**
 * `path`: absolute, without symbolic links. The file must be a regular one of root or the user that neither group nor
 * others can write, and so must its folder; a folder further up that others can write must be one like /tmp, where they
 * cannot rename files of others. Returns 0, or DANA_EPLUGIN with what is wrong.
 */
int file_trust(const char *path, struct error *err);
/**
 * As file_trust, and returns as that; also, others must not be able to read the file, nor the group unless root gives
 * the file to the user that way.
 */
int file_trust_secret(const char *path, struct error *err);

#endif
