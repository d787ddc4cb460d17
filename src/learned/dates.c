/* SPDX-License-Identifier: MIT */
/*
 * Looks for digits that are followed by the rest of a time or a date. After each number the rest is tried from its
 * first separator; if it does not fit, the search goes on after the number.
 *
 * Example: in "1.2 1.2.34" the first 1 is followed by ".2" and a blank, which is no date; the second by ".2.34", which
 * is one.
 */
#include "learned/dates.h"

#include <stdint.h>

/* A quick test that most bytes of a text fail. */
static bool begins_digit(uint8_t c)
{
	return (c >= '0' && c <= '9') || c == 0xD9 || c == 0xDB;
}

/* Bytes of the digit at p: U+0660 to U+0669 and U+06F0 to U+06F9 have two. 0 = none. */
static size_t digit_at(const uint8_t *p, const uint8_t *end)
{
	if (p == end)
		return 0;
	if (*p >= '0' && *p <= '9')
		return 1;
	if (end - p < 2)
		return 0;
	bool arabic = *p == 0xD9 && p[1] >= 0xA0 && p[1] <= 0xA9, persian = *p == 0xDB && p[1] >= 0xB0 && p[1] <= 0xB9;
	return arabic || persian ? 2 : 0;
}

/* Counts digits that follow each other, and moves *p after them. */
static unsigned digits_pass(const uint8_t **p, const uint8_t *end)
{
	unsigned n = 0;
	for (size_t len; (len = digit_at(*p, end)) != 0; *p += len)
		n++;
	return n;
}

/* What follows `digits` digits makes them a time or a date. */
static bool completes_date(unsigned digits, const uint8_t *p, const uint8_t *end)
{
	if (digits == 0 || digits > 4 || p == end)
		return false;
	uint8_t separator = *p++;
	if (separator == ':')
		return digits <= 2 && digits_pass(&p, end) == 2;
	if (separator != '.' && separator != '/' && separator != '-')
		return false;
	unsigned month = digits_pass(&p, end);
	if (month < 1 || month > 2 || p == end || *p != separator)
		return false;
	p++;
	unsigned last = digits_pass(&p, end);
	return last >= 2 && last <= 4;
}

bool dates_found(struct slice text)
{
	const uint8_t *p = text.data, *end = p + text.len;
	while (p < end) {
		if (!begins_digit(*p)) {
			p++;
			continue;
		}
		unsigned digits = digits_pass(&p, end);
		if (completes_date(digits, p, end))
			return true;
		p += digits == 0;
	}
	return false;
}
