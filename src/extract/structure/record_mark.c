/* SPDX-License-Identifier: MIT */
/*
 * Marks: what begins and ends inside of text (emphasis, code, links), and what stands in it (pictures, formulas,
 * references of notes). A mark that is open when a piece ends is opened again in the next one, since no mark of
 * Markdown goes on over two blocks.
 *
 * Example: <b><p>a<p>b</b> makes two pieces, both strong.
 */
#include "base/grow.h"
#include "extract/structure/recorder_private.h"

/* Marks that close find room although no more may open: as many as can be open. */
int record_mark_add(struct recorder *r, struct mark mark)
{
	struct structure_page *page = &r->page;
	if (page->n_marks >= STRUCTURE_MARKS - (mark.closes ? 0 : MARK_NESTING_KINDS)) {
		page->cut = true;
		return DANA_OK;
	}
	struct mark *more = grow_items(page->mark, page->n_marks, &r->cap_marks, sizeof(*more));
	if (!more)
		return DANA_ENOMEM;
	page->mark = more;
	mark.at = (uint32_t)page->text.len;
	more[page->n_marks++] = mark;
	return DANA_OK;
}

int record_mark_open(struct recorder *r, struct open_element *element, struct mark mark)
{
	if (r->mark_kinds >> mark.kind & 1)
		return DANA_OK;
	element->mark = mark.kind;
	r->mark_kinds |= 1U << mark.kind;
	r->marks[r->n_marks++] = mark;
	return r->piece_open && !r->code_block ? record_mark_add(r, mark) : DANA_OK;
}

int record_mark_close(struct recorder *r)
{
	struct mark mark = r->marks[--r->n_marks];
	r->mark_kinds &= ~(1U << mark.kind);
	mark.closes = true;
	return r->piece_open && !r->code_block ? record_mark_add(r, mark) : DANA_OK;
}

int record_marks_again(struct recorder *r)
{
	int status = DANA_OK;
	for (unsigned i = 0; i < r->n_marks && status == DANA_OK; i++)
		status = record_mark_add(r, r->marks[i]);
	return status;
}
