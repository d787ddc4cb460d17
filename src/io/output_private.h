/* SPDX-License-Identifier: MIT */
/* What other files of io may know of an output. Threads: as output.h. */
#ifndef DANA_IO_OUTPUT_PRIVATE_H
#define DANA_IO_OUTPUT_PRIVATE_H

#include "io/output.h"

/** Returns the descriptor; it is open until output_finish. */
int output_fd(const struct output *o);
/** Returns the name for messages. */
const char *output_name(const struct output *o);
/** Returns how many bytes of output_bytes have been written. */
uint64_t output_written(const struct output *o);

#endif
