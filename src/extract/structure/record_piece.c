/* SPDX-License-Identifier: MIT */
/*
 * Pieces of text. A piece begins with the first byte that is not white space, or with a picture or formula, and ends at
 * the next tag that divides text. One that turns out to hold nothing but white space is dropped.
 *
 * Example: "one<br>two<p>&nbsp;</p>" gives the pieces "one" and "two", of which the second joins the first.
 */
#include "base/ascii.h"
#include "base/grow.h"
#include "extract/structure/recorder_private.h"

int record_argument(struct recorder *r, struct slice value, uint32_t *at, uint32_t *len)
{
	struct buf *to = &r->page.arguments;
	*at = (uint32_t)to->len;
	*len = 0;
	if (value.len > STRUCTURE_ARGUMENTS - to->len) {
		r->page.cut = true;
		return DANA_OK;
	}
	*len = (uint32_t)value.len;
	return buf_append(to, value.data, value.len);
}

/* Returns the length of white space at the start of source text. */
static size_t white_at(struct slice s)
{
	static const char *const references[] = { "&nbsp;", "&#160;", "&#xa0;", "\xC2\xA0" };
	if (ascii_is_space(s.data[0]) || s.data[0] < ' ')
		return 1;
	if (s.data[0] != '&' && s.data[0] != 0xC2)
		return 0;
	for (size_t i = 0; i < sizeof(references) / sizeof(*references); i++) {
		size_t len = strlen(references[i]);
		if (s.len >= len && slice_is(slice_first(s, len), references[i]))
			return len;
	}
	return 0;
}

static bool is_white(struct slice s)
{
	while (s.len) {
		size_t len = white_at(s);
		if (len == 0)
			return false;
		s = slice_skip(s, len);
	}
	return true;
}

int record_piece_begin(struct recorder *r, uint64_t offset)
{
	if (r->piece_open)
		return DANA_OK;
	r->piece_open = true;
	r->piece = (struct piece){ .start = offset,
				   .text = (uint32_t)r->page.text.len,
				   .mark = r->page.n_marks,
				   .container = r->top,
				   .kind = PIECE_TEXT,
				   .joins = !r->divided && r->breaks == 1 && r->page.n_pieces,
				   .unshown = r->unshown_depth != 0,
				   .wordless = true };
	return record_marks_again(r);
}

int record_piece_add(struct recorder *r)
{
	struct structure_page *page = &r->page;
	struct piece *more = grow_items(page->piece, page->n_pieces, &r->cap_pieces, sizeof(*more));
	if (!more)
		return DANA_ENOMEM;
	page->piece = more;
	r->piece.len = (uint32_t)(page->text.len - r->piece.text);
	r->piece.marks_end = page->n_marks;
	more[page->n_pieces++] = r->piece;
	r->piece_open = r->divided = false;
	r->breaks = 0;
	return DANA_OK;
}

/* Returns whether the open piece has a picture, formula or reference of a note. */
static bool has_atom(const struct recorder *r)
{
	for (uint32_t i = r->piece.mark; i < r->page.n_marks; i++) {
		if (r->page.mark[i].kind >= MARK_NESTING_KINDS)
			return true;
	}
	return false;
}

int record_piece_end(struct recorder *r, uint64_t end, bool by_break)
{
	struct structure_page *page = &r->page;
	int status = DANA_OK;
	if (r->piece_open && page->n_pieces == STRUCTURE_PIECES - 1) {
		/* the last piece takes the rest of the text */
		page->cut = true;
		r->piece.end = end;
		return page->text.len < r->max_text ? buf_append_byte(&page->text, ' ') : DANA_OK;
	}
	if (r->piece_open) {
		struct slice text = slice_of(page->text.data + r->piece.text, page->text.len - r->piece.text);
		r->piece.wordless = is_white(text);
		r->piece.end = end;
		if (!r->piece.wordless || has_atom(r)) {
			status = record_piece_add(r);
		} else {
			page->text.len = r->piece.text;
			page->n_marks = r->piece.mark;
			r->piece_open = false;
		}
	}
	r->breaks += by_break;
	r->divided |= !by_break;
	return status;
}

int record_text(struct recorder *r, struct slice text, uint64_t offset)
{
	if (r->skip_depth)
		return DANA_OK;
	if (!r->piece_open) {
		size_t white = 0;
		while (white < text.len && ascii_is_space(text.data[white]))
			white++;
		if (white == text.len)
			return DANA_OK;
		text = slice_skip(text, white);
		int status = record_piece_begin(r, offset + white);
		if (status < 0)
			return status;
	}
	size_t room = r->max_text - r->page.text.len;
	if (text.len > room) {
		r->page.cut = true;
		text.len = room;
	}
	return buf_append(&r->page.text, text.data, text.len);
}

int record_atom(struct recorder *r, struct mark mark, uint64_t offset)
{
	if (r->skip_depth || r->code_block)
		return DANA_OK;
	int status = record_piece_begin(r, offset);
	return status < 0 ? status : record_mark_add(r, mark);
}

int record_rule(struct recorder *r, uint64_t start, uint64_t end)
{
	if (r->page.n_pieces >= STRUCTURE_PIECES - 1) {
		r->page.cut = true;
		return DANA_OK;
	}
	r->piece = (struct piece){ .start = start,
				   .end = end,
				   .text = (uint32_t)r->page.text.len,
				   .mark = r->page.n_marks,
				   .container = r->top,
				   .kind = PIECE_RULE,
				   .unshown = r->unshown_depth != 0,
				   .wordless = true };
	int status = record_piece_add(r);
	r->divided = true;
	return status;
}
