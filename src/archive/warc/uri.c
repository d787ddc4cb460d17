/* SPDX-License-Identifier: MIT */
/*
 * Escapes what a URI must not hold (RFC 3986) and leaves escapes alone: "a b%20c%" becomes "a%20b%20c%25". Brackets
 * may stand around the address of a host only, "http://[::1]/", and one '#' before the fragment:
 * "http://e.org/a[1]#b#c" becomes "http://e.org/a%5B1%5D#b%23c".
 */
#include "archive/warc/uri.h"

#include "base/ascii.h"
#include "base/status.h"
#include "base/url_parts.h"

static bool is_uri_character(uint8_t c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c) || (c && strchr("-._~:/?@!$&'()*+,;=", c));
}

int warc_uri_append(struct buf *out, struct slice uri)
{
	static const char hex[] = "0123456789ABCDEF";
	const struct url_parts parts = url_parts(uri);
	const uint8_t *authority_end = parts.scheme.len ? parts.rest.data : uri.data;
	bool fragment = false;
	int status = buf_reserve(out, uri.len);

	for (size_t i = 0; i < uri.len && status == DANA_OK; i++) {
		uint8_t c = uri.data[i];
		bool escape =
			c == '%' && i + 2 < uri.len && ascii_is_hex(uri.data[i + 1]) && ascii_is_hex(uri.data[i + 2]);
		bool bracket = (c == '[' || c == ']') && uri.data + i < authority_end;
		bool first_hash = c == '#' && !fragment;

		fragment = fragment || first_hash;
		if (escape || bracket || first_hash || is_uri_character(c)) {
			status = buf_append_byte(out, c);
		} else {
			const char code[] = { '%', hex[c >> 4], hex[c & 15] };

			status = buf_append(out, code, sizeof(code));
		}
	}
	return status;
}
