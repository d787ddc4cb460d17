/* SPDX-License-Identifier: MIT */
/*
 * Method learned on any bytes: no fault, and the law of the split. The first byte tells how many sizes of pieces
 * follow it. The extractor is used again for the next input.
 */
#include "support/extractor_subject.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct dana_extractor *x;
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = "learned:recall=100",
					      .max_text_bytes = 1 << 16,
					      .max_depth = 32 };
	if (size == 0)
		return 0;
	const struct slice rest = slice_of(data + 1, size - 1), sizes = slice_first(rest, data[0] % 8);
	must(x || dana_new(&x, &options) == 0);
	const struct split_subject subject = extractor_subject(x);
	split_check_sizes(&subject, slice_skip(rest, sizes.len), sizes);
	return 0;
}
