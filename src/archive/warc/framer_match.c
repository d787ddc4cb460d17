/* SPDX-License-Identifier: MIT */
/* The first bytes of a head, compared up to as many as there are: "wa" is part of "WARC/" when any case is allowed. */
#include "archive/warc/framer_match.h"

#include "archive/warc/arc_head.h"
#include "base/ascii.h"

const char framer_magic[FRAMER_MAGIC_LEN + 1] = "WARC/";

enum match framer_match_magic(struct slice bytes, bool any_case)
{
	size_t len = bytes.len < FRAMER_MAGIC_LEN ? bytes.len : FRAMER_MAGIC_LEN;

	if (any_case ? !slice_equal_nocase(slice_of(bytes.data, len), slice_of(framer_magic, len))
		     : len && memcmp(bytes.data, framer_magic, len) != 0)
		return MATCH_NO;
	return len == FRAMER_MAGIC_LEN ? MATCH_YES : MATCH_PART;
}

enum match framer_match_arc(struct slice bytes)
{
	bool need_more;

	if (arc_head_begins(bytes, &need_more))
		return MATCH_YES;
	return need_more ? MATCH_PART : MATCH_NO;
}
