/* SPDX-License-Identifier: MIT */
/*
 * Finds "white-space" with a value that keeps white space in the bytes of a page, so that the tags of a stretch need
 * not be read for their styles. Nearly no page has it, and a search costs a fraction of an instruction a byte.
 */
#ifndef DANA_HTML_WHITE_SPACE_FIND_H
#define DANA_HTML_WHITE_SPACE_FIND_H

#include <stddef.h>
#include <stdint.h>

/**
 * Returns the first place in from..to where such a property begins, or `to`. p[0..len) is readable and contains its
 * value.
 */
size_t white_space_find(const uint8_t *p, size_t from, size_t to, size_t len);

#endif
