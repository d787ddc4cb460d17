/* SPDX-License-Identifier: MIT */
/* Beyond the public API: lets the program listen to a method's decisions. */
#ifndef DANA_EXTRACT_EXTRACTOR_H
#define DANA_EXTRACT_EXTRACTOR_H

#include "base/slice.h"
#include "dana/dana.h"
#include "extract/method.h"

/** Like dana_new, with a listener; `trace` must live as long as the extractor. */
int dana_new_traced(struct dana_extractor **out, const struct dana_options *options, struct trace *trace);

/**
 * Says before the first bytes of a page that what it is fed from `memory` stays as it is until dana_finish returns, so
 * that it need not be copied. `memory` is borrowed; the next dana_reset forgets it.
 */
void dana_page_stays(struct dana_extractor *x, struct slice memory);

#endif
