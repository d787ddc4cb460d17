/* SPDX-License-Identifier: MIT */
/*
 * Formulas, once each. Their TeX stands in an annotation of <math>, in its attribute alttext, or in a script of MathJax
 * 2; what the page shows beside it is left out (class_words.h). A <math> without TeX is written as its letters.
 *
 * Example: <math><mi>x</mi><annotation encoding="application/x-tex">x</annotation></math> is the formula "x".
 */
#include "base/ascii.h"
#include "base/not_zeroed.h"
#include "extract/structure/recorder_private.h"

/* Returns whether `text` has `word`, in lower case, in it, in any case. */
static bool has_word(struct slice text, const char *word)
{
	const size_t len = strlen(word);
	for (size_t i = 0; i + len <= text.len; i++) {
		if (ascii_lower(text.data[i]) == (uint8_t)word[0] && slice_is(slice_of(text.data + i, len), word))
			return true;
	}
	return false;
}

/* Both names end in an x, which few addresses have. */
void record_formula_program(struct recorder *r, struct slice url)
{
	if (!r->page.formulas && (memchr(url.data, 'x', url.len) || memchr(url.data, 'X', url.len)))
		r->page.formulas = has_word(url, "mathjax") || has_word(url, "katex");
}

/* Appends what there is room for; a longer formula is not written as one. */
static int append(struct recorder *r, struct buf *to, struct slice bytes)
{
	size_t room = STRUCTURE_FORMULA + 1 - to->len;
	if (bytes.len > room) {
		r->page.cut = true;
		bytes.len = room;
	}
	return buf_append(to, bytes.data, bytes.len);
}

static int add_formula(struct recorder *r, struct slice tex, bool display)
{
	struct mark mark = { .kind = MARK_FORMULA, .display = display };
	tex = slice_trim(tex);
	if (tex.len == 0 || tex.len > STRUCTURE_FORMULA || r->skip_depth || r->code_block)
		return DANA_OK;
	int status = record_argument(r, tex, &mark.argument, &mark.len);
	return status < 0 || mark.len == 0 ? status : record_atom(r, mark, r->formula.start);
}

static void formula_begin(struct formula_reader *f, uint64_t start)
{
	buf_clear(&f->tex);
	buf_clear(&f->alternative);
	buf_clear(&f->text);
	f->start = start;
	f->in_tex = f->muted = f->has_tex = f->display = false;
}

static int math_begin(struct recorder *r, const struct html_tag_event *event, const struct tag_facts *facts)
{
	struct formula_reader *f = &r->formula;
	formula_begin(f, event->start);
	f->in_math = true;
	f->display = slice_is(tag_facts_value(facts, ATTR_DISPLAY), "block");
	return append(r, &f->alternative, tag_facts_value(facts, ATTR_ALTTEXT));
}

static int math_end(struct recorder *r)
{
	struct formula_reader *f = &r->formula;
	f->in_math = false;
	if (f->has_tex && f->tex.len)
		return add_formula(r, buf_slice(&f->tex), f->display);
	if (f->alternative.len)
		return add_formula(r, buf_slice(&f->alternative), f->display);
	return f->text.len ? record_text(r, buf_slice(&f->text), f->start) : DANA_OK;
}

int record_formula_tag(struct recorder *r, const struct html_tag_event *event)
{
	struct formula_reader *f = &r->formula;
	struct tag_facts facts = { 0 };
	if (!event->closing) {
		struct html_attr_reader attrs = html_attr_begin(event);
		tag_facts_read(&facts, (enum html_tag)event->tag, &attrs, &r->classes);
	}
	if (!f->in_math)
		return event->closing ? DANA_OK : math_begin(r, event, &facts);
	if (event->tag == HTML_TAG_MATH)
		return event->closing ? math_end(r) : DANA_OK;
	bool plain = slice_is(event->name, "annotation");
	if (!plain && !slice_is(event->name, "annotation-xml"))
		return DANA_OK;
	f->in_tex = !event->closing && plain && has_word(tag_facts_value(&facts, ATTR_ENCODING), "tex");
	f->muted = !event->closing && !f->in_tex;
	f->has_tex |= f->in_tex;
	return DANA_OK;
}

int record_formula_text(struct recorder *r, struct slice text)
{
	struct formula_reader *f = &r->formula;
	int status = DANA_OK;
	if (f->in_tex)
		return append(r, &f->tex, text);
	while (!f->muted && text.len && status == DANA_OK) {
		size_t len = 0;
		while (len < text.len && !ascii_is_space(text.data[len]))
			len++;
		status = append(r, &f->text, slice_first(text, len));
		text = slice_skip(text, len + 1);
	}
	return status;
}

/* The script's own end tag is in the text: what comes after the last "</" is left out. */
static int script_end(struct recorder *r)
{
	struct formula_reader *f = &r->formula;
	struct slice tex = buf_slice(&f->tex);
	f->in_script = false;
	for (size_t i = tex.len; i > 1; i--) {
		if (tex.data[i - 2] != '<' || tex.data[i - 1] != '/')
			continue;
		tex.len = i - 2;
		break;
	}
	return add_formula(r, tex, f->display);
}

int record_script_tag(struct recorder *r, const struct html_tag_event *event)
{
	static const char kind[] = "math/tex";
	if (event->closing)
		return r->formula.in_script ? script_end(r) : DANA_OK;
	NOT_ZEROED struct tag_facts facts;
	struct html_attr_reader attrs = html_attr_begin(event);
	tag_facts_read(&facts, (enum html_tag)event->tag, &attrs, &r->classes);
	record_formula_program(r, tag_facts_value(&facts, ATTR_SRC));
	struct slice type = tag_facts_value(&facts, ATTR_TYPE);
	if (r->skip_depth || !slice_is(slice_first(type, sizeof(kind) - 1), kind))
		return DANA_OK;
	formula_begin(&r->formula, event->start);
	r->formula.in_script = true;
	r->formula.display = has_word(type, "mode=display");
	return DANA_OK;
}

int record_formula_end(struct recorder *r)
{
	if (r->formula.in_script)
		return script_end(r);
	return r->formula.in_math ? math_end(r) : DANA_OK;
}
