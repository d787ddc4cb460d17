/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "archive/codec/codec.h"
#include "archive/http/coding.h"
#include "archive/http/media_type.h"
#include "archive/limits.h"
#include "archive/mhtml.h"
#include "archive/single_page.h"
#include "base/diagnostics.h"
#include "base/file.h"
#include "lab/gold.h"
#include "run/pages.h"

static int sink_write(struct byte_sink *sink, struct slice bytes)
{
	struct page_decoder *d = (struct page_decoder *)sink; /* its first member */
	return buf_append(&d->page, bytes.data, bytes.len);
}

static int sink_finish(struct byte_sink *sink)
{
	(void)sink;
	return DANA_OK;
}

static const struct byte_sink_ops sink_ops = { "page", sink_write, sink_finish };

int page_decoder_init(struct page_decoder *d)
{
	*d = (struct page_decoder){ .sink = { &sink_ops } };
	d->convert = charset_convert_new(&d->sink);
	return d->convert ? DANA_OK : DANA_ENOMEM;
}

int page_decoder_decode(struct page_decoder *d, struct slice bytes, struct slice label)
{
	buf_clear(&d->page);
	int status = charset_convert_reset_named(d->convert, label);
	if (status == DANA_OK)
		status = charset_convert_write(d->convert, bytes);
	return status < 0 ? status : charset_convert_finish(d->convert);
}

/* What is collected of a stage. */
struct collected {
	struct byte_sink sink;
	struct buf bytes;
};

static int collected_write(struct byte_sink *sink, struct slice bytes)
{
	struct collected *c = (struct collected *)sink; /* its first member */
	return buf_append(&c->bytes, bytes.data, bytes.len);
}

static const struct byte_sink_ops collected_ops = { .name = "collected", .write = collected_write };

/* The page that a message (MHTML) holds, and its charset. */
struct message {
	struct collected page;
	struct buf charset;
};

static int message_page(void *message, const struct mhtml_page *page)
{
	struct message *m = message;
	const struct slice charset = media_type_charset(page->content_type);
	return buf_append(&m->charset, charset.data, charset.len);
}

static int decode_message(struct page_decoder *d, struct slice bytes, struct slice label, struct error *err)
{
	struct message m = { .page.sink = { &collected_ops } };
	const struct mhtml_target target = { message_page, &m, &m.page.sink };
	struct mhtml *reader = mhtml_new(&target);
	int status = reader ? mhtml_begin(reader, slice_of(NULL, 0), bytes) : DANA_ENOMEM;
	if (status == DANA_OK)
		status = mhtml_write(reader, bytes);
	if (status == DANA_OK)
		status = mhtml_finish(reader);
	if (status == MHTML_NO_PAGE)
		status = error_set(err, DANA_EFORMAT, "a message (MHTML) that holds no HTML page");
	if (status == DANA_OK) {
		status = page_decoder_decode(d, buf_slice(&m.page.bytes), label.len ? label : buf_slice(&m.charset));
		if (status == DANA_ECONFIG && label.len == 0) /* a charset that nobody knows */
			status = page_decoder_decode(d, buf_slice(&m.page.bytes), label);
	}
	mhtml_free(reader);
	buf_free(&m.page.bytes);
	buf_free(&m.charset);
	return status;
}

int page_unpack(struct buf *page)
{
	static const struct limits limits = LIMITS_DEFAULT;
	struct collected c = { .sink = { &collected_ops } };
	bool need_more;
	const struct coding_body body = { .label = codec_detect(buf_slice(page), &need_more),
					  .next = &c.sink,
					  .max_output = limits.body };
	if (!body.label)
		return DANA_OK;
	struct coding *coding = coding_new(&limits);
	int status = coding ? DANA_OK : DANA_ENOMEM;
	if (status == DANA_OK) {
		coding_begin(coding, &body);
		status = byte_sink_write(coding_sink(coding), buf_slice(page));
		if (status >= 0) /* positive: a limit was reached, and what came before it counts */
			status = byte_sink_finish(coding_sink(coding));
	}
	if (status >= 0)
		status = c.bytes.len == 0 && coding_problems(coding) ? DANA_EFORMAT : DANA_OK;
	coding_free(coding);
	buf_free(page);
	*page = c.bytes;
	return status;
}

int page_decoder_take(struct page_decoder *d, struct buf *bytes, struct slice label, bool is_servers, struct error *err)
{
	int status = page_unpack(bytes);
	if (status == DANA_EFORMAT)
		return error_set(err, DANA_EFORMAT, PAGE_DAMAGED);
	const struct slice page = buf_slice(bytes);
	const char *other = status == DANA_OK ? not_a_page(page) : NULL;
	if (other)
		return error_set(err, DANA_EFORMAT, "%s", other);
	if (status == DANA_OK && mhtml_begins(page))
		return decode_message(d, page, label, err);
	if (status == DANA_OK)
		status = page_decoder_decode(d, page, label);
	if (status == DANA_ECONFIG && is_servers)
		status = page_decoder_decode(d, page, slice_of(NULL, 0));
	return status < 0 ? error_set(err, (enum dana_status)status, "%s", status_text(status)) : DANA_OK;
}

int page_decoder_read(struct page_decoder *d, const char *path, uint64_t most, struct slice label, struct error *err)
{
	struct buf archive = { 0 };
	uint64_t offset;
	if (page_decoder_place(path, &archive, &offset)) {
		int found = page_decoder_archived(d, (const char *)archive.data, offset, err);
		buf_free(&archive);
		return found;
	}
	buf_free(&archive);
	bool standard = strcmp(path, "-") == 0;
	FILE *file = standard ? stdin : fopen(path, "rb");
	struct buf bytes = { 0 };
	struct error fault = { 0 };
	char why[PAGE_FAULT_MOST];
	int status = file ? whole_file_append(file, most, &bytes) : DANA_EIO;
	if (status == DANA_EIO)
		(void)error_set(&fault, DANA_EIO, "%s", extract_page_fault(path, why));
	if (file && !standard)
		(void)fclose(file);
	if (status == DANA_OK)
		status = page_decoder_take(d, &bytes, label, false, &fault);
	if (status < 0)
		(void)error_set(err, (enum dana_status)status, "%s: %s", standard ? "standard input" : path,
				fault.text[0] ? fault.text : status_text(status));
	buf_free(&bytes);
	return status;
}

int page_decoder_check_gold(const struct gold_folder *gold, struct error *err)
{
	enum { SHOWN = 200 };
	char page_name[SHOWN], shown[SHOWN], where[2 * SHOWN];
	for (size_t i = 0; i < gold_count(gold); i++) {
		const struct gold_page *page = gold_page(gold, i);
		if (!*page->charset)
			continue;
		(void)snprintf(page_name, sizeof(page_name), "%s/%s", page->corpus, page->id);
		(void)snprintf(where, sizeof(where), "index.tsv: charset of %s",
			       printable(slice_from_text(page_name), shown, sizeof(shown)));
		int status = charset_check(where, page->charset, err);
		if (status < 0)
			return status;
	}
	return DANA_OK;
}

void page_decoder_free(struct page_decoder *d)
{
	charset_convert_free(d->convert);
	buf_free(&d->page);
	buf_free(&d->url);
	buf_free(&d->charset);
}
