/* SPDX-License-Identifier: MIT */
/*
 * MathJax shows a formula before its script comes, so from there on all is held until the formula comes or something
 * else does: text, or the end of what may be held. Decisions are made at tags, and at places of text, so that they do
 * not depend on how the page is cut.
 */
#include "extract/html/inline_text.h"

#include "base/ascii.h"
#include "base/status.h"
#include "extract/html/attribute.h"
#include "extract/html/raised.h"
#include "extract/html/white_space.h"

/* Memory of what was held that is kept for the next page. */
enum { KEEP_BUFFER = 64 << 10 };

/* A run or tag that is held. */
struct held_item {
	struct html_run run;
	struct html_tag_event event;
	bool is_tag;
	bool shown;     /* text that is skipped if its formula comes */
	size_t at, len; /* of its bytes */
};

void inline_text_reset(struct inline_text *f)
{
	f->reader.in_math = f->reader.in_script = false;
	f->open = f->mathjax = f->near = f->holds = f->raised = false;
	f->depth = 0;
	buf_shrink(&f->items, KEEP_BUFFER);
	buf_shrink(&f->bytes, KEEP_BUFFER);
}

void inline_text_free(struct inline_text *f)
{
	formula_free(&f->reader);
	buf_free(&f->items);
	buf_free(&f->bytes);
	buf_free(&f->text);
	buf_free(&f->made);
}

static int hold(struct inline_text *f, struct held_item item, struct slice bytes)
{
	item.at = f->bytes.len;
	item.len = bytes.len;
	int status = buf_append(&f->bytes, bytes.data, bytes.len);
	return status < 0 ? status : buf_append(&f->items, &item, sizeof(item));
}

/* Delivers a run whose bytes are not in the window, in pieces for which there are masks. */
static int put_made(struct inline_text *f, struct html_run run)
{
	int status = DANA_OK;
	for (struct slice rest = run.bytes; rest.len && status >= 0; rest = slice_skip(rest, run.bytes.len)) {
		run.bytes = slice_first(rest, INLINE_TEXT_PIECE);
		run.masks = f->masks;
		run.at = 0;
		f->fill(run.bytes.data, run.bytes.len, f->masks);
		f->masks[(run.bytes.len + 63) / 64] = (struct byte_mask){ 0 };
		status = f->to->run(f->to->arg, &run);
		run.offset += run.bytes.len;
		run.first = false;
	}
	return status;
}

static int put_run(struct inline_text *f, const struct html_run *run, bool shown)
{
	if (f->holds)
		return hold(f, (struct held_item){ .run = *run, .shown = shown }, run->bytes);
	return run->formula ? put_made(f, *run) : f->to->run(f->to->arg, run);
}

/* Delivers what is held. `skips`: the formula has come; else none comes. */
static int release(struct inline_text *f, bool skips)
{
	struct held_item *all = (struct held_item *)(void *)f->items.data;
	const size_t count = f->items.len / sizeof(*all);
	const bool raised = f->raised;
	int status = DANA_OK;
	f->holds = f->raised = false;
	f->depth = 0;
	for (size_t i = 0; i < count && status >= 0; i++) {
		const struct slice bytes = slice_of(f->bytes.data + all[i].at, all[i].len);
		struct html_tag_event *event = &all[i].event;
		all[i].run.bytes = event->source = bytes;
		event->name.data = bytes.data + 1 + event->closing;
		all[i].run.raised = skips && all[i].shown && raised;
		all[i].run.skipped |= skips && all[i].shown;
		status = all[i].is_tag ? f->to->tag(f->to->arg, event) : put_made(f, all[i].run);
	}
	buf_clear(&f->items);
	buf_clear(&f->bytes);
	return status;
}

/* Delivers the <sup> or <sub> that is held and ends, with what is written for it. */
static int put_raised(struct inline_text *f)
{
	const struct held_item *all = (const struct held_item *)(const void *)f->items.data;
	const bool lowered = f->shown_tag == HTML_TAG_SUB;
	buf_clear(&f->text);
	for (size_t i = 0; i < f->items.len / sizeof(*all) && f->text.len <= RAISED_MOST; i++) {
		if (all[i].shown)
			(void)buf_append(&f->text, f->bytes.data + all[i].at, all[i].len);
	}
	buf_clear(&f->made);
	const int made = raised_text(&f->made, buf_slice(&f->text), lowered, f->note);
	const struct html_run run = { .kind = HTML_TEXT,
				      .formula = true,
				      .space = f->space,
				      .bytes = buf_slice(&f->made),
				      .offset = f->holds_at };
	if (made < 0 || buf_status(&f->text) < 0)
		return DANA_ENOMEM;
	const int status = release(f, made > 0);
	return status < 0 || made == 0 ? status : put_made(f, run);
}

