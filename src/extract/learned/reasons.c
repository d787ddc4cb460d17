/* SPDX-License-Identifier: MIT */
#include "extract/learned/reasons.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "extract/learned/feature_words.h"
#include "extract/learned/trees.h"
#include "extract/method/trace.h"

#define WORDS_ROW(id, reading, zero, words, full) { READ_##reading, zero, words, full },

static const struct feature_words first_words[] = { FEATURE_WORDS(WORDS_ROW) },
				  second_words[] = { STAGE2_WORDS(WORDS_ROW) };

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
		return &first_words[feature];
	return feature < STAGE2_OWN_TOKENS ? &second_words[feature] : &first_words[own[feature - STAGE2_OWN_TOKENS]];
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

/* Nodes are numbered as if the tree had one for each node of a level: k has the children 2k + 1 and 2k + 2. */
static uint32_t count_nodes(const struct trees *t)
{
	return (1U << t->depth) - 1;
}

static const struct tree_level *levels_of(const struct trees *t, uint32_t tree)
{
	return t->levels + (size_t)tree * t->depth;
}

static uint32_t next_place(const struct tree_level *level, uint32_t k, uint8_t (*tile)[TILE], uint32_t at)
{
	return 2 * k + 1 + (tile[level->feature][at] > level->bin);
}

int tree_shares_init(struct tree_shares *s, const struct trees *trees)
{
	*s = (struct tree_shares){ .trees = trees };
	s->count = calloc((size_t)trees->n + 1, sizeof(*s->count));
	s->mean = calloc((size_t)trees->n + 1, sizeof(*s->mean));
	return s->count && s->mean ? DANA_OK : DANA_ENOMEM;
}

void tree_shares_count(struct tree_shares *s, uint8_t (*tile)[TILE], uint32_t n)
{
	for (uint32_t i = 0; i < s->trees->n; i++) {
		const struct tree_level *levels = levels_of(s->trees, i);
		for (uint32_t at = 0; at < n; at++) {
			for (uint32_t level = 0, k = 0; level < s->trees->depth; level++) {
				k = next_place(&levels[level], k, tile, at);
				s->count[i][k]++;
			}
		}
	}
}

void tree_shares_means(struct tree_shares *s)
{
	const struct trees *t = s->trees;
	const uint32_t n = count_nodes(t);
	for (uint32_t i = 0; i < t->n; i++) {
		const struct tree_level *levels = levels_of(t, i);
		const uint32_t *count = s->count[i];
		int32_t *mean = s->mean[i];
		for (uint32_t k = 0; k <= n; k++)
			mean[n + k] = t->leaves[((size_t)i << t->depth) + k];
		for (uint32_t level = t->depth; level-- > 0;) {
			const uint32_t first = (1U << level) - 1;
			for (uint32_t k = first; k <= 2 * first; k++) {
				/* a bin of 255 sends all blocks to the left */
				int64_t left = count[2 * k + 1] + 1,
					right = levels[level].bin == 255 ? 0 : count[2 * k + 2] + 1;
				mean[k] =
					(int32_t)((left * mean[2 * k + 1] + right * mean[2 * k + 2]) / (left + right));
			}
		}
	}
}

int32_t tree_shares_of(const struct tree_shares *s, uint8_t (*tile)[TILE], uint32_t at, int32_t *share)
{
	int32_t base = 0;
	for (uint32_t i = 0; i < s->trees->n; i++) {
		const struct tree_level *levels = levels_of(s->trees, i);
		const int32_t *mean = s->mean[i];
		base += mean[0];
		for (uint32_t level = 0, k = 0; level < s->trees->depth; level++) {
			uint32_t next = next_place(&levels[level], k, tile, at);
			share[levels[level].feature] += mean[next] - mean[k];
			k = next;
		}
	}
	return base;
}

void tree_shares_free(struct tree_shares *s)
{
	free(s->count);
	free(s->mean);
	*s = (struct tree_shares){ 0 };
}

enum { REASONS = 4 }; /* of each stage that speak for a block, and as many against it */

