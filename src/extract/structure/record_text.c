/* SPDX-License-Identifier: MIT */
/*
 * Records text: in pieces, with the marks, formulas and pictures in them.
 *
 * Example: <p>one <b>two</b><p><img src=x> has the pieces "one two", which has marks around "two", and one without text
 * that has the mark of a picture.
 */
#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"
#include "extract/html/entity.h"
#include "extract/html/picture_text.h"
#include "extract/structure/escape.h"
#include "extract/structure/page_log.h"
#include "extract/structure/picture.h"
#include "extract/structure/record_parts.h"

/*
 * Marks: what begins and ends inside of text (emphasis, code, links), and what is in it (pictures, formulas,
 * references of notes). A mark that is open when a piece ends is opened again in the next one, since no mark of
 * Markdown continues over two blocks.
 *
 * Example: <b><p>a<p>b</b> makes two pieces, both strong.
 */

/* Marks that close find room although no more may open: as many as can be open. */
void record_mark_add(struct recorder *r, struct mark mark)
{
	struct structure_page *page = &r->page;
	if (page->n_marks >= STRUCTURE_MARKS - (mark.closes ? 0 : MARK_NESTING_KINDS)) {
		page->cut = true;
		return;
	}
	struct mark *more = grow_items(page->mark, page->n_marks, &r->cap_marks, sizeof(*more));
	if (!more) {
		r->status = DANA_ENOMEM;
		return;
	}
	page->mark = more;
	mark.at = (uint32_t)page->text.len;
	more[page->n_marks++] = mark;
}

void record_mark_open(struct recorder *r, struct open_element *element, struct mark mark)
{
	if (r->mark_kinds >> mark.kind & 1)
		return;
	element->mark = mark.kind;
	r->mark_kinds |= 1U << mark.kind;
	r->marks[r->n_marks++] = mark;
	if (r->piece_open && !r->code_block)
		record_mark_add(r, mark);
}

/*
 * Pieces of text. A piece begins with the first byte that is not white space, or with a picture or formula, and ends at
 * the next tag that divides text. One that turns out to hold nothing but white space is dropped.
 *
 * Example: "one<br>two<p>&nbsp;</p>" gives the pieces "one" and "two", of which the second joins the first.
 */

bool record_argument(struct recorder *r, struct slice value, uint32_t *at, uint32_t *len)
{
	struct buf *to = &r->page.arguments;
	const bool fits = value.len <= STRUCTURE_ARGUMENTS - to->len;
	r->page.cut |= !fits;
	*at = (uint32_t)to->len;
	if (fits)
		record_status(r, buf_append(to, value.data, value.len));
	*len = (uint32_t)to->len - *at;
	return *len != 0;
}

/* Returns how many bytes of source text are white space before all else, or of no width if that counts, too. */
static size_t white_len(struct slice s, bool widthless)
{
	static const char *const references[] = {
		"&nbsp;",  "&#160;",       "&#xa0;",       "\xC2\xA0", /* and of no width: */
		"&#8203;", "&#x200b;",     "&#x200B;",     "&zwj;",
		"&#8205;", "\xE2\x80\x8B", "\xE2\x80\x8C", "\xE2\x80\x8D",
	};
	const size_t count = widthless ? sizeof(references) / sizeof(*references) : 4;
	size_t at = 0;
	for (size_t len = 1; at < s.len && len; at += len) {
		const uint8_t c = s.data[at];
		len = ascii_is_space(c) || c < ' ';
		for (size_t i = 0; (c == '&' || c >= 0xC2) && i < count && !len; i++)
			len = record_begins_with(slice_skip(s, at), references[i]) ? strlen(references[i]) : 0;
	}
	return at;
}

bool record_is_white(struct slice source)
{
	return white_len(source, false) == source.len;
}

