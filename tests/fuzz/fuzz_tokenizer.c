/* SPDX-License-Identifier: MIT */
/*
 * The tokeniser on any page in any split: the first eight bytes are the sizes of the pieces. Its events are the same
 * for the whole page, as runs, as units and as stretches, and those of the batch oracle.
 */
#include "config.h"

#include "support/token_subject.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIZES = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf wanted = { 0 }, found = { 0 };
	struct token_subject s;
	if (size <= SIZES)
		return 0;
	const struct slice page = slice_of(data + SIZES, size - SIZES);
	for (int way = 0; way < TOKEN_WAYS; way++) {
		buf_clear(&wanted);
		token_oracle(page, (enum token_way)way, &wanted);
		const struct split_subject subject = token_subject_make(&s, (enum token_way)way);
		s.log.page = page;
		split_sizes(&subject, page, slice_of(data, SIZES), &found);
		split_compare(&wanted, &found, "oracle and pieces, way", (size_t)way);
		split_whole(&subject, page, &found);
		split_compare(&wanted, &found, "oracle and whole, way", (size_t)way);
		token_subject_free(&s);
	}
	buf_free(&wanted);
	buf_free(&found);
	return 0;
}
