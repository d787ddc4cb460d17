/* SPDX-License-Identifier: MIT */
#include "extract/learned/feature_words.h"

#include <stdio.h>
#include <stdlib.h>

#define WORDS_ROW(id, reading, zero, words, full) { READ_##reading, zero, words, full },
static const struct feature_words first[] = { FEATURE_WORDS(WORDS_ROW) }, second[] = { STAGE2_WORDS(WORDS_ROW) };
#undef WORDS_ROW

/* Each feature has a line, in the order of the features. */
enum {
#define WORDS_ENUM(id, reading, zero, words, full) WORDS_##id,
	FEATURE_WORDS(WORDS_ENUM)
#undef WORDS_ENUM
		WORDS_COUNT
};
enum {
#define WORDS_ENUM(id, reading, zero, words, full) WORDS2_##id,
	STAGE2_WORDS(WORDS_ENUM)
#undef WORDS_ENUM
		WORDS2_COUNT
};
#define WORDS_CHECK(id) \
	_Static_assert((int)WORDS_##id == (int)FEATURE_##id, "words of " #id " stand elsewhere than the feature");
FEATURES(WORDS_CHECK)
#undef WORDS_CHECK
#define WORDS_CHECK(id) \
	_Static_assert((int)WORDS2_##id == (int)STAGE2_##id, "words of " #id " stand elsewhere than the feature");
STAGE2_FEATURES(WORDS_CHECK)
#undef WORDS_CHECK
_Static_assert((int)WORDS_COUNT == (int)FEATURE_COUNT && (int)WORDS2_COUNT == (int)STAGE2_OWN_TOKENS,
	       "as many words as features");

const struct feature_words *feature_words_of(int stage, unsigned feature)
{
	static const uint8_t own[STAGE2_KEPT] = {
#define WORDS_OWN(id) FEATURE_##id,
		STAGE2_FEATURES_KEPT(WORDS_OWN)
#undef WORDS_OWN
	};
	if (stage == 1)
		return &first[feature];
	return feature < STAGE2_OWN_TOKENS ? &second[feature] : &first[own[feature - STAGE2_OWN_TOKENS]];
}

/* Writes two digits of the number that scale_log turned into `value`. */
static void put_log(char *out, size_t size, uint8_t value, unsigned divisor)
{
	static const uint16_t eighths[8] = { 1024, 1117, 1218, 1328, 1448, 1579, 1722, 1878 };
	uint64_t number = ((((uint64_t)eighths[value % 8] << (value / 8)) + 512) >> 10) - 1, unit = 1;
	number /= divisor;
	while (number / unit >= 100)
		unit *= 10;
	number = (number + unit / 2) / unit * unit;
	(void)snprintf(out, size, number < 10 ? "%llu" : "about %llu", (unsigned long long)number);
}

static void put_place(char *out, size_t size, uint8_t value)
{
	int blocks = value - 50;
	if (blocks == 0)
		(void)snprintf(out, size, "it is");
	else
		(void)snprintf(out, size, "%d block%s %s", blocks < 0 ? -blocks : blocks,
			       blocks == 1 || blocks == -1 ? "" : "s", blocks < 0 ? "before" : "after");
}

static void put_value(char *out, size_t size, enum feature_reading reading, uint8_t value)
{
	static const char *const types[] = { "nothing", "something else", "a website", "an article", "a product" };
	int past = value - 128;
	switch (reading) {
	case READ_LOG:
		put_log(out, size, value, 1);
		break;
	case READ_QUARTER:
		put_log(out, size, value, 4);
		break;
	case READ_SHARE:
		(void)snprintf(out, size, "%u %%", (value * 100U + 127) / 255);
		break;
	case READ_PLACE:
		put_place(out, size, value);
		break;
	case READ_SCORE:
		(void)snprintf(out, size, "%+.1f", past / 8.0);
		break;
	case READ_OWN:
		(void)snprintf(out, size, "%+.1f", past / 16.0);
		break;
	case READ_PERCENT:
		(void)snprintf(out, size, "%d %% of the page's bytes %s", abs(past) * 100 / 127,
			       past < 0 ? "before" : "after");
		break;
	case READ_POINTS:
		(void)snprintf(out, size, "%+d points", past * 100 / 128);
		break;
	case READ_TYPE:
		(void)snprintf(out, size, "%s", types[value < 5 ? value : 1]);
		break;
	case READ_FLAG:
	case READ_COUNT:
	case READ_BLOCKS:
	case READ_SIGN:
		(void)snprintf(out, size, "%u", value);
	}
}

static bool is_full(enum feature_reading reading, uint8_t value)
{
	return value >= (reading == READ_BLOCKS ? 99 : reading == READ_SIGN ? 250 : 255);
}

/* "1 blocks before it" to "1 block before it": the first or the second word after the number loses its s. */
static void make_singular(char *after)
{
	char *end = after;
	for (int word = 0; word < 2 && *end; word++) {
		end = after + 1 + strcspn(after + 1, " ");
		if (end[-1] == 's') {
			memmove(end - 1, end, strlen(end) + 1);
			return;
		}
		after = end;
	}
}

void feature_words_put(char out[FEATURE_TEXT], const struct feature_words *words, uint8_t value)
{
	char number[64];
	if (value == 0 && words->zero) {
		(void)snprintf(out, FEATURE_TEXT, "%s", words->zero);
		return;
	}
	if (words->full && is_full(words->reading, value)) {
		(void)snprintf(out, FEATURE_TEXT, "%s", words->full);
		return;
	}
	put_value(number, sizeof(number), words->reading, value);
	const char *mark = strchr(words->words, '#');
	if (!mark) {
		(void)snprintf(out, FEATURE_TEXT, "%s", words->words);
		return;
	}
	(void)snprintf(out, FEATURE_TEXT, "%.*s%s%s", (int)(mark - words->words), words->words, number, mark + 1);
	if (strcmp(number, "1") == 0 && mark[1])
		make_singular(out + (mark - words->words) + 1);
}