bool record_has_words(struct slice source)
{
	enum { LONG = 1024 };
	bool found = source.len > LONG;
	while (source.len && !found) {
		uint8_t text[8];
		const size_t plain = slice_until(source, "&");
		size_t len = 0;
		found = letter_kind_any(slice_first(source, plain));
		source = slice_skip(source, plain);
		const size_t taken = source.len ? html_entity_decode(source, text, &len) : 0;
		found |= taken && letter_kind_any(slice_of(text, len));
		source = slice_skip(source, taken ? taken : 1);
	}
	return found;
}

static struct piece piece_here(const struct recorder *r, enum piece_kind kind, uint64_t start)
{
	return (struct piece){ .start = start,
			       .text = (uint32_t)r->page.text.len,
			       .mark = r->page.n_marks,
			       .container = r->top,
			       .kind = (uint8_t)kind,
			       .unshown = r->unshown_depth || r->in_shadow,
			       .wordless = true };
}

void record_piece_begin(struct recorder *r, uint64_t offset)
{
	if (r->piece_open)
		return;
	r->piece_open = true;
	r->piece = piece_here(r, PIECE_TEXT, offset);
	r->piece.joins = !r->divided && r->breaks == 1 && r->page.n_pieces;
	for (unsigned i = 0; i < r->n_marks; i++)
		record_mark_add(r, r->marks[i]);
}

void record_piece_add(struct recorder *r)
{
	struct structure_page *page = &r->page;
	struct piece *more = grow_items(page->piece, page->n_pieces, &r->cap_pieces, sizeof(*more));
	if (!more) {
		r->status = DANA_ENOMEM;
		return;
	}
	page->piece = more;
	r->piece.len = (uint32_t)(page->text.len - r->piece.text);
	r->piece.marks_end = page->n_marks;
	if (piece_is_no_data(page, &r->piece))
		page->container[page->container[r->piece.container].table].flags |= CONTAINER_NO_DATA;
	more[page->n_pieces++] = r->piece;
	r->piece_open = r->divided = false;
	r->breaks = 0;
}

void record_piece_end(struct recorder *r, uint64_t end, bool by_break)
{
	struct structure_page *page = &r->page;
	if (r->piece_open && page->n_pieces == STRUCTURE_PIECES - 1) {
		/* the last piece takes the rest of the text */
		page->cut = true;
		r->piece.end = end;
		if (page->text.len < r->max_text)
			record_status(r, buf_append_byte(&page->text, ' '));
		return;
	}
	if (r->piece_open) {
		r->piece.end = end;
		if (r->piece.kind == PIECE_CODE)
			record_code_end(r);
		const struct slice text = slice_skip(buf_slice(&page->text), r->piece.text);
		r->piece.wordless = record_is_white(text);
		/* words, a picture, a formula or a reference of a note; editors leave U+200D in empty paragraphs */
		bool holds = white_len(text, r->piece.kind == PIECE_TEXT) < text.len;
		for (uint32_t i = r->piece.mark; i < page->n_marks && !holds; i++)
			holds = page->mark[i].kind >= MARK_NESTING_KINDS;
		if (holds) {
			record_piece_add(r);
		} else {
			page->text.len = r->piece.text;
			page->n_marks = r->piece.mark;
			r->piece_open = false;
		}
	}
	r->breaks += by_break;
	r->divided |= !by_break;
}

void record_rule(struct recorder *r, const struct html_tag_event *event)
{
	if (r->page.n_pieces >= STRUCTURE_PIECES - 1) {
		r->page.cut = true;
		return;
	}
	r->piece = piece_here(r, PIECE_RULE, event->start);
	r->piece.end = event->end;
	record_piece_add(r);
	r->divided = true;
}

/*
 * Returns whether text at `offset` continues the last piece, which is its large first letter in an element of its own:
 * <div class=dropcap>T</div>he.
 */
