/* SPDX-License-Identifier: MIT */
/*
 * DANAg (Mohammadzadeh et al., KDIR 2011) and AdDANAg (KDIR 2012): segments of the page without scripts, styles and
 * comments; content against code; the chain that contains the largest region (doc/METHODS.md). Unless the count is
 * literal, tags in a listing do not count.
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"
#include "extract/family/content_stream.h"
#include "extract/family/methods.h"
#include "extract/family/segmenter.h"
#include "extract/text_writer.h"

/*
 * The content of an anchor is kept as a list of items (content, white space, block, code) until the anchor ends. Then
 * the length of its text is known: the start tag goes to the next sink as that much code, and the items follow in
 * order. Example: <a href="/a-long-address">twelve chars</a> counts as <a> with 1 + 12 - 5 more characters of code,
 * whatever its address.
 */

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
	struct segmenter_place *read; /* what `next` gets, in the page; NULL if nobody needs it */
	bool open;
	size_t text_chars; /* LT */
	struct buf items, bytes;
};

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

/* Ends the page. */
static int anchor_queue_close(struct anchor_queue *q)
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

struct danag {
	struct segmenter segments;
	struct content_stream stream;
	struct references references;
	bool substitutes; /* AdDANAg: */
	struct anchor_queue anchors;
};

static int take_content(void *arg, struct slice bytes, size_t chars, bool ascii)
{
	return segmenter_content(&((struct danag *)arg)->segments, bytes, chars, ascii);
}

static int take_reference(void *arg, struct slice source, const struct reference *reference)
{
	struct segmenter *s = &((struct danag *)arg)->segments;
	int status = segmenter_make_room(s);
	segmenter_reference(s, reference, true);
	return status < 0 ? status : segmenter_write(s, source);
}

static int take_space(void *arg, struct slice white)
{
	return buf_append(chain_selector_text(((struct danag *)arg)->segments.chain), white.data, white.len);
}

static int take_block(void *arg)
{
	struct danag *d = arg;
	int status = segmenter_make_room(&d->segments);
	return status < 0 ? status : buf_append_byte(chain_selector_text(d->segments.chain), '\n');
}

static int take_code(void *arg, size_t chars)
{
	return segmenter_code(&((struct danag *)arg)->segments, chars);
}

static int danag_init(void *state, const struct method_env *env)
{
	struct danag *d = state;
	d->stream.sink = (struct content_sink){ take_content, take_reference, take_space, take_block, take_code, d };
	d->stream.tag.limits = &d->segments.limits;
	content_stream_reset(&d->stream);
	return segmenter_init(
		&d->segments, env,
		segmenter_keys(false, (struct segmenter_count){ segmenter_text_limits, 10, false, CHAIN_RANK_SURPLUS }),
		CHAIN_HIT_SMOOTHED, CHAIN_RANK_SURPLUS);
}

/* AdDANAg: the same, with a queue of anchors between stream and segments. */
static int addanag_init(void *state, const struct method_env *env)
{
	struct danag *d = state;
	int status = danag_init(state, env);
	if (status < 0)
		return status;
	d->segments.keys.mended = (struct segmenter_count){ { 12, NO_TAG_LIMIT }, 10, false, CHAIN_RANK_REGION };
	segmenter_apply(&d->segments);
	d->substitutes = true;
	d->anchors.next = d->stream.sink;
	d->anchors.read = env->spans ? &d->segments.read : NULL;
	d->stream.sink = (struct content_sink){ queue_content, queue_reference, queue_space,
						queue_block,   queue_code,      &d->anchors };
	return DANA_OK;
}

static int danag_set(void *state, const struct method_setting *setting)
{
	struct danag *d = state;
	segmenter_set(&d->segments.keys, setting);
	segmenter_apply(&d->segments);
	d->stream.bytes = d->segments.bytes;
	return DANA_OK;
}

