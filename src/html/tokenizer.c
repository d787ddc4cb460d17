#include "html/tokenizer.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/status.h"
#include "html/tokenizer_scan.h"
#include "html/tokenizer_state.h"
#include "html/tokenizer_stretch.h"

struct html_tokenizer *html_tokenizer_new(const struct html_handler *handler, byte_masks_fn fill)
{
	struct html_tokenizer *t = calloc(1, sizeof *t);
	if (!t)
		return NULL;
	size_t count;
	t->handler = *handler;
	t->fill = fill ? fill : byte_masks_paths(&count)[0].fill;
	t->fast = !fill && bits_fast(); /* a path that is asked for is plain C in all */
	return t;
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
}

void html_tokenizer_free(struct html_tokenizer *t)
{
	if (!t)
		return;
	buf_free(&t->source);
	buf_free(&t->title);
	free(t);
}

struct slice html_tokenizer_title(const struct html_tokenizer *t, bool *seen)
{
	*seen = t->title_seen;
	return buf_slice(&t->title);
}

bool html_tokenizer_title_done(const struct html_tokenizer *t)
{
	return t->title_seen && !t->title_open;
}

/* ---- runs ---- */

static int run_deliver(struct html_tokenizer *t, struct html_run *run)
{
	t->in_text = run->kind == HTML_TEXT;
	if (run->kind == HTML_TEXT) {
		run->tag = t->raw;
		run->skipped = t->skip != HTML_TAG_OTHER;
		if (t->title_open) {
			size_t room = TITLE_MOST - t->title.len;
			int status = buf_append(&t->title, run->bytes.data, run->bytes.len < room ? run->bytes.len : room);
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
	return t->handler.run(t->handler.arg, run);
}

/* Delivers p[from..to) of the window. */
static int run_window(struct html_tokenizer *t, enum html_run_kind kind, size_t from, size_t to)
{
	if (from == to)
		return DANA_OK;
	struct html_run run = { .kind = kind,
				.bytes = slice_of(t->p + from, to - from),
				.masks = t->masks,
				.at = from,
				.offset = t->base + from };
	return run_deliver(t, &run);
}

/* Delivers the held bytes of an opening that began in an earlier window. */
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
	t->behind_equals = false;
	if (t->skip != HTML_TAG_OTHER && html_breaks_out(t->skip, t->tag, t->closing))
		t->skip = HTML_TAG_OTHER;
	t->tag_skipped = t->skip != HTML_TAG_OTHER || html_tag_is(t->tag, TAG_SKIP);
	t->state = STATE_TAG;
}

/* What a finished tag changes for the bytes behind it. */
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
	/* <script/> is no empty element, not even for browsers; the others are taken at their word */
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

/* The whole source of the tag that ends before p[end], as far as it is kept. */
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

/* The tag's '>' is p[end - 1]; its bytes from p[from] on are not delivered yet. */
static int tag_end(struct html_tokenizer *t, size_t from, size_t end)
{
	int status = run_window(t, tag_kind(t), from, end);
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
	status = t->handler.tag(t->handler.arg, &event);
	t->source.len = 0;
	return status;
}

/* The window ends inside markup: what is there from p[from] on is delivered; a tag's source is kept. */
static int markup_suspend(struct html_tokenizer *t, enum html_run_kind kind, size_t from, bool is_tag)
{
	int status = run_window(t, kind, from, t->n);
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
	if (!(from < t->at && tag_scan_plain(t, t->at, &end)) && !tag_scan(t, &end))
		return markup_suspend(t, tag_kind(t), from, true);
	t->at = end;
	return tag_end(t, from, end);
}

/* ---- declarations and comments ---- */

/* Byte number `back` before p[i] (1 = the one before), from earlier windows where need be. */
static uint8_t byte_before(const struct html_tokenizer *t, size_t i, size_t back)
{
	return i >= back ? t->p[i - back] : t->tail[back - i - 1];
}

/*
 * Whether '>' at p[i] ends the comment: "-->", "--!>", and the whole comments "<!-->" and "<!--->" (HTML, section 13.2.5.43 to
 * 52). The dashes of the opening count for the last two, not for "--!>".
 */
static bool comment_ends(const struct html_tokenizer *t, size_t i)
{
	uint64_t inside = t->base + i - t->start - 4; /* bytes between "<!--" and '>' */
	if (byte_before(t, i, 1) == '-')
		return byte_before(t, i, 2) == '-';
	return inside >= 3 && byte_before(t, i, 1) == '!' && byte_before(t, i, 2) == '-' && byte_before(t, i, 3) == '-';
}

static int step_declaration(struct html_tokenizer *t, size_t from)
{
	bool comment = t->state == STATE_COMMENT;
	enum html_run_kind kind = comment ? HTML_VOID : HTML_CODE;
	size_t i = t->at;
	while ((i = next_stop(t, i)) < t->n && !(t->p[i] == '>' && (!comment || comment_ends(t, i))))
		i++;
	if (i == t->n)
		return markup_suspend(t, kind, from, false);
	t->at = i + 1;
	t->state = STATE_TEXT;
	t->source.len = 0;
	return run_window(t, kind, from, i + 1);
}

/* ---- content ---- */

static enum html_run_kind content_kind(const struct html_tokenizer *t)
{
	return t->raw == HTML_TAG_SCRIPT || t->raw == HTML_TAG_STYLE ? HTML_VOID : HTML_TEXT;
}

static struct opening opening_here(const struct html_tokenizer *t, struct slice b)
{
	return t->raw == HTML_TAG_OTHER ? opening_of(b) : opening_of_raw(b, t->raw);
}

/* Enters what an opening opens; answers the kind of its bytes. */
static enum html_run_kind opening_enter(struct html_tokenizer *t, const struct opening *o)
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

static int opening_go_on(struct html_tokenizer *t, size_t from)
{
	return t->state == STATE_TAG ? step_tag(t, from) : step_declaration(t, from);
}

/* Text or raw content from t->at to the next '<' that opens something. */
static int step_content(struct html_tokenizer *t)
{
	size_t from = t->at, i = t->at;
	struct opening o = { .kind = OPENS_NOTHING };
	for (; (i = next_lt(t, i)) < t->n; i++) {
		o = opening_here(t, slice_of(t->p + i, t->n - i < OPENING_MOST ? t->n - i : OPENING_MOST));
		if (o.kind != OPENS_NOTHING)
			break;
	}
	int status = run_window(t, content_kind(t), from, i);
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
	return opening_go_on(t, i);
}

/* An opening that began in an earlier window: its bytes are in t->source. */
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
		/* of what was held only the first byte is '<': all of it is content */
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
	return opening_go_on(t, 0);
}

