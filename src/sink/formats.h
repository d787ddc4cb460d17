/* The rows of sink_table. */
#ifndef DANA_SINK_FORMATS_H
#define DANA_SINK_FORMATS_H

#include "sink/sink.h"

extern const struct sink_ops sink_jsonl, sink_warc;

#endif