/* Takes a part of a text, for struct references. */
static int take_part(void *arg, const struct html_run *run, const struct reference *reference)
{
	struct danag *d = arg;
	d->segments.read = (struct segmenter_place){ run->bytes, run->offset };
	return reference ? content_stream_reference(&d->stream, run, reference) : content_stream_run(&d->stream, run);
}

static int danag_run(void *state, const struct html_run *run)
{
	struct danag *d = state;
	if (run->kind == HTML_TEXT && !run->skipped && !d->segments.literal)
		return references_run(&d->references, run, take_part, d);
	int status = references_end(&d->references, take_part, d);
	if (status < 0)
		return status;
	const bool listing = segmenter_in_listing(&d->segments, run->space);
	d->segments.read = (struct segmenter_place){ run->bytes, run->offset };
	if (d->substitutes && run->kind == HTML_CODE && run->tag == HTML_TAG_A && !run->closing && !run->skipped) {
		content_stream_unit_end(&d->stream);
		if (!run->first)
			return DANA_OK;
		status = anchor_queue_close(&d->anchors);
		d->anchors.open = !listing;
		return status;
	}
	if (listing && run->kind != HTML_TEXT) {
		content_stream_unit_end(&d->stream);
		return DANA_OK;
	}
	return content_stream_run(&d->stream, run);
}

static int danag_stretch(void *state, const struct html_stretch *stretch)
{
	struct danag *d = state;
	return segmenter_stretch_text(&d->segments, &d->stream, stretch);
}

static int danag_tag(void *state, const struct html_tag_event *event)
{
	struct danag *d = state;
	int status = content_stream_tag(&d->stream, event);
	const bool ends = event->closing && (event->tag == HTML_TAG_A || event->tag == HTML_TAG_BODY);
	return status >= 0 && ends && !event->skipped ? anchor_queue_close(&d->anchors) : status;
}

static int danag_finish(void *state, struct text_writer *out)
{
	struct danag *d = state;
	int status = references_end(&d->references, take_part, d);
	if (status >= 0 && d->substitutes)
		status = anchor_queue_close(&d->anchors);
	return status < 0 ? status : segmenter_finish(&d->segments, out);
}

static void danag_reset(void *state)
{
	struct danag *d = state;
	segmenter_reset(&d->segments);
	content_stream_reset(&d->stream);
	d->references.len = 0;
	d->anchors.open = false;
	d->anchors.text_chars = 0;
	buf_clear(&d->anchors.items);
	buf_clear(&d->anchors.bytes);
}

static void danag_destroy(void *state)
{
	struct danag *d = state;
	chain_selector_free(d->segments.chain);
	buf_free(&d->anchors.items);
	buf_free(&d->anchors.bytes);
}

static const struct method_key danag_keys[] = { SEGMENTER_KEYS("chars", "10", "0"),
						SEGMENTER_KEYS_MENDED("3", "64"),
						{ .name = NULL } };

static const struct method_key addanag_keys[] = { SEGMENTER_KEYS("chars", "10", "0"),
						  SEGMENTER_KEYS_MENDED("12", "0"),
						  { .name = NULL } };

const struct method method_danag = {
	.name = "danag",
	.source = "KDIR 2011",
	.memory = "two buffers",
	.summary = "regions with more content than code",
	.state_size = sizeof(struct danag),
	.init = danag_init,
	.keys = danag_keys,
	.set = danag_set,
	.run = danag_run,
	.tag = danag_tag,
	.stretch = danag_stretch,
	.voids_unread = true,
	.finish = danag_finish,
	.lists_spans = true,
	.reset = danag_reset,
	.destroy = danag_destroy,
};

const struct method method_addanag = {
	.name = "addanag",
	.source = "KDIR 2012",
	.memory = "two buffers + one anchor",
	.summary = "danag with links weighed as much code as text",
	.lists_spans = true,
	.state_size = sizeof(struct danag),
	.init = addanag_init,
	.keys = addanag_keys,
	.set = danag_set,
	.run = danag_run,
	.tag = danag_tag,
	.finish = danag_finish,
	.reset = danag_reset,
	.destroy = danag_destroy,
};
