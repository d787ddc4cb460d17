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
#include "extract/html/attribute.h"
#include "extract/html/tokenizer_state.h"

/* ---- counts ---- */

/*
 * Counts of a run from its masks, 64 bytes at a time. Characters are counted as bytes that do not continue a character.
 * White space that follows white space is the class ANDed with itself moved by one byte: in "a  b" space = 0b0110,
 * space << 1 = 0b1100, and their AND 0b0100 marks the second space.
 */
BITS_INLINE struct html_run_count run_sum(const struct html_run *run, bool after_space)
{
	struct html_run_count sum = { 0 };
	size_t at = run->at, end = run->at + run->bytes.len, cont = 0;
	uint64_t before = after_space; /* 1 if the byte before is white space */
	while (at < end) {
		size_t block = at / 64, from = at % 64, to = end - block * 64 < 64 ? end - block * 64 : 64;
		uint64_t range = mask_range(from, to);
		const struct byte_mask *m = &run->masks[block];
		uint64_t space = m->space & range, twice = space & (space << 1 | before << from),
			 high = m->high & range;

		/* most blocks have no such bytes, and counting bits is expensive without an instruction for it */
		if (twice)
			sum.spaces += bits_count(twice);
		if (high) {
			sum.high += bits_count(high);
			cont += bits_count(m->cont & range);
		}
		before = space >> (to - 1) & 1;
		at = block * 64 + to;
	}
	sum.chars = run->bytes.len - cont;
	return sum;
}

BITS_FAST static struct html_run_count run_sum_fast(const struct html_run *run, bool after_space)
{
	return run_sum(run, after_space);
}

struct html_run_count html_run_sum(const struct html_run *run, bool after_space)
{
	enum { LONG = 256 }; /* from here on, the fast version saves more than the call of bits_fast costs */
	return run->bytes.len > LONG && bits_fast() ? run_sum_fast(run, after_space) : run_sum(run, after_space);
}

/* ---- runs ---- */

void html_masks_fill(struct html_tokenizer *t, size_t blocks)
{
	enum { FILL_AHEAD = 8 }; /* on demand, this many blocks ahead: scripts and comments need none */
	size_t all = (t->n + 63) / 64, from = t->filled, to = blocks + FILL_AHEAD < all ? blocks + FILL_AHEAD : all;
	t->fill(t->p + from * 64, (to * 64 < t->n ? to * 64 : t->n) - from * 64, t->masks + from);
	t->filled = to;
}

static inline int run_deliver(struct html_tokenizer *t, struct html_run *run)
{
	t->in_text = run->kind == HTML_TEXT;
	run->space = t->white.now;
	if (run->kind == HTML_TEXT) {
		run->tag = t->raw;
		run->skipped = t->skip != HTML_TAG_OTHER;
		const struct slice title = slice_first(run->bytes, TITLE_MOST - t->title.len);
		if (t->title_open && buf_append(&t->title, title.data, title.len) < 0)
			return DANA_ENOMEM;
	} else {
		run->tag = t->tag;
		run->closing = t->closing;
		run->skipped = t->tag_skipped;
		run->first = !t->unit_begun;
		t->unit_begun = true;
	}
	return t->inline_text.open ? inline_text_run(&t->inline_text, run) : t->handler.run(t->handler.arg, run);
}

int html_run_window(struct html_tokenizer *t, enum html_run_kind kind, size_t from, size_t to)
{
	if (from == to)
		return DANA_OK;
	/* usually the search for the run's end has filled the masks, but not if a name fills the whole window */
	if (kind != HTML_HIDDEN || !t->handler.voids_unread)
		masks_need(t, (to + 63) / 64);
	struct html_run run = { .kind = kind,
				.bytes = slice_of(t->p + from, to - from),
				.masks = t->masks,
				.at = from,
				.offset = t->base + from };
	return run_deliver(t, &run);
}

/* Delivers the first `len` held bytes of an opening that began in an earlier window. */
static int run_held(struct html_tokenizer *t, enum html_run_kind kind, size_t len)
{
	t->fill(t->source.data, len, t->held_masks);
	struct html_run run = { .kind = kind,
				.bytes = slice_of(t->source.data, len),
				.masks = t->held_masks,
				.at = 0,
				.offset = t->start };
	return run_deliver(t, &run);
}

