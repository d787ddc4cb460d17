#include "learned/judge.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/status.h"
#include "learned/chance.h"

static int reserve(struct judge *j, uint32_t n)
{
	const struct grow_array arrays[] = { GROW_ARRAY(j->margin[0]),
					     GROW_ARRAY(j->margin[1]),
					     GROW_ARRAY(j->chance),
					     GROW_ARRAY(j->words),
					     { &j->kept, sizeof(*j->kept) / TILE } };
	_Static_assert(GROW_FIRST % TILE == 0, "room is whole tiles");
	return grow_arrays(arrays, sizeof(arrays) / sizeof(arrays[0]), n, &j->cap);
}

static int first_stage(struct judge *j, const struct blocks *b)
{
	_Alignas(64) uint8_t tile[FEATURE_COUNT][TILE] = { { 0 } };
	int32_t margin[TILE];
	int status = aggregates_compute(&j->aggregates, b);
	j->features.bias = j->model->bias;
	if (status == DANA_OK)
		status = features_prepare(&j->features, b, &j->aggregates);
	if (status < 0)
		return status;
	for (uint32_t first = 0; first < b->n_blocks; first += TILE) {
		uint32_t n = b->n_blocks - first < TILE ? b->n_blocks - first : TILE;
		features_tile(&j->features, b, &j->aggregates, first, n, tile);
		if (j->sink.tile)
			j->sink.tile(j->sink.arg, 1, first, n, tile);
		features2_keep(tile, j->kept[first / TILE]);
		trees_margins(&j->model->stage[0], tile, FEATURE_COUNT, n, margin);
		for (uint32_t i = 0; i < n; i++) {
			j->margin[0][first + i] = margin[i];
			j->chance[first + i] = chance_of(margin[i]);
		}
	}
	return DANA_OK;
}

static int second_stage(struct judge *j, const struct blocks *b)
{
	_Alignas(64) uint8_t tile[FEATURE2_COUNT][TILE] = { { 0 } };
	int32_t margin[TILE];
	const struct first_stage q = { j->margin[0], j->chance, j->words,
				       (const uint8_t(*)[FEATURE2_KEPT][TILE])j->kept };
	int status = features2_prepare(&j->features2, b, &j->aggregates, &q);
	if (status < 0)
		return status;
	for (uint32_t first = 0; first < b->n_blocks; first += TILE) {
		uint32_t n = b->n_blocks - first < TILE ? b->n_blocks - first : TILE;
		features2_tile(&j->features2, b, &j->aggregates, &q, first, n, tile);
		if (j->sink.tile)
			j->sink.tile(j->sink.arg, 2, first, n, tile);
		trees_margins(&j->model->stage[1], tile, FEATURE2_COUNT, n, margin);
		memcpy(j->margin[1] + first, margin, n * sizeof(*margin));
	}
	for (uint32_t i = 0; j->model->stage[1].n && i < b->n_blocks; i++)
		j->chance[i] = chance_of(j->margin[1][i]);
	return DANA_OK;
}

int judge_page(struct judge *j, const struct blocks *b)
{
	int status = reserve(j, b->n_blocks);
	if (status < 0)
		return status;
	for (uint32_t i = 0; i < b->n_blocks; i++)
		j->words[i] = b->block[i].counts.words ? b->block[i].counts.words : 1;
	status = first_stage(j, b);
	if (status == DANA_OK && j->model->stage[0].n && (j->model->stage[1].n || j->sink.tile))
		status = second_stage(j, b);
	if (status == DANA_OK)
		j->decision = decode_best(j->chance, j->words, b->n_blocks, j->balance);
	return status;
}

void judge_free(struct judge *j)
{
	aggregates_free(&j->aggregates);
	features_free(&j->features);
	features2_free(&j->features2);
	free(j->margin[0]);
	free(j->margin[1]);
	free(j->chance);
	free(j->words);
	free(j->kept);
	*j = (struct judge){ 0 };
}