static bool begin_stage(struct block_trace *t, int stage)
{
	size_t tiles = t->blocks->n_blocks / TILE + 1;
	void *memory = calloc(tiles, stage == 1 ? sizeof(*t->first) : sizeof(*t->second));
	if (stage == 1)
		t->first = memory;
	else
		t->second = memory;
	return memory && tree_shares_init(&t->shares[stage - 1], &t->classifier->model->stage[stage - 1]) == DANA_OK;
}

static uint8_t (*tile_of(const struct block_trace *t, int stage, uint32_t block))[TILE]
{
	return stage == 1 ? t->first[block / TILE] : t->second[block / TILE];
}

void block_trace_tile(void *arg, int stage, uint32_t first, uint32_t n, uint8_t (*tile)[TILE])
{
	struct block_trace *t = arg;
	if (first == 0 && !t->failed)
		t->failed = !begin_stage(t, stage);
	if (t->failed)
		return;
	memcpy(tile_of(t, stage, first), tile, stage == 1 ? sizeof(*t->first) : sizeof(*t->second));
	tree_shares_count(&t->shares[stage - 1], tile, n);
}

/* Reports the features that moved the block's log odds most, up and down. */
static void tell_reasons(const struct block_trace *t, int stage, uint32_t i)
{
	int32_t share[FEATURE_COUNT > (int)STAGE2_COUNT ? (int)FEATURE_COUNT : (int)STAGE2_COUNT] = { 0 };
	char words[FEATURE_TEXT];
	uint8_t(*tile)[TILE] = tile_of(t, stage, i);
	int told[2] = { 0 }; /* against, for */
	(void)tree_shares_of(&t->shares[stage - 1], tile, i % TILE, share);
	while (told[0] < REASONS || told[1] < REASONS) {
		size_t most = 0;
		for (size_t f = 1; f < (stage == 1 ? (size_t)FEATURE_COUNT : (size_t)STAGE2_COUNT); f++) {
			if (abs(share[f]) > abs(share[most]))
				most = f;
		}
		if (share[most] == 0)
			return;
		if (told[share[most] > 0]++ < REASONS) {
			feature_words_put(words, feature_words_of(stage, (unsigned)most), tile[most][i % TILE]);
			t->to->reason(t->to->arg, stage, words, share[most] / 4096.0);
		}
		share[most] = 0;
	}
}

/* Finds for each value of `recall` the blocks that would be copies. */
static int find_copies(struct block_trace *t)
{
	const struct classifier *c = t->classifier;
	const struct kind_result *kind = &c->stage2_features.kind;
	const uint32_t n = t->blocks->n_blocks;
	struct copies copies = { 0 };
	uint32_t threshold = 0;
	int status = DANA_OK;
	if (!c->copies.any)
		return DANA_OK;
	t->copy = calloc(n, sizeof(*t->copy));
	for (uint32_t recall = 0; t->copy && recall <= RECALL_MOST && status == DANA_OK; recall++) {
		struct decision d = decode_best(c->chance, c->words, n, decode_balance(recall));
		decode_cut(&d, kind->cut);
		if (d.threshold != threshold)
			status = copies_find(&copies, t->blocks, kind->kind, c->chance, d.threshold, c->words);
		threshold = d.threshold;
		for (uint32_t i = 0; i < n && status == DANA_OK; i++)
			t->copy[i][recall / 64] |= (uint64_t)copies.is_copy[i] << recall % 64;
	}
	copies_free(&copies);
	return t->copy ? status : DANA_ENOMEM;
}

/* Appends " copy=13-62,100": at which values of `recall` the block is one. */
static void put_copies(struct buf *out, const uint64_t bits[2])
{
	bool before = false;
	const char *mark = " copy=";
	for (unsigned i = 0; i <= RECALL_MOST; i++) {
		bool is = bits[i / 64] >> i % 64 & 1, after = i < RECALL_MOST && bits[(i + 1) / 64] >> (i + 1) % 64 & 1;
		if (is && !before)
			buf_printf(out, "%s%u", mark, i);
		if (is && before && !after)
			buf_printf(out, "-%u", i);
		mark = is ? "," : mark;
		before = is;
	}
}

