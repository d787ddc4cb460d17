/* SPDX-License-Identifier: MIT */
/*
 * Sums over the blocks of a page, and the block that has most of the page's description: the one with most of the
 * description's runs of three words, if it has at least a quarter of them.
 *
 * Example: if one block has 9 of a description's 12 runs and another has 2, the first is the described block, and
 * features give the distance of the others from it.
 */
#include "extract/learned/page_totals.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/status.h"
#include "extract/learned/scale.h"

enum { GOOD_UNITS = 80 };

bool page_totals_is_good(const struct block *b)
{
	const struct counts *c = &b->counts;
	return c->units >= GOOD_UNITS && (uint64_t)b->linked * 10 < (uint64_t)c->units * 3 && c->stopped;
}

static int reserve(struct page_totals *s, uint32_t n_blocks, uint32_t n_elements)
{
	const struct grow_array covered = GROW_ARRAY(s->covered), common = GROW_ARRAY(s->common);
	int status = grow_arrays(&covered, 1, n_blocks, &s->cap_blocks);
	return status < 0 ? status : grow_arrays(&common, 1, n_elements, &s->cap_elements);
}

int page_totals_begin(struct page_totals *s, const struct blocks *b)
{
	*s = (struct page_totals){ .covered = s->covered,
				   .common = s->common,
				   .cap_blocks = s->cap_blocks,
				   .cap_elements = s->cap_elements,
				   .described = NO_BLOCK };
	return reserve(s, b->n_blocks, b->n_elements);
}

void page_totals_add(struct page_totals *s, const struct block *block, uint8_t tokens)
{
	const struct counts *c = &block->counts;
	uint32_t text = c->units - block->linked;
	s->prose += block->prose;
	s->score_sum += (uint64_t)tokens * text;
	s->scored += text;
	s->units_most = c->units > s->units_most ? c->units : s->units_most;
	s->currency += c->currency;
	s->stops += c->stopped;
	s->li_units += block->tag == HTML_TAG_LI ? c->units : 0;

	if (block->tag >= HTML_TAG_H1 && block->tag <= HTML_TAG_H6) {
		s->headings++;
		s->linked_headings += 2 * (uint64_t)block->linked > c->units;
	}
	if (page_totals_is_good(block))
		s->tokens_best = tokens > s->tokens_best ? tokens : s->tokens_best;
}

/*
 * Finds the lowest common ancestor of each element with the described block's element: an ancestor of that has itself,
 * any other element the same as its parent. Parents come before children.
 */
static void find_common_with_described(struct page_totals *s, const struct blocks *b)
{
	for (uint32_t i = 0; i < b->n_elements; i++)
		s->common[i] = 0;
	for (uint32_t i = b->block[s->described].element; i; i = b->element[i].parent)
		s->common[i] = i;

	for (uint32_t i = 1; i < b->n_elements; i++) {
		if (s->common[i] == 0)
			s->common[i] = s->common[b->element[i].parent];
	}
}

/* Finds the described block. A description that is hardly on the page says nothing about its blocks. */
static void find_described(struct page_totals *s, const struct blocks *b)
{
	uint32_t most = 0, all = b->meta->described.n;
	uint64_t found = 0;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		uint32_t here = word_runs_match(&b->meta->described, block_text(b, &b->block[i]));
		s->covered[i] = scale_share(here, all);
		found += here;
		if (here > most && 4 * here >= all) {
			most = here;
			s->described = i;
		}
	}

	s->has_description = 4 * found >= all;
	if (s->described != NO_BLOCK)
		find_common_with_described(s, b);
}

void page_totals_end(struct page_totals *s, const struct blocks *b, const struct aggregates *a)
{
	s->tokens_mean = (uint8_t)(s->scored ? s->score_sum / s->scored : 128);
	for (uint32_t i = 0; i < a->n_paths; i++)
		s->path_prose = a->path[i].prose > s->path_prose ? a->path[i].prose : s->path_prose;
	if (b->meta->described.n)
		find_described(s, b);
}

void page_totals_free(struct page_totals *s)
{
	free(s->covered);
	free(s->common);
	*s = (struct page_totals){ 0 };
}
