/* SPDX-License-Identifier: MIT */
/* The contract of everything that takes bytes. Push: a sink consumes all that it is given. */
#ifndef DANA_ARCHIVE_BYTE_SINK_H
#define DANA_ARCHIVE_BYTE_SINK_H

#include "base/slice.h"

struct byte_sink;

struct byte_sink_ops {
	const char *name;
	/**
	 * Takes all of `bytes` (any split, valid during the call). Returns 0 or a negative status; after an error only
	 * finish or free is allowed.
	 */
	int (*write)(struct byte_sink *self, struct slice bytes);
	/** Called once, when no more bytes come. Flushes, and reports an unfinished unit. NULL: there is nothing to do.
	 */
	int (*finish)(struct byte_sink *self);
};

struct byte_sink {
	const struct byte_sink_ops *ops;
};

static inline int byte_sink_write(struct byte_sink *sink, struct slice bytes)
{
	return sink->ops->write(sink, bytes);
}

static inline int byte_sink_finish(struct byte_sink *sink)
{
	return sink->ops->finish ? sink->ops->finish(sink) : 0;
}

#endif
