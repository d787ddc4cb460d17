/* Escapes what a URI must not hold (RFC 3986) and leaves escapes alone: "a b%20c%" becomes "a%20b%20c%25". */
#include "warc/uri.h"

#include "base/ascii.h"
#include "base/status.h"

static bool is_hex(uint8_t c)
{
	return ascii_is_digit(c) || (uint8_t)((c | 0x20) - 'a') < 6;
}

static bool is_uri_character(uint8_t c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c) || (c && strchr("-._~:/?#[]@!$&'()*+,;=", c));
}

int warc_uri_append(struct buf *out, struct slice uri)
{
	static const char hex[] = "0123456789ABCDEF";
	int status = buf_reserve(out, uri.len);

	for (size_t i = 0; i < uri.len && status == DANA_OK; i++) {
		uint8_t c = uri.data[i];
		bool escape = c == '%' && i + 2 < uri.len && is_hex(uri.data[i + 1]) && is_hex(uri.data[i + 2]);

		if (escape || is_uri_character(c)) {
			status = buf_append_byte(out, c);
		} else {
			const char code[] = { '%', hex[c >> 4], hex[c & 15] };

			status = buf_append(out, code, sizeof(code));
		}
	}
	return status;
}
