/* SPDX-License-Identifier: MIT */
/*
 * Reads a model: a head, the token weights, the nodes and the leaves of both stages, and a checksum (the layout is in
 * model.h). A model contains the hash of the features' names; one that was trained for other features is rejected.
 *
 * Example: a stage of 2 trees of depth 3 has 2 * 7 nodes of 2 bytes, then, after the nodes, 2 * 8 leaves of 2 bytes.
 */
#include "extract/learned/model.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/little_endian.h"
#include "base/status.h"
#include "extract/learned/stage2_features.h"

static const char magic[16] = "dana-learned-1\n";
enum { HEAD = 16 + 6 * 4 };

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
	return hash_names(stage2_feature_names, STAGE2_COUNT, h);
}

/* Reads the number of nodes and leaves from a stage's head. Returns false if they are not valid. */
static bool read_shape(struct trees *t, const uint8_t *head)
{
	t->n = little_endian_32(head);
	t->depth = little_endian_32(head + 4);
	return t->n <= TREES_MOST && (t->n == 0 || (t->depth >= 1 && t->depth <= TREE_DEPTH_MOST));
}

static size_t count_nodes(const struct trees *t)
{
	return (size_t)t->n * ((1U << t->depth) - 1);
}

static size_t count_leaves(const struct trees *t)
{
	return t->n ? (size_t)t->n << t->depth : 0;
}

/* Copies nodes and leaves. Every node must name an existing feature. */
static bool copy_trees(struct trees *t, const uint8_t **from, struct tree_node *nodes, int16_t *leaves, size_t features)
{
	const uint8_t *p = *from;
	t->nodes = nodes;
	t->leaves = leaves;
	for (size_t i = 0; i < count_nodes(t); i++, p += 2) {
		nodes[i] = (struct tree_node){ p[0], p[1] };
		if (p[0] >= features)
			return false;
	}
	for (size_t i = 0; i < count_leaves(t); i++, p += 2) {
		int value = (int)little_endian(p, 2);
		leaves[i] = (int16_t)(value >= 32768 ? value - 65536 : value);
	}
	*from = p;
	return true;
}

/* The compiled-in model is as intact as the program, and its checksum would take longer than a small page. */
static bool is_intact(struct slice model, uint32_t checksum)
{
	return model.data == model_data || hash_fnv32(model, HASH_FNV32_START) == checksum;
}

int model_load(struct model *m, struct slice bytes)
{
	*m = (struct model){ 0 };
	const uint8_t *p = bytes.data;
	if (bytes.len < HEAD + TOKEN_COUNT + 4 || memcmp(p, magic, sizeof(magic)) != 0 ||
	    little_endian_32(p + 16) != features_hash())
		return DANA_EFORMAT;
	if (!read_shape(&m->stage[0], p + 24) || !read_shape(&m->stage[1], p + 32))
		return DANA_EFORMAT;
	size_t nodes = count_nodes(&m->stage[0]) + count_nodes(&m->stage[1]);
	size_t leaves = count_leaves(&m->stage[0]) + count_leaves(&m->stage[1]);
	size_t len = HEAD + TOKEN_COUNT + 2 * nodes + 2 * leaves;
	if (bytes.len != len + 4 || !is_intact(slice_of(p, len), little_endian_32(p + len)))
		return DANA_EFORMAT;
	uint8_t *memory = m->memory = malloc(2 * leaves + 2 * nodes + TOKEN_COUNT);
	if (!memory)
		return DANA_ENOMEM;
	int16_t *leaf = (int16_t *)m->memory;
	struct tree_node *node = (struct tree_node *)(memory + 2 * leaves);
	int8_t *weights = (int8_t *)(memory + 2 * leaves + 2 * nodes);
	m->bias = (int32_t)little_endian_32(p + 20);
	m->weights = weights;
	memcpy(weights, p + HEAD, TOKEN_COUNT);
	p += HEAD + TOKEN_COUNT;
	if (!copy_trees(&m->stage[0], &p, node, leaf, FEATURE_COUNT) ||
	    !copy_trees(&m->stage[1], &p, node + count_nodes(&m->stage[0]), leaf + count_leaves(&m->stage[0]),
			STAGE2_COUNT)) {
		model_free(m);
		return DANA_EFORMAT;
	}
	if (trees_prepare(&m->stage[0]) < 0 || trees_prepare(&m->stage[1]) < 0) {
		model_free(m);
		return DANA_ENOMEM;
	}
	return DANA_OK;
}

void model_free(struct model *m)
{
	trees_free(&m->stage[0]);
	trees_free(&m->stage[1]);
	free(m->memory);
	*m = (struct model){ 0 };
}
