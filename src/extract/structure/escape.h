/* SPDX-License-Identifier: MIT */
/* Text that Markdown would read as something else gets a backslash; nothing else does. */
#ifndef DANA_STRUCTURE_ESCAPE_H
#define DANA_STRUCTURE_ESCAPE_H

#include "base/buf.h"

struct escape_rules {
	bool formulas; /* \(..\), \[..\], $$..$$ and $..$ are formulas */
	bool brackets; /* all of them: text of a link in which they do not match */
	bool tildes;   /* the block has more than one */
};

/** Appends text without line ends, not at the start of a line. Linear. Returns 0 or DANA_ENOMEM. */
int escape_text(struct buf *out, struct slice text, const struct escape_rules *rules);
/**
 * Appends a line that escape_text made, with what begins a block escaped. `goes_on`: a line of the same paragraph is
 * before it. Returns 0 or DANA_ENOMEM.
 */
int escape_line(struct buf *out, struct slice line, bool goes_on);

#endif
