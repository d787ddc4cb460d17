/* SPDX-License-Identifier: MIT */
/*
 * The loop of the tokeniser. Input is taken in windows of at most 64 KiB. In each, window_step is called again and
 * again; every call handles what begins at t->at (a stretch, units, text up to the next tag, the rest of a tag) and
 * moves t->at forward. Whatever a window cuts is kept as state: the beginning of an opening such as "</di" is held in
 * t->source until enough bytes follow to decide.
 *
 * Example: "<p>Hi</" and then "p>" gives the CODE run "<p>" with its event and the TEXT run "Hi"; "</" is held
 * (STATE_OPENING), and with the second chunk come the CODE runs "</" and "p>" and the event of </p>.
 */
#include "extract/html/tokenizer.h"

#include <stdlib.h>

#include "base/cpu.h"
#include "base/status.h"
#include "extract/html/tokenizer_markup.h"
#include "extract/html/tokenizer_passage.h"
#include "extract/html/tokenizer_scan.h"
#include "extract/html/tokenizer_state.h"
#include "extract/html/tokenizer_stretch.h"
#include "extract/html/tokenizer_units.h"

struct html_tokenizer *html_tokenizer_new(const struct html_handler *handler)
{
	struct html_tokenizer *t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->handler = *handler;
	t->handler.voids_unread &= handler->stretch != NULL; /* units and runs need the masks of all that they pass */
	t->fill = byte_masks_path();
	t->fast = bits_fast();
	t->formulas.to = &t->handler;
	t->formulas.fill = t->fill;
	return t;
}

void html_tokenizer_read_voids(struct html_tokenizer *t, bool read)
{
	t->handler.voids_unread = !read && t->handler.stretch;
}

void html_tokenizer_reset(struct html_tokenizer *t)
{
	t->state = STATE_TEXT;
	t->base = 0;
	t->source.len = 0;
	t->raw = t->skip = HTML_TAG_OTHER;
	t->title_seen = t->title_open = false;
	t->title.len = 0;
	t->in_text = false;
	t->white = (struct white_space_state){ 0 };
	formula_filter_reset(&t->formulas);
}

void html_tokenizer_free(struct html_tokenizer *t)
{
	if (!t)
		return;
	buf_free(&t->source);
	buf_free(&t->title);
	formula_filter_free(&t->formulas);
	free(t);
}

struct slice html_tokenizer_title(const struct html_tokenizer *t, bool *seen)
{
	*seen = t->title_seen;
	return buf_slice(&t->title);
}

static enum html_run_kind content_kind(const struct html_tokenizer *t)
{
	return t->raw == HTML_TAG_SCRIPT || t->raw == HTML_TAG_STYLE ? HTML_VOID : HTML_TEXT;
}

static struct opening opening_here(const struct html_tokenizer *t, struct slice b)
{
	return t->raw == HTML_TAG_OTHER ? opening_of(b) : opening_of_raw(b, t->raw);
}

/* Takes text or raw content from t->at up to the next '<' that begins something else. */
static int step_content(struct html_tokenizer *t)
{
	size_t from = t->at, i = t->at;
	struct opening o = { .kind = OPENS_NOTHING };
	for (; (i = next_lt(t, i)) < t->n; i++) {
		o = opening_here(t, opening_bytes(t, i));
		if (o.kind != OPENS_NOTHING)
			break;
	}

	int status = html_run_window(t, content_kind(t), from, i);
	if (status < 0 || i == t->n) {
		t->at = t->n;
		return status;
	}

	t->start = t->base + i;
	if (o.kind == OPENS_UNKNOWN) {
		t->state = STATE_OPENING;
		t->at = t->n;
		return buf_append(&t->source, t->p + i, t->n - i);
	}

	(void)html_opening_enter(t, &o);
	t->at = i + o.len;
	return html_step_markup(t, i);
}

