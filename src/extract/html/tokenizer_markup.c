/* SPDX-License-Identifier: MIT */
/*
 * Tags, declarations and comments, whole or in pieces. Where a tag lies in one window, its event borrows the window's
 * bytes; where it began in an earlier one, those bytes were kept in t->source, and the rest is appended when the '>' is
 * found.
 *
 * Example: "<a href=x" at the end of a window is delivered as a CODE run and kept; " id=y>" gives the second CODE run,
 * and the event's source is "<a href=x id=y>".
 */
#include "extract/html/tokenizer_markup.h"

#include "base/status.h"
#include "extract/html/tokenizer_scan.h"
#include "extract/html/tokenizer_space.h"
#include "extract/html/tokenizer_stretch.h"

void html_masks_fill(struct html_tokenizer *t, size_t blocks)
{
	size_t all = (t->n + 63) / 64, from = t->filled, to = blocks + FILL_AHEAD < all ? blocks + FILL_AHEAD : all;
	t->fill(t->p + from * 64, (to * 64 < t->n ? to * 64 : t->n) - from * 64, t->masks + from);
	t->filled = to;
}

/* ---- runs ---- */

static int run_deliver(struct html_tokenizer *t, struct html_run *run)
{
	t->in_text = run->kind == HTML_TEXT;
	if (run->kind == HTML_TEXT) {
		run->tag = t->raw;
		run->space = t->white.now;
		run->skipped = t->skip != HTML_TAG_OTHER;
		if (t->title_open) {
			size_t room = TITLE_MOST - t->title.len;
			int status =
				buf_append(&t->title, run->bytes.data, run->bytes.len < room ? run->bytes.len : room);
			if (status < 0)
				return status;
		}
	} else {
		run->tag = t->tag;
		run->closing = t->closing;
		run->skipped = t->tag_skipped;
		run->first = !t->unit_begun;
		t->unit_begun = true;
	}

	return t->formulas.open ? formula_filter_run(&t->formulas, run) : t->handler.run(t->handler.arg, run);
}

int html_run_window(struct html_tokenizer *t, enum html_run_kind kind, size_t from, size_t to)
{
	if (from == to)
		return DANA_OK;

	/* usually the search for the run's end has filled the masks, but not if a name fills the whole window */
	if (kind != HTML_VOID || !t->handler.voids_unread)
		masks_need(t, (to + 63) / 64);
	struct html_run run = { .kind = kind,
				.bytes = slice_of(t->p + from, to - from),
				.masks = t->masks,
				.at = from,
				.offset = t->base + from };
	return run_deliver(t, &run);
}

int html_run_held(struct html_tokenizer *t, enum html_run_kind kind, size_t len)
{
	t->fill(t->source.data, len, t->held_masks);
	struct html_run run = { .kind = kind,
				.bytes = slice_of(t->source.data, len),
				.masks = t->held_masks,
				.at = 0,
				.offset = t->start };
	return run_deliver(t, &run);
}

/* ---- tags ---- */

static enum html_run_kind tag_kind(const struct html_tokenizer *t)
{
	return t->tag == HTML_TAG_SCRIPT || t->tag == HTML_TAG_STYLE ? HTML_VOID : HTML_CODE;
}

static void tag_begin(struct html_tokenizer *t, const struct opening *o)
{
	t->tag = (uint8_t)o->name.tag;
	t->closing = o->closing;
	t->name_len = o->name.len;
	t->after_equals = false;
	if (t->skip != HTML_TAG_OTHER && html_breaks_out(t->skip, t->tag, t->closing))
		t->skip = HTML_TAG_OTHER;
	t->tag_skipped = t->skip != HTML_TAG_OTHER || html_tag_is(t->tag, TAG_SKIP);
	t->state = STATE_TAG;
}

/* Applies what a finished tag changes for the bytes after it. */
static void tag_takes_effect(struct html_tokenizer *t, bool self_closing)
{
	t->raw = HTML_TAG_OTHER;
	t->state = STATE_TEXT;
	if (t->closing) {
		if (t->tag == HTML_TAG_TITLE)
			t->title_open = false;
		if (t->tag == t->skip)
			t->skip = HTML_TAG_OTHER;
		return;
	}

	/* <script/> is not an empty element in any browser; for other elements the '/' counts */
	bool script = t->tag == HTML_TAG_SCRIPT || t->tag == HTML_TAG_STYLE;
	if (self_closing && !script)
		return;

	if (html_tag_is(t->tag, TAG_RAW)) {
		t->raw = t->tag;
		t->state = STATE_RAW;
	}
	if (t->skip == HTML_TAG_OTHER && html_tag_is(t->tag, TAG_SKIP)) {
		t->skip = t->tag;
		if (t->tag == HTML_TAG_TITLE && !t->title_seen)
			t->title_seen = t->title_open = true;
	}
}

