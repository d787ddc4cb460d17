/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: messages that hold a page (MHTML). First byte: whether a Content-Type came with the message; second: how
 * many of the following bytes are sizes of the pieces; the rest is the message. Oracle: what is found in the pieces is
 * what is found in the whole.
 */
#include "archive/mhtml.h"
#include "support/split_feed.h"

struct subject {
	struct byte_sink sink;
	struct mhtml *message;
	struct slice type, first;
	unsigned pages;
	struct buf found;
};

static int collect(struct byte_sink *self, struct slice bytes)
{
	struct subject *s = (struct subject *)self;
	must(bytes.len > 0 && s->pages == 1);
	return buf_append(&s->found, bytes.data, bytes.len);
}

static int take_page(void *arg, const struct mhtml_page *page)
{
	struct subject *s = arg;
	must(s->pages++ == 0 && s->found.len == 0);
	buf_append(&s->found, page->content_type.data, page->content_type.len);
	buf_append(&s->found, page->location.data, page->location.len);
	return buf_append_byte(&s->found, page->encoded);
}

static void begin(void *arg)
{
	struct subject *s = arg;
	buf_clear(&s->found);
	s->pages = 0;
	must(mhtml_begin(s->message, s->type, s->first) == 0);
}

static void piece(void *arg, struct slice bytes)
{
	struct subject *s = arg;
	must(mhtml_write(s->message, bytes) == 0);
}

static void end(void *arg, struct buf *outcome)
{
	struct subject *s = arg;
	const int status = mhtml_finish(s->message);
	must(status == (s->pages ? 0 : MHTML_NO_PAGE));
	buf_append(outcome, s->found.data, s->found.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct byte_sink_ops ops = { .name = "collector", .write = collect };
	static struct subject subject = { .sink = { &ops } };
	const struct mhtml_target target = { take_page, &subject, &subject.sink };
	if (size < 2)
		return 0;
	if (!subject.message)
		subject.message = mhtml_new(&target);
	must(subject.message != NULL);
	const struct slice message = slice_of(data + 2, size - 2);
	subject.type = slice_from_text(data[0] & 1 ? "multipart/related; boundary=x; start=\"<a>\"" : "");
	subject.first = slice_first(message, 512);
	const struct split_subject split = { begin, piece, end, &subject };
	split_check_sizes(&split, message, slice_first(message, data[1] % 16));
	return 0;
}
