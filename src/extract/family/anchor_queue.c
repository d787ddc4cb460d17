/* SPDX-License-Identifier: MIT */
/*
 * The content of an anchor is kept as a list of items (content, white space, block, code) until the anchor ends. Then
 * the length of its text is known: the start tag goes to the next sink as that much code, and the items follow in
 * order. Example: <a href="/a-long-address">twelve chars</a> counts as <a> with 1 + 12 - 5 more characters of code,
 * whatever its address.
 */
#include "extract/family/anchor_queue.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/status.h"

enum {
	ANCHOR_TAG = 3,          /* "<a>" */
	ANCHOR_FREE = 5,         /* characters of text that add no code */
	ANCHOR_MOST = 2048,      /* characters of text; a longer anchor counts as if it ended there */
	ANCHOR_BYTES = 32 << 10, /* including white space that does not count; beyond this, no more of it is kept */
};

enum item_kind { ITEM_CONTENT, ITEM_REFERENCE, ITEM_SPACE, ITEM_BLOCK, ITEM_CODE };

struct item {
	enum item_kind kind;
	bool ascii;
	size_t len, chars; /* CONTENT, SPACE: of its bytes; CODE: chars */
	bool placed;       /* CONTENT, REFERENCE: it is of the bytes that were read, */
	uint64_t offset;   /* and here in the page */
	struct reference reference;
};

struct anchor_queue {
	struct content_sink next;
	struct segmenter_place *read; /* may be NULL */
	bool open;
	size_t text_chars; /* LT */
	struct buf items, bytes;
};

struct anchor_queue *anchor_queue_new(const struct content_sink *next, struct segmenter_place *read)
{
	struct anchor_queue *q = calloc(1, sizeof(*q));
	if (q) {
		q->next = *next;
		q->read = read;
	}
	return q;
}

static int push(struct anchor_queue *q, struct item item)
{
	/* code after code is one item: tags without text between them do not grow the queue */
	if (item.kind == ITEM_CODE && q->items.len) {
		struct item *last = (struct item *)(void *)(q->items.data + q->items.len - sizeof(item));
		if (last->kind == ITEM_CODE) {
			last->chars += item.chars;
			return DANA_OK;
		}
	}
	return buf_append(&q->items, &item, sizeof(item));
}

static int replay(struct anchor_queue *q, const struct item *item, const uint8_t **bytes)
{
	switch (item->kind) {
	case ITEM_CONTENT:
	case ITEM_REFERENCE: {
		struct slice s = slice_of(*bytes, item->len);
		*bytes += item->len;
		if (q->read)
			*q->read = (struct segmenter_place){ slice_first(s, item->placed ? s.len : 0), item->offset };
		if (item->kind == ITEM_REFERENCE)
			return q->next.reference(q->next.arg, s, &item->reference);
		return q->next.content(q->next.arg, s, item->chars, item->ascii);
	}
	case ITEM_SPACE: {
		struct slice s = slice_of(*bytes, item->len);
		*bytes += item->len;
		return q->next.space(q->next.arg, s);
	}
	case ITEM_BLOCK:
		return q->next.block(q->next.arg);
	case ITEM_CODE:
		return q->next.code(q->next.arg, item->chars);
	}
	return DANA_ESTATE;
}

int anchor_queue_close(struct anchor_queue *q)
{
	if (!q->open)
		return DANA_OK;
	q->open = false;
	size_t placeholder = q->text_chars > ANCHOR_FREE ? q->text_chars - ANCHOR_FREE : 0;
	int status = q->next.code(q->next.arg, ANCHOR_TAG + (placeholder ? 1 + placeholder : 0));
	const uint8_t *bytes = q->bytes.data;
	const struct segmenter_place read = q->read ? *q->read : (struct segmenter_place){ 0 };
	for (size_t at = 0; at < q->items.len && status >= 0; at += sizeof(struct item)) {
		struct item item;
		memcpy(&item, q->items.data + at, sizeof(item));
		status = replay(q, &item, &bytes);
	}
	if (q->read)
		*q->read = read;
	buf_clear(&q->items);
	buf_clear(&q->bytes);
	q->text_chars = 0;
	return status;
}

