/* SPDX-License-Identifier: MIT */
/*
 * Documents made of the bytes of a fuzzer's input: a byte of flags, one of problems, the numbers, then texts, each a
 * byte that tells its length and so many bytes. What is missing is empty; the last text is the rest.
 */
#ifndef DANA_TESTS_SUPPORT_FUZZED_DOCUMENT_H
#define DANA_TESTS_SUPPORT_FUZZED_DOCUMENT_H

#include <stdlib.h>

#include "archive/document.h"
#include "dana/dana.h"

enum { FUZZED_NAME_MAX = 64 };

struct fuzzed_document {
	struct record record;
	struct document document;
	struct dana_media media;
	char file[FUZZED_NAME_MAX];
};

static inline uint8_t fuzzed_byte(struct slice *input)
{
	const uint8_t byte = input->len ? input->data[0] : 0;
	*input = slice_skip(*input, 1);
	return byte;
}

static inline struct slice fuzzed_text(struct slice *input)
{
	const uint8_t len = fuzzed_byte(input);
	const struct slice text = slice_first(*input, len);
	*input = slice_skip(*input, text.len);
	return text;
}

/* Slices point into the input. */
static inline void fuzzed_document(struct fuzzed_document *d, struct slice *input, bool last)
{
	const uint8_t flags = fuzzed_byte(input);
	*d = (struct fuzzed_document){ .record = { .seq = flags, .type = RECORD_RESPONSE } };
	d->document = (struct document){ .record = &d->record,
					 .file = d->file,
					 .length_known = flags & 1,
					 .length = flags,
					 .has_title = flags & 2,
					 .with_media = flags & 4,
					 .n_media = flags >> 3 & 1,
					 .media = &d->media,
					 .with_language = flags & 16,
					 .charset = flags & 32 ? "utf-8" : NULL,
					 .method = flags & 64 ? "plain" : NULL };
	d->document.problems = fuzzed_byte(input) * 257U & ((1U << PROBLEM_WORDS) - 1);
	d->document.http_status = fuzzed_byte(input) * 4;
	d->record.offset = (uint64_t)fuzzed_byte(input) << 56 | fuzzed_byte(input);
	d->document.language_score = fuzzed_byte(input) / 200.0 - 0.1;
	d->record.target_uri = fuzzed_text(input);
	d->record.date = fuzzed_text(input);
	d->record.record_id = fuzzed_text(input);
	d->record.truncated = fuzzed_text(input);
	d->document.content_type = fuzzed_text(input);
	d->document.title = fuzzed_text(input);
	d->document.language = fuzzed_text(input);
	d->document.warcinfo_date = fuzzed_text(input);
	const struct slice url = fuzzed_text(input), alt = fuzzed_text(input), file = fuzzed_text(input);
	d->media = (struct dana_media){ .type = "img",
					.url = (const char *)url.data,
					.url_len = url.len,
					.alt = (const char *)alt.data,
					.alt_len = alt.len,
					.width = flags };
	for (size_t i = 0; i < file.len && i + 1 < FUZZED_NAME_MAX; i++)
		d->file[i] = file.data[i] ? (char)file.data[i] : '0';
	d->document.text = last ? *input : fuzzed_text(input);
	if (last)
		*input = slice_of(NULL, 0);
	d->document.html_bytes = d->document.text.len;
	d->document.text_chars = d->document.text.len / 2;
}

#endif
