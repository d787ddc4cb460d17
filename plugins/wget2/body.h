/* SPDX-License-Identifier: MIT */
/* The bytes of a downloaded file, from wget2's memory or from where it has stored them. */
#ifndef DANA_WGET2_BODY_H
#define DANA_WGET2_BODY_H

#include "base/buf.h"
#include "plugins/wget2/host_api.h"

/**
 * Up to `most` bytes; *cut: there are more. They lie in wget2's memory or in `copy`. False: there are none to be had,
 * because wget2 has not kept them or no memory is left.
 */
bool body_read(host_file *file, size_t most, struct buf *copy, struct slice *body, bool *cut);

#endif