/* ---- white space ---- */

/*
 * Outside of elements that keep white space, only two kinds of start tags matter: names such as <pre>, and tags in
 * which the window's search has found a style. Inside of them each tag is read, because elements end there and any
 * style counts.
 *
 * Example: "<pre>a <b>b</b></pre>c". <pre> comes as a run and changes t->white. "a <b>b</b>" is a stretch, whose tags
 * are read; </pre> ends the element that keeps white space, and comes as a run again.
 */
enum { STYLED_LEAST = sizeof("<p style=white-space:pre>") - 1 };

/* Returns whether a start tag inside of an element that keeps white space may have a style that counts. */
static bool has_style(struct slice source)
{
	return source.len >= STYLED_LEAST && white_space_of_style(source) != WHITE_SPACE_INHERITED;
}

/* The same anywhere. The window's search finds only styles that keep white space; in a <pre> others count as well. */
static bool may_be_styled(struct html_tokenizer *t, const struct html_tag_event *event)
{
	struct slice source = event->source;
	if (t->white.len || source.len < STYLED_LEAST || html_tag_is(event->tag, TAG_KEEPS_SPACE))
		return has_style(source);
	if (event->start < t->base)
		return white_space_find(source.data, 0, source.len, source.len) < source.len;
	return html_next_styled(t, (size_t)(event->start - t->base)) < event->end - t->base;
}

static enum white_space space_of_attributes(struct html_attr_reader attrs)
{
	for (struct html_attr attr; html_attr_next(&attrs, &attr);) {
		if (attr.number == HTML_ATTR_NUMBER('s', 't', 'y', 'l', 'e', 0, 0, 0))
			return white_space_of_style(attr.value);
	}
	return WHITE_SPACE_INHERITED;
}

/* Applies the tag to t->white and fills event->space. For handlers that ask for white space. */
static void space_take(struct html_tokenizer *t, struct html_tag_event *event)
{
	enum html_tag tag = event->tag;
	event->space = t->white.now;
	if (t->white.len == 0 && event->closing)
		return;
	bool styled = !event->closing && may_be_styled(t, event);
	if (t->white.len == 0 && !styled && !html_tag_is(tag, TAG_KEEPS_SPACE))
		return;
	/* the tags of scripts may come without an event */
	if (event->skipped || event->self_closing || html_is_script(tag))
		return;
	if (event->closing) {
		white_space_end(&t->white, tag);
	} else {
		enum white_space own = styled ? space_of_attributes(html_attr_begin(event)) : WHITE_SPACE_INHERITED;
		if (own == WHITE_SPACE_INHERITED)
			own = white_space_of_tag(tag, event->name);
		white_space_start(&t->white, tag, own);
	}
	event->space = t->white.now;
}

/* Returns the first byte of p[from..to) where a tag begins or, with `ends`, outside of tags; else `to`. */
static inline size_t next_tag(const struct html_tokenizer *t, size_t from, size_t to, bool ends)
{
	uint64_t keep = ~(uint64_t)0 << from % 64;
	for (size_t block = from / 64; block * 64 < to; block++, keep = ~(uint64_t)0) {
		uint64_t bits = (t->starts[block] | (ends ? ~t->code[block] : 0)) & keep;
		if (bits) {
			size_t at = block * 64 + (size_t)__builtin_ctzll(bits);
			return at < to ? at : to;
		}
	}
	return to;
}

/*
 * Fills the members of the unit that describe the tag at unit->code, up to its name's end, after which p[unit->end - 1]
 * is. The name must be readable as html_tag_read reads it.
 */
static inline void unit_name(const uint8_t *p, struct html_unit *unit)
{
	unit->closing = p[unit->code + 1] == '/';
	const size_t name = unit->code + 1 + unit->closing;
	const struct html_tag_name read = html_tag_read(p + name);
	unit->tag = (uint8_t)read.tag;
	unit->name_len = read.len;
	unit->end = name + read.len + 1;
}

