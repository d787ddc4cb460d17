/* SPDX-License-Identifier: MIT */
/*
 * Formulas, once each: as html/formula.h reads them. What the page shows beside their TeX is left out (class_words.h),
 * and a <math> without TeX is written as its letters.
 */
#include "base/ascii.h"
#include "extract/structure/recorder_private.h"

bool record_formula_is_near(const struct recorder *r)
{
	const struct structure_page *page = &r->page;
	for (uint32_t i = page->n_marks; r->piece_open && i > r->piece.mark && page->n_marks - i < 2; i--) {
		const struct mark *mark = &page->mark[i - 1];
		if (mark->kind == MARK_FORMULA)
			return slice_trim(slice_of(page->text.data + mark->at, page->text.len - mark->at)).len == 0;
	}
	return false;
}

/* Adds the formula that is complete. */
static int add_formula(struct recorder *r)
{
	const struct formula_reader *f = &r->formula;
	const struct slice tex = formula_tex(f), letters = formula_letters(f);
	struct mark mark = { .kind = MARK_FORMULA, .display = f->display };
	r->page.cut |= f->cut;
	if (tex.len == 0)
		return letters.len && !f->has_tex ? record_text(r, letters, f->start) : DANA_OK;
	if (r->skip_depth || r->code_block)
		return DANA_OK;
	int status = record_argument(r, tex, &mark.argument, &mark.len);
	return status < 0 || mark.len == 0 ? status : record_atom(r, mark, f->start);
}

int record_formula_tag(struct recorder *r, const struct html_tag_event *event)
{
	bool ends;
	int status = formula_math_tag(&r->formula, event, &ends);
	return status == DANA_OK && ends ? add_formula(r) : status;
}

/* The bytes of an end tag are those of the script, as html/formula.h wants it. */
int record_script_tag(struct recorder *r, const struct html_tag_event *event)
{
	bool ends = false;
	if (r->skip_depth && !event->closing)
		return DANA_OK;
	int status = DANA_OK;
	if (event->closing && r->formula.in_script)
		status = formula_script_bytes(&r->formula, event->source);
	formula_script_tag(&r->formula, event, &ends);
	return status == DANA_OK && ends ? add_formula(r) : status;
}

int record_formula_end(struct recorder *r)
{
	if (!r->formula.in_script && !r->formula.in_math)
		return DANA_OK;
	formula_end(&r->formula);
	return add_formula(r);
}
