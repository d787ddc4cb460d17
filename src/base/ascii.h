/* SPDX-License-Identifier: MIT */
/* ASCII classes and comparison without locale. */
#ifndef DANA_BASE_ASCII_H
#define DANA_BASE_ASCII_H

#include "base/slice.h"

static inline uint8_t ascii_lower(uint8_t c)
{
	return (uint8_t)(c - 'A') < 26 ? (uint8_t)(c | 0x20) : c;
}

static inline bool ascii_is_alpha(uint8_t c)
{
	return (uint8_t)((c | 0x20) - 'a') < 26;
}

static inline bool ascii_is_digit(uint8_t c)
{
	return (uint8_t)(c - '0') < 10;
}

/** Returns the value of a hexadecimal digit, or -1. */
static inline int ascii_hex(uint8_t c)
{
	if (ascii_is_digit(c))
		return c - '0';
	return (uint8_t)((c | 0x20) - 'a') < 6 ? (c | 0x20) - 'a' + 10 : -1;
}

static inline bool ascii_is_hex(uint8_t c)
{
	return ascii_hex(c) >= 0;
}

/** True for HTML white space: space, tab, LF, FF, CR (HTML, section 2.3 of the WHATWG Infra standard). */
static inline bool ascii_is_space(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

/** Compares without regard to ASCII case. */
static inline bool slice_equal_nocase(struct slice a, struct slice b)
{
	if (a.len != b.len)
		return false;
	for (size_t i = 0; i < a.len; i++) {
		if (ascii_lower(a.data[i]) != ascii_lower(b.data[i]))
			return false;
	}
	return true;
}

static inline bool slice_is(struct slice a, const char *text)
{
	return slice_equal_nocase(a, slice_from_text(text));
}

/** Returns whether `text`, in lower case, is a part of `a`, in any case. */
static inline bool slice_has(struct slice a, const char *text)
{
	const size_t len = strlen(text);
	for (size_t i = 0; i + len <= a.len; i++) {
		if (ascii_lower(a.data[i]) == (uint8_t)text[0] && slice_is(slice_of(a.data + i, len), text))
			return true;
	}
	return false;
}

/** Returns `s` without white space at both ends. */
static inline struct slice slice_trim(struct slice s)
{
	while (s.len && ascii_is_space(s.data[0]))
		s = slice_of(s.data + 1, s.len - 1);
	while (s.len && ascii_is_space(s.data[s.len - 1]))
		s.len--;
	return s;
}

#endif
