/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "bare_inflate.h"

#include <stdlib.h>

#ifdef HAVE_ISAL
#include <isa-l/igzip_lib.h>
typedef struct inflate_state engine;
#else
#include <zlib.h>
typedef z_stream engine;
#endif

struct bare_inflate {
	engine engine;
	void (*take)(void *arg, struct slice bytes);
	void *arg;
	uint64_t bytes;
	bool inside; /* of a member */
	uint8_t window[BARE_WINDOW];
};

#ifdef HAVE_ISAL

static bool engine_open(engine *e)
{
	isal_inflate_init(e);
	e->crc_flag = ISAL_GZIP;
	return true;
}

static void engine_next_member(engine *e)
{
	isal_inflate_reset(e);
	e->crc_flag = ISAL_GZIP;
}

/* 1: the member ended; 0: it goes on; negative: damaged. */
static int engine_step(engine *e)
{
	int status = isal_inflate(e);

	if (status < 0)
		return -1;
	return e->block_state == ISAL_BLOCK_FINISH;
}

static void engine_close(engine *e)
{
	(void)e;
}

#else

static bool engine_open(engine *e)
{
	return inflateInit2(e, 31) == Z_OK;
}

static void engine_next_member(engine *e)
{
	inflateReset(e);
}

static int engine_step(engine *e)
{
	int status = inflate(e, Z_NO_FLUSH);

	return status == Z_STREAM_END ? 1 : status == Z_OK || status == Z_BUF_ERROR ? 0 : -1;
}

static void engine_close(engine *e)
{
	inflateEnd(e);
}

#endif

struct bare_inflate *bare_inflate_new(void (*take)(void *arg, struct slice bytes), void *arg)
{
	struct bare_inflate *b = calloc(1, sizeof(*b));

	if (!b || !engine_open(&b->engine)) {
		free(b);
		return NULL;
	}
	b->take = take;
	b->arg = arg;
	return b;
}

bool bare_inflate_feed(struct bare_inflate *b, struct slice chunk)
{
	engine *e = &b->engine;

	e->next_in = (uint8_t *)(uintptr_t)chunk.data;
	e->avail_in = (uint32_t)chunk.len;
	do {
		e->next_out = b->window;
		e->avail_out = BARE_WINDOW;
		int status = engine_step(e);

		if (status < 0)
			return false;
		size_t n = BARE_WINDOW - e->avail_out;

		b->bytes += n;
		if (b->take && n)
			b->take(b->arg, slice_of(b->window, n));
		b->inside = status == 0;
		if (!b->inside)
			engine_next_member(e);
	} while (e->avail_in || (b->inside && e->avail_out == 0));
	return true;
}

uint64_t bare_inflate_bytes(const struct bare_inflate *b)
{
	return b->bytes;
}

void bare_inflate_free(struct bare_inflate *b)
{
	if (b)
		engine_close(&b->engine);
	free(b);
}
