/* SPDX-License-Identifier: MIT */
/*
 * Compares bytes with the beginnings of records, and distinguishes "no" from "not yet": "WARC/1.0" and "dns:" are a
 * start (1), "WAR" and "ht" may become one (-1), "<html>" does not (0).
 */
#include "archive/codec/record_start.h"

#include "base/ascii.h"

/* Returns 1 if `s` begins with `text`, 0 if not, -1 if it may with more bytes. */
static int begins(struct slice s, const char *text)
{
	size_t n = strlen(text), have = s.len < n ? s.len : n;
	if (have && memcmp(s.data, text, have) != 0)
		return 0;
	return have == n ? 1 : -1;
}

/* An ARC record's line begins with a URL (RFC 3986, section 3.1: letter, then letters, digits, plus, minus, dot). */
static int begins_with_url(struct slice s)
{
	size_t i = 0;
	while (i < s.len && i < 24 &&
	       (ascii_is_alpha(s.data[i]) || (i && (ascii_is_digit(s.data[i]) || memchr("+-.", s.data[i], 3)))))
		i++;
	if (i == s.len)
		return i < 24 ? -1 : 0;
	return i ? begins(slice_skip(s, i), "://") : 0;
}

int record_start(struct slice decoded)
{
	/* Some writers put the line ends that close a record into the next member. */
	size_t breaks = 0;
	while (breaks < decoded.len && breaks < 8 && (decoded.data[breaks] == '\r' || decoded.data[breaks] == '\n'))
		breaks++;
	struct slice s = slice_skip(decoded, breaks);
	static const char *const starts[] = { "WARC/", "filedesc:", "dns:" };
	int result = begins_with_url(s);
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		int one = begins(s, starts[i]);
		if (one == 1 || result == 1)
			return 1;
		if (one == -1)
			result = -1;
	}
	return result;
}
