/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: the tokeniser. The first eight bytes are the sizes of the pieces; the lowest bits of the eighth choose
 * how its handler takes them: as runs, units or stretches. The rest is the page. Oracle: the batch oracle's events,
 * however the page is cut. A tokeniser is used again for the next input.
 */
#include "config.h"

#include "support/token_subject.h"

enum { SIZES = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct token_subject subjects[TOKEN_WAYS];
	static struct split_subject splits[TOKEN_WAYS];
	static struct buf wanted, found;
	if (size <= SIZES)
		return 0;
	const struct slice page = slice_of(data + SIZES, size - SIZES);
	const enum token_way way = (enum token_way)(data[SIZES - 1] % TOKEN_WAYS);
	if (!subjects[way].tokens)
		splits[way] = token_subject_make(&subjects[way], way);
	buf_clear(&wanted);
	token_oracle(page, way, &wanted);
	subjects[way].log.page = page;
	split_sizes(&splits[way], page, slice_of(data, SIZES), true, &found);
	split_compare(&wanted, &found, "oracle and pieces, way", (size_t)way);
	return 0;
}