/* Returns the white space of an element inside of one that keeps white space. */
static enum white_space space_of_unit(const struct html_unit *u)
{
	const struct slice source = slice_first(slice_of(u->window + u->code, u->end - u->code), HTML_TAG_BYTES);
	enum white_space space = WHITE_SPACE_INHERITED;
	if (has_style(source))
		space = space_of_attributes(html_attr_of_unit(u));
	if (space != WHITE_SPACE_INHERITED || !html_tag_is(u->tag, TAG_KEEPS_SPACE))
		return space;
	return white_space_of_tag(u->tag, slice_of(u->window + u->code + 1, u->name_len));
}

/* Copies what a tag may change: a block's start tag may end others and take the place of one of them. */
static inline void keep_state(struct white_space_state *kept, const struct white_space_state *s, bool whole)
{
	if (whole)
		*kept = *s;
	else
		memcpy(kept, s, offsetof(struct white_space_state, open));
}

size_t html_space_follow(struct html_tokenizer *t, size_t from, size_t to)
{
	struct html_unit unit = { .window = t->p, .masks = t->masks, .len = t->n, .base = t->base };
	struct white_space_state before;
	size_t done = from;
	for (size_t at = next_tag(t, from, to, false); at < to; at = next_tag(t, done, to, false)) {
		unit.code = at;
		unit_name(t->p, &unit);
		if (t->p[unit.end - 1] != '>')
			unit.end = next_tag(t, unit.end, to, true);
		unit.self_closing = t->p[unit.end - 2] == '/';
		const bool whole = !unit.closing && !html_tag_is(unit.tag, TAG_INLINE);
		keep_state(&before, &t->white, whole);
		if (unit.closing && !unit.self_closing)
			white_space_end(&t->white, unit.tag);
		else if (!unit.self_closing)
			white_space_start(&t->white, unit.tag, space_of_unit(&unit));
		if (t->white.now != before.now) {
			keep_state(&t->white, &before, whole);
			t->runs_till = at + 1;
			return done;
		}
		done = unit.end;
	}
	return to;
}

/* ---- tags, declarations and comments ---- */

/* Returns the next '<' in the window or, with `stops`, the next '>' or quote; t->n if there is none. */
static inline size_t next_of(struct html_tokenizer *t, size_t from, bool stops)
{
	for (size_t block = from / 64, keep = from % 64; block * 64 < t->n; block++, keep = 0) {
		masks_need(t, block + 1);
		const struct byte_mask *m = &t->masks[block];
		uint64_t bits = (stops ? m->gt | m->quote | m->apos : m->lt) & ~(uint64_t)0 << keep;
		if (bits)
			return block * 64 + (size_t)__builtin_ctzll(bits);
	}
	return t->n;
}

/* Returns whether the last byte before p[i] that is not white space is '='. Looks no further back than p[from]. */
static inline bool follows_equals(const struct html_tokenizer *t, size_t from, size_t i)
{
	while (i > from) {
		uint8_t c = t->p[--i];
		if (!ascii_is_space(c))
			return c == '=';
	}
	return t->after_equals;
}

/* Scans a tag from t->at, quote by quote. Returns true if it ends in this window; *end is the byte after its '>'. */
static bool tag_scan(struct html_tokenizer *t, size_t *end)
{
	size_t from = t->at;
	for (size_t i = t->at; (i = next_of(t, i, true)) < t->n; i++) {
		uint8_t c = t->p[i];
		*end = i + 1;
		if (t->state == STATE_QUOTED) {
			if (c == '>' && t->base + i - t->start >= QUOTED_TAG_MOST)
				return true;
			if (c == t->quote) {
				t->state = STATE_TAG;
				t->after_equals = false;
				from = i + 1;
			}
		} else if (c == '>') {
			return true;
		} else if (follows_equals(t, from, i)) {
			t->state = STATE_QUOTED;
			t->quote = c;
		}
	}
	if (t->state == STATE_TAG)
		t->after_equals = follows_equals(t, from, t->n);
	return false;
}

static enum html_run_kind tag_kind(const struct html_tokenizer *t)
{
	return html_is_script(t->tag) ? HTML_HIDDEN : HTML_CODE;
}

