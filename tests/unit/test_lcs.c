/* SPDX-License-Identifier: MIT */
/* Tokens and their longest common subsequence, against a plain table. */
#include "base/status.h"
#include "lab/measure.h"
#include "support/split_feed.h"
#include "support/unit.h"

static uint32_t random_state = 12345;

static uint32_t next_random(uint32_t below)
{
	return split_random(&random_state) % below;
}

/* The table as in every textbook: n x m numbers. */
static size_t lcs_by_table(const struct tokens *a, const struct tokens *b)
{
	size_t width = b->len + 1;
	size_t *table = calloc((a->len + 1) * width, sizeof(*table));
	assert_non_null(table);
	for (size_t i = 1; i <= a->len; i++) {
		for (size_t j = 1; j <= b->len; j++) {
			size_t up = table[(i - 1) * width + j], left = table[i * width + j - 1];
			size_t best = up > left ? up : left;
			if (a->ids[i - 1] == b->ids[j - 1])
				best = table[(i - 1) * width + j - 1] + 1;
			table[i * width + j] = best;
		}
	}
	size_t length = table[a->len * width + b->len];
	free(table);
	return length;
}

static void fill_random(struct tokens *t, size_t len, uint32_t ids)
{
	free(t->ids);
	t->ids = malloc((len ? len : 1) * sizeof(*t->ids));
	assert_non_null(t->ids);
	t->len = t->cap = len;
	for (size_t i = 0; i < len; i++)
		t->ids[i] = next_random(ids);
}

static void check_marks(const struct tokens *a, const struct tokens *b, uint32_t ids, size_t expected)
{
	uint8_t *on_a = malloc(a->len + 1), *on_b = malloc(b->len + 1);
	assert_non_null(on_a);
	assert_non_null(on_b);
	size_t length;
	assert_ok(lcs_marks(a, b, ids, on_a, on_b, &length));
	assert_int_equal(length, expected);
	size_t j = 0, seen = 0;
	for (size_t i = 0; i < a->len; i++) {
		if (!on_a[i])
			continue;
		while (j < b->len && !on_b[j])
			j++;
		assert_true(j < b->len);
		assert_int_equal(a->ids[i], b->ids[j]);
		j++;
		seen++;
	}
	while (j < b->len)
		assert_int_equal(on_b[j++], 0);
	assert_int_equal(seen, expected);
	free(on_a);
	free(on_b);
}

TEST(random_sequences)
{
	struct tokens a = { 0 }, b = { 0 };
	for (unsigned round = 0; round < 3000; round++) {
		uint32_t ids = 1 + next_random(round % 3 ? 6 : 60);
		fill_random(&a, next_random(round % 10 ? 20 : 300), ids);
		fill_random(&b, next_random(round % 10 ? 20 : 300), ids);
		size_t length, expected = lcs_by_table(&a, &b);
		assert_ok(lcs_length(&a, &b, ids, &length));
		assert_int_equal(length, expected);
		check_marks(&a, &b, ids, expected);
	}
	tokens_free(&a);
	tokens_free(&b);
}

/* Longer than the rows that are kept at once: the pieces must fit together. */
TEST(long_sequences)
{
	struct tokens a = { 0 }, b = { 0 };
	fill_random(&a, 20000, 5000);
	fill_random(&b, 9000, 5000);
	size_t length;
	assert_ok(lcs_length(&a, &b, 5000, &length));
	check_marks(&a, &b, 5000, length);
	check_marks(&b, &a, 5000, length);
	tokens_free(&a);
	tokens_free(&b);
}

static size_t count_tokens(const char *text)
{
	struct token_table *table = token_table_new();
	struct tokens t = { 0 };
	assert_non_null(table);
	assert_ok(tokens_append(&t, table, slice_from_text(text)));
	size_t n = t.len;
	tokens_free(&t);
	token_table_free(table);
	return n;
}

TEST(tokens_of_scripts)
{
	assert_int_equal(count_tokens(""), 0);
	assert_int_equal(count_tokens("  two words.\n"), 2);
	assert_int_equal(count_tokens("no\xC2\xA0space \xE2\x80\x89thin"), 3);
	assert_int_equal(count_tokens("\xE4\xBD\xA0\xE5\xA5\xBD, abc\xE4\xB8\xAD"
				      "def"),
			 6);                                                       /* 你 好 , abc 中 def */
	assert_int_equal(count_tokens("\xE3\x82\xAB\xE3\x83\x8A\xE3\x80\x82"), 3); /* カ ナ 。 */
	assert_int_equal(count_tokens("\xE0\xB8\x81\xE0\xB8\x82 \xE1\x9E\x80\xE1\x80\x80"),
			 4); /* Thai, Khmer, Myanmar */
	assert_int_equal(count_tokens("\xED\x95\x9C\xEA\xB8\x80 \xD8\xB3\xD9\x84\xD8\xA7\xD9\x85"), 2);
	assert_int_equal(count_tokens("\xF0\xA0\x80\x80\xF0\xA0\x80\x81"), 2); /* Han of plane 2 */
	assert_int_equal(count_tokens("\xE2\x80\x8B \xEF\xBB\xBF"), 0);        /* nothing but invisible characters */
}

TEST(invisible_characters_vanish)
{
	struct token_table *table = token_table_new();
	struct tokens t = { 0 };
	assert_non_null(table);
	assert_ok(tokens_append(&t, table, slice_from_text("hy\xC2\xADphen \xE2\x80\x8Fhyphen\xE2\x80\xAC")));
	assert_ok(tokens_append(&t, table, slice_from_text("\xFFx \xEF\xBF\xBDx")));
	assert_int_equal(t.len, 4);
	assert_int_equal(t.ids[0], t.ids[1]);
	assert_int_equal(t.ids[2], t.ids[3]);
	assert_int_equal(token_table_count(table), 2);
	tokens_free(&t);
	token_table_free(table);
}

TEST(table_grows)
{
	struct token_table *table = token_table_new();
	struct tokens t = { 0 };
	assert_non_null(table);
	for (unsigned round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 5000; i++)
			assert_ok(tokens_append_whole(&t, table, slice_of(&i, sizeof(i))));
	}
	for (uint32_t i = 0; i < 5000; i++) {
		assert_int_equal(t.ids[i], i);
		assert_int_equal(t.ids[5000 + i], i);
	}
	token_table_reset(table);
	tokens_clear(&t);
	assert_ok(tokens_append(&t, table, slice_from_text("again")));
	assert_int_equal(t.ids[0], 0);
	tokens_free(&t);
	token_table_free(table);
}

TEST(score_conventions)
{
	struct score s = score_of(0, 0, 0);
	assert_true(s.precision == 1 && s.recall == 1 && s.f1 == 1);
	s = score_of(0, 0, 5);
	assert_true(s.precision == 0 && s.recall == 0 && s.f1 == 0);
	s = score_of(0, 5, 0);
	assert_true(s.precision == 0 && s.recall == 0 && s.f1 == 0);
	s = score_of(2, 4, 2);
	assert_true(s.precision == 0.5 && s.recall == 1);
	assert_true(s.f1 > 0.6666 && s.f1 < 0.6667);
}
