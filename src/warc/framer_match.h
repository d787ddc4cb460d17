/* Do these bytes begin a head? Needs a few bytes only; MATCH_PART: they may, with more of them. Pure. */
#ifndef DANA_WARC_FRAMER_MATCH_H
#define DANA_WARC_FRAMER_MATCH_H

#include "base/slice.h"

enum match { MATCH_NO, MATCH_YES, MATCH_PART };

enum { FRAMER_MAGIC_LEN = 5 };
extern const char framer_magic[FRAMER_MAGIC_LEN + 1]; /* "WARC/" */

enum match framer_match_magic(struct slice bytes, bool any_case);
/** ARC has no magic: the URL schemes that are usual in it. */
enum match framer_match_arc(struct slice bytes);

#endif
