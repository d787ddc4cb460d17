/* SPDX-License-Identifier: MIT */
/* Text that Markdown would read as something else gets a backslash; nothing else does. */
#ifndef DANA_STRUCTURE_ESCAPE_H
#define DANA_STRUCTURE_ESCAPE_H

#include "base/buf.h"

/** Which brackets get a backslash. */
enum escape_brackets {
	BRACKETS_THAT_LINK, /* that may begin or end a link, a picture, a definition or a footnote */
	BRACKETS_ALL,
	BRACKETS_NONE, /* the text of a link, in which they match and begin nothing */
};

struct escape_rules {
	bool formulas; /* \(..\), \[..\], $$..$$ and $..$ are formulas */
	bool tildes;   /* the block has more than one */
	bool in_link;  /* where readers make no links of bare addresses */
	enum escape_brackets brackets;
	size_t *open; /* brackets of the block so far that nothing closes and that have no backslash */
};

/**
 * Appends text without line ends, not at the start of a line; `followed`: a mark stands directly after it. Linear.
 * Returns 0 or DANA_ENOMEM.
 */
int escape_text(struct buf *out, struct slice text, const struct escape_rules *rules, bool followed);
/**
 * Appends TeX, with its delimiters or without, so that no reader takes a part of it for a tag, a link or code: by
 * blanks and by names of characters, which mean the same in TeX. Returns 0 or DANA_ENOMEM.
 *
 * Example: "a<b" becomes "a< b".
 */
int escape_tex(struct buf *out, struct slice tex, const struct escape_rules *rules);
/**
 * Appends a line that escape_text made, with what begins a block escaped. `goes_on`: a line of the same paragraph is
 * before it. Returns 0 or DANA_ENOMEM.
 */
int escape_line(struct buf *out, struct slice line, bool goes_on);
/** Appends a line of TeX that escape_tex made: as escape_line, but by empty braces. */
int escape_tex_line(struct buf *out, struct slice line);
/** Returns whether the last word of a line is a bare address, of which a backslash after it would be a part. */
bool escape_ends_in_address(struct slice line);
/** Returns whether a character reference begins at s[0], which is '&'. */
bool escape_is_reference(struct slice s);

#endif
