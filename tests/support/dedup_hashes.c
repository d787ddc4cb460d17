/* SPDX-License-Identifier: MIT */
/*
 * dedup_hashes BANDS ROWS: texts from standard input, each ended by a NUL, to a line each: the normal form's hash in
 * both spellings, the signature, the buckets. What tests/oracle/dedup.py prints too.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "dedup/minhash.h"
#include "dedup/normal_text.h"
#include "dedup/page_lines.h"

static int print_hash(struct slice text, unsigned flags)
{
	struct text_hasher *h = text_hasher_new(flags);
	struct hash128 hash;
	bool empty;
	if (!h || text_hash(h, text, &hash, &empty) < 0)
		return 1;
	printf("%016" PRIx64 "%016" PRIx64 "%s ", hash.high, hash.low, empty ? "-" : "");
	text_hasher_free(h);
	return 0;
}

static int print_text(struct slice text, struct bands bands)
{
	struct minhash *m = minhash_new(bands.bands * bands.rows);
	uint64_t buckets[BANDS_NUMBERS_MOST];
	const uint32_t *signature;
	size_t shingles;
	if (!m || print_hash(text, 0) || print_hash(text, NORMAL_SMALL) ||
	    minhash_text(m, text, &signature, &shingles) < 0)
		return 1;
	printf("%zu", shingles);
	for (unsigned i = 0; i < bands.bands * bands.rows; i++)
		printf(" %" PRIu32, signature[i]);
	bands_buckets(bands, signature, buckets);
	for (unsigned i = 0; i < bands.bands; i++)
		printf(" %016" PRIx64, buckets[i]);
	putchar('\n');
	minhash_free(m);
	return 0;
}

int main(int argc, char **argv)
{
	struct bands bands = { argc > 1 ? (unsigned)atoi(argv[1]) : 14, argc > 2 ? (unsigned)atoi(argv[2]) : 8 };
	struct buf text = { 0 };
	int c, bad = 0;
	if (bands.bands == 0 || bands.rows == 0 || bands.bands * bands.rows > BANDS_NUMBERS_MOST)
		return 1;
	while (!bad && (c = getchar()) != EOF) {
		if (c)
			buf_append_byte(&text, (uint8_t)c);
		else
			bad = print_text(buf_slice(&text), bands);
		if (!c)
			buf_clear(&text);
	}
	buf_free(&text);
	return bad;
}
