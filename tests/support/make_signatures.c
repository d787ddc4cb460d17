/* SPDX-License-Identifier: MIT */
/*
 * make_signatures FILE INPUT FIRST COUNT PERCENT: a file of signatures as if of COUNT documents of the input INPUT,
 * numbered from FIRST through all files that belong together. Of the documents PERCENT in a hundred share two bands and
 * three quarters of their numbers with a document before them, in any of the files; the others share nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dedup/signatures.h"

enum { BANDS = 14, ROWS = 8, NUMBERS = BANDS * ROWS, SORTING = 64 << 20 };

/* A number that depends on the document and on what it is for. */
static uint64_t number(uint64_t document, unsigned what)
{
	uint64_t both[2] = { document, what };
	return hash64(slice_of(both, sizeof(both)));
}

/* The document that this one is a copy of; itself: of none. A copy of a copy is a copy of the first. */
static uint64_t source(uint64_t document, unsigned percent)
{
	while (document && number(document, 1000) % 100 < percent)
		document = number(document, 1001) % document;
	return document;
}

static void sign(uint64_t document, unsigned percent, uint64_t *buckets, uint8_t *lowest)
{
	uint64_t of = source(document, percent);
	for (unsigned i = 0; i < BANDS; i++)
		buckets[i] = number(i < 2 ? of : document, i);
	for (unsigned i = 0; i < NUMBERS; i++)
		lowest[i] = (uint8_t)number(i % 4 ? of : document, 100 + i);
}

int main(int argc, char **argv)
{
	if (argc != 6)
		return 3;
	const char *input = argv[2];
	const uint64_t first = strtoull(argv[3], NULL, 10);
	const uint64_t count = strtoull(argv[4], NULL, 10);
	const unsigned percent = (unsigned)atoi(argv[5]);
	struct error err = { 0 };
	struct signature_maker *m = signature_maker_new(argv[1], (struct bands){ BANDS, ROWS }, SORTING, true, &err);
	int status = m ? 0 : -1;
	for (uint64_t i = first; i < first + count && status == 0; i++) {
		uint64_t buckets[BANDS];
		uint8_t lowest[NUMBERS];
		char id[64];
		sign(i, percent, buckets, lowest);
		(void)snprintf(id, sizeof(id), "urn:uuid:00000000-0000-4000-8000-%012llx", (unsigned long long)i);
		const struct signature s = { .origin = { slice_from_text(id), slice_from_text(input), i },
					     .chars = (uint32_t)(number(i, 1002) % 10000),
					     .lowest = lowest,
					     .buckets = buckets };
		status = signature_maker_add(m, &s, &err);
	}
	if (status == 0)
		status = signature_maker_finish(m, &err);
	if (status < 0)
		fprintf(stderr, "%s\n", err.text);
	return status < 0;
}
