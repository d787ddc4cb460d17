/* SPDX-License-Identifier: MIT */
/*
 * Runs both stages. Features are computed for 64 blocks at a time (a tile), because the trees compare a feature of many
 * blocks with one constant at once; the second stage starts when the first has seen all blocks, as its features are
 * sums over the page of the first stage's results.
 *
 * Example: a page of 100 blocks is two tiles, of 64 and of 36 blocks, in each stage.
 */
#include "extract/learned/classifier.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/status.h"
#include "extract/learned/chance.h"

static int reserve(struct classifier *c, uint32_t n)
{
	const struct grow_array arrays[] = { GROW_ARRAY(c->margin[0]), GROW_ARRAY(c->margin[1]),
					     GROW_ARRAY(c->margin[2]), GROW_ARRAY(c->chance),
					     GROW_ARRAY(c->words),     { &c->kept, sizeof(*c->kept) / TILE } };
	_Static_assert(GROW_FIRST % TILE == 0, "room is whole tiles");
	return grow_arrays(arrays, sizeof(arrays) / sizeof(arrays[0]), n, &c->cap);
}

static int first_stage(struct classifier *c, const struct blocks *b)
{
	_Alignas(64) uint8_t tile[FEATURE_COUNT][TILE] = { { 0 } };
	int32_t margin[TILE];

	int status = aggregates_compute(&c->aggregates, b);
	if (status < 0)
		return status;
	c->features.bias = c->model->bias;
	status = features_prepare(&c->features, b, &c->aggregates);
	if (status < 0)
		return status;

	for (uint32_t first = 0; first < b->n_blocks; first += TILE) {
		uint32_t n = b->n_blocks - first < TILE ? b->n_blocks - first : TILE;
		features_tile(&c->features, b, &c->aggregates, first, n, tile);
		if (c->sink.tile)
			c->sink.tile(c->sink.arg, 1, first, n, tile);
		if (first == 0)
			page_kind_take(c->stage2_features.kind_row, tile);
		stage2_features_keep(tile, c->kept[first / TILE]);
		trees_margins(&c->model->stage[0], tile, FEATURE_COUNT, n, margin);
		for (uint32_t i = 0; i < n; i++) {
			c->margin[0][first + i] = margin[i];
			c->chance[first + i] = chance_of(margin[i]);
		}
	}
	return DANA_OK;
}

static int second_stage(struct classifier *c, const struct blocks *b)
{
	_Alignas(64) uint8_t tile[STAGE2_COUNT][TILE] = { { 0 } };
	int32_t margin[TILE];
	const struct first_stage q = { c->margin[0], c->chance, c->words,
				       (const uint8_t(*)[STAGE2_KEPT][TILE])c->kept };
	int status = stage2_features_prepare(&c->stage2_features, b, &c->aggregates, &q);
	if (status < 0)
		return status;
	c->stage2_features.kind = page_kind_find(&c->model->kinds, c->stage2_features.kind_row, c->forced);

	for (uint32_t first = 0; first < b->n_blocks; first += TILE) {
		uint32_t n = b->n_blocks - first < TILE ? b->n_blocks - first : TILE;
		stage2_features_tile(&c->stage2_features, b, &c->aggregates, &q, first, n, tile);
		if (c->sink.tile)
			c->sink.tile(c->sink.arg, 2, first, n, tile);
		trees_margins(&c->model->stage[1], tile, STAGE2_COUNT, n, margin);
		memcpy(c->margin[1] + first, margin, n * sizeof(*margin));
	}

	status = alike_judge(&c->alike, b, &c->aggregates, &c->stage2_features.units.units, c->margin[1], c->margin[2]);
	for (uint32_t i = 0; c->model->stage[1].n && i < b->n_blocks && status == DANA_OK; i++)
		c->chance[i] = chance_of(c->margin[2][i]);
	return status;
}

int classifier_run(struct classifier *c, const struct blocks *b)
{
	int status = reserve(c, b->n_blocks);
	if (status < 0)
		return status;
	for (uint32_t i = 0; i < b->n_blocks; i++)
		c->words[i] = b->block[i].counts.words ? b->block[i].counts.words : 1;

	c->stage2_features.kind = (struct kind_result){ .kind = KIND_UNKNOWN, .cut = 256 };
	status = first_stage(c, b);
	if (status < 0)
		return status;
	if (c->model->stage[0].n && (c->model->stage[1].n || c->sink.tile))
		status = second_stage(c, b);
	if (status < 0)
		return status;
	c->decision = decode_best(c->chance, c->words, b->n_blocks, c->balance);
	decode_cut(&c->decision, c->stage2_features.kind.cut);
	return copies_find(&c->copies, b, c->stage2_features.kind.kind, c->chance, c->decision.threshold, c->words);
}

void classifier_free(struct classifier *c)
{
	aggregates_free(&c->aggregates);
	features_free(&c->features);
	stage2_features_free(&c->stage2_features);
	copies_free(&c->copies);
	alike_free(&c->alike);
	for (size_t i = 0; i < sizeof(c->margin) / sizeof(c->margin[0]); i++)
		free(c->margin[i]);
	free(c->chance);
	free(c->words);
	free(c->kept);
	*c = (struct classifier){ 0 };
}
