/* SPDX-License-Identifier: MIT */
/*
 * Spellings and their numbers are in binary trees: the lowest bits of a spelling's hash choose the tree, its other bits
 * the way down. Spellings with the same hash differ further down, by their length and their own bits. So a text takes
 * at most 86 steps for each token and 8 for each of its bytes, however its words were chosen. Example: 65 536 words
 * whose hashes agree in 16 bits take about a million steps, where a table with linear probing takes up to two thousand
 * million.
 */
#include "lab/measure/tokens.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/characters.h"
#include "base/grow.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/utf8.h"

enum { ROOT_BITS = 12 };

/* A token's number is its place in the list of nodes. */
struct node {
	struct slice spelling;
	uint32_t hash;
	uint32_t next[2]; /* subtrees by the next bit: number + 1, or 0 if empty */
};

struct token_table {
	struct arena *spellings;
	struct node *nodes;
	size_t cap;
	uint32_t count;
	uint32_t root[1 << ROOT_BITS]; /* by the lowest bits of the hash: number + 1, or 0 if empty */
	uint64_t steps;
	struct buf word; /* the current token, without its invisible characters */
};

struct token_table *token_table_new(void)
{
	struct token_table *table = calloc(1, sizeof(*table));
	if (!table)
		return NULL;
	table->spellings = arena_new();
	if (!table->spellings) {
		token_table_free(table);
		return NULL;
	}
	return table;
}

void token_table_reset(struct token_table *table)
{
	memset(table->root, 0, sizeof(table->root));
	arena_reset(table->spellings);
	table->count = 0;
	table->steps = 0;
}

uint32_t token_table_count(const struct token_table *table)
{
	return table->count;
}

uint64_t token_table_steps(const struct token_table *table)
{
	return table->steps;
}

void token_table_free(struct token_table *table)
{
	if (!table)
		return;
	arena_free(table->spellings);
	free(table->nodes);
	buf_free(&table->word);
	free(table);
}

/*
 * Returns bit k of a spelling; no two spellings have the same bits: those of the hash that do not choose the root, the
 * length, the bytes.
 */
static unsigned spelling_bit(struct slice spelling, uint32_t hash, size_t k)
{
	if (k < 32 - ROOT_BITS)
		return hash >> (ROOT_BITS + k) & 1;
	k -= 32 - ROOT_BITS;
	if (k < 64)
		return (unsigned)((uint64_t)spelling.len >> k & 1);
	k -= 64;
	return spelling.data[k / 8] >> k % 8 & 1;
}

/* Returns where the number of a spelling is, or must be put. */
static uint32_t *find(struct token_table *table, struct slice spelling, uint32_t hash)
{
	uint32_t *at = &table->root[hash & ((1U << ROOT_BITS) - 1)];
	for (size_t k = 0; *at; k++) {
		struct node *node = &table->nodes[*at - 1];
		if (node->hash == hash && slice_equal(node->spelling, spelling))
			break;
		at = &node->next[spelling_bit(spelling, hash, k)];
		table->steps++;
	}
	return at;
}

static int table_intern(struct token_table *table, struct slice spelling, uint32_t *id)
{
	if (table->count == UINT32_MAX - 1)
		return DANA_ENOMEM;
	struct node *nodes = grow_items(table->nodes, table->count, &table->cap, sizeof(*nodes));
	if (!nodes)
		return DANA_ENOMEM;
	table->nodes = nodes;

	uint32_t hash = hash_fnv32(spelling, HASH_FNV32_START), *at = find(table, spelling, hash);
	if (!*at) {
		struct slice copy = arena_copy(table->spellings, spelling);
		if (!copy.data)
			return DANA_ENOMEM;
		table->nodes[table->count] = (struct node){ .spelling = copy, .hash = hash };
		*at = ++table->count;
	}
	*id = *at - 1;
	return DANA_OK;
}

int tokens_append_whole(struct tokens *tokens, struct token_table *table, struct slice token)
{
	uint32_t *ids = grow_items(tokens->ids, tokens->len, &tokens->cap, sizeof(*ids));
	if (!ids)
		return DANA_ENOMEM;
	tokens->ids = ids;
	int status = table_intern(table, token, &tokens->ids[tokens->len]);
	if (status == DANA_OK)
		tokens->len++;
	return status;
}

static int end_word(struct tokens *tokens, struct token_table *table)
{
	if (table->word.len == 0)
		return DANA_OK;
	int status = tokens_append_whole(tokens, table, buf_slice(&table->word));
	buf_clear(&table->word);
	return status;
}

static int take_char(struct tokens *tokens, struct token_table *table, uint32_t c)
{
	uint8_t bytes[4];
	size_t len = utf8_put(c, bytes); /* not the source's bytes: malformed ones must read as U+FFFD */
	bool space = character_is_space(c);
	if (!space && !character_stands_alone(c))
		return buf_append(&table->word, bytes, len);

	int status = end_word(tokens, table);
	if (status < 0 || space)
		return status;
	return tokens_append_whole(tokens, table, slice_of(bytes, len));
}

int tokens_append(struct tokens *tokens, struct token_table *table, struct slice text)
{
	buf_clear(&table->word);
	while (text.len) {
		uint32_t c;
		text = slice_skip(text, utf8_decode(text, &c));
		int status = character_is_invisible(c) ? DANA_OK : take_char(tokens, table, c);
		if (status < 0)
			return status;
	}
	return end_word(tokens, table);
}

void tokens_clear(struct tokens *tokens)
{
	tokens->len = 0;
}

void tokens_free(struct tokens *tokens)
{
	free(tokens->ids);
	*tokens = (struct tokens){ 0 };
}
