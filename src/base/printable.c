/* SPDX-License-Identifier: MIT */
/* Escaping of bytes for messages: the bytes "a\n\x1b" become the text "a\x0a\x1b". */
#include "base/printable.h"

/* `also`: a printable character to escape as well, or 0. */
static const char *escape(struct slice s, char *out, size_t size, uint8_t also)
{
	static const char hex[] = "0123456789abcdef";
	size_t n = 0;
	size_t safe = 0; /* longest output length after which "..." still fits */

	for (size_t i = 0; i < s.len; i++) {
		uint8_t c = s.data[i];
		bool plain = c >= 0x20 && c < 0x7f && c != also;
		if (n + (plain ? 1 : 4) >= size) {
			memcpy(out + safe, "...", 4);
			return out;
		}
		if (plain) {
			out[n++] = (char)c;
		} else {
			out[n++] = '\\';
			out[n++] = 'x';
			out[n++] = hex[c >> 4];
			out[n++] = hex[c & 15];
		}
		if (n + 4 <= size)
			safe = n;
	}
	out[n] = 0;
	return out;
}

const char *printable(struct slice s, char *out, size_t size)
{
	return escape(s, out, size, '\\');
}

const char *printable_message(struct slice s, char *out, size_t size)
{
	return escape(s, out, size, 0);
}