static bool continues_letter(const struct recorder *r, struct slice text, uint64_t offset)
{
	const struct structure_page *page = &r->page;
	if (!r->log || !page->n_pieces)
		return false;
	const struct piece *last = &page->piece[page->n_pieces - 1];
	if (last->len > 2 || last->kind != PIECE_TEXT || last->mark != page->n_marks || last->container != r->top ||
	    offset < last->end || offset - last->end > HTML_TAG_NAME_MOST)
		return false;
	const struct slice tag = page_log_part(r->log, (uint32_t)last->end, (uint32_t)offset);
	const uint8_t first = page->text.data[last->text], next = text.data[0];
	const bool capital = last->len == 1 ? first >= 'A' && first <= 'Z' : first >= 0xC3 && first <= 0xD5;
	return capital && (next >= 0xC3 || (ascii_is_alpha(next) && ascii_lower(next) == next)) &&
	       slice_is(slice_first(tag, 2), "</") && slice_until(tag, ">") + 1 == tag.len;
}

void record_text(struct recorder *r, struct slice text, uint64_t offset)
{
	if (r->skip_depth)
		return;
	if (!r->piece_open) {
		size_t white = 0;
		while (white < text.len && ascii_is_space(text.data[white]))
			white++;
		if (white == text.len)
			return;
		text = slice_skip(text, white);
		if (!white && continues_letter(r, text, offset)) {
			r->piece = r->page.piece[--r->page.n_pieces];
			r->piece_open = true;
		}
		record_piece_begin(r, offset + white);
	} else if (r->code_loose && record_code_is_between(r, text)) {
		return;
	}
	const size_t room = r->max_text - r->page.text.len;
	r->page.cut |= text.len > room;
	text = slice_first(text, room);
	record_status(r, buf_append(&r->page.text, text.data, text.len));
}

static void record_atom(struct recorder *r, struct mark mark, uint64_t offset)
{
	if (r->skip_depth || r->code_block)
		return;
	record_piece_begin(r, offset);
	record_mark_add(r, mark);
}

/*
 * Formulas, once each: as html/formula.h reads them. What the page shows beside their TeX is left out (tag_facts.h),
 * and a <math> without TeX is written as its letters. TeX may be data of an element around what shows it.
 *
 * Example: <span data-tex="x^2"><span class=katex><span class=katex-html>x2</span></span></span> is the formula "x^2".
 */

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

void record_tex_begin(struct recorder *r, const struct html_tag_event *event, struct slice tex)
{
	const struct slice class = html_attr_named(event, "class");
	tex = slice_trim(tex);
	if (r->tex_depth || !tex.len || tex.len > FORMULA_MOST || tex.data[0] == '<' || record_begins_with(tex, "&lt;"))
		return;
	r->tex = tex;
	r->tex_depth = r->depth;
	r->tex_display = slice_has(class, "block") || slice_has(class, "display");
	r->tex_text = (uint32_t)r->page.text.len;
	r->tex_marks = r->page.n_marks;
}

bool record_tex_take(struct recorder *r, bool display, uint64_t offset)
{
	struct mark mark = { .kind = MARK_FORMULA, .display = display || r->tex_display };
	if (!r->tex_depth || !r->tex.len || r->code_block || !record_argument(r, r->tex, &mark.argument, &mark.len))
		return false;
	r->tex.len = 0;
	record_atom(r, mark, offset);
	return true;
}

void record_tex_end(struct recorder *r, uint64_t end)
{
	bool tex = false;
	for (size_t i = 0; i < r->tex.len && !tex; i++)
		tex = r->tex.data[i] == '\\' || r->tex.data[i] == '^';
	if (tex && r->tex_text == r->page.text.len && r->tex_marks == r->page.n_marks && !r->skip_depth)
		(void)record_tex_take(r, false, end);
	r->tex_depth = 0;
}

