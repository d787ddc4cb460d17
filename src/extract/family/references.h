/* SPDX-License-Identifier: MIT */
/*
 * Character references in texts, for the methods that count: each counts as the character that it names, although all
 * of its bytes are kept. For the byte scans only letters do. A reference is looked for in the first HTML_ENTITY_LONGEST
 * bytes from its '&' on, in one text; the page may be cut anywhere in it.
 *
 * Example: of the text "a &#1575; b", 11 bytes, count 5 characters, or 6 bytes in UTF-8, two of which are above 127.
 */
#ifndef DANA_EXTRACT_FAMILY_REFERENCES_H
#define DANA_EXTRACT_FAMILY_REFERENCES_H

#include "base/ascii.h"
#include "extract/html/entity.h"
#include "extract/html/tokenizer.h"

/** A reference; `len` is 0 if there is none. */
struct reference {
	size_t len;    /* of its source */
	uint8_t first; /* byte of the character's UTF-8, */
	uint8_t bytes; /* of which so many count: at most 4 */
};

/** Returns whether it names what may be a letter outside of ASCII: not U+0080 to U+00BF, nor U+2000 to U+2FFF. */
static inline bool reference_is_foreign(const struct reference *reference)
{
	return reference->first >= 0xC3 && reference->first != 0xE2;
}
/** Returns whether it names a letter. */
static inline bool reference_is_letter(const struct reference *reference)
{
	return reference_is_foreign(reference) || ascii_is_alpha(reference->first);
}
/** Returns it as the byte scans count it: all bytes of a space or mark, which parts texts as code does. */
static inline struct reference reference_scanned(const struct reference *reference)
{
	const uint8_t bytes = reference_is_letter(reference) ? reference->bytes : (uint8_t)reference->len;
	return (struct reference){ reference->len, reference->first, bytes };
}

/** Takes a part of a text: no reference, or the whole source of one. Returns 0 or a negative status. */
typedef int (*reference_taker)(void *arg, const struct html_run *run, const struct reference *reference);

/** Divides texts that come in runs. Zeroed at the start of a page. */
struct references {
	uint8_t held[HTML_ENTITY_LONGEST]; /* the bytes from an '&' on that ended the last run */
	size_t len;
	struct html_run run; /* of the text, without its bytes */
};
/** Takes a run of a text. */
int references_run(struct references *r, const struct html_run *run, reference_taker take, void *arg);
/** Ends the text, if there is one. */
int references_end(struct references *r, reference_taker take, void *arg);

/**
 * Makes each reference in a stretch one character by its masks. Returns whether one of them names a letter. `units`:
 * NULL, or bits like html_stretch.code, to which the bytes are added that do not count; `scan`: in a byte scan.
 */
bool references_mark(const struct html_stretch *h, uint64_t *units, bool scan);

#endif
