/* SPDX-License-Identifier: MIT */
/*
 * Open addressing with linear probing; never more than half full, so that a good hash needs one or two probes. Slots
 * hold the number of their text, so that the table is not cleared between texts.
 */
#include "plugins/quality/seen.h"

#include <stdlib.h>
#include <string.h>

enum { SEEN_PROBES = 64 };

bool seen_begin(struct seen *s, size_t n)
{
	size_t need = 64;

	while (need < 2 * n)
		need *= 2;
	if (need > s->cap) {
		free(s->slots);
		s->cap = 0;
		s->slots = calloc(need, sizeof(*s->slots));
		if (!s->slots)
			return false;
		s->cap = need;
		s->use = 0;
	}
	s->mask = need - 1;
	if (!++s->use) { /* after 2^32 texts */
		memset(s->slots, 0, s->cap * sizeof(*s->slots));
		s->use = 1;
	}
	return true;
}

struct seen_slot *seen_add(struct seen *s, uint64_t hash, uint32_t number)
{
	/* The high bits of the product depend on all bits of the hash. */
	size_t at = (size_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> 32);

	for (int probe = 0; probe < SEEN_PROBES; probe++) {
		struct seen_slot *slot = &s->slots[(at + (size_t)probe) & s->mask];
		if (slot->use != s->use)
			*slot = (struct seen_slot){ .hash = hash, .use = s->use, .first = number };
		else if (slot->hash != hash)
			continue;
		slot->count++;
		return slot;
	}
	return NULL;
}

void seen_free(struct seen *s)
{
	free(s->slots);
	*s = (struct seen){ 0 };
}