void record_formula(struct recorder *r)
{
	const struct formula_reader *f = &r->formula;
	const struct slice tex = formula_tex(f), letters = formula_letters(f);
	struct mark mark = { .kind = MARK_FORMULA, .display = f->display };
	r->page.cut |= f->cut;
	if (!formula_has_source(f) && record_tex_take(r, f->display, f->start))
		return;
	if (tex.len == 0 && letters.len && !f->has_tex)
		record_text(r, letters, f->start);
	else if (!r->skip_depth && !r->code_block && record_argument(r, tex, &mark.argument, &mark.len))
		record_atom(r, mark, f->start);
}

/* Records the formula that a picture shows, unless it is the one directly before it. Returns whether it shows one. */
static bool record_formula_image(struct recorder *r, const struct html_tag_event *event)
{
	const struct structure_page *page = &r->page;
	struct html_attr_reader attrs = html_attr_begin(event);
	struct mark mark = { .kind = MARK_FORMULA };
	record_status(r, formula_image_tex(&attrs, &r->image));
	const struct slice tex = buf_slice(&r->image);
	if (record_formula_is_near(r)) {
		const struct mark *last = &page->mark[page->n_marks - 1];
		if (last->kind == MARK_FORMULA && slice_equal(page_argument(page, last->argument, last->len), tex))
			return true;
	}
	if (record_argument(r, tex, &mark.argument, &mark.len))
		record_atom(r, mark, event->start);
	return tex.len != 0;
}

/*
 * Pictures: of one pixel they count visitors, and without words for them in a link they are signs. The address may be
 * in a <source> before the <img>, or in the copy for readers without scripts after it.
 *
 * Example: <img src=blank.gif alt=Pier><noscript><img src=/pier.jpg alt=Pier></noscript> is the one picture /pier.jpg.
 */

/* Returns whether nothing with words came since the last picture that was recorded. */
static bool is_after_picture(const struct recorder *r)
{
	const struct structure_page *page = &r->page;
	const struct mark *last = r->picture ? &page->mark[r->picture - 1] : NULL;
	return last && r->picture <= page->n_marks && last->kind == MARK_IMAGE && last->at <= page->text.len &&
	       record_is_white(slice_skip(buf_slice(&page->text), last->at));
}

/* Adds the argument of a picture. Returns false if it has no address or no room. */
static bool record_picture_argument(struct recorder *r, struct mark *mark, struct slice url, struct slice alt)
{
	uint32_t at, len;
	if (url.len > STRUCTURE_URL || !record_argument(r, url, &mark->argument, &mark->len))
		return false;
	record_argument(r, slice_of("", 1), &at, &len);
	record_argument(r, alt, &at, &len);
	mark->len = (uint32_t)(r->page.arguments.len - mark->argument);
	return true;
}

/* Returns whether a letter directly follows a tag. */
static bool precedes_letter(const struct recorder *r, const struct html_tag_event *event)
{
	return r->log && event->end < r->log->source.len && ascii_is_alpha(r->log->source.data[event->end]);
}

