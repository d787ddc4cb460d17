/* SPDX-License-Identifier: MIT */
/*
 * Sums over elements. Each block adds to its own element; one pass over the elements from the last to the first then
 * adds each to its parent (parents have lower numbers than children), and one from the first to the last passes down
 * what children take from their parents. Nothing recurses, whatever the depth.
 *
 * Example: in <main><div><p>...</p></div></main> a paragraph of 200 units with 3 commas and no links has the score 100
 * + 3 * 100 + 200 = 600. It adds 600 to <div>, 300 to <main>, and 200 and 100 to the two elements around that.
 */
#include "extract/learned/aggregates.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/status.h"
#include "extract/learned/scale.h"

/* Blocks with fewer units do not add to the scores of their ancestors (Mozilla Readability's rule). */
enum { SCORED_UNITS = 25 };

static int reserve(struct aggregates *a, uint32_t n_elements, uint32_t n_blocks)
{
	const struct grow_array elements[] = { GROW_ARRAY(a->sum), GROW_ARRAY(a->path) };
	const struct grow_array blocks[] = { GROW_ARRAY(a->text), GROW_ARRAY(a->copies) };
	int status = grow_arrays(elements, 2, (size_t)n_elements + 1, &a->cap_elements);
	return status < 0 ? status : grow_arrays(blocks, 2, n_blocks, &a->cap_blocks);
}

static int number_paths(struct aggregates *a, const struct blocks *b)
{
	int status = key_trie_reset(&a->keys, b->n_elements);
	if (status < 0)
		return status;

	for (uint32_t i = 0; i < b->n_elements; i++) {
		uint32_t path = key_trie_number(&a->keys, b->element[i].path);
		if (path == a->n_paths)
			a->path[a->n_paths++] = (struct path_sums){ 0 };
		a->sum[i] = (struct element_sums){ .path = path };
		a->path[path].elements++;
	}

	a->steps += a->keys.steps;
	return DANA_OK;
}

static int find_copies(struct aggregates *a, const struct blocks *b)
{
	int status = key_trie_reset(&a->keys, b->n_blocks);
	if (status < 0)
		return status;

	for (uint32_t i = 0, texts = 0; i < b->n_blocks; i++) {
		uint32_t text = key_trie_number(&a->keys, b->block[i].hash);
		if (text == texts)
			a->copies[texts++] = 0;
		a->text[i] = text;
		a->copies[text]++;
	}

	a->steps += a->keys.steps;
	return DANA_OK;
}

/* Adds a paragraph's score to four ancestors of its element: all of it to the parent, then 1/2, 1/3 and 1/6. */
static void propagate_score(struct aggregates *a, const struct blocks *b, const struct block *block)
{
	static const uint32_t part[] = { 6, 3, 2, 1 };
	const struct counts *c = &block->counts;
	if (c->units < SCORED_UNITS)
		return;
	uint32_t score = 100 + 100 * (c->commas < 10000 ? c->commas : 10000) + (c->units < 300 ? c->units : 300);
	score = (uint32_t)((uint64_t)score * (c->units - block->linked) / c->units);

	uint32_t e = block->element;
	for (size_t i = 0; i < 4 && e; i++) {
		e = b->element[e].parent;
		uint32_t *to = &a->sum[e].score;
		uint32_t added = score * part[i] / 6;
		*to = *to > UINT32_MAX - added ? UINT32_MAX : *to + added;
	}
}

static void add_block(struct aggregates *a, const struct blocks *b, uint32_t i)
{
	const struct block *block = &b->block[i];
	const struct counts *c = &block->counts;
	struct element_sums *s = &a->sum[block->element];
	s->units += c->units;
	s->linked += block->linked;
	a->links += block->links;
	s->marks += c->stops + c->commas;
	s->blocks++;
	s->dates += block->has_date;
	s->p_units += block->tag == HTML_TAG_P ? c->units : 0;

	struct path_sums *p = &a->path[s->path];
	p->blocks++;
	p->units += c->units;
	p->linked += block->linked;
	p->prose += block->prose;

	a->units += c->units;
	a->linked += block->linked;
	if (block->tag == HTML_TAG_H1 && a->h1_block == NO_BLOCK)
		a->h1_block = i;
	propagate_score(a, b, block);
}

static void sum_up(struct aggregates *a, const struct blocks *b)
{
	for (uint32_t i = b->n_elements; i-- > 1;) {
		const struct element_sums *s = &a->sum[i];
		struct element_sums *p = &a->sum[b->element[i].parent];
		p->units += s->units;
		p->linked += s->linked;
		p->dates += s->dates;
		p->blocks += s->blocks;
		p->marks += s->marks;
		p->p_units += s->p_units;
	}
}

static void find_best(struct aggregates *a, const struct blocks *b)
{
	uint32_t most = 0;
	a->best = 0;
	for (uint32_t i = 0; i < b->n_elements; i++) {
		if (a->sum[i].score <= most)
			continue;
		uint32_t net = aggregates_net_score(&a->sum[i]);
		if (net > most) {
			most = net;
			a->best = i;
		}
	}
}

