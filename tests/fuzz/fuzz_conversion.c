/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: WARC output, and the way back. First byte: version, and how many documents (support/fuzzed_document.h)
 * follow. Oracle: the framer reads a warcinfo and so many conversion records without a report, byte by byte and at
 * once; their blocks are the texts, and their heads have the fields that the standard wants, once, with no control
 * byte.
 */
#include <stdlib.h>

#include "archive/sink/sink.h"
#include "archive/warc/field.h"
#include "archive/warc/framer.h"
#include "base/ascii.h"
#include "support/fuzzed_document.h"
#include "support/split_feed.h"

enum { DOCUMENTS_MAX = 4 };

struct reader {
	struct record_sink sink;
	const struct fuzzed_document *documents;
	size_t n, next; /* of records; the first is the warcinfo */
	struct buf block;
	uint64_t length; /* of the block, by its head */
};

static int begin(struct record_sink *self, const struct record *rec)
{
	struct reader *r = (struct reader *)self;
	char date[WARC_DATE_MAX];
	must(r->next < r->n);
	static const char *const wanted[] = { "WARC-Type", "WARC-Record-ID", "WARC-Date", "Content-Length",
					      "Content-Type" };
	unsigned seen[sizeof(wanted) / sizeof(*wanted)] = { 0 };
	for (size_t i = 0; i < rec->n_fields; i++) {
		const struct field *field = &rec->fields[i];
		must(field->value.len > 0);
		for (size_t at = 0; at < field->value.len; at++)
			must(field->value.data[at] != '\r' && field->value.data[at] != '\n' && field->value.data[at]);
		for (size_t k = 0; k < sizeof(wanted) / sizeof(*wanted); k++)
			seen[k] += slice_is(field->name, wanted[k]);
	}
	for (size_t k = 0; k < sizeof(wanted) / sizeof(*wanted); k++)
		must(seen[k] == 1);
	must(warc_date_normalise(rec->date, true, date));
	must(rec->type == (r->next ? RECORD_CONVERSION : RECORD_WARCINFO));
	must(r->next == 0 || rec->target_uri.len > 0);
	for (size_t i = 0; i < rec->target_uri.len; i++)
		must(rec->target_uri.data[i] > 0x20 && rec->target_uri.data[i] < 0x7f);
	r->length = rec->content_length;
	buf_clear(&r->block);
	return RECORD_WANTED;
}

static int body(struct record_sink *self, struct slice bytes)
{
	return buf_append(&((struct reader *)self)->block, bytes.data, bytes.len) < 0 ? DANA_ENOMEM : RECORD_WANTED;
}

static int end(struct record_sink *self, const struct record_end *how)
{
	struct reader *r = (struct reader *)self;
	must(!how->damaged && r->block.len == r->length);
	if (r->next)
		must(slice_equal(buf_slice(&r->block), r->documents[r->next - 1].document.text));
	r->next++;
	return 0;
}

static int damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
		  const struct record_end *how)
{
	(void)self, (void)seq, (void)offset, (void)id, (void)uri, (void)how;
	abort();
}

static void read_back(struct slice archive, const struct fuzzed_document *documents, size_t n, size_t piece)
{
	static const struct record_sink_ops ops = { "reader", begin, body, end, damage };
	static const struct limits limits = LIMITS_DEFAULT;
	struct reader r = { .sink = { &ops }, .documents = documents, .n = 1 + n };
	struct warc_framer *framer = warc_framer_new(&r.sink, &limits, false);
	must(framer && warc_framer_plain(framer, 0, UINT64_MAX) == 0);
	for (; archive.len; archive = slice_skip(archive, piece))
		must(warc_framer_write(framer, slice_first(archive, piece)) == 0);
	must(warc_framer_finish(framer) == 0 && r.next == r.n);
	warc_framer_free(framer);
	buf_free(&r.block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct sink *sinks[2];
	static struct buf archive;
	const struct sink_ops *ops = sink_find("warc");
	struct fuzzed_document documents[DOCUMENTS_MAX];
	struct slice input = slice_of(data, size);
	const uint8_t kind = fuzzed_byte(&input);
	const size_t many = 1 + kind / 2 % DOCUMENTS_MAX;
	struct sink **sink = &sinks[kind % 2];
	size_t n = 0;
	if (!*sink)
		*sink = ops->open(
			&(struct sink_config){ .warc_1_0 = kind % 2, .filename = "a.warc", .input = "b.warc" });
	must(*sink != NULL);
	buf_clear(&archive);
	for (size_t i = 0; i < many; i++) {
		fuzzed_document(&documents[n], &input, i + 1 == many);
		if (documents[n].record.target_uri.len == 0)
			continue;
		if (n == 0)
			must(ops->opening(*sink, documents[0].record.date, &archive) == 0);
		must(ops->document(*sink, &documents[n].document, &archive) == 0);
		documents[n].document.record = &documents[n].record;
		n++;
	}
	if (n == 0)
		return 0;
	read_back(buf_slice(&archive), documents, n, archive.len);
	read_back(buf_slice(&archive), documents, n, 1 + size % 7);
	return 0;
}
