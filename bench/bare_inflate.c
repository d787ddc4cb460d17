/* SPDX-License-Identifier: MIT */
#include "bare_inflate.h"

#include <stdlib.h>
#include <zlib.h>

enum { GZIP_ONLY = 31 };

struct bare_inflate {
	z_stream z;
	void (*take)(void *arg, struct slice bytes);
	void *arg;
	uint64_t bytes;
	bool inside; /* of a member */
	uint8_t window[BARE_WINDOW];
};

struct bare_inflate *bare_inflate_new(void (*take)(void *arg, struct slice bytes), void *arg)
{
	struct bare_inflate *b = calloc(1, sizeof(*b));

	if (!b || inflateInit2(&b->z, GZIP_ONLY) != Z_OK) {
		free(b);
		return NULL;
	}
	b->take = take;
	b->arg = arg;
	return b;
}

bool bare_inflate_feed(struct bare_inflate *b, struct slice chunk)
{
	b->z.next_in = (uint8_t *)(uintptr_t)chunk.data;
	b->z.avail_in = (uint32_t)chunk.len;
	do {
		b->z.next_out = b->window;
		b->z.avail_out = BARE_WINDOW;
		int status = inflate(&b->z, Z_NO_FLUSH);
		if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
			return false;
		size_t n = BARE_WINDOW - b->z.avail_out;

		b->bytes += n;
		if (b->take && n)
			b->take(b->arg, slice_of(b->window, n));
		b->inside = status != Z_STREAM_END;
		if (!b->inside)
			inflateReset(&b->z);
	} while (b->z.avail_in || (b->inside && b->z.avail_out == 0));
	return true;
}

uint64_t bare_inflate_bytes(const struct bare_inflate *b)
{
	return b->bytes;
}

void bare_inflate_free(struct bare_inflate *b)
{
	if (b)
		inflateEnd(&b->z);
	free(b);
}