static int tell_block(struct block_trace *t, uint32_t i, bool heading)
{
	const struct classifier *c = t->classifier;
	const struct block *block = &t->blocks->block[i];
	double first = chance_of(c->margin[0][i]) / 65536.0, second = chance_of(c->margin[1][i]) / 65536.0;
	double together = c->chance[i] / 65536.0;
	static const char *const outcomes[] = { [VERDICT_KEPT] = "above the threshold",
						[VERDICT_UNLIKELY] = "below the threshold",
						[VERDICT_COPY] = "its words are kept before" };
	enum verdict verdict = classifier_verdict(c, i);
	bool kept = verdict == VERDICT_KEPT && (heading || block->tag != HTML_TAG_H1);
	const char *outcome = verdict == VERDICT_KEPT && !kept ? "main heading, not wanted" : outcomes[verdict];
	buf_clear(&t->numbers);
	buf_printf(&t->numbers, "stage1=%.4f stage2=%.4f alike=%.4f words=%u linked=%u tokens=%d", first, second,
		   together, c->words[i], block->linked,
		   t->blocks->element[block->element].total + block->inline_score);
	if (t->copy)
		put_copies(&t->numbers, t->copy[i]);
	if (!heading && block->tag == HTML_TAG_H1)
		buf_append_text(&t->numbers, " unwanted=1");
	buf_append_byte(&t->numbers, 0);
	buf_clear(&t->text);
	int status = block_source(t->blocks, block, &t->text);
	if (status == DANA_OK)
		status = buf_status(&t->numbers);
	if (status < 0)
		return status;
	t->to->block(t->to->arg, buf_slice(&t->text), kept, together, outcome, (const char *)t->numbers.data);
	if (t->to->chances)
		t->to->chances(t->to->arg, c->words[i], first, together);
	if (t->to->reason && t->first)
		tell_reasons(t, 1, i);
	if (t->to->reason && t->second)
		tell_reasons(t, 2, i);
	return DANA_OK;
}

/* Reports the shares of kinds that the page may be of, and what they do to the threshold. */
static void trace_kind(const struct trace *to, const struct kind_result *found)
{
	enum { LEAST = 13 }; /* of 255: one in twenty */
	static const char *const names[KIND_COUNT] = { "kind: article", "kind: list",          "kind: forum",
						       "kind: product", "kind: documentation", "kind: service",
						       "kind: other" };
	for (unsigned k = 0; k < KIND_COUNT; k++) {
		if (found->share[k] >= LEAST)
			to->number(to->arg, names[k], found->share[k] / 255.0);
	}
	to->number(to->arg, "cut", found->cut / 256.0);
}

int block_trace_tell(struct block_trace *t, uint32_t recall, bool heading)
{
	if (t->failed || find_copies(t) < 0)
		return DANA_ENOMEM;
	struct trace *to = t->to;
	if (to->number) {
		to->number(to->arg, "recall", recall);
		to->number(to->arg, "threshold", t->classifier->decision.threshold / 65536.0);
		to->number(to->arg, "expected F1", t->classifier->decision.expected / 65536.0);
		to->number(to->arg, "blocks", t->blocks->n_blocks);
		trace_kind(to, &t->classifier->stage2_features.kind);
	}
	for (int stage = 0; stage < 2; stage++) {
		if (t->shares[stage].trees)
			tree_shares_means(&t->shares[stage]);
	}
	int status = DANA_OK;
	for (uint32_t i = 0; to->block && i < t->blocks->n_blocks && status == DANA_OK; i++)
		status = tell_block(t, i, heading);
	return status;
}

void block_trace_free(struct block_trace *t)
{
	free(t->first);
	free(t->second);
	free(t->copy);
	buf_free(&t->text);
	buf_free(&t->numbers);
	tree_shares_free(&t->shares[0]);
	tree_shares_free(&t->shares[1]);
}