/* The plain tag at unit->code, all of its members; false when it asks for step_content and step_tag. */
static inline bool unit_tag(const struct html_tokenizer *t, struct html_unit *unit)
{
	const uint8_t *p = t->p;
	unit->closing = p[unit->code + 1] == '/';
	size_t name = unit->code + 1 + unit->closing;
	if (!ascii_is_alpha(p[name]))
		return false;
	struct html_tag_name read = html_tag_read(p + name);
	if (html_tag_properties[read.tag] & (TAG_RAW | TAG_SKIP))
		return false;
	unit->tag = (uint8_t)read.tag;
	unit->name_len = read.len;
	unit->end = name + read.len + 1;
	if (p[unit->end - 1] != '>' && !tag_scan_plain(t, unit->end - 1, &unit->end))
		return false;
	unit->self_closing = p[unit->end - 2] == '/';
	return true;
}

/*
 * Texts and plain tags, one behind the other, as long as they lie in the window and nothing but tags takes effect. It does what
 * step_content and step_tag do, for most of a page at a fraction of their cost. It goes from one '<' to the next and passes over
 * those in tags: were the next one looked for from the tag's end on, the processor could not begin with it before that is known.
 */
static int step_units(struct html_tokenizer *t)
{
	struct html_unit unit = { .window = t->p, .masks = t->masks, .base = t->base };
	size_t last = t->n > OPENING_MOST ? t->n - OPENING_MOST : 0, block = t->at / 64;
	uint64_t bits = t->masks[block].lt & ~(uint64_t)0 << t->at % 64;
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
		if (unit.code >= last || !unit_tag(t, &unit))
			break;
		unit.text = t->at;
		t->at = unit.end;
		status = t->handler.unit ? t->handler.unit(t->handler.arg, &unit) : html_unit_replay(&unit, &t->handler);
	}
	return status;
}

static int window_step(struct html_tokenizer *t)
{
	if (t->state == STATE_TEXT) {
		size_t at = t->at;
		int status = DANA_OK;
		if (t->handler.stretch)
			status = t->in_text ? DANA_OK : html_step_stretch(t);
		else if (t->skip == HTML_TAG_OTHER)
			status = step_units(t);
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
		return step_tag(t, t->at);
	case STATE_DECLARATION:
	case STATE_COMMENT:
		return step_declaration(t, t->at);
	}
	return DANA_ESTATE;
}

static void tail_remember(struct html_tokenizer *t)
{
	uint8_t last[sizeof t->tail];
	for (size_t k = 0; k < sizeof last; k++)
		last[k] = k < t->n ? t->p[t->n - 1 - k] : t->tail[k - t->n];
	memcpy(t->tail, last, sizeof last);
}

int html_tokenizer_feed(struct html_tokenizer *t, struct slice bytes)
{
	while (bytes.len) {
		t->p = bytes.data;
		t->n = bytes.len < WINDOW ? bytes.len : WINDOW;
		t->at = 0;
		t->fill(t->p, t->n, t->masks);
		t->masks[(t->n + 63) / 64] = (struct byte_mask){ 0 };
		while (t->at < t->n) {
			int status = window_step(t);
			if (status < 0)
				return status;
		}
		tail_remember(t);
		t->base += t->n;
		bytes = slice_skip(bytes, t->n);
	}
	return DANA_OK;
}

int html_tokenizer_finish(struct html_tokenizer *t)
{
	if (t->state != STATE_OPENING)
		return DANA_OK;
	/* the page ends in "<", "</di" or the like: content in raw elements and for a lone '<', else the beginning of a tag */
	if (t->raw != HTML_TAG_OTHER || t->source.len == 1)
		return run_held(t, content_kind(t), t->source.len);
	t->tag = HTML_TAG_OTHER;
	t->closing = t->unit_begun = false;
	t->tag_skipped = t->skip != HTML_TAG_OTHER;
	return run_held(t, HTML_CODE, t->source.len);
}
