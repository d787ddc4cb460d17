/* Named and numeric character references (HTML, section 13.2.5.72 to 80). */
#ifndef DANA_HTML_ENTITY_H
#define DANA_HTML_ENTITY_H

#include "base/slice.h"

/** Longest reference, from '&' to ';'. */
enum { HTML_ENTITY_LONGEST = 33 };

/**
 * Decodes the reference at s[0] == '&' as in text (not in attributes): a few old names may stand without ';'.
 * Answers the bytes it takes and writes UTF-8 to out (at most 8 bytes, *out_len); 0 = no reference, '&' stands for itself.
 * `s` should hold HTML_ENTITY_LONGEST bytes where the text goes on.
 */
size_t html_entity_decode(struct slice s, uint8_t out[8], size_t *out_len);

/** Appends `s` with its references decoded. */
struct buf;
int html_entity_append(struct buf *out, struct slice s);

#endif
