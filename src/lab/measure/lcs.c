/* SPDX-License-Identifier: MIT */
/*
 * One row of the table of common lengths is a bit vector, and the next row follows from it by an addition and two ANDs
 * for each 64 tokens (next_row). For the marks, all rows of a piece are kept and walked back. A piece whose rows do not
 * fit into 8 MiB is cut in two (Hirschberg 1975): b in halves, and a where the sum of both lengths is greatest.
 *
 * Example: a = "x y z", b = "y z". The row starts as 111; after "y" it is 101 (the length grows at y), after "z" 100:
 * two zeros, so the length is 2. (Bits from left to right, as the tokens of a.)
 */
#include "lab/measure/lcs.h"

#include <stdlib.h>

#include "base/status.h"
#include "lab/measure/matches.h"

struct piece {
	const uint32_t *a, *b;
	size_t n, m;
};

/* 8 MiB of rows: 64 million table cells in one go. */
enum { ROWS_MOST = 1 << 20 };

/* Removes the common beginning and end. Returns the number of tokens removed; *front: those at the beginning. */
static size_t strip_ends(struct piece *p, size_t *front)
{
	size_t stripped = 0;
	while (stripped < p->n && stripped < p->m && p->a[stripped] == p->b[stripped])
		stripped++;
	*front = stripped;
	p->a += stripped;
	p->b += stripped;
	p->n -= stripped;
	p->m -= stripped;
	while (p->n && p->m && p->a[p->n - 1] == p->b[p->m - 1]) {
		p->n--;
		p->m--;
		stripped++;
	}
	return stripped;
}

/*
 * Row j of the table of LCS lengths of all prefixes of a with b[0..j) is a bit vector V over a: bit i is 0 if the
 * length grows from a[0..i) to a[0..i]. The next row is V = (V + (V & M)) | (V & ~M), M = the places of `token` in a. A
 * word without matches and without a carry from below does not change, so only words with matches, and those that
 * carries reach, are visited.
 */
static void next_row(uint64_t *row, size_t words, const struct matches *x, uint32_t token)
{
	uint32_t k = x->start[token], end = x->start[token + 1];
	uint64_t carry = 0;
	size_t w = 0;
	while (k < end || carry) {
		if (!carry)
			w = x->at[k] / 64;
		if (w >= words)
			break;
		uint64_t match = 0;
		for (; k < end && x->at[k] / 64 == w; k++)
			match |= (uint64_t)1 << x->at[k] % 64;
		uint64_t v = row[w], sum, with_carry;
		uint64_t out = __builtin_add_overflow(v, v & match, &sum);
		out |= (uint64_t)__builtin_add_overflow(sum, carry, &with_carry);
		row[w] = with_carry | (v & ~match);
		carry = out;
		w++;
	}
}

/* Returns the number of zero bits among the first n. */
static size_t row_zeros(const uint64_t *row, size_t n)
{
	size_t ones = 0;
	for (size_t w = 0; w < n / 64; w++)
		ones += (size_t)__builtin_popcountll(row[w]);
	if (n % 64)
		ones += (size_t)__builtin_popcountll(row[n / 64] & (((uint64_t)1 << n % 64) - 1));
	return n - ones;
}

static uint64_t *row_new(size_t words)
{
	uint64_t *row = malloc((words ? words : 1) * sizeof(*row));
	if (row)
		memset(row, 0xFF, words * sizeof(*row));
	return row;
}

/* Computes the row after all of b. `row`: all bits set at first. */
static int last_row(uint64_t *row, const uint32_t *a, size_t n, const uint32_t *b, size_t m, uint32_t ids)
{
	struct matches x;
	int status = matches_of(&x, a, n, ids);
	for (size_t j = 0; j < m && status == DANA_OK; j++)
		next_row(row, (n + 63) / 64, &x, b[j]);
	matches_free(&x);
	return status;
}

int lcs_length(const struct tokens *a, const struct tokens *b, uint32_t ids, size_t *length)
{
	struct piece p = { a->ids, b->ids, a->len, b->len };
	size_t front;
	*length = strip_ends(&p, &front);
	if (!p.n || !p.m)
		return DANA_OK;
	size_t words = (p.n + 63) / 64;
	uint64_t *row = row_new(words);
	int status = row ? last_row(row, p.a, p.n, p.b, p.m, ids) : DANA_ENOMEM;
	if (status == DANA_OK)
		*length += row_zeros(row, p.n);
	free(row);
	return status;
}

static bool bit_of(const uint64_t *row, size_t i)
{
	return row[i / 64] >> i % 64 & 1;
}

/* If a bit is 0 in two consecutive rows, the length is the same in both (the k-th 0 only ever moves left). */
static void walk_back(const struct piece *p, const uint64_t *rows, size_t words, uint8_t *on_a, uint8_t *on_b)
{
	size_t i = p->n, j = p->m;
	while (i && j) {
		if (bit_of(rows + (j - 1) * words, i - 1)) {
			i--;
		} else if (j > 1 && !bit_of(rows + (j - 2) * words, i - 1)) {
			j--;
		} else {
			i--;
			j--;
			on_a[i] = 1;
			on_b[j] = 1;
		}
	}
}

