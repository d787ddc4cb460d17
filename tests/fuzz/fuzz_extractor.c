/* SPDX-License-Identifier: MIT */
/*
 * The DANA family on any page in any split. The first byte chooses the method, the second its keys, the next eight are
 * the sizes of the pieces. The text is the same however the page is cut; it is valid UTF-8; no block is empty, and no
 * line but in pages with preformatted text, whose blank lines are kept. Extractors are used again for the next input.
 */
#include "config.h"

#include "oracle/family_page.h"
#include "support/extractor_subject.h"
#include "support/family_run.h"

enum { SIZES = 8, HEAD = 2 + SIZES, KEYS = 128 };

static void check_blocks(struct slice text, struct slice html)
{
	/* Pages may have text whose line breaks are kept: <pre>, <plaintext>, style="white-space: pre" ... */
	struct family_page page;
	family_page_split(&page, html);
	bool keeps = false;
	for (size_t i = 0; i < page.count && !keeps; i++)
		keeps = page.items[i].space != WHITE_SPACE_COLLAPSES;
	family_page_free(&page);
	for (size_t i = 0; i < text.len; i++) {
		bool edge = i == 0 || i + 1 == text.len, blank = !keeps && i > 0 && text.data[i - 1] == '\n';
		if (text.data[i] == '\n' && (edge || blank))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t segments[] = { 65, 1, 7, 20 }, gaps[] = { 20, 1, 2, 3 };
	static const char units[] = { 0, 'b', 'c', 0 };
	static struct dana_extractor *extractors[FAMILY_METHODS][KEYS];
	struct buf whole = { 0 }, split = { 0 };
	if (size <= HEAD)
		return 0;
	const uint8_t method = data[0] % FAMILY_METHODS, k = data[1] % KEYS;
	struct family_case c = { .method = family_methods[method],
				 .segment = segments[k & 3],
				 .gap = gaps[k >> 2 & 3],
				 .gap_fill = k >> 6 & 1,
				 .unit = units[k >> 4 & 3] };
	const struct slice page = slice_of(data + HEAD, size - HEAD);
	struct dana_extractor **x = &extractors[method][k];
	family_vary(&c, k);
	if (!*x)
		*x = family_extractor(&c);
	const struct split_subject subject = extractor_subject(*x);
	split_sizes(&subject, page, slice_of(data + 2, SIZES), true, &split);
	subject.begin(subject.arg);
	split_piece(&subject, page);
	const struct dana_text text = extractor_finish(*x);
	check_blocks(slice_of(text.data, text.len), page);
	extractor_tell(&text, &whole);
	split_compare(&whole, &split, "chosen sizes", k);
	buf_free(&whole);
	buf_free(&split);
	return 0;
}
