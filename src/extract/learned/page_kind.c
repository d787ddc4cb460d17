/* SPDX-License-Identifier: MIT */
/*
 * Example: if the trees say 0.6 for an article and 0.2 for a list, and nothing for the others, the shares are 3/4 and
 * 1/4, and the cut is between those of the two kinds.
 */
#include "extract/learned/page_kind.h"

#include <string.h>

#include "extract/learned/chance.h"

const char *const kind_feature_names[KIND_FEATURE_COUNT] = {
#define KIND_NAME(id) #id,
	KIND_FEATURES(KIND_NAME)
#undef KIND_NAME
#define KIND_NAME(id) "LARGEST_" #id,
		STAGE2_SEQUENCE(KIND_NAME, UNIT)
#undef KIND_NAME
};

const char *page_kind_name(enum page_kind kind)
{
	static const char *const names[KIND_COUNT] = { "article",       "list",    "forum", "product",
						       "documentation", "service", "other" };
	return kind < KIND_COUNT ? names[kind] : NULL;
}

void page_kind_take(uint8_t row[KIND_FEATURE_COUNT], uint8_t (*tile)[TILE])
{
	static const uint8_t from[OF_LARGEST] = {
#define KIND_ROW(id) FEATURE_##id,
		KIND_FEATURES(KIND_ROW)
#undef KIND_ROW
	};
	for (unsigned i = 0; i < OF_LARGEST; i++)
		row[i] = tile[from[i]][0];
}

/* Sums the leaves that the page reaches, for each kind. */
static void sum_margins(const struct kind_trees *t, const uint8_t row[KIND_FEATURE_COUNT], int32_t margin[KIND_COUNT])
{
	memset(margin, 0, KIND_COUNT * sizeof(*margin));
	for (uint32_t i = 0; i < t->n; i++) {
		const struct tree_level *levels = t->levels + (size_t)i * t->depth;
		uint32_t leaf = 0;
		for (uint32_t k = 0; k < t->depth; k++)
			leaf = 2 * leaf + (row[levels[k].feature] > levels[k].bin);
		const int16_t *leaves = t->leaves + (((size_t)i << t->depth) + leaf) * KIND_COUNT;
		for (unsigned k = 0; k < KIND_COUNT; k++)
			margin[k] += leaves[k];
	}
}

struct kind_result page_kind_find(const struct kind_trees *t, const uint8_t row[KIND_FEATURE_COUNT],
				  enum page_kind forced)
{
	struct kind_result found = { .kind = forced, .cut = 256 };
	int32_t margin[KIND_COUNT];
	uint32_t chance[KIND_COUNT] = { 0 }, all = 0, cut = 0;
	if (t->n == 0)
		return found;
	sum_margins(t, row, margin);
	for (unsigned k = 0; k < KIND_COUNT; k++) {
		chance[k] = forced == KIND_UNKNOWN ? chance_of(margin[k]) : k == forced;
		all += chance[k];
		if (found.kind == KIND_UNKNOWN || chance[k] > chance[found.kind])
			found.kind = (enum page_kind)k;
	}
	for (unsigned k = 0; k < KIND_COUNT; k++) {
		found.share[k] = (uint8_t)(chance[k] * 255 / all);
		cut += chance[k] * t->cut[k];
	}
	found.cut = cut / all;
	return found;
}
