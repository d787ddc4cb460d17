/* SPDX-License-Identifier: MIT */
/* Whether a file may be used as code or as a secret: nobody but root and the user can have written or replaced it. */
#ifndef DANA_PLUGIN_FILE_TRUST_H
#define DANA_PLUGIN_FILE_TRUST_H

#include "base/status.h"

/**
 * `path`: absolute, without symbolic links. The file must be a regular one of root or the user that neither group nor others
 * can write, and so must its folder; a folder further up that others can write must be one like /tmp, where they cannot rename
 * what is not theirs. 0, or DANA_EPLUGIN with what is wrong.
 */
int file_trust(const char *path, struct error *err);
/** As file_trust; besides, others cannot read the file, nor can the group unless root has given it to the user in that way. */
int file_trust_secret(const char *path, struct error *err);

#endif