/* Stores the source of the tag that ends before p[end]: its first HTML_TAG_BYTES bytes. */
static int tag_source(struct html_tokenizer *t, size_t end, struct slice *source)
{
	if (t->start >= t->base) {
		size_t at = (size_t)(t->start - t->base), len = end - at;
		*source = slice_of(t->p + at, len < HTML_TAG_BYTES ? len : HTML_TAG_BYTES);
		return DANA_OK;
	}

	size_t room = HTML_TAG_BYTES - t->source.len;
	int status = buf_append(&t->source, t->p, end < room ? end : room);
	*source = buf_slice(&t->source);
	return status;
}

/* Returns whether a tag, which has taken effect, may begin a formula. */
static bool begins_formula(const struct html_tokenizer *t, const struct html_tag_event *event)
{
	if (!t->handler.formulas || event->closing)
		return false;
	if (event->tag == HTML_TAG_MATH)
		return t->skip == HTML_TAG_MATH;
	return event->tag == HTML_TAG_SCRIPT && !event->skipped && formula_mathjax_likely(event->source);
}

/* Ends the tag whose '>' is p[end - 1] and whose bytes before p[from] have been delivered. */
static int tag_end(struct html_tokenizer *t, size_t from, size_t end)
{
	int status = html_run_window(t, tag_kind(t), from, end);
	if (status < 0)
		return status;

	struct html_tag_event event = { .tag = t->tag,
					.closing = t->closing,
					.self_closing = (end >= 2 ? t->p[end - 2] : t->tail[0]) == '/',
					.skipped = t->tag_skipped,
					.start = t->start,
					.end = t->base + end };
	status = tag_source(t, end, &event.source);
	if (status < 0)
		return status;
	event.name = slice_of(event.source.data + 1 + t->closing, t->name_len);

	tag_takes_effect(t, event.self_closing);
	if (t->handler.white_space)
		html_space_take(t, &event);
	const bool begins = begins_formula(t, &event);
	status = begins || t->formulas.open ? formula_filter_tag(&t->formulas, &event, begins)
					    : t->handler.tag(t->handler.arg, &event);
	t->source.len = 0;
	return status;
}

/* Called when the window ends inside of markup: delivers the bytes from p[from] on, and keeps a tag's source. */
static int markup_suspend(struct html_tokenizer *t, enum html_run_kind kind, size_t from, bool is_tag)
{
	int status = html_run_window(t, kind, from, t->n);
	if (status == DANA_OK && is_tag) {
		size_t at = t->start >= t->base ? (size_t)(t->start - t->base) : 0;
		size_t len = t->n - at, room = HTML_TAG_BYTES - t->source.len;
		status = buf_append(&t->source, t->p + at, len < room ? len : room);
	}
	t->at = t->n;
	return status;
}

static int step_tag(struct html_tokenizer *t, size_t from)
{
	size_t end;
	bool plain = from < t->at && t->filled * 64 >= t->n && tag_scan_plain(t, t->at, &end);
	if (!plain && !tag_scan(t, &end))
		return markup_suspend(t, tag_kind(t), from, true);
	t->at = end;
	return tag_end(t, from, end);
}

/* ---- declarations and comments ---- */

static int step_declaration(struct html_tokenizer *t, size_t from)
{
	bool comment = t->state == STATE_COMMENT;
	enum html_run_kind kind = comment ? HTML_VOID : HTML_CODE;
	size_t i = t->at;
	while ((i = next_stop(t, i)) < t->n && !(t->p[i] == '>' && (!comment || comment_ends(t, t->start, i))))
		i++;
	if (i == t->n)
		return markup_suspend(t, kind, from, false);
	t->at = i + 1;
	t->state = STATE_TEXT;
	t->source.len = 0;
	return html_run_window(t, kind, from, i + 1);
}

/* ---- openings ---- */

enum html_run_kind html_opening_enter(struct html_tokenizer *t, const struct opening *o)
{
	t->unit_begun = false;
	if (o->kind == OPENS_TAG) {
		tag_begin(t, o);
		return tag_kind(t);
	}
	t->tag = HTML_TAG_OTHER;
	t->closing = false;
	t->tag_skipped = t->skip != HTML_TAG_OTHER;
	t->state = o->kind == OPENS_COMMENT ? STATE_COMMENT : STATE_DECLARATION;
	return o->kind == OPENS_COMMENT ? HTML_VOID : HTML_CODE;
}

int html_step_markup(struct html_tokenizer *t, size_t from)
{
	bool tag = t->state == STATE_TAG || t->state == STATE_QUOTED;
	return tag ? step_tag(t, from) : step_declaration(t, from);
}
