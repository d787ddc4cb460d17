/* SPDX-License-Identifier: MIT */
/* Beyond the public API: lets the program listen to a method's decisions. */
#ifndef DANA_EXTRACT_EXTRACTOR_H
#define DANA_EXTRACT_EXTRACTOR_H

#include "dana/dana.h"

struct trace;

/** Like dana_new, with a listener; `trace` must live as long as the extractor. */
int dana_new_traced(struct dana_extractor **out, const struct dana_options *options, struct trace *trace);

#endif
