/* SPDX-License-Identifier: MIT */
/* Why `learned` decides: shares of features add up to a block's log odds, and their words say what their values are. */
#include "base/status.h"
#include "extract/learned/classifier.h"
#include "extract/learned/features.h"
#include "extract/learned/model.h"
#include "support/split_feed.h"
#include "support/unit.h"

enum { ROWS = FEATURE_COUNT, TILES = 3 };

static void check_sums(const struct trees *trees, uint32_t n_features)
{
	static _Alignas(64) uint8_t tile[TILES][ROWS][TILE], copy[ROWS][TILE];
	struct tree_shares shares;
	uint32_t random = 7;
	int32_t margin[TILE];
	for (size_t i = 0; i < sizeof(tile); i++)
		((uint8_t *)tile)[i] = (uint8_t)(split_random(&random) % 3 ? split_random(&random) : 0);
	assert_ok(tree_shares_init(&shares, trees));
	for (int i = 0; i < TILES; i++)
		tree_shares_count(&shares, tile[i], TILE);
	tree_shares_means(&shares);
	for (int i = 0; i < TILES; i++) {
		memcpy(copy, tile[i], sizeof(copy));
		trees_margins(trees, copy, n_features, TILE, margin);
		for (uint32_t at = 0; at < TILE; at++) {
			int32_t share[FEATURE_COUNT] = { 0 };
			int32_t sum = tree_shares_of(&shares, tile[i], at, share);
			for (uint32_t f = 0; f < n_features; f++)
				sum += share[f];
			assert_int_equal(sum, margin[at]);
		}
	}
	tree_shares_free(&shares);
}

TEST(shares_add_up)
{
	struct model model;
	assert_ok(model_load(&model, slice_of(model_data, model_data_len)));
	check_sums(&model.stage[0], FEATURE_COUNT);
	check_sums(&model.stage[1], STAGE2_COUNT);
	model_free(&model);
}

/* One tree that asks whether feature 5 is above 9, then nothing: what all blocks of a page share counts for little. */
TEST(shares_are_of_the_page)
{
	const struct tree_level levels[2] = { { 5, 9 }, { 0, 255 } };
	const int16_t leaves[4] = { -4096, 0, 4096, 0 };
	struct trees trees = { .levels = levels, .leaves = leaves, .n = 1, .depth = 2 };
	static uint8_t tile[ROWS][TILE];
	struct tree_shares shares;
	for (uint32_t rare = 1; rare <= TILE / 2; rare *= 2) {
		for (uint32_t at = 0; at < TILE; at++)
			tile[5][at] = at < rare ? 10 : 9;
		assert_ok(tree_shares_init(&shares, &trees));
		tree_shares_count(&shares, tile, TILE);
		tree_shares_means(&shares);
		int32_t mean = (int32_t)(4096 * ((int64_t)(rare + 1) - (int64_t)(TILE - rare + 1)) / (TILE + 2));
		int32_t few[ROWS] = { 0 }, many[ROWS] = { 0 };
		assert_int_equal(tree_shares_of(&shares, tile, 0, few), mean);
		assert_int_equal(tree_shares_of(&shares, tile, TILE - 1, many), mean);
		assert_int_equal(few[5], 4096 - mean);
		assert_int_equal(many[5], -4096 - mean);
		assert_int_equal(few[0], 0);
		tree_shares_free(&shares);
	}
}

TEST(words_of_values)
{
	const struct {
		int stage;
		unsigned feature;
		uint8_t value;
		const char *words;
	} cases[] = {
		{ 1, FEATURE_IN_FOOTER, 0, "not in a footer" },
		{ 1, FEATURE_IN_FOOTER, 3, "in a footer" },
		{ 1, FEATURE_PATH_PROSE, 0, "its path has none of the page's prose" },
		{ 1, FEATURE_PATH_PROSE, 128, "its path has 50 % as much prose as the best path" },
		{ 1, FEATURE_PATH_PROSE, 255, "its path has most of the page's prose" },
		{ 1, FEATURE_AFTER_H1, 0, "no main heading on the page" },
		{ 1, FEATURE_AFTER_H1, 47, "3 blocks before the main heading" },
		{ 1, FEATURE_AFTER_H1, 50, "it is the main heading" },
		{ 1, FEATURE_AFTER_H1, 51, "1 block after the main heading" },
		{ 1, FEATURE_UNTIL_STAMP, 0, "a date or time in it" },
		{ 1, FEATURE_UNTIL_STAMP, 1, "1 block before a date or time" },
		{ 1, FEATURE_UNTIL_STAMP, 250, "no date or time after it" },
		{ 1, FEATURE_SINCE_HEADING, 99, "no heading before it" },
		{ 1, FEATURE_TEXTAREAS_BEFORE, 1, "1 text field before it" },
		{ 1, FEATURE_WORDS, scale_log(7), "7 words long" },
		{ 1, FEATURE_WORDS, scale_log(1), "1 word long" },
		{ 1, FEATURE_UNITS, scale_log(1000), "about 940 letters long" },
		{ 1, FEATURE_PAGE_LINK_LENGTH, scale_log(4 * 8), "the page's links have 7 letters on average" },
		{ 1, FEATURE_TOKENS, 136, "class names around it score +1.0" },
		{ 1, FEATURE_BYTES_AFTER_H1, 64, "50 % of the page's bytes before the main heading" },
		{ 1, FEATURE_PAGE_KIND, 3, "the page calls itself an article" },
		{ 2, STAGE2_LOGIT, 112, "its log odds after stage 1 are -1.0" },
		{ 2, STAGE2_OVER, 160, "its probability after stage 1 is +25 points from the threshold" },
		{ 2, STAGE2_OWN_TOKENS, 136, "class names around it score +1.0" },
	};
	char words[FEATURE_TEXT];
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		feature_words_put(words, feature_words_of(cases[i].stage, cases[i].feature), cases[i].value);
		assert_string_equal(words, cases[i].words);
	}
}

/* Whatever the value: some words, no mark left in them, and room for all. */
TEST(words_of_all_values)
{
	char words[FEATURE_TEXT];
	for (int stage = 1; stage <= 2; stage++) {
		const unsigned values = (stage == 1 ? (unsigned)FEATURE_COUNT : (unsigned)STAGE2_COUNT) * 256;
		for (unsigned i = 0; i < values; i++) {
			feature_words_put(words, feature_words_of(stage, i / 256), (uint8_t)i);
			assert_in_range(strlen(words), 6, FEATURE_TEXT - 2);
			assert_null(strchr(words, '#'));
		}
	}
}
