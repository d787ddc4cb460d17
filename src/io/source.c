/* SPDX-License-Identifier: MIT */
/* What all kinds of sources have. */
#include "io/source.h"

#include <stdlib.h>

enum { READ_SIZE = 512 << 10, READ_SIZE_MOST = 16 << 20 };

size_t source_read_size(void)
{
	const char *text = getenv("DANA_TEST_READ_SIZE"); /* for tests: results must not depend on it */
	if (text) {
		unsigned long n = strtoul(text, NULL, 10);
		if (n >= 1 && n <= READ_SIZE_MOST)
			return n;
	}
	return READ_SIZE;
}

int source_identity(struct source *s, struct buf *out)
{
	return s->ops->identity ? s->ops->identity(s, out) : DANA_ECONFIG;
}

struct source_counts source_counts(const struct source *s)
{
	return s->ops->counts ? s->ops->counts(s) : (struct source_counts){ 0 };
}

void source_start(struct source *s)
{
	s->ops->start(s);
}

void source_next(struct source *s)
{
	s->ops->next(s);
}

int source_seek(struct source *s, uint64_t offset)
{
	return s->seekable ? s->ops->seek(s, offset) : DANA_EIO;
}

void source_free(struct source *s)
{
	if (s)
		s->ops->free(s);
}
