/* SPDX-License-Identifier: MIT */
/* Which requests bring the pieces of a list. */
#include "io/source.h"
#include "support/unit.h"

enum { K = 1 << 10, M = 1 << 20 };

/* The plan of the first pieces, in words: how many, "in order", then each span and how many of them it brings. */
static void expect(const struct input_piece *pieces, size_t n, const char *wanted)
{
	struct piece_plan p = { 0 };
	AUTO_BUF words = { 0 };
	assert_ok(piece_plan_make(&p, pieces, n));
	buf_printf(&words, "%zu%s:", p.n, p.in_order ? " in order" : "");
	for (size_t i = 0; i < p.n_spans; i++) {
		const struct span *s = &p.spans[i];
		if (s->to == UINT64_MAX)
			buf_printf(&words, " %zu/%llu-", s->input, (unsigned long long)s->from);
		else
			buf_printf(&words, " %zu/%llu-%llu", s->input, (unsigned long long)s->from,
				   (unsigned long long)s->to);
		buf_printf(&words, "*%zu", s->last - s->first);
	}
	assert_holds(&words, wanted);
	piece_plan_free(&p);
}

#define P(from, length, input) ((struct input_piece){ from, length, input, 0, 0 })
#define EXPECT(wanted, ...) \
	expect((const struct input_piece[]){ __VA_ARGS__ }, \
	       sizeof((struct input_piece[]){ __VA_ARGS__ }) / sizeof(struct input_piece), wanted)

/* What lies between two pieces is read too where it is small, or where the pieces are more than half of the file. */
TEST(small_gaps_are_joined)
{
	AUTO_BUF wanted = { 0 };
	assert_ok(buf_printf(&wanted, "4 in order: 0/0-%d*2 0/%d-%d*1 0/10485760-10485770*1%c", 20 + PIECE_GAP,
			     21 + 2 * PIECE_GAP, 31 + 2 * PIECE_GAP, 0));
	EXPECT((const char *)wanted.data, P(0, 10, 0), P(10 + PIECE_GAP, 10, 0), P(21 + 2 * PIECE_GAP, 10, 0),
	       P(10 * M, 10, 0));
	EXPECT("3 in order: 0/0-5242880*3", P(0, M, 0), P(2 * M, M, 0), P(4 * M, M, 0));
	EXPECT("3 in order: 0/0-1048576*1 0/2097152-3145728*1 0/5242880-6291456*1", P(0, M, 0), P(2 * M, M, 0),
	       P(5 * M, M, 0));
}

/* Twice the same, and one inside of another: together less than a half. */
TEST(each_byte_is_asked_for_once)
{
	EXPECT("5: 0/0-1048576*1 0/5242880-6291456*3 0/20971520-20972544*1", P(5 * M, M, 0), P(0, M, 0), P(5 * M, M, 0),
	       P(5 * M + K, K, 0), P(20 * M, K, 0));
}

TEST(inputs_are_apart)
{
	const struct input_piece pieces[] = { P(100, 10, 1), P(0, 10, 0), P(50, 10, 1), P(10, 10, 0) };
	static const size_t order[] = { 1, 3, 2, 0 };
	struct piece_plan p = { 0 };
	expect(pieces, 4, "4: 0/0-20*2 1/50-110*2");
	assert_ok(piece_plan_make(&p, pieces, 3));
	assert_ok(piece_plan_make(&p, pieces, 4)); /* anew */
	assert_memory_equal(p.order, order, sizeof(order));
	piece_plan_free(&p);
}

/* A piece that is larger comes alone, and so does one whose length is not known. */
TEST(a_batch_fits_into_memory)
{
	EXPECT("2: 0/0-17825792*2", P(9 * M, 8 * M, 0), P(0, 8 * M, 0), P(30 * M, 1, 0));
	EXPECT("1 in order: 0/9437184-76546048*1", P(9 * M, 64 * M, 0), P(0, 1, 0));
	EXPECT("1 in order: 0/9437184-*1", P(9 * M, 0, 0), P(10 * M, 5, 0));
	EXPECT("1 in order: 0/9437184-9437189*1", P(9 * M, 5, 0), P(10 * M, 0, 0));
}

TEST(pieces_in_order_are_one_batch)
{
	enum { N = 1000 };
	static struct input_piece pieces[N];
	for (size_t i = 0; i < N; i++)
		pieces[i] = (struct input_piece){ .from = i * M, .length = M };
	expect(pieces, N, "1000 in order: 0/0-1048576000*1000");
}
