/* SPDX-License-Identifier: MIT */
/*
 * Words to leaves ratio (D. Insa, J. Silva, S. Tamarit 2013), and with media (A. Bhardwaj, V. Mangat 2014). The element
 * with the highest relevance is the main one and its text, a slice of the page's text, the result. Words are counted in
 * whole subtrees. `wlr-media` also lists large media; its key `extended=1` adds kinds that the paper does not name.
 *
 * Memory: the text, 40 bytes for each element (at most 256 Ki elements; further ones are part of their parent), the
 * media.
 */
#include "base/status.h"
#include "base/work.h"
#include "extract/method/method.h"
#include "extract/method/text_writer.h"
#include "extract/method/trace.h"
#include "extract/papers/methods.h"
#include "extract/papers/page_text.h"
#include "extract/papers/wlr/media.h"
#include "extract/papers/wlr/relevance.h"

struct wlr {
	struct token_stream stream;
	struct trace *trace;
	struct page_text text;
	struct element_tree tree;
	struct buf scratch;
	bool with_media;
	struct media_list media;
	struct work *work;
};

static int take_word(struct token_stream *t, const struct token_word *word)
{
	struct wlr *s = (struct wlr *)t;
	element_tree_word(&s->tree, word->breaks);
	return page_text_add(&s->text, word);
}

static int take_tag(struct token_stream *t, const struct token_tag *tag)
{
	struct wlr *s = (struct wlr *)t;
	size_t before = s->tree.open.steps;
	int status = element_tree_tag(&s->tree, tag->event, s->text.buf.len);
	if (status >= 0)
		status = work_add(s->work, s->tree.open.steps - before, tag->event->end);
	return status >= 0 && s->with_media ? media_list_tag(&s->media, tag->event) : status;
}

static int take_skipped_tag(struct token_stream *t, const struct html_tag_event *event)
{
	struct wlr *s = (struct wlr *)t;
	return s->with_media ? media_list_tag(&s->media, event) : 0;
}

static const struct token_stream_ops ops = { .word = take_word, .tag = take_tag, .skipped_tag = take_skipped_tag };

static void wlr_reset(void *state)
{
	struct wlr *s = state;
	token_stream_reset(&s->stream, &ops);
	page_text_reset(&s->text);
	buf_shrink(&s->scratch, PAGE_KEEPS);
	element_tree_reset(&s->tree);
	media_list_reset(&s->media);
}

static int wlr_init(void *state, const struct method_env *env)
{
	struct wlr *s = state;
	page_text_init(&s->text, env);
	s->trace = env->trace;
	s->work = env->work;
	token_stream_reset(&s->stream, &ops);
	return element_tree_init(&s->tree, 0, env->max_depth);
}

static int wlr_media_init(void *state, const struct method_env *env)
{
	struct wlr *s = state;
	s->with_media = true;
	return wlr_init(state, env);
}

static const struct method_key media_keys[] = {
	{ .name = "extended", .words = "0|1", .standard = "0", .help = "1: more kinds of media" },
	{ .name = NULL },
};

static int wlr_media_set(void *state, const struct method_setting *setting)
{
	struct wlr *s = state;

	s->media.extended = setting->number == 1;
	return DANA_OK;
}

static void tell(const struct wlr *s, const struct relevance *r)
{
	const struct trace *t = s->trace;
	if (t && t->number) {
		t->number(t->arg, "highest words per leaf", r->max_ratio);
		t->number(t->arg, "words per leaf of the page", r->root_ratio);
		t->number(t->arg, "log2 of the best relevance", r->log_relevance);
	}
	for (size_t i = r->root; t && t->block && i < s->tree.elements[r->root].end; i++) {
		const struct element *e = &s->tree.elements[i], *best = &s->tree.elements[r->best];
		bool leaf = e->words && e->leaves == 1 && s->tree.elements[e->parent].leaves != 1;
		bool kept = i >= r->best && i < best->end;
		if (leaf)
			t->block(t->arg, slice_of(s->text.buf.data + e->text_start, e->text_end - e->text_start), kept,
				 (double)e->words / (double)e->leaves, kept ? "inside the best element" : "outside",
				 "");
	}
}

static int wlr_finish(void *state, struct text_writer *out)
{
	struct wlr *s = state;
	struct relevance r;
	int status = token_stream_finish(&s->stream);
	if (status >= 0 && s->with_media)
		status = media_list_finish(&s->media);
	if (status < 0)
		return status;
	element_tree_finish(&s->tree, s->text.buf.len);
	status = relevance_find(&s->tree, &s->scratch, &r);
	if (status < 0)
		return status;
	if (status > 0)
		return METHOD_NO_REGION;
	tell(s, &r);
	const struct element *best = &s->tree.elements[r.best];
	return page_text_write(&s->text, best->text_start, best->text_end, out);
}

static void wlr_destroy(void *state)
{
	struct wlr *s = state;
	page_text_free(&s->text);
	element_tree_free(&s->tree);
	buf_free(&s->scratch);
	media_list_free(&s->media);
}

static const struct dana_media *wlr_media(const void *state, size_t *count)
{
	const struct wlr *s = state;
	*count = s->media.result.len / sizeof(struct dana_media);
	return (const struct dana_media *)(const void *)s->media.result.data;
}

const struct method method_wlr = {
	.name = "wlr",
	.source = "Insa, Silva, Tamarit 2013",
	.memory = "text + 40 B an element",
	.summary = "the element with most words for each line",
	.state_size = sizeof(struct wlr),
	.init = wlr_init,
	.run = token_stream_run,
	.tag = token_stream_tag,
	.finish = wlr_finish,
	.lists_spans = true,
	.reset = wlr_reset,
	.destroy = wlr_destroy,
};

const struct method method_wlr_media = {
	.name = "wlr-media",
	.source = "Bhardwaj, Mangat 2014",
	.memory = "text + 40 B an element + media",
	.summary = "wlr with the page's large pictures and films",
	.state_size = sizeof(struct wlr),
	.init = wlr_media_init,
	.keys = media_keys,
	.set = wlr_media_set,
	.run = token_stream_run,
	.tag = token_stream_tag,
	.finish = wlr_finish,
	.lists_spans = true,
	.reset = wlr_reset,
	.destroy = wlr_destroy,
	.media = wlr_media,
};
