/* SPDX-License-Identifier: MIT */
#include "archive/charset/single_byte.h"

#include "base/ascii.h"
#include "base/utf8.h"

void single_byte_begin(struct single_byte *s, const uint16_t upper[INDEX_SINGLE_SIZE])
{
	for (unsigned i = 0; i < INDEX_SINGLE_SIZE; i++) {
		uint8_t utf8[4];

		s->len[i] =
			upper[i] ? (uint8_t)utf8_put(upper[i], utf8) : 0; /* at most 3: all are of the basic plane */
		memcpy(s->utf8[i], utf8, s->len[i]);
	}
}

int single_byte_write(const struct single_byte *s, struct slice bytes, struct output *out)
{
	const uint8_t *p = bytes.data, *end = p + bytes.len;
	int status = 0;
	while (p < end && status == 0) {
		if (*p < 0x80) {
			size_t n = ascii_run(p, (size_t)(end - p));
			status = output_put(out, p, n);
			p += n;
			continue;
		}
		unsigned i = *p++ & 0x7FU;
		status = s->len[i] ? output_put(out, s->utf8[i], s->len[i]) : output_replace(out);
	}
	return status;
}
