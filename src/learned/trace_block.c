#include "learned/trace_block.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "learned/chance.h"
#include "method/trace.h"

enum { REASONS = 4 };

/* The features that moved the log odds most, each with its share. */
static void name_reasons(char *out, size_t size, const struct trees *trees, const char *const *names, size_t n,
			 uint8_t (*tile)[TILE], uint32_t at)
{
	int32_t gain[FEATURE_COUNT > (int)FEATURE2_COUNT ? (int)FEATURE_COUNT : (int)FEATURE2_COUNT] = { 0 };
	size_t len = 0;
	trees_weigh(trees, tile, at, gain);
	out[0] = '\0';
	for (int k = 0; k < REASONS; k++) {
		size_t most = 0;
		for (size_t i = 1; i < n; i++) {
			if (abs(gain[i]) > abs(gain[most]))
				most = i;
		}
		if (gain[most] == 0)
			return;
		int added =
			snprintf(out + len, size - len, "%s%s %+.2f", k ? ", " : "", names[most], gain[most] / 4096.0);
		if (added < 0 || (size_t)added >= size - len)
			return;
		len += (size_t)added;
		gain[most] = 0;
	}
}

void block_trace_tile(void *arg, int stage, uint32_t first, uint32_t n, uint8_t (*tile)[TILE])
{
	struct block_trace *t = arg;
	if (!t->reasons)
		t->reasons = calloc(t->blocks->n_blocks, sizeof(*t->reasons));
	t->failed |= !t->reasons;
	if (t->failed)
		return;
	for (uint32_t i = 0; i < n; i++) {
		char *out = t->reasons[first + i][stage - 1];
		size_t size = sizeof(t->reasons[0][0]);
		if (stage == 1)
			name_reasons(out, size, &t->judge->model->stage[0], feature_names, FEATURE_COUNT, tile, i);
		else
			name_reasons(out, size, &t->judge->model->stage[1], feature2_names, FEATURE2_COUNT, tile, i);
	}
}

static void tell_block(const struct block_trace *t, uint32_t i, bool heading)
{
	const struct judge *j = t->judge;
	const struct block *block = &t->blocks->block[i];
	double chance = j->chance[i] / 65536.0;
	bool likely = j->chance[i] >= j->decision.threshold, kept = likely && (heading || block->tag != HTML_TAG_H1);
	char numbers[256], reason[400];
	const char *outcome = kept     ? "above the threshold"
			      : likely ? "main heading, not wanted"
				       : "below the threshold";
	(void)snprintf(numbers, sizeof(numbers), "stage1=%.4f stage2=%.4f words=%u linked=%u tokens=%d",
		       chance_of(j->margin[0][i]) / 65536.0, chance, j->words[i], block->linked,
		       t->blocks->element[block->element].total + block->inline_score);
	(void)snprintf(reason, sizeof(reason), "%s; stage 1: %s; stage 2: %s", outcome, t->reasons[i][0],
		       t->reasons[i][1]);
	t->to->block(t->to->arg, block_text(t->blocks, block), kept, chance, reason, numbers);
}

int block_trace_tell(const struct block_trace *t, bool heading)
{
	if (t->failed)
		return DANA_ENOMEM;
	struct trace *to = t->to;
	if (to->number) {
		to->number(to->arg, "threshold", t->judge->decision.threshold / 65536.0);
		to->number(to->arg, "expected F1", t->judge->decision.expected / 65536.0);
		to->number(to->arg, "blocks", t->blocks->n_blocks);
	}
	for (uint32_t i = 0; to->block && i < t->blocks->n_blocks; i++)
		tell_block(t, i, heading);
	return DANA_OK;
}

void block_trace_free(struct block_trace *t)
{
	free(t->reasons);
	t->reasons = NULL;
}
