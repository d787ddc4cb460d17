/* SPDX-License-Identifier: MIT */
/*
 * A table of 64-bit hashes: which were seen, how often, and which number the first one had. A look-up reads at most 64
 * slots; when none of them is free or has the hash, the hash counts as not seen. Hashes that are made to collide so cost
 * little, and lead to a defined result.
 */
#ifndef DANA_QUALITY_SEEN_H
#define DANA_QUALITY_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A value of `first` that no number has, for the caller's own use. */
#define SEEN_VISITED UINT32_MAX

struct seen_slot {
	uint64_t hash;
	uint32_t use; /* the slot is free unless this is that of the table */
	uint32_t count;
	uint32_t first;
};

/** Zero-initialised it is empty; seen_free() ends it. It keeps its memory. */
struct seen {
	struct seen_slot *slots;
	size_t cap, mask;
	uint32_t use; /* number of the last seen_begin() */
};

/** Empties it for at most `n` hashes. False: memory is exhausted. */
bool seen_begin(struct seen *s, size_t n);
/** Counts one more of `hash`; returns its slot, or NULL where it finds none. `number` is that of the first. */
struct seen_slot *seen_add(struct seen *s, uint64_t hash, uint32_t number);
void seen_free(struct seen *s);

#endif
