/* SPDX-License-Identifier: MIT */
/* Radix sort from the lowest byte of the key to the highest: eight passes, fewer where all pairs agree in a byte. */
#include "dedup/store/pairs.h"

enum { DIGITS = 8, VALUES = 256 };

static unsigned digit(struct pair p, unsigned number)
{
	return p.key >> 8 * number & 0xFF;
}

/* Moves all pairs from `from` to their places by one digit. */
static void pass(const struct pair *from, struct pair *to, size_t n, unsigned number, size_t starts[VALUES])
{
	for (size_t i = 0; i < n; i++)
		to[starts[digit(from[i], number)]++] = from[i];
}

/* How many pairs have each value of a digit becomes where the first of them goes; false: all have the same value. */
static bool to_starts(size_t counts[VALUES], size_t n)
{
	size_t start = 0;

	for (unsigned v = 0; v < VALUES; v++) {
		size_t count = counts[v];
		if (count == n)
			return false;
		counts[v] = start;
		start += count;
	}
	return true;
}

void pairs_sort(struct pair *pairs, struct pair *spare, size_t n)
{
	size_t counts[DIGITS][VALUES] = { { 0 } };
	struct pair *from = pairs, *to = spare;

	for (size_t i = 0; i < n; i++) {
		for (unsigned d = 0; d < DIGITS; d++)
			counts[d][digit(pairs[i], d)]++;
	}
	for (unsigned d = 0; d < DIGITS; d++) {
		if (n == 0 || !to_starts(counts[d], n))
			continue;
		pass(from, to, n, d, counts[d]);
		struct pair *done = to;
		to = from;
		from = done;
	}
	if (from != pairs)
		memcpy(pairs, from, n * sizeof(*pairs));
}