/* Delivers the formula that is complete. */
static int put_formula(struct inline_text *f)
{
	/* as of an end tag, of which nothing else is read */
	if (f->reader.in_script && formula_script_bytes(&f->reader, slice_from_text("</")) < 0)
		return DANA_ENOMEM;
	if (formula_end(&f->reader) < 0)
		return DANA_ENOMEM;
	const bool source = formula_has_source(&f->reader);
	const struct slice tex = formula_tex(&f->reader), text = tex.len ? tex : formula_letters(&f->reader);
	const struct slice line = slice_from_text("\n");
	const bool display = f->reader.display;
	int status = f->raised ? release(f, false) : DANA_OK;
	if (status < 0 || text.len == 0 ||
	    (f->depth && !source)) /* for those who hear the page: what is shown is around it */
		return status;
	status = f->holds && f->depth == 0 && source ? release(f, true) : DANA_OK;
	buf_clear(&f->text);
	(void)buf_append(&f->text, line.data, display);
	(void)buf_append(&f->text, text.data, text.len);
	for (size_t i = display; i < f->text.len; i++)
		f->text.data[i] = ascii_is_space(f->text.data[i]) ? ' ' : f->text.data[i];
	(void)buf_append(&f->text, line.data, display);
	if (buf_status(&f->text) < 0)
		return DANA_ENOMEM;
	const bool lines = display && f->space == WHITE_SPACE_COLLAPSES;
	const struct html_run run = { .kind = HTML_TEXT,
				      .formula = true,
				      .space = lines ? WHITE_SPACE_LINES : f->space,
				      .bytes = buf_slice(&f->text),
				      .offset = f->reader.start };
	f->near = true;
	return status < 0 ? status : put_run(f, &run, false);
}

int inline_text_run(struct inline_text *f, const struct html_run *run)
{
	const bool text = run->kind == HTML_TEXT && !run->skipped;
	int status = DANA_OK;
	const bool ends = run->first && run->closing; /* of the formula's own tag */
	if (ends &&
	    (run->tag == HTML_TAG_MATH ? f->reader.in_math : run->tag == HTML_TAG_SCRIPT && f->reader.in_script))
		status = put_formula(f);
	else if (run->kind == HTML_TEXT && run->skipped && f->reader.in_math)
		status = formula_math_text(&f->reader, run->bytes);
	else if (run->kind == HTML_HIDDEN && f->reader.in_script)
		status = formula_script_bytes(&f->reader, run->bytes);
	else if (ends && f->raised && f->depth == 1 && run->tag == f->shown_tag)
		status = put_raised(f);
	const uint64_t most = f->raised ? RAISED_HOLDS_MOST : FORMULA_HOLDS_MOST;
	const bool late = run->offset + run->bytes.len > f->holds_at + most;
	const bool other = text && !f->depth && slice_trim(run->bytes).len;
	f->near &= !other;
	if (f->holds && (late || other) && status >= 0)
		status = release(f, false);
	struct html_run copy = *run;
	copy.skipped |= text && f->depth && f->katex;
	return status < 0 ? status : put_run(f, &copy, text && f->depth);
}

/* Returns whether the first class of an element is one of formula_classes[from..to). */
static bool class_is_of(const struct html_tag_event *event, size_t from, size_t to)
{
	struct slice class = slice_trim(html_attr_named(event, "class"));
	class.len = slice_until(class, " \t\n\f\r");
	while (from < to && !slice_equal(class, slice_from_text(formula_classes[from])))
		from++;
	return from < to;
}

/* Follows the element that shows a formula, in which no other one counts. Returns whether all is to be held. */
static bool follow_shown(struct inline_text *f, const struct html_tag_event *event)
{
	if (f->depth) {
		if (event->tag == f->shown_tag)
			f->depth += event->closing ? -1U : 1U;
		return false;
	}
	if (event->closing)
		return false;
	f->raised = html_tag_is(event->tag, TAG_RAISED) && !event->self_closing && !f->holds;
	if (f->raised) {
		f->note = f->katex = false;
		f->shown_tag = event->tag;
		f->depth = 1;
		return true;
	}
	if (event->tag != HTML_TAG_SPAN && event->tag != HTML_TAG_DIV)
		return false;
	const size_t katex = FORMULA_CLASSES - 1;
	f->katex = f->near && class_is_of(event, katex, FORMULA_CLASSES);
	if (!f->katex && !(f->mathjax && class_is_of(event, 0, katex)))
		return false;
	f->near &= !f->katex;
	f->shown_tag = event->tag;
	f->depth = 1;
	return !f->katex;
}

/* A link to a place of the page. */
static bool is_note_link(const struct html_tag_event *event)
{
	const struct slice href = html_attr_named(event, "href");
	return href.len && href.data[0] == '#';
}

int inline_text_tag(struct inline_text *f, const struct html_tag_event *event, bool begins)
{
	bool ends = false;
	int status = DANA_OK;
	f->space = event->space;
	f->reader.in_math &= event->skipped; /* else another tag has ended it */
	if (begins && event->tag == HTML_TAG_SCRIPT) {
		f->mathjax = true;
		formula_script_tag(&f->reader, event, &ends);
	} else if ((begins && event->tag == HTML_TAG_MATH) || f->reader.in_math) {
		status = formula_math_tag(&f->reader, event, &ends);
	}
	if (f->raised && !event->skipped && status >= 0) {
		f->note |= !event->closing && html_tag_is(event->tag, TAG_LINKS) && is_note_link(event);
		status = html_tag_is(event->tag, TAG_INLINE) ? DANA_OK : release(f, false);
	}
	const bool holds = !event->skipped && follow_shown(f, event) && !f->holds;
	if (status >= 0)
		status = f->holds ? hold(f, (struct held_item){ .event = *event, .is_tag = true }, event->source)
				  : f->to->tag(f->to->arg, event);
	if (holds) {
		f->holds = true;
		f->holds_at = event->start;
	}
	f->open = f->mathjax || f->near || f->depth || f->reader.in_math;
	return status;
}

int inline_text_finish(struct inline_text *f)
{
	return f->holds ? release(f, false) : DANA_OK;
}
