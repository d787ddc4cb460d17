/*
 * All methods on any page in any split. The first byte chooses the method, the next eight the sizes of the pieces. The text
 * must be the same as for the whole page, and valid UTF-8.
 */
#include "config.h"

#include "base/utf8.h"
#include "extract/dana.h"
#include "support/split_feed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIZES = 8 };

static void begin(void *arg)
{
	dana_reset(arg);
}

static void piece(void *arg, struct slice bytes)
{
	if (dana_feed(arg, bytes.data, bytes.len) < 0)
		abort();
}

static void end(void *arg, struct buf *outcome)
{
	struct dana_text text;
	if (dana_finish(arg, &text) < 0)
		abort();
	if (utf8_valid_prefix(slice_of(text.data, text.len)) != text.len)
		abort();
	if (buf_append(outcome, text.data, text.len) < 0 || buf_printf(outcome, "\n%s %u %zu", text.method, text.flags, text.n_media) < 0)
		abort();
	for (size_t i = 0; i < text.n_media; i++) {
		const struct dana_media *m = &text.media[i];
		if (buf_printf(outcome, "\n%s %u %u ", m->type, m->width, m->height) < 0 ||
		    buf_append(outcome, m->url, m->url_len) < 0 || buf_append(outcome, m->alt, m->alt_len) < 0)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size <= 1 + SIZES)
		return 0;
	struct dana_options options = { .struct_size = sizeof(options), .method = dana_method_name(data[0] % dana_method_count()) };
	struct dana_extractor *x;
	if (data[0] >= 128 && strcmp(options.method, "wlr-media") == 0)
		options.method = "wlr-media:extended=1";
	if (dana_new(&x, &options) < 0)
		abort();
	const struct split_subject subject = { begin, piece, end, x };
	split_check_sizes(&subject, slice_of(data + 1 + SIZES, size - 1 - SIZES), slice_of(data + 1, SIZES));
	dana_free(x);
	return 0;
}
