/* SPDX-License-Identifier: MIT */
/*
 * The law of the split: however an input is cut, a stage gives the same outcome. Feeds a subject its input whole, byte
 * by byte, at every two-way cut (small inputs) and at random cuts, each piece in a malloc block of its exact size that
 * is gone after the call, so that sanitizers see over-reads and stale slices. Aborts with a message where an outcome
 * differs.
 */
#ifndef DANA_TESTS_SUPPORT_SPLIT_FEED_H
#define DANA_TESTS_SUPPORT_SPLIT_FEED_H

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/status.h"

/** What is tested. `end` appends to `outcome` everything that must not depend on the split. */
struct split_subject {
	void (*begin)(void *arg);
	void (*piece)(void *arg, struct slice bytes);
	void (*end)(void *arg, struct buf *outcome);
	void *arg;
};

enum {
	SPLIT_TWO_WAY_MAX = 700, /* longer inputs are not cut at every place */
	SPLIT_RANDOM_RUNS = 12,
};

/* ---- for fuzz targets ---- */

/** What each of them defines, for libFuzzer and for tests/fuzz/main.c. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts where it is not so, with the words. */
static inline void must_be(bool so, const char *words)
{
	if (so)
		return;
	fprintf(stderr, "not so: %s\n", words);
	abort();
}

#define must(condition) must_be(condition, #condition)

/* A refusal is told on one printable line. */
static inline void must_be_refusal(const struct error *err)
{
	must(err->status == DANA_ECONFIG && err->text[0]);
	for (const char *text = err->text; *text; text++)
		must(*text >= 0x20 && *text < 0x7f);
}

/* Takes a line off the front. */
static inline struct slice split_line(struct slice *rest)
{
	const struct slice line = slice_first(*rest, slice_until(*rest, "\n"));
	*rest = slice_skip(*rest, line.len + 1);
	return line;
}

/* ---- the law ---- */

/* Numbers without a pattern, the same on each run (xorshift, Marsaglia 2003). */
static inline uint32_t split_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static inline void split_piece(const struct split_subject *subject, struct slice bytes)
{
	if (bytes.len == 0)
		return;
	uint8_t *copy = malloc(bytes.len);
	must(copy != NULL);
	memcpy(copy, bytes.data, bytes.len);
	subject->piece(subject->arg, slice_of(copy, bytes.len));
	memset(copy, 0xA5, bytes.len);
	free(copy);
}

static inline void split_whole(const struct split_subject *subject, struct slice input, struct buf *outcome)
{
	buf_clear(outcome);
	subject->begin(subject->arg);
	split_piece(subject, input);
	subject->end(subject->arg, outcome);
}

/*
 * Pieces of sizes[0], sizes[1], ... bytes, again from the start when they are used up; 0 counts as 256. With `growing`
 * they double after each 16 pieces, so that a fuzz target does not spend its time on thousands of them.
 */
static inline void split_sizes(const struct split_subject *subject, struct slice input, struct slice sizes,
			       bool growing, struct buf *outcome)
{
	enum { DOUBLE_AFTER = 16 };
	size_t factor = 1;
	buf_clear(outcome);
	subject->begin(subject->arg);
	for (size_t i = 0; input.len; i++) {
		size_t n = sizes.len ? sizes.data[i % sizes.len] : 1;
		n = (n == 0 ? 256 : n) * factor;
		n = n > input.len ? input.len : n;
		split_piece(subject, slice_of(input.data, n));
		input = slice_skip(input, n);
		if (growing && i % DOUBLE_AFTER == DOUBLE_AFTER - 1)
			factor *= 2;
	}
	subject->end(subject->arg, outcome);
}

/* Two pieces. */
static inline void split_cut(const struct split_subject *subject, struct slice input, size_t cut, struct buf *outcome)
{
	buf_clear(outcome);
	subject->begin(subject->arg);
	split_piece(subject, slice_first(input, cut));
	split_piece(subject, slice_skip(input, cut));
	subject->end(subject->arg, outcome);
}

static inline void split_compare(const struct buf *whole, const struct buf *split, const char *how, size_t number)
{
	if (slice_equal(buf_slice(whole), buf_slice(split)))
		return;
	size_t at = 0;
	while (at < whole->len && at < split->len && whole->data[at] == split->data[at])
		at++;
	fprintf(stderr, "law of the split broken: %s %zu: %zu bytes of outcome, whole %zu, first difference at %zu\n",
		how, number, split->len, whole->len, at);
	abort();
}

/* For fuzz targets: outcomes of growing pieces that `sizes` chooses and of the whole input are equal. */
static inline void split_check_sizes(const struct split_subject *subject, struct slice input, struct slice sizes)
{
	struct buf whole = { 0 }, split = { 0 };
	split_whole(subject, input, &whole);
	split_sizes(subject, input, sizes, true, &split);
	split_compare(&whole, &split, "chosen sizes", sizes.len);
	buf_free(&whole);
	buf_free(&split);
}

/* The same of two pieces. */
static inline void split_check_cut(const struct split_subject *subject, struct slice input, size_t cut)
{
	struct buf whole = { 0 }, split = { 0 };
	split_whole(subject, input, &whole);
	split_cut(subject, input, cut, &split);
	split_compare(&whole, &split, "cut at", cut);
	buf_free(&whole);
	buf_free(&split);
}

/*
 * SPLIT_EVERY=N of the environment: of the ways to cut, and of random inputs, one of N is enough, where a program runs
 * many times slower. N should have no divisor of those that tests count by: 7 has none.
 */
static inline unsigned split_every(void)
{
	const char *every = getenv("SPLIT_EVERY");
	const long n = every ? strtol(every, NULL, 10) : 1;
	return n > 1 ? (unsigned)n : 1;
}

/* All ways to cut. The outcome of the whole input is left in `whole` (the caller frees it). */
static inline void split_check(const struct split_subject *subject, struct slice input, struct buf *whole)
{
	struct buf split = { 0 };
	const uint8_t one = 1;
	uint32_t random = 2463534242U;
	const size_t every = split_every();
	split_whole(subject, input, whole);
	split_sizes(subject, input, slice_of(&one, 1), false, &split);
	split_compare(whole, &split, "byte by byte", 0);
	for (size_t cut = 1 + input.len % every; cut < input.len && input.len <= SPLIT_TWO_WAY_MAX; cut += every) {
		split_cut(subject, input, cut, &split);
		split_compare(whole, &split, "cut at", cut);
	}
	for (size_t run = 0; run < SPLIT_RANDOM_RUNS; run += every) {
		uint8_t sizes[64];
		for (size_t i = 0; i < sizeof(sizes); i++) {
			uint32_t number = split_random(&random);
			sizes[i] = (uint8_t)(number & 256 ? number : number % 5 + 1);
		}
		split_sizes(subject, input, slice_of(sizes, sizeof(sizes)), false, &split);
		split_compare(whole, &split, "random run", run);
	}
	buf_free(&split);
}

#endif
