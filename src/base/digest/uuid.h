/* SPDX-License-Identifier: MIT */
/* Name-based UUIDs, version 5 (RFC 4122, section 4.3), in dana's own namespace: ids that are the same in every run. */
#ifndef DANA_DIGEST_UUID_H
#define DANA_DIGEST_UUID_H

#include "base/slice.h"

enum { UUID_TEXT = 36 };

/** Writes the UUID of `name` in dana's namespace, in lower case, with a final NUL. Returns 0 or a status like sha1. */
int uuid_of_name(struct slice name, char out[UUID_TEXT + 1]);
/** The same in any namespace. */
int uuid5(const uint8_t space[16], struct slice name, char out[UUID_TEXT + 1]);

#endif
