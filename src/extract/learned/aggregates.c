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
