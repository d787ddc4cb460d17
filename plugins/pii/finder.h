/* SPDX-License-Identifier: MIT */
/*
 * Kinds of personal data in a text. A finder returns true and the next place at or after `from`; places do not overlap.
 * Each is linear in the text and has no state.
 */
#ifndef DANA_PLUGINS_PII_FINDER_H
#define DANA_PLUGINS_PII_FINDER_H

#include "base/slice.h"

/** A place in the text. */
struct found {
	size_t start, end;
};

/**
 * The next e-mail address that begins at `from` or later: a name of letters, digits and .!#$%&'*+/=?^_`{|}~- before the
 * '@', a domain of two labels and more after it.
 */
bool email_find(struct slice text, size_t from, struct found *place);
/**
 * The next IPv4 address of four numbers up to 255 that is not part of a longer row of numbers. `public_only`: not
 * 10.0.0.1.
 */
bool ip_find(struct slice text, size_t from, bool public_only, struct found *place);
/**
 * The next number that is written like a telephone number: + and 8 to 15 digits; or groups of 3, 3 and 4 digits; or 9
 * to 11 digits in groups, of which the first begins with 0 and has 3 digits or more. Digits are ASCII, Arabic or
 * Persian.
 */
bool phone_find(struct slice text, size_t from, struct found *place);

#endif
