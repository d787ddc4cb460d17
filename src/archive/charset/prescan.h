/* SPDX-License-Identifier: MIT */
/*
 * Finds the charset that a page names in its own bytes (HTML standard, section 13.2.3.2, "prescan a byte stream"). No
 * state.
 */
#ifndef DANA_CHARSET_PRESCAN_H
#define DANA_CHARSET_PRESCAN_H

#include "archive/charset/labels.h"

/**
 * Returns the charset named by <meta>, else by the XML declaration; NULL if neither names a known one. Linear in the
 * length.
 */
const struct charset *prescan_page(struct slice page);
/**
 * Returns the value of "charset=..." in a text like a media type ("extracting a character encoding from a meta
 * element").
 */
struct slice prescan_charset_parameter(struct slice text);

#endif
