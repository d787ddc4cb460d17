/* SPDX-License-Identifier: MIT */
/* The rows of sink_table: one for each format. */
#ifndef DANA_SINK_FORMATS_H
#define DANA_SINK_FORMATS_H

#include "archive/sink/sink.h"

/** In the order of help and messages. Each stands for `const struct sink_ops sink_NAME`. */
#define SINKS(X) X(jsonl) X(warc)

#define DECLARE_SINK(name) extern const struct sink_ops sink_##name;
SINKS(DECLARE_SINK)
#undef DECLARE_SINK

#endif