/* Keeps content, an item without its length, with its place in the page. */
static int push_content(struct anchor_queue *q, struct slice bytes, struct item item)
{
	item.len = bytes.len;
	if (q->read)
		item.placed = segmenter_offset(q->read, bytes, &item.offset);
	int status = buf_append(&q->bytes, bytes.data, bytes.len);
	return status == DANA_OK && bytes.len ? push(q, item) : status;
}

static int queue_content(void *arg, struct slice bytes, size_t chars, bool ascii)
{
	struct anchor_queue *q = arg;
	while (q->open && bytes.len) {
		/* the anchor's text ends before the first character above the limit */
		size_t fits = 0, take = 0;
		for (; take < bytes.len; take++) {
			bool lead = (bytes.data[take] & 0xC0) != 0x80;
			if (lead && q->text_chars + fits == ANCHOR_MOST)
				break;
			fits += lead;
		}
		int status = push_content(q, slice_first(bytes, take),
					  (struct item){ .kind = ITEM_CONTENT, .ascii = ascii, .chars = fits });
		q->text_chars += fits;
		bytes = slice_skip(bytes, take);
		chars -= fits;
		if (status == DANA_OK && bytes.len)
			status = anchor_queue_close(q);
		if (status < 0)
			return status;
	}
	return bytes.len ? q->next.content(q->next.arg, bytes, chars, ascii) : DANA_OK;
}

static int queue_reference(void *arg, struct slice source, const struct reference *reference)
{
	struct anchor_queue *q = arg;
	int status = q->text_chars == ANCHOR_MOST ? anchor_queue_close(q) : DANA_OK;
	if (status < 0)
		return status;
	if (!q->open)
		return q->next.reference(q->next.arg, source, reference);
	q->text_chars++;
	return push_content(q, source, (struct item){ .kind = ITEM_REFERENCE, .reference = *reference });
}

static int queue_space(void *arg, struct slice white)
{
	struct anchor_queue *q = arg;
	if (!q->open)
		return q->next.space(q->next.arg, white);
	if (q->bytes.len + white.len > ANCHOR_BYTES)
		return DANA_OK;
	int status = buf_append(&q->bytes, white.data, white.len);
	return status < 0 ? status : push(q, (struct item){ .kind = ITEM_SPACE, .len = white.len });
}

static int queue_block(void *arg)
{
	struct anchor_queue *q = arg;
	return q->open ? push(q, (struct item){ .kind = ITEM_BLOCK }) : q->next.block(q->next.arg);
}

static int queue_code(void *arg, size_t chars)
{
	struct anchor_queue *q = arg;
	return q->open ? push(q, (struct item){ .kind = ITEM_CODE, .chars = chars }) : q->next.code(q->next.arg, chars);
}

struct content_sink anchor_queue_sink(struct anchor_queue *q)
{
	return (struct content_sink){ queue_content, queue_reference, queue_space, queue_block, queue_code, q };
}

int anchor_queue_opening(struct anchor_queue *q, struct content_stream *stream, const struct html_run *run)
{
	content_stream_unit_end(stream);
	if (!run->first)
		return DANA_OK;
	int status = anchor_queue_close(q);
	q->open = true;
	return status;
}

int anchor_queue_tag(struct anchor_queue *q, const struct html_tag_event *event)
{
	bool ends = event->closing && (event->tag == HTML_TAG_A || event->tag == HTML_TAG_BODY);
	return ends && !event->skipped ? anchor_queue_close(q) : DANA_OK;
}

void anchor_queue_reset(struct anchor_queue *q)
{
	q->open = false;
	q->text_chars = 0;
	buf_clear(&q->items);
	buf_clear(&q->bytes);
}

void anchor_queue_free(struct anchor_queue *q)
{
	if (!q)
		return;
	buf_free(&q->items);
	buf_free(&q->bytes);
	free(q);
}