/* Continues an opening that began in an earlier window: its bytes are in t->source. */
static int step_opening(struct html_tokenizer *t)
{
	size_t held = t->source.len, more = t->n < OPENING_MOST - held ? t->n : OPENING_MOST - held;
	int status = buf_append(&t->source, t->p, more);
	if (status < 0)
		return status;

	struct opening o = opening_here(t, buf_slice(&t->source));
	if (o.kind == OPENS_UNKNOWN) {
		t->at = t->n;
		return DANA_OK;
	}
	if (o.kind == OPENS_NOTHING) {
		/* only the first of the held bytes is '<': all of them are content */
		t->state = t->raw == HTML_TAG_OTHER ? STATE_TEXT : STATE_RAW;
		status = html_run_held(t, content_kind(t), held);
		t->source.len = 0;
		return status;
	}

	enum html_run_kind kind = html_opening_enter(t, &o);
	t->source.len = held;
	status = html_run_held(t, kind, held);
	if (status < 0)
		return status;
	t->at = o.len > held ? o.len - held : 0;
	return html_step_markup(t, 0);
}

static int window_step(struct html_tokenizer *t)
{
	if (t->state == STATE_TEXT) {
		size_t at = t->at;
		int status = DANA_OK;
		bool runs = t->in_text || t->at < t->runs_till || t->formulas.open;
		if (t->handler.stretch)
			status = runs ? DANA_OK : html_step_stretch(t);
		else if (t->skip == HTML_TAG_OTHER && !t->formulas.open)
			status = html_step_units(t);
		/* a stretch may reach the window's end; what follows units is handled below */
		if (status < 0 || (t->handler.stretch && t->at != at))
			return status;
	}

	if (t->handler.voids_unread && !t->formulas.open && html_in_void(t)) {
		size_t at = t->at;
		int status = html_step_void(t);
		if (status < 0 || t->at != at)
			return status;
	}

	switch (t->state) {
	case STATE_TEXT:
	case STATE_RAW:
		return step_content(t);
	case STATE_OPENING:
		return step_opening(t);
	case STATE_TAG:
	case STATE_QUOTED:
	case STATE_DECLARATION:
	case STATE_COMMENT:
		return html_step_markup(t, t->at);
	}
	return DANA_ESTATE;
}

/* Keeps the last bytes of the window, which a comment's end in the next one may need. */
static void tail_remember(struct html_tokenizer *t)
{
	uint8_t last[sizeof(t->tail)];
	for (size_t k = 0; k < sizeof(last); k++)
		last[k] = k < t->n ? t->p[t->n - 1 - k] : t->tail[k - t->n];
	memcpy(t->tail, last, sizeof(last));
}

/*
 * Returns whether to end the window at t->at, although bytes of it are left, and begin the next one there. The last tag
 * of a window is mostly cut in two. Delivered in pieces, as runs, it costs as much as many blocks of a stretch; taken
 * whole by the next window it is part of a stretch again, and only the masks of the few bytes are made twice.
 */
static bool window_over(const struct html_tokenizer *t, size_t len)
{
	enum { REST_MOST = WINDOW / 4 }; /* most bytes whose masks are made twice */

	return t->n < len && t->n - t->at <= REST_MOST && t->handler.stretch && t->state == STATE_TEXT && !t->in_text;
}

int html_tokenizer_feed(struct html_tokenizer *t, struct slice bytes)
{
	while (bytes.len) {
		t->p = bytes.data;
		t->n = bytes.len < WINDOW ? bytes.len : WINDOW;
		t->at = t->filled = t->runs_till = t->styled = 0;
		if (!t->handler.voids_unread)
			masks_need(t, (t->n + 63) / 64);
		t->masks[(t->n + 63) / 64] = (struct byte_mask){ 0 };
		do {
			int status = window_step(t);
			if (status < 0)
				return status;
		} while (t->at < t->n && !window_over(t, bytes.len));
		t->n = t->at;
		tail_remember(t);
		t->base += t->n;
		bytes = slice_skip(bytes, t->n);
	}
	return DANA_OK;
}

/* The page ends in "<", "</di" or the like: text if it is a lone '<' or in a raw element, else the start of a tag. */
static int finish_opening(struct html_tokenizer *t)
{
	if (t->state != STATE_OPENING)
		return DANA_OK;
	if (t->raw != HTML_TAG_OTHER || t->source.len == 1)
		return html_run_held(t, content_kind(t), t->source.len);

	t->tag = HTML_TAG_OTHER;
	t->closing = t->unit_begun = false;
	t->tag_skipped = t->skip != HTML_TAG_OTHER;
	return html_run_held(t, HTML_CODE, t->source.len);
}

int html_tokenizer_finish(struct html_tokenizer *t)
{
	int status = finish_opening(t);
	return status < 0 ? status : formula_filter_finish(&t->formulas);
}
