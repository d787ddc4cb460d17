/* SPDX-License-Identifier: MIT */
/*
 * The normal form of each part of the text is cut at its spaces; the hashes of the last words are kept for the next
 * part.
 */
#include "dedup/minhash.h"

#include <stdlib.h>

#include "base/little_endian.h"
#include "base/status.h"
#include "dedup/hash.h"
#include "dedup/normal_text.h"

enum {
	BATCH = 64,             /* numbers for one call of minhash_least */
	KEPT = 4 * NORMAL_PART, /* most memory kept for the next text */
};

struct minhash {
	struct normaliser *normaliser;
	struct buf form;
	unsigned n;
	uint32_t a[MINHASH_MOST], b[MINHASH_MOST], least[MINHASH_MOST];
	uint64_t words[MINHASH_SHINGLE]; /* hashes of the last words, as little-endian bytes, oldest first */
	size_t n_words, shingles;
	uint32_t batch[BATCH];
	size_t n_batch;
};

/* Sebastiano Vigna's splitmix64. */
static uint64_t splitmix64(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

struct minhash *minhash_new(unsigned n)
{
	struct minhash *m = calloc(1, sizeof(*m));
	uint64_t state = 0;

	if (!m)
		return NULL;
	m->n = n;
	m->normaliser = normaliser_new();
	if (!m->normaliser) {
		minhash_free(m);
		return NULL;
	}
	for (unsigned i = 0; i < n; i++) {
		m->a[i] = (uint32_t)splitmix64(&state) | 1;
		m->b[i] = (uint32_t)splitmix64(&state);
	}
	return m;
}

void minhash_free(struct minhash *m)
{
	if (!m)
		return;
	normaliser_free(m->normaliser);
	buf_free(&m->form);
	free(m);
}

static void end_batch(struct minhash *m)
{
	minhash_least(m->a, m->b, m->least, m->n, m->batch, m->n_batch);
	m->n_batch = 0;
}

static void add_shingle(struct minhash *m, size_t words)
{
	m->batch[m->n_batch++] = (uint32_t)hash64(slice_of(m->words, words * sizeof(*m->words)));
	m->shingles++;
	if (m->n_batch == BATCH)
		end_batch(m);
}

static void add_word(struct minhash *m, struct slice word)
{
	uint64_t hash = hash64(word);

	if (m->n_words >= MINHASH_SHINGLE)
		memmove(m->words, m->words + 1, sizeof(m->words) - sizeof(*m->words));
	size_t at = m->n_words < MINHASH_SHINGLE ? m->n_words : MINHASH_SHINGLE - 1;
	m->words[at] = little_endian_64((const uint8_t *)&hash); /* the same bytes on all machines */
	if (++m->n_words >= MINHASH_SHINGLE)
		add_shingle(m, MINHASH_SHINGLE);
}

static int add_part(struct minhash *m, struct slice part)
{
	buf_clear(&m->form);
	int status = normal_text(m->normaliser, part, NORMAL_SMALL | NORMAL_WORDS, &m->form);

	for (struct slice rest = buf_slice(&m->form); status == DANA_OK && rest.len;) {
		const uint8_t *space = memchr(rest.data, ' ', rest.len);
		size_t len = space ? (size_t)(space - rest.data) : rest.len;
		add_word(m, slice_first(rest, len));
		rest = slice_skip(rest, len + 1);
	}
	return status;
}

int minhash_text(struct minhash *m, struct slice text, const uint32_t **signature, size_t *shingles)
{
	int status = DANA_OK;

	m->n_words = m->shingles = m->n_batch = 0;
	memset(m->least, 0xFF, sizeof(m->least));
	while (status == DANA_OK && text.len)
		status = add_part(m, normal_next_part(&text));
	if (m->n_words > 0 && m->n_words < MINHASH_SHINGLE)
		add_shingle(m, m->n_words);
	end_batch(m);
	buf_shrink(&m->form, KEPT);
	*signature = m->least;
	*shingles = m->shingles;
	return status;
}
