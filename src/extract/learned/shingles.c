#include "extract/learned/shingles.h"

#include <stdlib.h>

#include "base/status.h"
#include "extract/learned/words.h"

enum { RUN_WORDS = 5, TABLE_FIRST = 1 << 12 };

struct shingle_entry {
	uint32_t hash;
	uint32_t block; /* number + 1 of the first block with it; 0 = free */
};

static int reserve(struct shingles *s, uint32_t n_blocks)
{
	if (n_blocks > s->cap_blocks) {
		uint32_t cap = n_blocks + n_blocks / 2;
		void *block = realloc(s->block, cap * sizeof *s->block);
		if (!block)
			return DANA_ENOMEM;
		s->block = block;
		s->cap_blocks = cap;
	}
	if (!s->table) {
		s->table = calloc(TABLE_FIRST, sizeof *s->table);
		s->size = TABLE_FIRST;
	}
	return s->table ? DANA_OK : DANA_ENOMEM;
}

static struct shingle_entry *find(struct shingle_entry *table, uint32_t size, uint32_t hash)
{
	uint32_t at = (hash * 0x9E3779B1U >> 8) & (size - 1);
	while (table[at].block && table[at].hash != hash)
		at = (at + 1) & (size - 1);
	return &table[at];
}

static int double_table(struct shingles *s)
{
	struct shingle_entry *more = calloc((size_t)s->size * 2, sizeof *more);
	if (!more)
		return DANA_ENOMEM;
	for (uint32_t i = 0; i < s->size; i++) {
		if (s->table[i].block)
			*find(more, s->size * 2, s->table[i].hash) = s->table[i];
	}
	free(s->table);
	s->table = more;
	s->size *= 2;
	return DANA_OK;
}

static int add_run(struct shingles *s, uint32_t hash, uint32_t block)
{
	struct shingle_entry *e = find(s->table, s->size, hash);
	s->block[block].runs++;
	if (e->block) {
		if (e->block - 1 != block) {
			s->block[block].before++;
			s->block[e->block - 1].after++;
		}
		return DANA_OK;
	}
	*e = (struct shingle_entry){ hash, block + 1 };
	return ++s->used * 2 > s->size ? double_table(s) : DANA_OK;
}

static int add_block(struct shingles *s, const struct blocks *b, uint32_t i)
{
	struct slice rest = block_text(b, &b->block[i]);
	uint32_t last[RUN_WORDS] = { 0 }, hash, words = 0;
	int status = DANA_OK;
	while (status == DANA_OK && s->used < SHINGLES_MOST && words_next(&rest, &hash)) {
		uint32_t run = 0;
		for (unsigned k = 0; k + 1 < RUN_WORDS; k++)
			last[k] = last[k + 1];
		last[RUN_WORDS - 1] = hash;
		if (++words < RUN_WORDS)
			continue;
		for (unsigned k = 0; k < RUN_WORDS; k++)
			run = (run ^ last[k]) * 0x85EBCA6BU + (run >> 13);
		status = add_run(s, run, i);
	}
	return status;
}

int shingles_compute(struct shingles *s, const struct blocks *b)
{
	int status = reserve(s, b->n_blocks);
	if (status < 0)
		return status;
	if (s->size > TABLE_FIRST * 4) { /* one huge page must not make all others slow */
		free(s->table);
		s->size = TABLE_FIRST;
		s->table = malloc(s->size * sizeof *s->table);
		if (!s->table)
			return DANA_ENOMEM;
	}
	memset(s->table, 0, s->size * sizeof *s->table);
	s->used = 0;
	memset(s->block, 0, b->n_blocks * sizeof *s->block);
	for (uint32_t i = 0; i < b->n_blocks && status == DANA_OK; i++) {
		if (b->block[i].counts.words >= RUN_WORDS)
			status = add_block(s, b, i);
	}
	return status;
}

void shingles_free(struct shingles *s)
{
	free(s->block);
	free(s->table);
	*s = (struct shingles){ 0 };
}
