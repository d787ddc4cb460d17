/* SPDX-License-Identifier: MIT */
/* Named and numeric character references (HTML, section 13.2.5.72 to 80). */
#ifndef DANA_EXTRACT_HTML_ENTITY_H
#define DANA_EXTRACT_HTML_ENTITY_H

#include "base/slice.h"

/** Longest reference, from '&' to ';'. */
enum { HTML_ENTITY_LONGEST = 33 };

/**
 * Decodes the reference at s[0] == '&' by the rules for text (those for attributes differ): a few old names need no
 * ';'. Writes UTF-8 to out (*out_len, at most 8 bytes). Returns the length of the reference, or 0 if this is not a
 * reference and '&' is literal. `s` should hold at least HTML_ENTITY_LONGEST bytes unless the text ends earlier.
 *
 * Example: "&eacute;t" returns 8 and writes the 2 bytes of U+00E9.
 */
size_t html_entity_decode(struct slice s, uint8_t out[8], size_t *out_len);

struct buf;
/** Appends `s` with its references decoded. */
int html_entity_append(struct buf *out, struct slice s);

#endif
