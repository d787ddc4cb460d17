/* SPDX-License-Identifier: MIT */
/*
 * The inner loop of MinHash: for each permutation the least value over a batch of numbers. The permutations are side by
 * side in vectors, so that each is loaded only once for a whole batch.
 *
 * The normal form of each part of the text is cut at its spaces; the hashes of the last words are kept for the next
 * part.
 */
#include "dedup/minhash.h"

#include <math.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/cpu.h"
#include "base/status.h"
#include "dedup/hash.h"
#include "dedup/normal_text.h"

double bands_chance(struct bands b, double similarity)
{
	return 1 - pow(1 - pow(similarity, b.rows), b.bands);
}

struct bands bands_for(double threshold)
{
	enum { STEPS = 200 }; /* the mean chances are sums over so many similarities */
	struct bands best = { BANDS_USUAL, BANDS_ROWS_USUAL };
	double least = INFINITY;
	for (unsigned n = 1; n <= BANDS_NUMBERS_MOST; n++) {
		for (unsigned rows = 1; n * rows <= BANDS_NUMBERS_MOST; rows++) {
			const struct bands b = { n, rows };
			double found = 0, missed = 0;
			for (unsigned i = 0; i < STEPS; i++) {
				const double similarity = (i + 0.5) / STEPS, chance = bands_chance(b, similarity);
				if (similarity < threshold)
					found += chance;
				else
					missed += 1 - chance;
			}
			const double error = found / threshold + missed / (1 - threshold);
			if (error < least) {
				least = error;
				best = b;
			}
		}
	}
	return best;
}

void bands_buckets(struct bands b, const uint32_t *signature, uint64_t *buckets)
{
	for (unsigned band = 0; band < b.bands; band++) {
		uint32_t rows[BANDS_NUMBERS_MOST];
		for (unsigned i = 0; i < b.rows; i++)
			rows[i] = little_endian_32((const uint8_t *)&signature[band * b.rows + i]);
		buckets[band] = XXH3_64bits_withSeed(rows, b.rows * sizeof(*rows), band);
	}
}

int bands_curve(struct bands b, struct buf *out)
{
	for (unsigned percent = 50; percent <= 100; percent += 5)
		buf_printf(out, "  %.2f  %.4f\n", percent / 100.0, bands_chance(b, percent / 100.0));
	return buf_status(out);
}

#ifdef CPU_PATHS_AVX
#include <immintrin.h>

CPU_TARGET_AVX2 static unsigned least_avx2(const uint32_t *a, const uint32_t *b, uint32_t *least, unsigned n,
					   const uint32_t *x, size_t count)
{
	enum { LANES = 8 };
	unsigned i;
	for (i = 0; i + LANES <= n; i += LANES) {
		__m256i factor = _mm256_loadu_si256((const void *)(a + i));
		__m256i term = _mm256_loadu_si256((const void *)(b + i));
		__m256i found = _mm256_loadu_si256((const void *)(least + i));
		for (size_t k = 0; k < count; k++) {
			__m256i value = _mm256_mullo_epi32(factor, _mm256_set1_epi32((int)x[k]));
			found = _mm256_min_epu32(found, _mm256_add_epi32(value, term));
		}
		_mm256_storeu_si256((void *)(least + i), found);
	}
	return i;
}

CPU_TARGET_AVX512 static unsigned least_avx512(const uint32_t *a, const uint32_t *b, uint32_t *least, unsigned n,
					       const uint32_t *x, size_t count)
{
	enum { LANES = 16 };
	unsigned i;
	for (i = 0; i + LANES <= n; i += LANES) {
		__m512i factor = _mm512_loadu_si512(a + i), term = _mm512_loadu_si512(b + i);
		__m512i found = _mm512_loadu_si512(least + i);
		for (size_t k = 0; k < count; k++) {
			__m512i value = _mm512_mullo_epi32(factor, _mm512_set1_epi32((int)x[k]));
			found = _mm512_min_epu32(found, _mm512_add_epi32(value, term));
		}
		_mm512_storeu_si512(least + i, found);
	}
	return i;
}
#endif

#ifdef CPU_PATHS_NEON
#include <arm_neon.h>

#endif

void minhash_least(const uint32_t *a, const uint32_t *b, uint32_t *least, unsigned n, const uint32_t *x, size_t count)
{
	unsigned i = 0; /* permutations that fill whole vectors */
#ifdef CPU_PATHS_AVX
	if (cpu_level() >= CPU_AVX512)
		i = least_avx512(a, b, least, n, x, count);
	else if (cpu_level() >= CPU_AVX2)
		i = least_avx2(a, b, least, n, x, count);
#endif
#ifdef CPU_PATHS_NEON
	if (cpu_level() == CPU_NEON) {
		enum { LANES = 4 };
		unsigned i;
		for (i = 0; i + LANES <= n; i += LANES) {
			uint32x4_t factor = vld1q_u32(a + i), term = vld1q_u32(b + i), found = vld1q_u32(least + i);
			for (size_t k = 0; k < count; k++)
				found = vminq_u32(found, vmlaq_u32(term, factor, vdupq_n_u32(x[k])));
			vst1q_u32(least + i, found);
		}
	}
#endif
	for (; i < n; i++) {
		uint32_t found = least[i];
		for (size_t k = 0; k < count; k++) {
			uint32_t value = a[i] * x[k] + b[i];
			found = value < found ? value : found;
		}
		least[i] = found;
	}
}

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

static void add_words(struct minhash *m, struct slice form)
{
	while (form.len) {
		const uint8_t *space = memchr(form.data, ' ', form.len);
		const size_t len = space ? (size_t)(space - form.data) : form.len;
		const uint64_t hash = hash64(slice_first(form, len));
		if (m->n_words >= MINHASH_SHINGLE)
			memmove(m->words, m->words + 1, sizeof(m->words) - sizeof(*m->words));
		const size_t at = m->n_words < MINHASH_SHINGLE ? m->n_words : MINHASH_SHINGLE - 1;
		m->words[at] = little_endian_64((const uint8_t *)&hash); /* the same bytes on all machines */
		if (++m->n_words >= MINHASH_SHINGLE)
			add_shingle(m, MINHASH_SHINGLE);
		form = slice_skip(form, len + 1);
	}
}

int minhash_text(struct minhash *m, struct slice text, const uint32_t **signature, size_t *shingles)
{
	int status = DANA_OK;
	m->n_words = m->shingles = m->n_batch = 0;
	memset(m->least, 0xFF, sizeof(m->least));
	while (status == DANA_OK && text.len) {
		buf_clear(&m->form);
		status = normal_text(m->normaliser, normal_next_part(&text), NORMAL_SMALL | NORMAL_WORDS, &m->form);
		if (status == DANA_OK)
			add_words(m, buf_slice(&m->form));
	}
	if (m->n_words > 0 && m->n_words < MINHASH_SHINGLE)
		add_shingle(m, m->n_words);
	end_batch(m);
	buf_shrink(&m->form, KEPT);
	*signature = m->least;
	*shingles = m->shingles;
	return status;
}
