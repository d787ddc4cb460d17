/* How far a text is ASCII. On the path of every byte of every page, so it takes 32 bytes at a time. */
#ifndef DANA_CHARSET_ASCII_RUN_H
#define DANA_CHARSET_ASCII_RUN_H

#include "base/slice.h"

static inline size_t ascii_run(const uint8_t *p, size_t len)
{
	const uint64_t high = 0x8080808080808080U;
	size_t n = 0;
	for (; len - n >= 32; n += 32) {
		uint64_t w[4];
		memcpy(w, p + n, 32);
		if ((w[0] | w[1] | w[2] | w[3]) & high)
			break;
	}
	for (; len - n >= 8; n += 8) {
		uint64_t w;
		memcpy(&w, p + n, 8);
		if (w & high)
			break;
	}
	while (n < len && p[n] < 0x80)
		n++;
	return n;
}

#endif
