/* SPDX-License-Identifier: MIT */
/*
 * DANAg (Mohammadzadeh et al., KDIR 2011) and AdDANAg (KDIR 2012): segments of the page without scripts, styles and
 * comments; content against code; the chain that contains the largest region (doc/METHODS.md).
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/status.h"
#include "extract/family/anchor_queue.h"
#include "extract/family/content_stream.h"
#include "extract/family/methods.h"
#include "extract/family/segmenter.h"
#include "extract/text_writer.h"

struct danag {
	struct segmenter segments;
	struct content_stream stream;
	struct references references;
	struct anchor_queue *anchors; /* AdDANAg only */
	struct segmenter_keys keys;
	struct chain_config chain;
	struct buf *spans;
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

static void apply_keys(struct danag *d)
{
	d->segments.length = d->keys.segment;
	d->segments.bytes = d->stream.bytes = d->keys.bytes;
	d->segments.literal = d->keys.literal;
	const struct segmenter_count count = segmenter_count(&d->keys);
	d->segments.limits = d->stream.tag.limits = count.limits;
	d->chain.gap = count.gap;
	d->chain.gap_fill = count.gap_fill;
	d->chain.rank = count.rank;
	chain_selector_configure(d->segments.chain, &d->chain);
}

static int danag_init(void *state, const struct method_env *env)
{
	struct danag *d = state;
	d->keys =
		segmenter_keys(false, (struct segmenter_count){ segmenter_text_limits, 10, false, CHAIN_RANK_SURPLUS });
	d->chain = (struct chain_config){ .hit = CHAIN_HIT_SMOOTHED, .max_text = env->max_text, .trace = env->trace };
	d->segments.chain = chain_selector_new(&d->chain);
	d->segments.places = env->spans != NULL;
	d->spans = env->spans;
	d->stream.sink = (struct content_sink){ take_content, take_reference, take_space, take_block, take_code, d };
	content_stream_reset(&d->stream);
	if (!d->segments.chain)
		return DANA_ENOMEM;
	apply_keys(d);
	return DANA_OK;
}

/* AdDANAg: the same, with a queue of anchors between stream and segments. */
static int addanag_init(void *state, const struct method_env *env)
{
	struct danag *d = state;
	int status = danag_init(state, env);
	if (status < 0)
		return status;
	d->keys.mended = (struct segmenter_count){ { 12, NO_TAG_LIMIT }, 10, false, CHAIN_RANK_REGION };
	apply_keys(d);
	d->anchors = anchor_queue_new(&d->stream.sink, env->spans ? &d->segments.read : NULL);
	if (!d->anchors)
		return DANA_ENOMEM;
	d->stream.sink = anchor_queue_sink(d->anchors);
	return DANA_OK;
}

static int danag_set(void *state, const struct method_setting *setting)
{
	struct danag *d = state;

	segmenter_set(&d->keys, setting);
	apply_keys(d);
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
	if (run->kind == HTML_TEXT && !run->skipped && !d->keys.literal)
		return references_run(&d->references, run, take_part, d);
	int status = references_end(&d->references, take_part, d);
	if (status < 0)
		return status;
	d->segments.read = (struct segmenter_place){ run->bytes, run->offset };
	if (d->anchors && run->kind == HTML_CODE && run->tag == HTML_TAG_A && !run->closing && !run->skipped)
		return anchor_queue_opening(d->anchors, &d->stream, run);
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
	return d->anchors && status >= 0 ? anchor_queue_tag(d->anchors, event) : status;
}

static int danag_finish(void *state, struct text_writer *out)
{
	struct danag *d = state;
	int status = references_end(&d->references, take_part, d);
	if (status >= 0 && d->anchors)
		status = anchor_queue_close(d->anchors);
	if (status >= 0)
		status = segmenter_finish(&d->segments, d->chain.trace);
	if (status < 0)
		return status;
	out->truncated |= chain_selector_cut(d->segments.chain);
	int written = text_writer_kept(out, chain_selector_result(d->segments.chain));
	if (written >= 0 && d->spans)
		written = chain_selector_spans(d->segments.chain, d->spans);
	return written < 0 ? written : status;
}

static void danag_reset(void *state)
{
	struct danag *d = state;
	segmenter_reset(&d->segments);
	content_stream_reset(&d->stream);
	d->references.len = 0;
	if (d->anchors)
		anchor_queue_reset(d->anchors);
}

static void danag_destroy(void *state)
{
	struct danag *d = state;
	chain_selector_free(d->segments.chain);
	anchor_queue_free(d->anchors);
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
