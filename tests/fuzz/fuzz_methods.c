/* SPDX-License-Identifier: MIT */
/*
 * All methods on any page in any split. The first byte chooses the method, the next eight the sizes of the pieces. The
 * text must be the same as for the whole page, and valid UTF-8. Extractors are used again for the next input.
 */
#include "config.h"

#include "support/extractor_subject.h"

enum { SIZES = 8, METHODS_MAX = 64 };

/* By number; the last one has keys. */
static struct dana_extractor *extractor(uint8_t number)
{
	static struct dana_extractor *made[METHODS_MAX + 1];
	const size_t method = number % dana_method_count();
	struct dana_options options = { .struct_size = sizeof(options), .method = dana_method_name(method) };
	struct dana_extractor **x = &made[method];
	if (number >= 128 && strcmp(options.method, "wlr-media") == 0) {
		options.method = "wlr-media:extended=1";
		x = &made[METHODS_MAX];
	}
	if (method >= METHODS_MAX || (!*x && dana_new(x, &options) < 0))
		abort();
	return *x;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size <= 1 + SIZES)
		return 0;
	const struct split_subject subject = extractor_subject(extractor(data[0]));
	split_check_sizes(&subject, slice_of(data + 1 + SIZES, size - 1 - SIZES), slice_of(data + 1, SIZES));
	return 0;
}
