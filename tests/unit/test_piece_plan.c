/* SPDX-License-Identifier: MIT */
/* Which requests bring the pieces of a list. */
#include "io/source.h"
#include "support/unit.h"

enum { K = 1 << 10, M = 1 << 20 };

static struct piece_plan plan_of(const struct piece *pieces, size_t n)
{
	struct piece_plan p = { 0 };
	assert_int_equal(piece_plan_make(&p, pieces, n), 0);
	return p;
}

static void span(const struct piece_plan *p, size_t i, size_t input, uint64_t from, uint64_t to)
{
	assert_true(i < p->n_spans);
	assert_int_equal(p->spans[i].input, input);
	assert_int_equal(p->spans[i].from, from);
	assert_int_equal(p->spans[i].to, to);
}

TEST(small_gaps_are_joined)
{
	const struct piece pieces[] = { { .from = 0, .length = 10, .input = 0 },
					{ .from = 10 + PIECE_GAP, .length = 10, .input = 0 },
					{ .from = 21 + 2 * PIECE_GAP, .length = 10, .input = 0 },
					{ .from = 10 * M, .length = 10, .input = 0 } };
	struct piece_plan p = plan_of(pieces, 4);
	assert_int_equal(p.n, 4);
	assert_true(p.in_order);
	assert_int_equal(p.n_spans, 3);
	span(&p, 0, 0, 0, 20 + PIECE_GAP);
	span(&p, 1, 0, 21 + 2 * PIECE_GAP, 31 + 2 * PIECE_GAP);
	span(&p, 2, 0, 10 * M, 10 * M + 10);
	assert_int_equal(p.spans[0].last, 2);
	assert_int_equal(p.spans[1].first, 2);
	piece_plan_free(&p);
}

TEST(much_of_a_file_is_read_at_once)
{
	struct piece pieces[] = { { .from = 0, .length = M, .input = 0 },
				  { .from = 2 * M, .length = M, .input = 0 },
				  { .from = 4 * M, .length = M, .input = 0 } };
	struct piece_plan p = plan_of(pieces, 3);
	assert_int_equal(p.n_spans, 1); /* 3 of 5 */
	span(&p, 0, 0, 0, 5 * M);
	pieces[2].from = 5 * M; /* 3 of 6: not more than a half */
	assert_int_equal(piece_plan_make(&p, pieces, 3), 0);
	assert_int_equal(p.n_spans, 3);
	piece_plan_free(&p);
}

TEST(each_byte_is_asked_for_once)
{
	/* Twice the same, and one inside of another: together less than a half. */
	const struct piece pieces[] = { { .from = 5 * M, .length = M, .input = 0 },
					{ .from = 0, .length = M, .input = 0 },
					{ .from = 5 * M, .length = M, .input = 0 },
					{ .from = 5 * M + K, .length = K, .input = 0 },
					{ .from = 20 * M, .length = K, .input = 0 } };
	struct piece_plan p = plan_of(pieces, 5);
	assert_false(p.in_order);
	assert_int_equal(p.n_spans, 3);
	span(&p, 0, 0, 0, M);
	span(&p, 1, 0, 5 * M, 6 * M);
	span(&p, 2, 0, 20 * M, 20 * M + K);
	assert_int_equal(p.spans[1].last - p.spans[1].first, 3);
	piece_plan_free(&p);
}

TEST(inputs_are_apart)
{
	const struct piece pieces[] = { { .from = 100, .length = 10, .input = 1 },
					{ .from = 0, .length = 10, .input = 0 },
					{ .from = 50, .length = 10, .input = 1 },
					{ .from = 10, .length = 10, .input = 0 } };
	struct piece_plan p = plan_of(pieces, 4);
	static const size_t order[] = { 1, 3, 2, 0 };
	assert_int_equal(p.n_spans, 2);
	span(&p, 0, 0, 0, 20);
	span(&p, 1, 1, 50, 110);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(p.order[i], order[i]);
	piece_plan_free(&p);
}

TEST(a_batch_fits_into_memory)
{
	const struct piece pieces[] = { { .from = 9 * M, .length = 8 * M, .input = 0 },
					{ .from = 0, .length = 8 * M, .input = 0 },
					{ .from = 30 * M, .length = 1, .input = 0 } };
	struct piece_plan p = plan_of(pieces, 3);
	assert_int_equal(p.n, 2);
	piece_plan_free(&p);
	/* One that is larger comes alone, and so does one whose length is not known. */
	const struct piece large[] = { { .from = 9 * M, .length = 64 * M, .input = 0 },
				       { .from = 0, .length = 1, .input = 0 } };
	p = plan_of(large, 2);
	assert_int_equal(p.n, 1);
	piece_plan_free(&p);
	const struct piece unknown[] = { { .from = 9 * M, .length = 0, .input = 0 },
					 { .from = 10 * M, .length = 5, .input = 0 } };
	p = plan_of(unknown, 2);
	assert_int_equal(p.n, 1);
	span(&p, 0, 0, 9 * M, UINT64_MAX);
	piece_plan_free(&p);
	const struct piece before[] = { { .from = 9 * M, .length = 5, .input = 0 },
					{ .from = 10 * M, .length = 0, .input = 0 } };
	p = plan_of(before, 2);
	assert_int_equal(p.n, 1);
	piece_plan_free(&p);
}

TEST(pieces_in_order_are_one_batch)
{
	enum { N = 1000 };
	struct piece *pieces = calloc(N, sizeof(*pieces));
	for (size_t i = 0; i < N; i++)
		pieces[i] = (struct piece){ .from = i * M, .length = M };
	struct piece_plan p = plan_of(pieces, N);
	assert_int_equal(p.n, N);
	assert_true(p.in_order);
	assert_int_equal(p.n_spans, 1);
	piece_plan_free(&p);
	free(pieces);
}
