/* SPDX-License-Identifier: MIT */
/*
 * A table of 64-bit hashes: whether and how often each was seen, and the number of its first occurrence. A look-up
 * reads at most 64 slots; if all of them hold other hashes, the hash counts as not seen. So hashes made to collide cost
 * little and lead to a defined result.
 */
#ifndef DANA_QUALITY_SEEN_H
#define DANA_QUALITY_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A value of `first` that is not a valid number, for the caller's own use. */
#define SEEN_VISITED UINT32_MAX

struct seen_slot {
	uint64_t hash;
	uint32_t use; /* the slot is free unless this equals `use` of the table */
	uint32_t count;
	uint32_t first;
};

/** Zero-initialised it is empty; seen_free() frees it. It keeps its memory from text to text. */
struct seen {
	struct seen_slot *slots;
	size_t cap, mask;
	uint32_t use; /* number of the last seen_begin() */
};

/** Empties the table and makes room for `n` hashes. Returns false if memory is exhausted. */
bool seen_begin(struct seen *s, size_t n);
/**
 * Counts `hash` once more. Returns its slot, NULL if there is no free one. `number` is stored at its first occurrence.
 */
struct seen_slot *seen_add(struct seen *s, uint64_t hash, uint32_t number);
void seen_free(struct seen *s);

#endif