/* Marks tokens, with all rows in memory. */
static int mark_with_rows(const struct piece *p, uint32_t ids, uint8_t *on_a, uint8_t *on_b)
{
	size_t words = (p->n + 63) / 64;
	struct matches x;
	uint64_t *rows = malloc(words * p->m * sizeof(*rows));
	int status = matches_of(&x, p->a, p->n, ids);
	if (!rows)
		status = DANA_ENOMEM;
	for (size_t j = 0; j < p->m && status == DANA_OK; j++) {
		uint64_t *row = rows + j * words;
		if (j)
			memcpy(row, row - words, words * sizeof(*row));
		else
			memset(row, 0xFF, words * sizeof(*row));
		next_row(row, words, &x, p->b[j]);
	}
	if (status == DANA_OK)
		walk_back(p, rows, words, on_a, on_b);
	free(rows);
	matches_free(&x);
	return status;
}

static uint32_t *reversed(const uint32_t *ids, size_t n)
{
	uint32_t *copy = malloc((n ? n : 1) * sizeof(*copy));
	for (size_t i = 0; copy && i < n; i++)
		copy[i] = ids[n - 1 - i];
	return copy;
}

/*
 * Returns how much of a belongs to the first half of b: where the sum of both lengths is greatest. `head` is the last
 * row of a and that half; `tail` that of a reversed and the other half reversed.
 */
static size_t best_split(const uint64_t *head, const uint64_t *tail, size_t n)
{
	size_t left = 0, right = row_zeros(tail, n), best = right, at = 0;
	for (size_t i = 0; i < n; i++) {
		left += !bit_of(head, i);
		right -= !bit_of(tail, n - 1 - i);
		if (left + right > best) {
			best = left + right;
			at = i + 1;
		}
	}
	return at;
}

/* Finds where a longest common subsequence crosses the middle of b (Hirschberg 1975). */
static int split_point(const struct piece *p, uint32_t ids, size_t *at)
{
	size_t words = (p->n + 63) / 64, half = p->m / 2;
	uint64_t *head = row_new(words), *tail = row_new(words);
	uint32_t *a = reversed(p->a, p->n), *b = reversed(p->b + half, p->m - half);
	int status = head && tail && a && b ? DANA_OK : DANA_ENOMEM;
	if (status == DANA_OK)
		status = last_row(head, p->a, p->n, p->b, half, ids);
	if (status == DANA_OK)
		status = last_row(tail, a, p->n, b, p->m - half, ids);
	if (status == DANA_OK)
		*at = best_split(head, tail, p->n);
	free(head);
	free(tail);
	free(a);
	free(b);
	return status;
}

static void mark_ends(const struct piece *whole, const struct piece *inner, size_t front, uint8_t *on_a, uint8_t *on_b)
{
	memset(on_a, 1, front);
	memset(on_b, 1, front);
	memset(on_a + front + inner->n, 1, whole->n - front - inner->n);
	memset(on_b + front + inner->m, 1, whole->m - front - inner->m);
}

/* Depth: b is halved each time, so at most 64 pieces wait. */
static int mark_all(struct piece whole, uint32_t ids, uint8_t *on_a, uint8_t *on_b)
{
	struct piece waiting[64] = { whole };
	size_t n_waiting = 1;
	int status = DANA_OK;
	while (n_waiting && status == DANA_OK) {
		struct piece outer = waiting[--n_waiting], p = outer;
		uint8_t *mark_a = on_a + (outer.a - whole.a), *mark_b = on_b + (outer.b - whole.b);
		size_t front;
		strip_ends(&p, &front);
		mark_ends(&outer, &p, front, mark_a, mark_b);
		if (!p.n || !p.m)
			continue;
		size_t words = (p.n + 63) / 64;
		if (p.m == 1 || words <= ROWS_MOST / p.m) {
			status = mark_with_rows(&p, ids, mark_a + front, mark_b + front);
			continue;
		}
		size_t at = 0, half = p.m / 2;
		status = split_point(&p, ids, &at);
		waiting[n_waiting++] = (struct piece){ p.a + at, p.b + half, p.n - at, p.m - half };
		waiting[n_waiting++] = (struct piece){ p.a, p.b, at, half };
	}
	return status;
}

int lcs_marks(const struct tokens *a, const struct tokens *b, uint32_t ids, uint8_t *on_a, uint8_t *on_b,
	      size_t *length)
{
	uint8_t *marks = calloc(a->len + b->len + 1, 1);
	if (!marks)
		return DANA_ENOMEM;
	struct piece p = { a->ids, b->ids, a->len, b->len };
	int status = mark_all(p, ids, marks, marks + a->len);
	*length = 0;
	for (size_t i = 0; i < a->len; i++)
		*length += marks[i];
	if (on_a && a->len)
		memcpy(on_a, marks, a->len);
	if (on_b && b->len)
		memcpy(on_b, marks + a->len, b->len);
	free(marks);
	return status;
}

struct score score_of(double common, double output, double gold)
{
	if (output <= 0 && gold <= 0)
		return (struct score){ 1, 1, 1 };
	struct score s = { 0, 0, 0 };
	if (output > 0)
		s.precision = common / output;
	if (gold > 0)
		s.recall = common / gold;
	if (s.precision + s.recall > 0)
		s.f1 = 2 * s.precision * s.recall / (s.precision + s.recall);
	return s;
}
