/* SPDX-License-Identifier: MIT */
/* A document with every member set, for tests of the sinks. Members may be changed afterwards. */
#ifndef DANA_TESTS_SUPPORT_SAMPLE_DOCUMENT_H
#define DANA_TESTS_SUPPORT_SAMPLE_DOCUMENT_H

#include "archive/document.h"

static inline struct record sample_record(void)
{
	return (struct record){
		.seq = 7,
		.offset = 1234,
		.type = RECORD_RESPONSE,
		.target_uri = slice_from_text("http://example.org/a?b=c"),
		.date = slice_from_text("2024-05-06T07:08:09Z"),
		.record_id = slice_from_text("urn:uuid:00000000-0000-4000-8000-000000000001"),
	};
}

/** `rec` is borrowed. */
static inline struct document sample_document(const struct record *rec)
{
	return (struct document){
		.record = rec,
		.file = "dir/crawl.warc.gz",
		.length = 99,
		.length_known = true,
		.http_status = 200,
		.content_type = slice_from_text("text/html; charset=UTF-8"),
		.charset = "utf-8",
		.title = slice_from_text("A \"title\""),
		.has_title = true,
		.text = slice_from_text("one\ntwo"),
		.page_kind = "forum",
		.method = "danag",
		.html_bytes = 500,
		.text_chars = 7,
	};
}

#endif