void record_picture(struct recorder *r, const struct html_tag_event *event)
{
	const bool linked = r->mark_kinds >> MARK_LINK & 1;
	const bool likely = formula_image_likely(event->source) || slice_has(event->source, "mwe-math");
	if (!(linked && !r->piece_open) && likely && record_formula_image(r, event))
		return;
	const struct tag_facts *facts = tag_facts_of(&r->tags, event);
	const struct slice alt = tag_facts_value(facts, ATTR_ALT);
	uint8_t letter;
	if (picture_text(html_attr_begin(event), &letter).len || (letter && precedes_letter(r, event))) {
		if (!r->noscript)
			record_text(r, alt, event->start);
		return;
	}
	struct slice url = slice_trim(tag_facts_value(facts, ATTR_SRC));
	const bool stand_in = picture_is_stand_in(url);
	if (stand_in) {
		const struct slice lazy = picture_lazy(event), other = lazy.len ? lazy : r->source;
		url = other.len || slice_is(slice_first(url, 5), "data:") ? other : url;
	}
	r->source.len = 0;
	const bool sign = linked && tag_facts_has(facts, ATTR_ALT) && alt.len == 0 && !tag_facts_has(facts, ATTR_TITLE);
	if (sign || tag_facts_number(facts, ATTR_WIDTH, 0, 2, 2) < 2 ||
	    tag_facts_number(facts, ATTR_HEIGHT, 0, 2, 2) < 2)
		return;
	if (stand_in && !r->noscript && alt.len == 0 && picture_is_stand_in(url)) {
		r->picture = 0; /* a stand-in without words: no picture is kept that a copy could replace */
		return;
	}
	struct mark mark = { .kind = MARK_IMAGE };
	if (r->noscript) {
		/* the copy of the picture before it, whose address it may have; else many count visitors */
		const bool copy = is_after_picture(r);
		if (picture_is_stand_in(url) || tag_facts_display(facts, HTML_TAG_IMG).unseen ||
		    (copy ? !r->picture_stand_in : !picture_is_file(url)))
			return;
		if (copy) {
			struct mark *last = &r->page.mark[r->picture - 1];
			if (record_picture_argument(r, &mark, url, alt)) {
				last->argument = mark.argument;
				last->len = mark.len;
				r->picture_stand_in = false;
			}
			return;
		}
	}
	if (record_picture_argument(r, &mark, url, alt)) {
		const uint32_t before = r->page.n_marks;
		record_atom(r, mark, event->start);
		r->picture = r->page.n_marks > before ? r->page.n_marks : 0;
		r->picture_stand_in = picture_is_stand_in(url);
	}
}

void record_picture_source(struct recorder *r, const struct html_tag_event *event)
{
	if (event->tag == HTML_TAG_PICTURE)
		r->source.len = 0;
	else if (!r->source.len && !r->skip_depth) {
		r->source = picture_of_set(html_attr_named(event, "srcset"));
		if (!r->source.len)
			r->source = picture_lazy(event);
	}
}

/*
 * Returns the length of the paragraphs at the front of which all lines are indented as code is, with the empty lines
 * between them.
 */
static size_t indented_lines(struct slice text)
{
	enum { INDENTED = 4 };
	size_t end = 0, parted = 0; /* of the last line that is not empty, and of the one before the last empty one */
	for (size_t at = 0; at < text.len;) {
		const struct slice rest = slice_skip(text, at), line = slice_first(rest, slice_until(rest, "\n"));
		const bool empty = record_is_white(line);
		size_t blanks = 0;
		parted = empty ? end : parted;
		while (blanks < line.len && line.data[blanks] == ' ')
			blanks++;
		if (!empty && blanks < INDENTED && (blanks == line.len || line.data[blanks] != '\t'))
			return parted;
		at += line.len + 1;
		end = empty ? end : at - 1;
	}
	return end;
}

int recorder_take_lines(struct recorder *r, struct slice text, bool parted, struct structure_page **page)
{
	const uint8_t *begin = text.data;
	bool after_empty = parted;
	recorder_reset(r, NULL);
	r->log = NULL; /* of the page before */
	while (text.len && r->status == DANA_OK) {
		size_t len = slice_until(text, "\n");
		const uint64_t place = parted ? (uint64_t)(text.data - begin) : 0;
		const bool empty = parted && record_is_white(slice_first(text, len));
		const size_t code = after_empty && !empty ? indented_lines(text) : 0;
		if (code) {
			len = code;
			record_piece_begin(r, place);
			r->piece.kind = PIECE_CODE;
		}
		record_text(r, slice_first(text, len), place);
		record_piece_end(r, place + (parted ? len : 0), parted && !code);
		after_empty = empty;
		text = slice_skip(text, len + 1);
	}
	const int status = recorder_finish(r, page);
	for (uint32_t i = 0; i < r->page.n_pieces; i++)
		r->page.piece[i].raw = r->page.piece[i].kept = true;
	return status;
}