/* Sets the state for the tag, comment or declaration that an opening begins; returns the kind of its bytes. */
static enum html_run_kind opening_enter(struct html_tokenizer *t, const struct opening *o)
{
	t->unit_begun = false;
	t->tag = (uint8_t)o->name.tag; /* HTML_TAG_OTHER if it is not a tag's */
	t->closing = o->closing;
	if (o->kind != OPENS_TAG) {
		t->tag_skipped = t->skip != HTML_TAG_OTHER;
		t->state = o->kind == OPENS_COMMENT ? STATE_COMMENT : STATE_DECLARATION;
		return o->kind == OPENS_COMMENT ? HTML_HIDDEN : HTML_CODE;
	}
	t->name_len = o->name.len;
	t->after_equals = false;
	if (t->skip != HTML_TAG_OTHER && html_breaks_out(t->skip, t->tag, t->closing))
		t->skip = HTML_TAG_OTHER;
	t->tag_skipped = t->skip != HTML_TAG_OTHER || html_tag_is(t->tag, TAG_SKIP);
	t->state = STATE_TAG;
	return tag_kind(t);
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
	if (self_closing && tag_kind(t) != HTML_HIDDEN)
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

/* Keeps p[from..to) of a tag that more than one window holds: of its first HTML_TAG_BYTES bytes. */
static int source_keep(struct html_tokenizer *t, size_t from, size_t to)
{
	const struct slice part = slice_first(slice_of(t->p + from, to - from), HTML_TAG_BYTES - t->source.len);
	return buf_append(&t->source, part.data, part.len);
}

/*
 * Ends the tag whose '>' is p[end - 1] and whose bytes before p[from] have been delivered. Its event borrows the
 * window's bytes, unless it began in an earlier one. Example: "<a href=x" at the end of a window is delivered as a CODE
 * run and kept; " id=y>" gives the second CODE run, and the event's source is "<a href=x id=y>".
 */
static int tag_end(struct html_tokenizer *t, size_t from, size_t end)
{
	struct html_tag_event event = { .tag = t->tag,
					.closing = t->closing,
					.self_closing = (end >= 2 ? t->p[end - 2] : t->tail[0]) == '/',
					.skipped = t->tag_skipped,
					.start = t->start,
					.end = t->base + end };
	int status = html_run_window(t, tag_kind(t), from, end);
	if (status < 0)
		return status;
	if (t->start >= t->base) {
		event.source = slice_first(slice_of(t->p + (t->start - t->base), event.end - t->start), HTML_TAG_BYTES);
	} else {
		status = source_keep(t, 0, end);
		event.source = buf_slice(&t->source);
		if (status < 0)
			return status;
	}
	event.name = slice_of(event.source.data + 1 + t->closing, t->name_len);
	tag_takes_effect(t, event.self_closing);
	if (t->handler.white_space)
		space_take(t, &event);

	bool formula = t->handler.formulas && !event.closing;
	formula &= event.tag == HTML_TAG_MATH
			   ? t->skip == HTML_TAG_MATH
			   : !event.skipped && (html_tag_is(event.tag, TAG_RAISED) ||
						(event.tag == HTML_TAG_SCRIPT && formula_mathjax_likely(event.source)));
	status = formula || t->inline_text.open ? inline_text_tag(&t->inline_text, &event, formula)
						: t->handler.tag(t->handler.arg, &event);
	t->source.len = 0;
	return status;
}

/* Continues at t->at in the current tag, declaration or comment, whose bytes before p[from] have been delivered. */
static int step_markup(struct html_tokenizer *t, size_t from)
{
	const bool tag = t->state == STATE_TAG || t->state == STATE_QUOTED, comment = t->state == STATE_COMMENT;
	const enum html_run_kind kind = tag ? tag_kind(t) : comment ? HTML_HIDDEN : HTML_CODE;
	size_t end = t->at;
	bool ends;
	if (tag) {
		ends = (from < t->at && t->filled * 64 >= t->n && tag_scan_plain(t, t->at, &end)) || tag_scan(t, &end);
	} else {
		while ((end = next_of(t, end, true)) < t->n &&
		       !(t->p[end] == '>' && (!comment || comment_ends(t, t->start, end))))
			end++;
		ends = end++ < t->n;
	}
	if (!ends) {
		t->at = t->n;
		int status = html_run_window(t, kind, from, t->n);
		if (status < 0 || !tag)
			return status;
		return source_keep(t, t->start >= t->base ? (size_t)(t->start - t->base) : 0, t->n);
	}
	t->at = end;
	if (tag)
		return tag_end(t, from, end);
	t->state = STATE_TEXT;
	t->source.len = 0;
	return html_run_window(t, kind, from, end);
}

/* ---- units ---- */

/* Delivers a unit as runs and a tag, to a handler without `unit`. */
static int replay(struct html_tokenizer *t, const struct html_unit *u)
{
	const struct html_handler *handler = &t->handler;
	struct html_run run = unit_text_run(u);
	run.space = t->white.now; /* never set for a handler that does not ask for it */
	int status = run.bytes.len ? handler->run(handler->arg, &run) : 0;
	if (status < 0)
		return status;
	run = (struct html_run){ .kind = HTML_CODE,
				 .tag = u->tag,
				 .closing = u->closing,
				 .space = run.space,
				 .first = true,
				 .bytes = slice_of(u->window + u->code, u->end - u->code),
				 .masks = u->masks,
				 .at = u->code,
				 .offset = u->base + u->code };
	status = handler->run(handler->arg, &run);
	if (status < 0)
		return status;
	struct html_tag_event event = html_unit_event(u);
	/* elsewhere white space collapses both before and after the tag */
	if (handler->white_space && (t->white.len || html_tag_is(u->tag, TAG_KEEPS_SPACE) ||
				     (!u->closing && html_next_styled(t, u->code) < u->end)))
		space_take(t, &event);
	return handler->tag(handler->arg, &event);
}

/*
 * Units: texts and ordinary tags, one after the other, as long as the window holds each completely and it changes no
 * state. The result is the same as by step_content and step_markup, at a fraction of their cost.
 *
 * The loop goes from each '<' of the masks to the next and ignores those inside of the last tag. Searching for the next
 * '<' from the tag's end on would be simpler, but the processor could not begin with it before the end is known.
 *
 * Example: "Hi <b>you</b> <script>", in the middle of a window, gives the units "Hi <b>" and "you</b>"; <script> is
 * raw, and is left with the text before it to step_content.
 */
static int step_units(struct html_tokenizer *t)
{
	struct html_unit unit = { .window = t->p, .masks = t->masks, .len = t->n, .base = t->base };
	size_t last = t->n > OPENING_MOST ? t->n - OPENING_MOST : 0, block = t->at / 64;
	uint64_t bits = t->masks[block].lt & ~(uint64_t)0 << t->at % 64;
	const uint32_t stops = TAG_RAW | TAG_SKIP | (t->handler.formulas ? TAG_RAISED : 0);
	int status = DANA_OK;
	while (status >= 0) {
		while (!bits && ++block * 64 < last)
			bits = t->masks[block].lt;
		if (!bits)
			break;
		unit.code = block * 64 + (size_t)__builtin_ctzll(bits);
		bits &= bits - 1;
		if (unit.code < t->at)
			continue;
		const uint8_t *name = t->p + unit.code + 1;
		if (unit.code >= last || !ascii_is_alpha(name[*name == '/']))
			break;
		unit_name(t->p, &unit);
		if (html_tag_properties[unit.tag] & stops ||
		    (t->p[unit.end - 1] != '>' && !tag_scan_plain(t, unit.end - 1, &unit.end)))
			break;
		unit.self_closing = t->p[unit.end - 2] == '/';
		unit.text = t->at;
		t->at = unit.end;
		status = t->handler.unit ? t->handler.unit(t->handler.arg, &unit) : replay(t, &unit);
	}
	return status;
}

/* ---- the loop ---- */

struct html_tokenizer *html_tokenizer_new(const struct html_handler *handler)
{
	struct html_tokenizer *t = malloc(sizeof(*t));
	if (!t)
		return NULL;
	/* not the masks of the window, 64 KB, which are made before they are read */
	memset(t, 0, offsetof(struct html_tokenizer, masks));
	memset(&t->masks[MASKS], 0, sizeof(t->masks[MASKS]));
	memset(t->held_masks, 0, sizeof(t->held_masks));
	t->handler = *handler;
	t->handler.voids_unread &= handler->stretch != NULL; /* units and runs need the masks of all that they pass */
	t->fill = byte_masks_path();
	t->fast = bits_fast();
	t->inline_text.to = &t->handler;
	t->inline_text.fill = t->fill;
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
	inline_text_reset(&t->inline_text);
}

void html_tokenizer_free(struct html_tokenizer *t)
{
	if (!t)
		return;
	buf_free(&t->source);
	buf_free(&t->title);
	inline_text_free(&t->inline_text);
	free(t);
}

struct slice html_tokenizer_title(const struct html_tokenizer *t, bool *seen)
{
	*seen = t->title_seen;
	return buf_slice(&t->title);
}

static enum html_run_kind content_kind(const struct html_tokenizer *t)
{
	return html_is_script(t->raw) ? HTML_HIDDEN : HTML_TEXT;
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
	while ((i = next_of(t, i, false)) < t->n) {
		o = opening_here(t, opening_bytes(t, i));
		if (o.kind != OPENS_NOTHING)
			break;
		i++;
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
	(void)opening_enter(t, &o);
	t->at = i + o.len;
	return step_markup(t, i);
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
		status = run_held(t, content_kind(t), held);
		t->source.len = 0;
		return status;
	}

