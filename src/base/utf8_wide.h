/* Well-formed UTF-8 by vectors: used by utf8.c only. */
#ifndef DANA_BASE_UTF8_WIDE_H
#define DANA_BASE_UTF8_WIDE_H

#include "base/slice.h"

/**
 * Length of a part from the front of `s` that is well-formed and ends between two characters. It may be shorter than the
 * longest one, but not by more than 66 bytes: what follows is looked at one by one. 0 where the processor has no vectors for it.
 */
size_t utf8_valid_wide(struct slice s);

#endif
