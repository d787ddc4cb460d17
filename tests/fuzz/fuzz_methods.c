/* SPDX-License-Identifier: MIT */
/*
 * All methods on any page in any split. The first byte chooses the method, the next eight the sizes of the pieces. The
 * text must be the same as for the whole page, and valid UTF-8.
 */
#include "config.h"

#include "support/extractor_subject.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIZES = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size <= 1 + SIZES)
		return 0;
	struct dana_options options = { .struct_size = sizeof(options),
					.method = dana_method_name(data[0] % dana_method_count()) };
	struct dana_extractor *x;
	if (data[0] >= 128 && strcmp(options.method, "wlr-media") == 0)
		options.method = "wlr-media:extended=1";
	if (dana_new(&x, &options) < 0)
		abort();
	const struct split_subject subject = extractor_subject(x);
	split_check_sizes(&subject, slice_of(data + 1 + SIZES, size - 1 - SIZES), slice_of(data + 1, SIZES));
	dana_free(x);
	return 0;
}
