/* SPDX-License-Identifier: MIT */
/*
 * How long a reply may be slow: a reply has so much time, each byte gives some of it back, and there is never more than
 * at the beginning. So a reply that brings fewer than 100 bytes a second ends, whether they come evenly, one now and
 * then, or not at all. Pure; times are milliseconds, by the caller's clock.
 */
#ifndef DANA_IO_NET_PATIENCE_H
#define DANA_IO_NET_PATIENCE_H

#include <stdint.h>

enum {
	PATIENCE_MS = 20000, /* the most that anybody has */
	PATIENCE_BYTE_MS = 10,
};

struct patience {
	uint64_t most;
	uint64_t until; /* the reply is given up then */
};

/** Returns a patience that begins now. `most`: at most PATIENCE_MS. */
static inline struct patience patience_begin(uint64_t most, uint64_t now)
{
	return (struct patience){ most, now + most };
}

static inline void patience_bytes(struct patience *p, uint64_t bytes, uint64_t now)
{
	const uint64_t back = bytes < PATIENCE_MS / PATIENCE_BYTE_MS ? bytes * PATIENCE_BYTE_MS : PATIENCE_MS;

	p->until = p->until + back < now + p->most ? p->until + back : now + p->most;
}

/** Returns 0 if it is over. */
static inline uint64_t patience_left(const struct patience *p, uint64_t now)
{
	return p->until > now ? p->until - now : 0;
}

#endif
