/* SPDX-License-Identifier: MIT */
/* The bytes of a downloaded file, from wget2's memory or from where it has stored them. */
#ifndef DANA_WGET2_BODY_H
#define DANA_WGET2_BODY_H

#include "base/buf.h"
#include "plugins/wget2/host_api.h"

/**
 * Reads up to `most` bytes, which are in wget2's memory or in `copy`. *cut: there are more. Returns false if the body
 * is not available, because wget2 has not kept it or memory is exhausted.
 */
bool body_read(host_file *file, size_t most, struct buf *copy, struct slice *body, bool *cut);

#endif