/* Fills what an element takes from its ancestors. Parents come first. */
static void pass_down(struct aggregates *a, const struct blocks *b)
{
	uint32_t best_parent = b->element[a->best].parent;
	a->sum[b->n_elements] = (struct element_sums){ .wider = b->n_elements };
	a->sum[0].wider = b->n_elements;
	a->sum[0].in_best = a->best == 0;
	a->sum[0].in_best_parent = true;
	if (a->best != 0 && best_parent != 0)
		a->sum[0].in_best_parent = false;

	for (uint32_t i = 1; i < b->n_elements; i++) {
		struct element_sums *s = &a->sum[i];
		uint32_t parent = b->element[i].parent;
		struct element_sums *p = &a->sum[parent];
		s->wider = p->blocks != s->blocks ? parent : p->wider;
		p->wraps |= p->blocks == s->blocks;
		s->in_best = i == a->best || p->in_best;
		s->in_best_parent = i == best_parent || p->in_best_parent;

		/* already set for ancestors of the best element or of the h1: they are their own common ancestor */
		if (s->common_best == 0)
			s->common_best = p->common_best;
		if (s->common_h1 == 0)
			s->common_h1 = p->common_h1;
	}
}

int aggregates_compute(struct aggregates *a, const struct blocks *b)
{
	int status = reserve(a, b->n_elements, b->n_blocks);
	if (status < 0)
		return status;
	a->units = a->linked = a->links = a->steps = 0;
	a->n_paths = 0;
	a->h1_block = NO_BLOCK;

	status = number_paths(a, b);
	if (status < 0)
		return status;
	status = find_copies(a, b);
	if (status < 0)
		return status;

	for (uint32_t i = 0; i < b->n_blocks; i++)
		add_block(a, b, i);
	sum_up(a, b);

	find_best(a, b);
	for (uint32_t e = a->best; e; e = b->element[e].parent)
		a->sum[e].common_best = e;
	if (a->h1_block != NO_BLOCK) {
		for (uint32_t e = b->block[a->h1_block].element; e; e = b->element[e].parent)
			a->sum[e].common_h1 = e;
	}

	pass_down(a, b);
	return DANA_OK;
}

void aggregates_free(struct aggregates *a)
{
	free(a->sum);
	free(a->path);
	free(a->text);
	free(a->copies);
	key_trie_free(&a->keys);
	*a = (struct aggregates){ 0 };
}

/*
 * Finds sequences in one pass over the elements, which stand in the order in which they open: each is compared with
 * the two siblings before it.
 */

/* Returns the sequence that element `i` continues, or a new one. */
static uint32_t sequence_of(struct units *u, const struct blocks *b, uint32_t i, uint32_t parent)
{
	uint32_t sibling = u->place[parent].last;
	for (int k = 0; k < 2 && sibling; k++, sibling = u->place[sibling].before) {
		if (b->element[sibling].path == b->element[i].path)
			return u->place[sibling].sequence;
	}
	u->sequence[u->n] = (struct sequence){ .parent = parent };
	return u->n++;
}

static void add_member(struct units *u, const struct blocks *b, const struct aggregates *a, uint32_t i)
{
	uint32_t parent = b->element[i].parent, number = sequence_of(u, b, i, parent);
	struct sequence *s = &u->sequence[number];
	const struct element_sums *sum = &a->sum[i];
	u->place[i] = (struct unit_place){ .sequence = number, .before = u->place[parent].last };
	u->place[parent].last = i;
	if (sum->blocks == 0)
		return;
	s->members++;
	s->units += sum->units;
	s->linked += sum->linked;
	s->blocks += sum->blocks;
	s->dates += sum->dates > 0;
}

int units_find(struct units *u, const struct blocks *b, const struct aggregates *a)
{
	const struct grow_array arrays[] = { GROW_ARRAY(u->place), GROW_ARRAY(u->sequence) };
	int status = grow_arrays(arrays, 2, b->n_elements, &u->cap);
	if (status < 0)
		return status;
	u->n = 0;
	u->place[0] = (struct unit_place){ .sequence = NO_SEQUENCE };
	for (uint32_t i = 1; i < b->n_elements; i++)
		add_member(u, b, a, i);

	u->n_repeating = 0;
	for (uint32_t i = 0; i < u->n; i++)
		u->sequence[i].number = u->sequence[i].members >= SEQUENCE_LEAST ? u->n_repeating++ : NO_SEQUENCE;

	for (uint32_t i = 1; i < b->n_elements; i++) {
		struct unit_place *p = &u->place[i];
		const struct unit_place *above = &u->place[b->element[i].parent];
		bool repeats = u->sequence[p->sequence].number != NO_SEQUENCE;
		p->inner = repeats ? i : above->inner;
		p->outer = repeats ? above->inner : above->outer;
	}
	return DANA_OK;
}

void units_free(struct units *u)
{
	free(u->place);
	free(u->sequence);
	*u = (struct units){ 0 };
}

/*
 * Sums over the blocks of a page, and the block that has most of the page's description: the one with most of the
 * description's runs of three words, if it has at least a quarter of them.
 *
 * Example: if one block has 9 of a description's 12 runs and another has 2, the first is the described block, and
 * features give the distance of the others from it.
 */

enum { GOOD_UNITS = 80 };

bool page_totals_is_good(const struct block *b)
{
	const struct counts *c = &b->counts;
	return c->units >= GOOD_UNITS && (uint64_t)b->linked * 10 < (uint64_t)c->units * 3 && c->stopped;
}

static int totals_reserve(struct page_totals *s, uint32_t n_blocks, uint32_t n_elements)
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
	return totals_reserve(s, b->n_blocks, b->n_elements);
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
