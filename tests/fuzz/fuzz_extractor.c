/* SPDX-License-Identifier: MIT */
/*
 * The DANA family on any page in any split. The first byte chooses the method, the second its keys, the next eight are
 * the sizes of the pieces. The text is the same for the whole page, and the batch oracle's; it is valid UTF-8; no
 * block is empty.
 */
#include "config.h"

#include "support/extractor_subject.h"
#include "support/family_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIZES = 8, HEAD = 2 + SIZES };

static void check_blocks(struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		bool edge = i == 0 || i + 1 == text.len || text.data[i - 1] == '\n';
		if (text.data[i] == '\n' && edge)
			abort();
	}
}

static void end(void *arg, struct buf *outcome)
{
	struct dana_text text = extractor_finish(arg);
	check_blocks(slice_of(text.data, text.len));
	extractor_tell(&text, outcome);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t segments[] = { 65, 1, 7, 20 }, gaps[] = { 20, 1, 2, 3 };
	static const char units[] = { 0, 'b', 'c', 0 };
	if (size <= HEAD)
		return 0;
	uint8_t k = data[1];
	const struct family_case c = { family_methods[data[0] % FAMILY_METHODS],
				       { segments[k & 3], gaps[k >> 2 & 3], k >> 6 & 1, units[k >> 4 & 3] } };
	const struct slice page = slice_of(data + HEAD, size - HEAD);
	struct dana_extractor *x = family_extractor(&c);
	const struct split_subject subject = { extractor_begin, extractor_piece, end, x };
	split_check_sizes(&subject, page, slice_of(data + 2, SIZES));
	if (!family_agrees(&c, x, page, data[2]))
		abort();
	dana_free(x);
	return 0;
}
