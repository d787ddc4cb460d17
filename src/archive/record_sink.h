/* SPDX-License-Identifier: MIT */
/* The contract of everything that takes records. */
#ifndef DANA_STREAM_RECORD_SINK_H
#define DANA_STREAM_RECORD_SINK_H

#include "archive/record.h"

enum record_wish {
	RECORD_WANTED = 0,
	RECORD_UNWANTED = 1, /* no further body calls are made for this record; `end` is still called */
};

struct record_sink;

struct record_sink_ops {
	const char *name;
	/** A record begins. enum record_wish, or negative status. `rec` stays valid until `end` returns. */
	int (*begin)(struct record_sink *self, const struct record *rec);
	/** Takes bytes of the block: any split, never empty. Returns an enum record_wish, or a negative status. */
	int (*body)(struct record_sink *self, struct slice bytes);
	/**
	 * Called exactly once for each begin, wanted or not. A record with end->damaged must not be delivered, though
	 * body calls have gone before. Returns 0 or a negative status.
	 */
	int (*end)(struct record_sink *self, const struct record_end *end);
	/**
	 * Called for a region of input that is not a record (or whose head could not be read): counts as one damaged
	 * record. `seq` and `offset` as in struct record; `id` and `uri` if the broken head showed them, else empty.
	 * Never between begin and end. Returns 0 or a negative status.
	 */
	int (*damage)(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
		      const struct record_end *end);
};

struct record_sink {
	const struct record_sink_ops *ops;
};

#endif
