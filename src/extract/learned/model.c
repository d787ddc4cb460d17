/* SPDX-License-Identifier: MIT */
/*
 * Reads a model: a head, the token weights, the trees of both stages, and a checksum (the layout is in
 * model.h). A model contains the hash of the features' names; one that was trained for other features is rejected.
 *
 * Example: a stage of 2 trees of depth 3 has 2 * 3 levels of 2 bytes, then, after the levels, 2 * 8 leaves of 2 bytes.
 */
#include "extract/learned/model.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/little_endian.h"
#include "base/status.h"
#include "extract/learned/stage2.h"

static const char magic[16] = "dana-learned-2\n";
enum { SHAPES = 24, CUTS = SHAPES + 3 * 8, HEAD = CUTS + KIND_COUNT * 4 };

static uint32_t hash_names(const char *const *names, size_t n, uint32_t h)
{
	for (size_t i = 0; i < n; i++)
		h = hash_fnv32(slice_of("\n", 1), hash_fnv32(slice_from_text(names[i]), h));
	return h;
}

/* FNV-1a of FEATURES_VERSION and the feature names of both stages, each with a line feed after it. */
static uint32_t features_hash(void)
{
	char version[16];
	int len = snprintf(version, sizeof(version), "%d\n", FEATURES_VERSION);
	uint32_t h = hash_fnv32(slice_of(version, (size_t)len), HASH_FNV32_START);
	h = hash_names(feature_names, FEATURE_COUNT, h);
	h = hash_names(stage2_feature_names, STAGE2_COUNT, h);
	return hash_names(kind_feature_names, KIND_FEATURE_COUNT, h);
}

/* The trees of a part of the model, as they stand in the file. */
struct shape {
	uint32_t n, depth;
	size_t levels, leaves; /* numbers of them */
	size_t features;       /* that a level may name */
};

/* Reads a part's shape from the head. Returns false if it is not valid. `outputs`: numbers in a leaf. */
static bool read_shape(struct shape *s, const uint8_t *head, size_t features, size_t outputs)
{
	*s = (struct shape){ .n = little_endian_32(head), .depth = little_endian_32(head + 4), .features = features };
	if (s->n > TREES_MOST || (s->n && (s->depth < 1 || s->depth > TREE_DEPTH_MOST)))
		return false;
	s->levels = s->n ? (size_t)s->n * s->depth : 0;
	s->leaves = s->n ? ((size_t)s->n << s->depth) * outputs : 0;
	return true;
}

/* Where the trees of a part are copied to. */
struct tree_room {
	struct tree_level *levels;
	int16_t *leaves;
};

/* Copies levels and leaves, and moves both ends on. Every level must name an existing feature. */
static bool copy_trees(struct tree_room *room, const uint8_t **from, const struct shape *shape)
{
	const uint8_t *p = *from;
	for (size_t i = 0; i < shape->levels; i++, p += 2) {
		*room->levels++ = (struct tree_level){ p[0], p[1] };
		if (p[0] >= shape->features)
			return false;
	}
	for (size_t i = 0; i < shape->leaves; i++, p += 2) {
		int value = (int)little_endian(p, 2);
		*room->leaves++ = (int16_t)(value >= 32768 ? value - 65536 : value);
	}
	*from = p;
	return true;
}

/* The compiled-in model is as intact as the program, and its checksum would take longer than a small page. */
static bool is_intact(struct slice model, uint32_t checksum)
{
	return model.data == model_data || hash_fnv32(model, HASH_FNV32_START) == checksum;
}

/* Copies the trees of all parts. */
static bool read_trees(struct model *m, const uint8_t *p, const struct shape shape[3], struct tree_room room)
{
	for (int i = 0; i < 2; i++) {
		m->stage[i] = (struct trees){ room.levels, room.leaves, shape[i].n, shape[i].depth, NULL };
		if (!copy_trees(&room, &p, &shape[i]))
			return false;
	}
	m->kinds.levels = room.levels;
	m->kinds.leaves = room.leaves;
	m->kinds.n = shape[2].n;
	m->kinds.depth = shape[2].depth;
	return copy_trees(&room, &p, &shape[2]);
}

static bool read_cuts(struct model *m, const uint8_t *p)
{
	for (unsigned k = 0; k < KIND_COUNT; k++, p += 4) {
		uint32_t cut = little_endian_32(p);
		if (cut > CUT_MOST)
			return false;
		m->kinds.cut[k] = (uint16_t)cut;
	}
	return true;
}

int model_load(struct model *m, struct slice bytes)
{
	*m = (struct model){ 0 };
	const uint8_t *p = bytes.data;
	if (bytes.len < HEAD + TOKEN_COUNT + 4 || memcmp(p, magic, sizeof(magic)) != 0 ||
	    little_endian_32(p + 16) != features_hash())
		return DANA_EFORMAT;
	struct shape shape[3];
	if (!read_shape(&shape[0], p + SHAPES, FEATURE_COUNT, 1) ||
	    !read_shape(&shape[1], p + SHAPES + 8, STAGE2_COUNT, 1) ||
	    !read_shape(&shape[2], p + SHAPES + 16, KIND_FEATURE_COUNT, KIND_COUNT) || !read_cuts(m, p + CUTS))
		return DANA_EFORMAT;
	size_t levels = shape[0].levels + shape[1].levels + shape[2].levels;
	size_t leaves = shape[0].leaves + shape[1].leaves + shape[2].leaves;
	size_t len = HEAD + TOKEN_COUNT + 2 * levels + 2 * leaves;
	if (bytes.len != len + 4 || !is_intact(slice_of(p, len), little_endian_32(p + len)))
		return DANA_EFORMAT;
	uint8_t *memory = m->memory = malloc(2 * leaves + 2 * levels + TOKEN_COUNT);
	if (!memory)
		return DANA_ENOMEM;
	struct tree_room room = { (struct tree_level *)(memory + 2 * leaves), (int16_t *)m->memory };
	int8_t *weights = (int8_t *)(memory + 2 * leaves + 2 * levels);
	m->bias = (int32_t)little_endian_32(p + 20);
	m->weights = weights;
	memcpy(weights, p + HEAD, TOKEN_COUNT);
	int status = read_trees(m, p + HEAD + TOKEN_COUNT, shape, room) ? DANA_OK : DANA_EFORMAT;
	if (status == DANA_OK && (trees_prepare(&m->stage[0]) < 0 || trees_prepare(&m->stage[1]) < 0))
		status = DANA_ENOMEM;
	if (status < 0)
		model_free(m);
	return status;
}

void model_free(struct model *m)
{
	trees_free(&m->stage[0]);
	trees_free(&m->stage[1]);
	free(m->memory);
	*m = (struct model){ 0 };
}
