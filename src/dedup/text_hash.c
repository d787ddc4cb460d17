/* SPDX-License-Identifier: MIT */
/* A text is brought into its normal form and hashed part by part, so that memory does not grow with it. */
#include "dedup/text_hash.h"

#include <stdlib.h>

#include "base/status.h"
#include "base/utf8.h"
#include "dedup/normal_text.h"

enum { KEPT = 4 * NORMAL_PART }; /* most memory kept for the next text */

struct text_hasher {
	struct normaliser *normaliser;
	unsigned flags;
	struct buf form;
	XXH3_state_t *state;
};

struct text_hasher *text_hasher_new(unsigned flags)
{
	struct text_hasher *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->flags = flags;
	h->normaliser = normaliser_new();
	h->state = XXH3_createState();
	if (!h->normaliser || !h->state) {
		text_hasher_free(h);
		return NULL;
	}
	return h;
}

void text_hasher_free(struct text_hasher *h)
{
	if (!h)
		return;
	normaliser_free(h->normaliser);
	(void)XXH3_freeState(h->state);
	buf_free(&h->form);
	free(h);
}

static int take_part(struct text_hasher *h, struct slice part, bool *empty)
{
	buf_clear(&h->form);
	int status = normal_text(h->normaliser, part, h->flags, &h->form);

	if (status < 0 || h->form.len == 0)
		return status;
	if (!*empty)
		(void)XXH3_128bits_update(h->state, " ", 1);
	(void)XXH3_128bits_update(h->state, h->form.data, h->form.len);
	*empty = false;
	return DANA_OK;
}

int text_hash(struct text_hasher *h, struct slice text, struct hash128 *hash, bool *empty)
{
	int status = DANA_OK;

	*empty = true;
	(void)XXH3_128bits_reset(h->state);
	while (status == DANA_OK && text.len)
		status = take_part(h, normal_next_part(&text), empty);
	XXH128_hash_t digest = XXH3_128bits_digest(h->state);
	*hash = (struct hash128){ .high = digest.high64, .low = digest.low64 };
	buf_shrink(&h->form, KEPT);
	return status;
}

int line_hash(struct text_hasher *h, struct slice line, uint64_t seed, uint64_t *hash, size_t *chars)
{
	buf_clear(&h->form);
	int status = normal_text(h->normaliser, line, h->flags, &h->form);

	*hash = XXH3_64bits_withSeed(h->form.data, h->form.len, seed);
	*chars = utf8_count(buf_slice(&h->form));
	buf_shrink(&h->form, KEPT);
	return status;
}
