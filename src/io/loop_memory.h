/* SPDX-License-Identifier: MIT */
/* Memory for libuv, which ends the process without a word where it cannot enlarge a loop's table of descriptors. */
#ifndef DANA_IO_LOOP_MEMORY_H
#define DANA_IO_LOOP_MEMORY_H

/**
 * From now on libuv enlarges its tables from a reserve where memory is exhausted, so that our own code comes to say so.
 * Before the first loop is made; any thread, later calls do nothing.
 */
void loop_memory_start(void);

#endif
