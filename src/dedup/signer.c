/* SPDX-License-Identifier: MIT */
/* The calls of dana/signature.h. */
#include <stdlib.h>

#include "base/status.h"
#include "dana/signature.h"
#include "dedup/minhash.h"

struct dana_signer {
	struct bands shape;
	struct minhash *hasher;
	uint8_t lowest[BANDS_NUMBERS_MOST];
	uint64_t buckets[BANDS_NUMBERS_MOST];
};

int dana_signer_new(struct dana_signer **signer, unsigned bands, unsigned rows)
{
	*signer = NULL;
	if (bands == 0 || rows == 0 || bands > DANA_SIGNATURE_MOST || rows > DANA_SIGNATURE_MOST / bands)
		return DANA_BAD_OPTION;
	struct dana_signer *s = calloc(1, sizeof(*s));
	if (s)
		s->hasher = minhash_new(bands * rows);
	if (!s || !s->hasher) {
		free(s);
		return DANA_OUT_OF_MEMORY;
	}
	s->shape = (struct bands){ bands, rows };
	*signer = s;
	return DANA_SUCCESS;
}

int dana_signer_text(struct dana_signer *s, const char *text, size_t len, struct dana_signature *signature)
{
	const uint32_t *numbers;
	size_t shingles;
	if (minhash_text(s->hasher, slice_of(text, len), &numbers, &shingles) < 0)
		return DANA_OUT_OF_MEMORY;
	for (unsigned i = 0; i < s->shape.bands * s->shape.rows; i++)
		s->lowest[i] = (uint8_t)numbers[i];
	bands_buckets(s->shape, numbers, s->buckets);
	*signature = (struct dana_signature){ s->lowest, s->buckets };
	return shingles != 0;
}

void dana_signer_free(struct dana_signer *s)
{
	if (!s)
		return;
	minhash_free(s->hasher);
	free(s);
}
