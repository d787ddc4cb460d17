/* SPDX-License-Identifier: MIT */
/* Text that Markdown would read as something else gets a backslash; nothing else does. */
#ifndef DANA_STRUCTURE_ESCAPE_H
#define DANA_STRUCTURE_ESCAPE_H

#include "base/buf.h"
#include "base/slice.h"

/** What CommonMark takes a character for where emphasis begins or ends. */
enum letter_kind {
	LETTER_WHITE,
	LETTER_LETTER, /* or a digit */
	LETTER_PUNCTUATION,
	LETTER_UNSURE, /* readers of Markdown differ, or their tables do */
};

enum letter_kind letter_kind_of(uint32_t c);

/** Returns the kind of the first character of well-formed UTF-8; LETTER_WHITE if it is empty. */
enum letter_kind letter_kind_first(struct slice text);

/** The same of its last character. */
enum letter_kind letter_kind_last(struct slice text);

/** Returns whether text has more than white space, punctuation and invisible characters. */
bool letter_kind_any(struct slice text);

/* Formulas that stand in the text between delimiters, for a program that shows them when the page is read. */

/** Zeroed at the start of a text: which closing delimiters it is known not to have any more. */
struct formula_finder {
	bool no_round, no_square, no_dollars;
	unsigned no_end; /* environments that nothing ends */
};

struct formula_found {
	struct slice tex;
	size_t end; /* after the closing delimiter */
	bool display;
};

/** Returns whether a formula begins at `at` of the text. All calls for one text, in order, take linear time. */
bool formula_find(struct formula_finder *finder, struct slice text, size_t at, struct formula_found *found);

/** Returns whether all of the text is a formula on lines of its own. */
bool formula_is_all(struct slice text, struct slice *tex);

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
