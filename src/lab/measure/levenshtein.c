/* SPDX-License-Identifier: MIT */
/*
 * The table of edit distances, column by column; neighbours in a column differ by -1, 0 or +1, so a column is two bit
 * vectors (`up` and `down`), and a step of 64 rows is an addition and some logic (Myers 1999). Each block of 64 rows
 * passes the horizontal difference at its lower edge, -1, 0 or +1, to the next. The distance is followed along the last
 * row.
 */
#include "lab/measure/levenshtein.h"

#include <stdlib.h>

#include "base/status.h"
#include "lab/measure/matches.h"

/*
 * Vertical differences of one column of the table, 64 rows in a block: +1 where `up` has a bit, -1 where `down` has
 * one.
 */
struct block {
	uint64_t up, down, match;
};

/* Takes the horizontal difference from above (-1, 0, 1) and returns the one below row `last` of the block. */
static int block_step(struct block *k, int above, unsigned last)
{
	uint64_t eq = k->match, xv = eq | k->down;
	if (above < 0)
		eq |= 1;
	uint64_t xh = (((eq & k->up) + k->up) ^ k->up) | eq;
	uint64_t up = k->down | ~(xh | k->up), down = k->up & xh;
	int below = (int)(up >> last & 1) - (int)(down >> last & 1);
	up = up << 1 | (uint64_t)(above > 0);
	down = down << 1 | (uint64_t)(above < 0);
	k->up = down | ~(xv | up);
	k->down = up & xv;
	return below;
}

static size_t run(struct block *blocks, size_t n, const struct matches *x, const uint32_t *b, size_t m)
{
	size_t n_blocks = (n + 63) / 64, distance = n;
	for (size_t w = 0; w < n_blocks; w++)
		blocks[w] = (struct block){ ~(uint64_t)0, 0, 0 };
	for (size_t j = 0; j < m; j++) {
		uint32_t first = x->start[b[j]], end = x->start[b[j] + 1];
		for (uint32_t k = first; k < end; k++)
			blocks[x->at[k] / 64].match |= (uint64_t)1 << x->at[k] % 64;
		int difference = 1; /* the row of the empty sequence grows by one with each column */
		for (size_t w = 0; w < n_blocks; w++)
			difference =
				block_step(&blocks[w], difference, w + 1 < n_blocks ? 63 : (unsigned)((n - 1) % 64));
		distance = difference < 0 ? distance - 1 : distance + (size_t)difference;
		for (uint32_t k = first; k < end; k++)
			blocks[x->at[k] / 64].match = 0;
	}
	return distance;
}

int levenshtein_distance(const struct tokens *a, const struct tokens *b, uint32_t ids, size_t *distance)
{
	const uint32_t *p = a->ids, *q = b->ids;
	size_t n = a->len, m = b->len;
	for (; n && m && *p == *q; n--, m--) {
		p++;
		q++;
	}
	while (n && m && p[n - 1] == q[m - 1]) {
		n--;
		m--;
	}
	*distance = n ? n : m;
	if (!n || !m)
		return DANA_OK;

	struct matches x;
	struct block *blocks = malloc((n + 63) / 64 * sizeof(*blocks));
	int status = matches_of(&x, p, n, ids);
	if (status == DANA_OK && !blocks)
		status = DANA_ENOMEM;
	if (status == DANA_OK)
		*distance = run(blocks, n, &x, q, m);
	free(blocks);
	matches_free(&x);
	return status;
}
