/* SPDX-License-Identifier: MIT */
/*
 * Decides whether bytes begin a record head: "WARC/1.0" does (MATCH_YES), "WAR" may with more bytes (MATCH_PART),
 * "WARM" does not (MATCH_NO). Pure functions.
 */
#ifndef DANA_WARC_FRAMER_MATCH_H
#define DANA_WARC_FRAMER_MATCH_H

#include "base/slice.h"

enum match { MATCH_NO, MATCH_YES, MATCH_PART };

enum { FRAMER_MAGIC_LEN = 5 };
extern const char framer_magic[FRAMER_MAGIC_LEN + 1]; /* "WARC/" */

enum match framer_match_magic(struct slice bytes, bool any_case);
/** ARC has no magic: tests for the URL schemes that are usual in it (arc_head_begins). */
enum match framer_match_arc(struct slice bytes);

#endif