	enum html_run_kind kind = opening_enter(t, &o);
	t->source.len = held;
	status = run_held(t, kind, held);
	if (status < 0)
		return status;
	t->at = o.len > held ? o.len - held : 0;
	return step_markup(t, 0);
}

static int window_step(struct html_tokenizer *t)
{
	if (t->state == STATE_TEXT) {
		size_t at = t->at;
		int status = DANA_OK;
		bool runs = t->in_text || t->at < t->runs_till || t->inline_text.open;
		if (t->handler.stretch)
			status = runs ? DANA_OK : html_step_stretch(t);
		else if (t->skip == HTML_TAG_OTHER && !t->inline_text.open)
			status = step_units(t);
		/* a stretch may reach the window's end; what follows units is handled below */
		if (status < 0 || (t->handler.stretch && t->at != at))
			return status;
	}

	if (t->handler.voids_unread && !t->inline_text.open) {
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
		return step_markup(t, t->at);
	}
	return DANA_ESTATE;
}

int html_tokenizer_feed(struct html_tokenizer *t, struct slice bytes)
{
	enum { REST_MOST = WINDOW / 4 }; /* bytes whose masks may be made twice */
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
			/*
			 * The last tag of a window is mostly cut in two. Delivered in pieces, as runs, it costs as much
			 * as many blocks of a stretch; taken whole by a next window that begins with it, it is part of
			 * a stretch again, and only the masks of the few bytes are made twice.
			 */
			if (t->n < bytes.len && t->n - t->at <= REST_MOST && t->handler.stretch &&
			    t->state == STATE_TEXT && !t->in_text)
				break;
		} while (t->at < t->n);
		t->n = t->at;
		/* the last bytes, which a comment's end in the next window may need */
		uint8_t last[sizeof(t->tail)];
		for (size_t k = 0; k < sizeof(last); k++)
			last[k] = k < t->n ? t->p[t->n - 1 - k] : t->tail[k - t->n];
		memcpy(t->tail, last, sizeof(last));
		t->base += t->n;
		bytes = slice_skip(bytes, t->n);
	}
	return DANA_OK;
}

int html_tokenizer_finish(struct html_tokenizer *t)
{
	int status = DANA_OK;
	if (t->state == STATE_OPENING) {
		/* the page ends in "<", "</di" or the like: text if it is a lone '<' or in a raw element, else a tag */
		const bool text = t->raw != HTML_TAG_OTHER || t->source.len == 1;
		if (!text)
			(void)opening_enter(t, &(struct opening){ .kind = OPENS_DECLARATION });
		status = run_held(t, text ? content_kind(t) : HTML_CODE, t->source.len);
	}
	return status < 0 ? status : inline_text_finish(&t->inline_text);
}
