/* SPDX-License-Identifier: MIT */
/*
 * MathJax shows a formula before its script comes, so from there on all is held until the formula comes or something
 * else does: text, or the end of what may be held. Decisions are made at tags, and at places of text, so that they do
 * not depend on how the page is cut.
 */
#include "extract/html/formula_filter.h"

#include "base/ascii.h"
#include "base/status.h"
#include "extract/html/attribute.h"

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

void formula_filter_reset(struct formula_filter *f)
{
	f->reader.in_math = f->reader.in_script = false;
	f->open = f->mathjax = f->near = f->holds = false;
	f->depth = 0;
	buf_shrink(&f->items, KEEP_BUFFER);
	buf_shrink(&f->bytes, KEEP_BUFFER);
}

void formula_filter_free(struct formula_filter *f)
{
	formula_free(&f->reader);
	buf_free(&f->items);
	buf_free(&f->bytes);
	buf_free(&f->text);
}

static int hold(struct formula_filter *f, struct held_item item, struct slice bytes)
{
	item.at = f->bytes.len;
	item.len = bytes.len;
	int status = buf_append(&f->bytes, bytes.data, bytes.len);
	return status < 0 ? status : buf_append(&f->items, &item, sizeof(item));
}

/* Delivers a run whose bytes are not in the window, in pieces for which there are masks. */
static int put_made(struct formula_filter *f, struct html_run run)
{
	int status = DANA_OK;
	for (struct slice rest = run.bytes; rest.len && status >= 0; rest = slice_skip(rest, run.bytes.len)) {
		run.bytes = slice_first(rest, FORMULA_PIECE);
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

static int put_run(struct formula_filter *f, const struct html_run *run, bool shown)
{
	if (f->holds)
		return hold(f, (struct held_item){ .run = *run, .shown = shown }, run->bytes);
	return run->formula ? put_made(f, *run) : f->to->run(f->to->arg, run);
}

/* Delivers what is held. `skips`: the formula has come. */
static int release(struct formula_filter *f, bool skips)
{
	struct held_item *all = (struct held_item *)(void *)f->items.data;
	const size_t count = f->items.len / sizeof(*all);
	int status = DANA_OK;
	f->holds = false;
	for (size_t i = 0; i < count && status >= 0; i++) {
		const struct slice bytes = slice_of(f->bytes.data + all[i].at, all[i].len);
		struct html_tag_event *event = &all[i].event;
		all[i].run.bytes = event->source = bytes;
		event->name.data = bytes.data + 1 + event->closing;
		all[i].run.skipped |= skips && all[i].shown;
		status = all[i].is_tag ? f->to->tag(f->to->arg, event) : put_made(f, all[i].run);
	}
	buf_clear(&f->items);
	buf_clear(&f->bytes);
	return status;
}

/* Delivers what is held as it came: no formula comes. */
static int give_up(struct formula_filter *f)
{
	f->depth = 0;
	return release(f, false);
}

/* Delivers the formula that is complete. */
static int put_formula(struct formula_filter *f)
{
	/* as of an end tag, of which nothing else is read */
	if (f->reader.in_script && formula_script_bytes(&f->reader, slice_from_text("</")) < 0)
		return DANA_ENOMEM;
	formula_end(&f->reader);
	const struct slice tex = formula_tex(&f->reader), text = tex.len ? tex : formula_letters(&f->reader);
	const struct slice line = slice_from_text("\n");
	const bool display = f->reader.display;
	if (text.len == 0 || (f->depth && !tex.len)) /* for those who hear the page: what is shown is around it */
		return DANA_OK;
	int status = f->holds && f->depth == 0 && tex.len ? release(f, true) : DANA_OK;
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

/* Returns whether a run begins the end tag of the formula. */
static bool ends_formula(const struct formula_filter *f, const struct html_run *run)
{
	if (!run->first || !run->closing)
		return false;
	return run->tag == HTML_TAG_MATH ? f->reader.in_math : run->tag == HTML_TAG_SCRIPT && f->reader.in_script;
}

static bool is_white(struct slice s)
{
	return slice_trim(s).len == 0;
}

int formula_filter_run(struct formula_filter *f, const struct html_run *run)
{
	const bool text = run->kind == HTML_TEXT && !run->skipped;
	int status = DANA_OK;
	if (ends_formula(f, run))
		status = put_formula(f);
	else if (run->kind == HTML_TEXT && run->skipped && f->reader.in_math)
		status = formula_math_text(&f->reader, run->bytes);
	else if (run->kind == HTML_VOID && f->reader.in_script)
		status = formula_script_bytes(&f->reader, run->bytes);
	const bool late = run->offset + run->bytes.len > f->holds_at + FORMULA_HOLDS_MOST;
	const bool other = text && !f->depth && !is_white(run->bytes);
	f->near &= !other;
	if (f->holds && (late || other) && status >= 0)
		status = give_up(f);
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
static bool follow_twin(struct formula_filter *f, const struct html_tag_event *event)
{
	if (f->depth) {
		if (event->tag == f->twin_tag)
			f->depth += event->closing ? -1U : 1U;
		return false;
	}
	if (event->closing || (event->tag != HTML_TAG_SPAN && event->tag != HTML_TAG_DIV))
		return false;
	const size_t katex = FORMULA_CLASSES - 1;
	f->katex = f->near && class_is_of(event, katex, FORMULA_CLASSES);
	if (!f->katex && !(f->mathjax && class_is_of(event, 0, katex)))
		return false;
	f->near &= !f->katex;
	f->twin_tag = event->tag;
	f->depth = 1;
	return !f->katex;
}

int formula_filter_tag(struct formula_filter *f, const struct html_tag_event *event, bool begins)
{
	bool ends = false;
	int status = DANA_OK;
	f->space = event->space;
	f->reader.in_math &= event->skipped; /* else another tag has ended it */
	if (begins && event->tag == HTML_TAG_SCRIPT) {
		f->mathjax = true;
		formula_script_tag(&f->reader, event, &ends);
	} else if (begins || f->reader.in_math) {
		status = formula_math_tag(&f->reader, event, &ends);
	}
	const bool holds = !event->skipped && follow_twin(f, event) && !f->holds;
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

int formula_filter_finish(struct formula_filter *f)
{
	return f->holds ? give_up(f) : DANA_OK;
}
