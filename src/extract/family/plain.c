/* SPDX-License-Identifier: MIT */
/*
 * All visible text: the baseline of the papers' tables. At max_text the text ends at the first byte that does not fit,
 * even if shorter text would fit later.
 */
#include "base/status.h"
#include "extract/family/content_stream.h"
#include "extract/family/methods.h"
#include "extract/family/stretch.h"
#include "extract/text_writer.h"

struct plain {
	struct content_stream stream;
	struct stretch_text words; /* of the current stretch */
	struct buf text;
	struct buf *spans;
	size_t max_text;
	bool cut;
};

static int take_content(void *arg, struct slice bytes, size_t chars, bool ascii)
{
	struct plain *p = arg;
	(void)chars;
	(void)ascii;
	if (p->cut || p->text.len + bytes.len > p->max_text) {
		/* the first byte that does not fit ends the text, so the split does not matter */
		size_t room = p->cut ? 0 : p->max_text - p->text.len;
		p->cut = true;
		bytes.len = room;
	}
	return buf_append(&p->text, bytes.data, bytes.len);
}

static int take_space(void *arg, struct slice white)
{
	return take_content(arg, white, white.len, true);
}

/* The break before the first block is not part of the text, and takes no room. */
static int take_block(void *arg)
{
	if (((struct plain *)arg)->text.len == 0)
		return DANA_OK;
	return take_content(arg, slice_of((const uint8_t *)"\n", 1), 1, true);
}

static int take_code(void *arg, size_t chars)
{
	(void)arg;
	(void)chars;
	return DANA_OK;
}

static const struct tag_limits no_limits = { NO_TAG_LIMIT, NO_TAG_LIMIT };

static int plain_init(void *state, const struct method_env *env)
{
	struct plain *p = state;
	p->max_text = env->max_text;
	p->spans = env->spans;
	p->stream.sink = (struct content_sink){ take_content, NULL, take_space, take_block, take_code, p };
	p->stream.tag.limits = &no_limits;
	content_stream_reset(&p->stream);
	return DANA_OK;
}

static int plain_run(void *state, const struct html_run *run)
{
	return content_stream_run(&((struct plain *)state)->stream, run);
}

static int plain_tag(void *state, const struct html_tag_event *event)
{
	return content_stream_tag(&((struct plain *)state)->stream, event);
}

static int plain_stretch(void *state, const struct html_stretch *h)
{
	struct plain *p = state;
	struct content_stream *s = &p->stream;
	bool begins = p->text.len == 0;
	if (p->cut)
		return DANA_OK;
	p->words.stretch = h;
	p->words.before = (struct stretch_before){ s->block_pending, s->after_space, s->lone_space };
	p->words.held = &s->held;
	stretch_count(&p->words, SCAN_TEXT, false, no_limits, true);
	int status = stretch_text_begin(&p->words, &p->text);
	if (status >= 0)
		status = stretch_text_write(&p->words, &p->text, h->from, h->to);
	struct stretch_before after = stretch_text_end(&p->words);
	s->block_pending = after.block_pending;
	s->after_space = after.after_space;
	s->lone_space = after.lone_space;
	/* no break before the first block; what does not fit is cut */
	if (begins && p->text.len && p->text.data[0] == '\n')
		memmove(p->text.data, p->text.data + 1, --p->text.len);
	p->cut = p->text.len > p->max_text;
	p->text.len = p->cut ? p->max_text : p->text.len;
	return status;
}

static int plain_finish(void *state, struct text_writer *out)
{
	struct plain *p = state;
	out->truncated |= p->cut;
	const struct method_span all = { .to = NO_TAG_LIMIT, .fate = SPAN_SHOWN };
	if (p->spans && buf_append(p->spans, &all, sizeof(all)) < 0)
		return DANA_ENOMEM;
	return text_writer_kept(out, buf_slice(&p->text));
}

static void plain_reset(void *state)
{
	struct plain *p = state;
	content_stream_reset(&p->stream);
	buf_shrink(&p->text, 1 << 20);
	p->cut = false;
}

static void plain_destroy(void *state)
{
	buf_free(&((struct plain *)state)->text);
}

const struct method method_plain = {
	.name = "plain",
	.source = "baseline",
	.memory = "visible text",
	.summary = "all visible text",
	.state_size = sizeof(struct plain),
	.init = plain_init,
	.run = plain_run,
	.tag = plain_tag,
	.stretch = plain_stretch,
	.voids_unread = true,
	.finish = plain_finish,
	.lists_spans = true,
	.reset = plain_reset,
	.destroy = plain_destroy,
};
