/* SPDX-License-Identifier: MIT */
#include "extract/learned/trace_block.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "extract/learned/chance.h"
#include "extract/learned/feature_words.h"
#include "extract/method/trace.h"

enum { REASONS = 4 };

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

/* Reports the features that moved the block's log odds most. */
static void tell_reasons(const struct block_trace *t, int stage, uint32_t i)
{
	int32_t share[FEATURE_COUNT > (int)STAGE2_COUNT ? (int)FEATURE_COUNT : (int)STAGE2_COUNT] = { 0 };
	char words[FEATURE_TEXT];
	uint8_t(*tile)[TILE] = tile_of(t, stage, i);
	(void)tree_shares_of(&t->shares[stage - 1], tile, i % TILE, share);
	for (int k = 0; k < REASONS; k++) {
		size_t most = 0;
		for (size_t f = 1; f < (stage == 1 ? (size_t)FEATURE_COUNT : (size_t)STAGE2_COUNT); f++) {
			if (abs(share[f]) > abs(share[most]))
				most = f;
		}
		if (share[most] == 0)
			return;
		feature_words_put(words, feature_words_of(stage, (unsigned)most), tile[most][i % TILE]);
		t->to->reason(t->to->arg, stage, words, share[most] / 4096.0);
		share[most] = 0;
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
	char numbers[256];
	const char *outcome = verdict == VERDICT_KEPT && !kept ? "main heading, not wanted" : outcomes[verdict];
	(void)snprintf(numbers, sizeof(numbers), "stage1=%.4f stage2=%.4f alike=%.4f words=%u linked=%u tokens=%d",
		       first, second, together, c->words[i], block->linked,
		       t->blocks->element[block->element].total + block->inline_score);
	buf_clear(&t->text);
	int status = block_source(t->blocks, block, &t->text);
	if (status < 0)
		return status;
	t->to->block(t->to->arg, buf_slice(&t->text), kept, together, outcome, numbers);
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

int block_trace_tell(struct block_trace *t, bool heading)
{
	if (t->failed)
		return DANA_ENOMEM;
	struct trace *to = t->to;
	if (to->number) {
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
	buf_free(&t->text);
	tree_shares_free(&t->shares[0]);
	tree_shares_free(&t->shares[1]);
}
