/* SPDX-License-Identifier: MIT */
/*
 * Records the structure of a page (headings, lists, tables, code, links, notes) while the page streams by.
 *
 * What each event does to the record. The stack of open elements knows what a tag closes and opens; beside each of its
 * elements is what ends with it: a mark, a container, code, or a part of the page that is left out.
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/cpu.h"
#include "base/status.h"
#include "extract/html/display.h"
#include "extract/html/elements.h"
#include "extract/html/entity.h"
#include "extract/html/formula.h"
#include "extract/html/line_numbers.h"
#include "extract/html/picture_text.h"
#include "extract/structure/escape.h"
#include "extract/structure/page.h"
#include "extract/structure/page_log.h"
#include "extract/structure/picture.h"
#include "extract/structure/tag_facts.h"

enum element_flag {
	ELEMENT_SPLITS = 1 << 0, /* its end ends a piece */
	ELEMENT_CODE = 1 << 1,   /* inline code */
	ELEMENT_NOTES = 1 << 2,  /* holds footnotes */
	ELEMENT_ITEM = 1 << 3,
	ELEMENT_TASKS = 1 << 4,
	ELEMENT_WRAPS_CODE = 1 << 5,
	ELEMENT_ASIDE = 1 << 6,
	ELEMENT_LABEL = 1 << 7, /* the reference of a note */
	ELEMENT_FOOT = 1 << 8,  /* <tfoot> */
	ELEMENT_LINE = 1 << 9,  /* inline, but shown as lines of its own */
};

/** An open element whose tag is before the part that is recorded. */
struct passed_element {
	uint32_t entry;         /* of its tag in the log */
	uint32_t holder;        /* the innermost that holds items or is one, counted from 1; 0: no element does */
	uint32_t item;          /* list: the entry of its last item; 0: it has none */
	int32_t before, number; /* list: numbers of the item before that one, and of that one */
	bool has_box;           /* item and the like: a box is directly in it, which may make it a task */
};

/** What the stack does not know of an open element. */
struct open_element {
	uint32_t top; /* the innermost container before it */
	uint32_t language;
	uint8_t language_len;
	uint8_t mark; /* that ends with it; MARK_NONE: none does */
	uint16_t flags;
	uint32_t pieces, containers; /* before it */
	uint32_t target;             /* that ends with it, counted from 1; 0: none does */
};

struct recorder {
	struct structure_page page;
	struct element_stack stack;
	struct open_element *open; /* as many as the stack's */
	struct passed_element *passed;
	size_t depth; /* elements in use of one of the two */
	size_t max_text;
	size_t cap_pieces, cap_marks, cap_targets, cap_anchors;
	uint32_t top;                          /* the innermost container */
	struct mark marks[MARK_NESTING_KINDS]; /* open ones, the outermost first */
	unsigned n_marks, mark_kinds;          /* and the set of their kinds */
	unsigned code_depth, notes;            /* open elements of these flags */
	/* depth of the outermost element whose content is left out, is hidden, is code; 0: no such element is open */
	size_t skip_depth, unshown_depth, code_block;
	size_t lines_depth;          /* the same of the one whose line ends are shown */
	size_t caption_depth;        /* the same of the outermost <figcaption> */
	bool code_loose;             /* that code is not in a <pre>: white space between its lines is none of it */
	size_t leaf;                 /* code: where the text of a block without others in it begins, plus 1; 0: none */
	size_t empty_cell;           /* where the text ends after an empty line that may be such a cell; 0: none */
	struct line_numbers numbers; /* of the code */
	bool numbered;               /* numbers are left out of the code */
	struct piece piece;          /* the open one */
	bool piece_open;
	unsigned breaks;   /* <br> since the last piece */
	bool divided;      /* another tag that divides text came since then */
	bool button_joins; /* the open <button> is in a line of text */
	bool in_label;     /* of a note */
	enum { SIDENOTES_UNKNOWN, SIDENOTES_ALONE, SIDENOTES_TWICE } sidenotes;
	bool readings; /* of ruby are text */
	bool in_reading;
	/* a declarative shadow root is open, or a reserve, whose tags and text are skipped for others; its element, and
	 * how many such are in it; and what is left out in it */
	bool in_shadow, shows_reserve;
	enum html_tag shadow;
	unsigned shadows;
	enum html_tag shadow_skip;
	struct html_tag_event shown; /* a tag in it, as it is taken */
	struct formula_reader formula;
	/* the depth of the open element that has the TeX of what it shows (0 without one), and the text before it */
	struct slice tex;
	size_t tex_depth;
	uint32_t tex_text, tex_marks;
	bool tex_display;
	struct buf image;      /* the TeX of a picture */
	struct slice source;   /* the picture of the <source> before; empty: none */
	uint32_t picture;      /* the last mark that is one, counted from 1; 0: none is */
	bool picture_stand_in; /* it has no address of its own yet */
	bool noscript;         /* <noscript> is open */
	struct tag_reader tags;
	const struct page_log *log; /* that is recorded */
	size_t looks;               /* entries of it that may still be looked at for what elements hold */
	int status;                 /* DANA_ENOMEM: something is missing */
};

static inline void note(struct recorder *r, int status)
{
	if (status < 0)
		r->status = status;
}

/*
 * Marks: what begins and ends inside of text (emphasis, code, links), and what is in it (pictures, formulas,
 * references of notes). A mark that is open when a piece ends is opened again in the next one, since no mark of
 * Markdown continues over two blocks.
 *
 * Example: <b><p>a<p>b</b> makes two pieces, both strong.
 */

/* Marks that close find room although no more may open: as many as can be open. */
static void record_mark_add(struct recorder *r, struct mark mark)
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

/** Opens a mark that ends with `element`, unless one of its kind is open. */
static void record_mark_open(struct recorder *r, struct open_element *element, struct mark mark)
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

/* Appends what a mark or container has beside its kind. Returns false if it is empty or has no room. */
static bool record_argument(struct recorder *r, struct slice value, uint32_t *at, uint32_t *len)
{
	struct buf *to = &r->page.arguments;
	const bool fits = value.len <= STRUCTURE_ARGUMENTS - to->len;
	r->page.cut |= !fits;
	*at = (uint32_t)to->len;
	if (fits)
		note(r, buf_append(to, value.data, value.len));
	*len = (uint32_t)to->len - *at;
	return *len != 0;
}

static bool begins_with(struct slice s, const char *prefix)
{
	return slice_is(slice_first(s, strlen(prefix)), prefix);
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
			len = begins_with(slice_skip(s, at), references[i]) ? strlen(references[i]) : 0;
	}
	return at;
}

/* Returns whether source text is white space. */
static bool is_white(struct slice s)
{
	return white_len(s, false) == s.len;
}

/* Returns whether the open line of code has no text. */
static bool line_is_empty(const struct recorder *r)
{
	const struct buf *text = &r->page.text;
	return text->len == r->piece.text || text->data[text->len - 1] == '\n';
}

/* Returns whether text is white space between lines of code that is not in a <pre>. */
static __attribute__((noinline)) bool is_between_lines(const struct recorder *r, struct slice text)
{
	return line_is_empty(r) && slice_until(text, "\n") < text.len && slice_trim(text).len == 0;
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

/** Begins a piece unless one is open; marks that are open begin again in it. */
static void record_piece_begin(struct recorder *r, uint64_t offset)
{
	if (r->piece_open)
		return;
	r->piece_open = true;
	r->piece = piece_here(r, PIECE_TEXT, offset);
	r->piece.joins = !r->divided && r->breaks == 1 && r->page.n_pieces;
	for (unsigned i = 0; i < r->n_marks; i++)
		record_mark_add(r, r->marks[i]);
}

/* Takes the numbers of lines out of the code at the end of the text, and one blank that parts them from it. */
static void take_numbers_out(struct recorder *r)
{
	size_t count, i = 0;
	const struct line_number *all = line_numbers_places(&r->numbers, &count);
	struct buf *text = &r->page.text;
	const struct slice code = slice_skip(buf_slice(text), r->piece.text);
	struct number_walk walk = { 0 };
	if (!line_numbers_cover(&r->numbers, code, r->piece.text, &walk) || !line_numbers_end(&r->numbers, &walk))
		return;
	size_t to = r->piece.text;
	const size_t end = text->len;
	r->numbered = true;
	for (size_t at = to; at < end;) {
		size_t stop = at + slice_until(slice_of(text->data + at, end - at), "\n");
		if (i < count && all[i].from >= at && all[i].from <= stop) {
			at = all[i++].to;
			/* what is alone in its line has its code in the next one, unless that has a number too */
			if (slice_trim(slice_of(text->data + at, stop - at)).len == 0 && stop < end &&
			    !(i < count && all[i].from == stop + 1)) {
				at = stop + 1;
				stop = at + slice_until(slice_of(text->data + at, end - at), "\n");
			}
		}
		stop += stop < end;
		memmove(text->data + to, text->data + at, stop - at);
		to += stop - at;
		at = stop;
	}
	text->len = to;
}

/* Takes one blank at the beginning of each line, if it parted the code from its number: indentations are even. */
static void take_blanks_out(struct recorder *r)
{
	struct buf *text = &r->page.text;
	size_t least = SIZE_MAX, to = r->piece.text;
	for (size_t at = to; at < text->len;) {
		const struct slice line = slice_of(text->data + at, slice_until(slice_skip(buf_slice(text), at), "\n"));
		size_t white = 0;
		while (white < line.len && line.data[white] == ' ')
			white++;
		least = white < line.len && white < least ? white : least;
		at += line.len + 1;
	}
	if (least == SIZE_MAX || least % 2 == 0)
		return;
	for (size_t at = to; at < text->len;) {
		const size_t stop = at + slice_until(slice_of(text->data + at, text->len - at), "\n");
		const size_t next = stop + (stop < text->len), from = at + (at < stop && text->data[at] == ' ');
		memmove(text->data + to, text->data + from, next - from);
		to += next - from;
		at = next;
	}
	text->len = to;
}

/* Drops the pieces before code that are nothing but as many numbers as the code has lines. */
static void drop_numbers_before(struct recorder *r)
{
	struct structure_page *page = &r->page;
	const struct slice code = slice_skip(buf_slice(&page->text), r->piece.text), trimmed = slice_trim(code);
	uint32_t least = 1, most = 1, first = 0, last = 0;
	for (size_t i = 0; i < code.len; i++) {
		most += code.data[i] == '\n';
		least += code.data[i] == '\n' && code.data + i < trimmed.data + trimmed.len;
	}
	const struct container *c = page->container;
	for (uint32_t n = page->n_pieces; n > 0 && last + 1 - first <= most; n--) {
		const struct piece *p = &page->piece[n - 1];
		const bool row = c[p->container].row && c[p->container].row == c[r->piece.container].row;
		if (p->wordless || (!row && least < 2) ||
		    !line_numbers_row(slice_of(page->text.data + p->text, p->len), &first, &last))
			return;
		if (last + 1 - first >= least && last + 1 - first <= most) {
			page->n_pieces = n - 1;
			return;
		}
	}
}

static void record_piece_add(struct recorder *r)
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

/** Ends the open piece at `end`. `by_break`: a <br> ends it. */
static void record_piece_end(struct recorder *r, uint64_t end, bool by_break)
{
	struct structure_page *page = &r->page;
	if (r->piece_open && page->n_pieces == STRUCTURE_PIECES - 1) {
		/* the last piece takes the rest of the text */
		page->cut = true;
		r->piece.end = end;
		if (page->text.len < r->max_text)
			note(r, buf_append_byte(&page->text, ' '));
		return;
	}
	if (r->piece_open) {
		r->piece.end = end;
		if (r->piece.kind == PIECE_CODE) {
			take_numbers_out(r);
			if (r->numbered)
				take_blanks_out(r);
			drop_numbers_before(r);
		}
		const struct slice text = slice_skip(buf_slice(&page->text), r->piece.text);
		r->piece.wordless = is_white(text);
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

/** The same at another tag that divides text; inline, since most such tags follow one another. */
static inline void record_piece_divide(struct recorder *r, uint64_t end)
{
	if (r->piece_open)
		record_piece_end(r, end, false);
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

/** Adds text; `offset`: its place in the page. */
static void record_text(struct recorder *r, struct slice text, uint64_t offset)
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
	} else if (r->code_loose && is_between_lines(r, text)) {
		return;
	}
	const size_t room = r->max_text - r->page.text.len;
	r->page.cut |= text.len > room;
	text = slice_first(text, room);
	note(r, buf_append(&r->page.text, text.data, text.len));
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

static bool record_formula_is_near(const struct recorder *r)
{
	const struct structure_page *page = &r->page;
	for (uint32_t i = page->n_marks; r->piece_open && i > r->piece.mark && page->n_marks - i < 2; i--) {
		const struct mark *mark = &page->mark[i - 1];
		if (mark->kind == MARK_FORMULA)
			return slice_trim(slice_of(page->text.data + mark->at, page->text.len - mark->at)).len == 0;
	}
	return false;
}

/* Begins an element with TeX for what is in it. */
static void tex_begin(struct recorder *r, const struct html_tag_event *event, struct slice tex)
{
	const struct slice class = html_attr_named(event, "class");
	tex = slice_trim(tex);
	if (r->tex_depth || !tex.len || tex.len > FORMULA_MOST || tex.data[0] == '<' || begins_with(tex, "&lt;"))
		return;
	r->tex = tex;
	r->tex_depth = r->depth;
	r->tex_display = slice_has(class, "block") || slice_has(class, "display");
	r->tex_text = (uint32_t)r->page.text.len;
	r->tex_marks = r->page.n_marks;
}

/* Records the TeX of the element around what shows it, once. Returns whether there is any. */
static bool tex_take(struct recorder *r, bool display, uint64_t offset)
{
	struct mark mark = { .kind = MARK_FORMULA, .display = display || r->tex_display };
	if (!r->tex_depth || !r->tex.len || r->code_block || !record_argument(r, r->tex, &mark.argument, &mark.len))
		return false;
	r->tex.len = 0;
	record_atom(r, mark, offset);
	return true;
}

/* Ends that element. What has shown nothing else that is text shows its TeX. */
static void tex_end(struct recorder *r, uint64_t end)
{
	bool tex = false;
	for (size_t i = 0; i < r->tex.len && !tex; i++)
		tex = r->tex.data[i] == '\\' || r->tex.data[i] == '^';
	if (tex && r->tex_text == r->page.text.len && r->tex_marks == r->page.n_marks && !r->skip_depth)
		(void)tex_take(r, false, end);
	r->tex_depth = 0;
}

static void add_formula(struct recorder *r)
{
	const struct formula_reader *f = &r->formula;
	const struct slice tex = formula_tex(f), letters = formula_letters(f);
	struct mark mark = { .kind = MARK_FORMULA, .display = f->display };
	r->page.cut |= f->cut;
	if (!formula_has_source(f) && tex_take(r, f->display, f->start))
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
	note(r, formula_image_tex(&attrs, &r->image));
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
 * Blocks of code: all text of a <pre> or <xmp> as it is, <br> and tags that divide text as ends of lines. The
 * language is named by an attribute or a class of the <pre>, of the <code> in it, or of an element around it.
 *
 * Example: <div class="language-c++"><div class="highlight"><pre>int i;</pre></div></div> is code in "c++".
 */

/* Elements around a block of code in which a language is looked for, and in which tools for it are recognised. */
enum { AROUND_LANGUAGE = 8, AROUND_TOOLS = 4 };

static bool is_language(struct slice name)
{
	for (size_t i = 0; i < name.len; i++) {
		uint8_t c = name.data[i];
		if (!ascii_is_alpha(c) && !ascii_is_digit(c) && !(c && strchr("_+#.-", c)))
			return false;
	}
	return name.len && name.len <= STRUCTURE_LANGUAGE;
}

/*
 * Returns the language that a tag names, else empty. *none: the tag declares that the text is not in a language. A
 * `lang` of code is often a language of people: "en", "pt-br".
 */
static struct slice language_of(const struct tag_facts *facts, enum html_tag tag, bool *none)
{
	static const char *const short_names[] = { "js", "ts", "sh", "py", "rb", "go", "cs" };
	struct slice name = slice_trim(tag_facts_value(facts, ATTR_CODE_LANG));
	if (!is_language(name) && (tag == HTML_TAG_PRE || tag == HTML_TAG_CODE)) {
		name = slice_trim(tag_facts_value(facts, ATTR_LANG));
		bool of_code = name.len != 2 && !(name.len > 2 && (name.data[2] == '-' || name.data[2] == '_'));
		for (size_t i = 0; i < sizeof(short_names) / sizeof(*short_names) && !of_code; i++)
			of_code = slice_is(name, short_names[i]);
		name.len = of_code ? name.len : 0;
	}
	if (!is_language(name))
		name = facts->words.language;
	*none = class_word_is_no_language(name);
	return is_language(name) && !*none ? name : slice_of(NULL, 0);
}

static void set_language(struct recorder *r, struct slice name, uint32_t *at, uint8_t *len)
{
	uint8_t lower[STRUCTURE_LANGUAGE];
	uint32_t taken;
	name = slice_first(name, STRUCTURE_LANGUAGE);
	for (size_t i = 0; i < name.len; i++)
		lower[i] = ascii_lower(name.data[i]);
	record_argument(r, slice_of(lower, name.len), at, &taken);
	*len = (uint8_t)taken;
}

/* Returns how many of the innermost open elements are in one around code, itself included; 0: no such is near. */
static size_t record_code_wrapper(const struct recorder *r)
{
	for (size_t i = r->depth; i > 0 && r->depth - i < AROUND_TOOLS; i--) {
		if (r->open[i - 1].flags & ELEMENT_WRAPS_CODE)
			return r->depth - i + 1;
	}
	return 0;
}

/*
 * Links: those that lead elsewhere are marks, those to a footnote are its references, and those back from it are left
 * out. An address is stored as it is; whether it is one is decided when it is written (url_leads_elsewhere).
 */

/* What a heading may have at most, to be looked at for each of its permalinks. */
enum { HEADING_BYTES = 1024, HEADING_TAGS = 32 };

/* Returns whether source text has a letter or a digit; long text has. */
static bool has_words(struct slice source)
{
	bool found = source.len > HEADING_BYTES;
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

/*
 * Looks from the entry of a permalink to the end of its heading, and reads attributes of the tags there. Words in
 * elements that are left out are not the heading's.
 */
static bool has_all_words(struct recorder *r, size_t entry)
{
	const struct page_log *log = r->log;
	const size_t end = entry + HEADING_TAGS < log->n ? entry + HEADING_TAGS : log->n;
	enum html_tag out = HTML_TAG_A; /* elements of this tag, one in the other, that are left out, and how many */
	unsigned depth = 1;
	bool inside = true, own = false;
	for (size_t i = entry + 1; i < end; i++) {
		const struct log_entry *e = &log->entry[i];
		const enum html_tag tag = (enum html_tag)e->tag;
		if ((inside || !depth) && !(e->flags & LOG_TEXT_SKIPPED) &&
		    has_words(page_log_part(log, e[-1].end, e->start))) {
			if (!inside)
				return false;
			own = true;
		}
		if (e->flags & (LOG_GAP | LOG_SKIPPED))
			continue;
		if (tag >= HTML_TAG_H1 && tag <= HTML_TAG_H6)
			return own;
		const struct html_tag_event event = page_log_event(log, e);
		if (depth && tag == out)
			depth = event.closing ? depth - 1 : tag == HTML_TAG_A ? 0 : depth + 1;
		if (!depth && !event.closing && !html_tag_is(tag, TAG_VOID)) {
			const struct tag_facts *facts = tag_facts_of(&r->tags, &event);
			out = tag;
			depth = tag_facts_display(facts, tag).unseen ||
				(tag == HTML_TAG_SPAN && facts->words.meanings & CLASS_READER) ||
				(tag == HTML_TAG_A && facts->words.meanings & CLASS_ANCHOR);
		}
		inside &= tag != HTML_TAG_A;
		if (!inside && !own)
			return false;
	}
	return own && end == log->n;
}

/* Returns whether words of the heading that is open come before this place. */
static bool heading_has_begun(const struct recorder *r)
{
	const struct structure_page *page = &r->page;
	const struct piece *last = page->n_pieces ? &page->piece[page->n_pieces - 1] : NULL;
	uint32_t heading = r->top;
	while (page->container[heading].kind != CONTAINER_HEADING)
		heading = page->container[heading].parent;
	return (r->piece_open && has_words(slice_skip(buf_slice(&page->text), r->piece.text))) ||
	       (last && last->container >= heading && !last->wordless);
}

/** Returns whether a permalink that begins in a heading holds all the words of the heading. */
static bool record_permalink_is_heading(struct recorder *r, const struct html_tag_event *event)
{
	if (heading_has_begun(r))
		return false;
	const bool all = has_all_words(r, page_log_at(r->log, event->start));
	(void)tag_facts_of(&r->tags, event); /* which the caller reads further: its place may have been used */
	return all;
}

/*
 * Stores the place that a link leads to, with its references of bytes ("%20") decoded. `of_link`: it is the id of a
 * link whose program knows the place: "footnoteref-1" leads to "footnote-1".
 */
static bool record_place_name(struct recorder *r, struct slice id, bool of_link, uint32_t *at, uint32_t *len)
{
	uint8_t name[STRUCTURE_URL];
	size_t to = 0;
	if (id.len > sizeof(name))
		return false;
	for (size_t i = 0; i < id.len; i++) {
		unsigned byte = id.data[i];
		if (of_link && begins_with(slice_skip(id, i), "ref")) {
			of_link = false;
			i += 2;
			continue;
		}
		if (byte == '%' && i + 2 < id.len && ascii_hex(id.data[i + 1]) >= 0 && ascii_hex(id.data[i + 2]) >= 0) {
			byte = (unsigned)ascii_hex(id.data[i + 1]) << 4 | (unsigned)ascii_hex(id.data[i + 2]);
			i += 2;
		}
		name[to++] = (uint8_t)byte;
	}
	return !of_link && record_argument(r, slice_of(name, to), at, len);
}

/*
 * Containers: lists and their items, quotes, tables, headings, and so on. A container takes from its parent what a
 * piece inside of it needs to know, so that nobody has to go up to find its table or its list.
 *
 * Example: in <ul><li>a</li><ul><li>b</ul></ul> the inner list belongs to the item "a", since a list cannot be in a
 * list.
 */

/* Flags that what is inside of a container has too. */
enum { INHERITED = CONTAINER_FLOWS | CONTAINER_IN_HEADING | CONTAINER_IN_CAPTION | CONTAINER_ASIDE };

/* Opens a container in the innermost one. Returns it, or NULL where a limit or memory ends. */
static struct container *open_new(struct recorder *r, enum container_kind kind)
{
	struct structure_page *page = &r->page;
	if (page->n_containers == STRUCTURE_CONTAINERS) {
		page->cut = true;
		return NULL;
	}
	struct container *more = grow_items(page->container, page->n_containers, &page->cap_containers, sizeof(*more));
	if (!more) {
		r->status = DANA_ENOMEM;
		return NULL;
	}
	page->container = more;
	struct container *c = &more[page->n_containers];
	*c = more[r->top];
	c->parent = r->top;
	c->last = 0;
	c->number = 0;
	c->rows = 0;
	c->columns = 0;
	c->flags &= INHERITED;
	c->kind = (uint8_t)kind;
	r->top = page->n_containers++;
	return c;
}

static void open_row(struct recorder *r)
{
	const uint32_t table = r->page.container[r->top].table;
	if (table)
		r->top = table;
	struct container *c = open_new(r, CONTAINER_ROW);
	if (!c)
		return;
	c->row = r->top;
	c->flags |= r->depth > 1 && r->open[r->depth - 2].flags & ELEMENT_FOOT ? CONTAINER_FOOT : 0;
	r->page.container[table].last = 0;
}

/*
 * Places of notes. An id that an earlier link leads to may name a note: of the element on top, which has it, or
 * of the block that begins with it. So may what a link at the beginning of a block leads back to, by its name: some
 * editors lose the ids.
 *
 * Example: in <li><p><a id=n1>1</a> Words</p></li> the note n1 is the item, and <p><a href="#ftnref1">1</a> Words</p>
 * is the note ftn1.
 */

/* Adds what is the note of an id, an argument; `block`: the element on top is one. */
static void record_target(struct recorder *r, bool block, uint32_t at, uint32_t len)
{
	enum { CLIMB_MOST = 3 };
	struct structure_page *page = &r->page;
	size_t i = r->depth - 1;
	while (i > 0 && !(r->open[i].flags & ELEMENT_SPLITS))
		i--;
	const uint32_t first = page->n_pieces;
	if (!block && (r->open[i].pieces != first ||
		       (r->piece_open && has_words(slice_skip(buf_slice(&page->text), r->piece.text)))))
		return;
	/* the item that begins with the block */
	for (size_t k = i, n = 0; !block && k > 0 && n < CLIMB_MOST && r->open[k].pieces == first; k--, n++) {
		if (r->open[k].flags & ELEMENT_ITEM)
			i = k;
	}
	struct note_target *more = grow_items(page->target, page->n_targets, &r->cap_targets, sizeof(*more));
	if (!more) {
		r->status = DANA_ENOMEM;
		return;
	}
	page->target = more;
	const uint32_t same = r->open[i].target ? r->open[i].target - 1 : page->n_targets;
	struct note_target t = { .id = at,
				 .len = len,
				 .piece = first,
				 .end = UINT32_MAX,
				 .from = r->open[i].containers,
				 .same = same };
	const uint32_t top = r->top;
	if (same == page->n_targets && !open_new(r, CONTAINER_NOTE))
		return;
	t.note = r->top;
	r->top = top;
	r->open[i].target = same + 1;
	more[page->n_targets++] = t;
}

/* Takes the id of the element on top. */
static void record_place(struct recorder *r, enum html_tag tag, const struct tag_facts *facts)
{
	struct structure_page *page = &r->page;
	struct slice id = tag_facts_value(facts, ATTR_ID);
	if (!id.len)
		id = tag_facts_value(facts, ATTR_NAME);
	const bool block = html_tag_is(tag, TAG_SPLITS);
	if (id.len && (!block || tag == HTML_TAG_P)) {
		struct page_anchor *all = grow_items(page->anchor, page->n_anchors, &r->cap_anchors, sizeof(*all));
		page->anchor = all ? all : page->anchor;
		if (all)
			all[page->n_anchors++] = (struct page_anchor){ id_hash(id), page->n_pieces };
		else
			r->status = DANA_ENOMEM;
	}
	uint32_t at, len;
	if (id.len && id_set_has(&page->places, id) && !r->code_block && record_argument(r, id, &at, &len))
		record_target(r, block, at, len);
}

/*
 * Returns whether a link to a place of this page or another begins a block, and leads back to the reference of a note
 * by its name: "ftnref1" for "ftn1", to which a link has led.
 */
static bool record_link_back(struct recorder *r, struct slice place, struct mark *mark)
{
	uint32_t at, len;
	if (!slice_has(place, "nref") || r->code_depth || r->code_block ||
	    (r->piece_open && has_words(slice_skip(buf_slice(&r->page.text), r->piece.text))) ||
	    !record_place_name(r, place, true, &at, &len) ||
	    !id_set_has(&r->page.places, page_argument(&r->page, at, len)))
		return false;
	*mark = (struct mark){ .kind = MARK_PLACE, .role = PLACE_BACK };
	if (!record_place_name(r, place, false, &mark->argument, &mark->len))
		return false;
	record_target(r, false, at, len);
	return true;
}

/*
 * Labels as references: pages that show notes in the margin, by style sheets alone, have a label with the number, a box
 * and the note in the line, and may have all notes once more at their end. Then those in the lines are left out.
 *
 * Example: so<label class=footref for=n1>1</label><input id=n1 type=checkbox><span class=sidenote>Words</span>
 */

/* Returns whether a tag is of such a label, which does not divide text. */
static __attribute__((noinline)) bool follow_label(struct recorder *r, const struct html_tag_event *event)
{
	const struct page_log *log = r->log;
	if (event->closing)
		return r->in_label;
	const struct tag_facts *facts = tag_facts_of(&r->tags, event);
	const struct slice id = html_attr_named(event, "for");
	if (!(facts->words.meanings & CLASS_NOTE_REFERENCE) || !id.len || r->code_block || !log)
		return false;
	size_t i = r->sidenotes == SIDENOTES_UNKNOWN ? page_log_at(log, event->start) + 1 : log->n;
	for (; i < log->n && r->sidenotes != SIDENOTES_TWICE; i++) {
		const struct log_entry *e = &log->entry[i];
		if (e->flags & (LOG_GAP | LOG_CLOSING | LOG_SKIPPED) || html_tag_is(e->tag, TAG_VOID))
			continue;
		const struct html_tag_event later = page_log_event(log, e);
		if (slice_equal(tag_facts_value(tag_facts_of(&r->tags, &later), ATTR_ID), id))
			r->sidenotes = SIDENOTES_TWICE;
	}
	if (r->sidenotes == SIDENOTES_UNKNOWN)
		r->sidenotes = SIDENOTES_ALONE;
	r->in_label = r->sidenotes == SIDENOTES_TWICE;
	return r->in_label;
}

static void record_label(struct recorder *r, struct open_element *element, struct slice id)
{
	struct mark mark = { .kind = MARK_PLACE, .role = PLACE_REFERENCE };
	if (record_argument(r, id, &mark.argument, &mark.len)) {
		id_set_add(&r->page.places, id);
		record_mark_open(r, element, mark);
	}
}

static void record_link(struct recorder *r, struct open_element *element, const struct tag_facts *facts)
{
	const struct slice href = slice_trim(tag_facts_value(facts, ATTR_HREF));
	struct mark mark = { .kind = MARK_LINK };
	if (href.len == 0)
		return;
	const struct slice id = tag_facts_value(facts, ATTR_ID), place = slice_skip(href, slice_until(href, "#") + 1);
	const bool named = facts->words.meanings & CLASS_NOTE_REFERENCE || tag_facts_has(facts, ATTR_NOTE) ||
			   slice_is(tag_facts_value(facts, ATTR_ROLE), "doc-noteref");
	if (record_link_back(r, place, &mark)) {
		record_mark_open(r, element, mark);
	} else if (href.data[0] == '#' || (named && begins_with(href, "javascript:") && id.len)) {
		mark.kind = MARK_PLACE;
		mark.role = named || r->mark_kinds >> MARK_RAISED & 1 ? PLACE_REFERENCE : PLACE_OTHER;
		if (!r->code_depth && record_place_name(r, href.data[0] == '#' ? slice_skip(href, 1) : id,
							href.data[0] != '#', &mark.argument, &mark.len)) {
			id_set_add(&r->page.places, page_argument(&r->page, mark.argument, mark.len));
			record_mark_open(r, element, mark);
		}
	} else if (href.len > STRUCTURE_URL || r->code_depth) {
		r->page.cut |= href.len > STRUCTURE_URL;
	} else if (record_argument(r, href, &mark.argument, &mark.len)) {
		record_mark_open(r, element, mark);
	}
}

static void record_container(struct recorder *r, enum html_tag tag, const struct tag_facts *facts)
{
	enum { NEAR_ASIDE = 4 };
	static const struct {
		uint8_t kind;
		bool line; /* its lines begin in another way */
		uint16_t flags;
	} others[HTML_TAGS_COUNT] = {
		[HTML_TAG_BLOCKQUOTE] = { CONTAINER_QUOTE, true, CONTAINER_FLOWS },
		[HTML_TAG_CAPTION] = { CONTAINER_CAPTION, false, CONTAINER_IN_CAPTION },
		[HTML_TAG_DL] = { CONTAINER_TERMS, false, CONTAINER_FLOWS },
		[HTML_TAG_DT] = { CONTAINER_TERM, true, 0 },
		[HTML_TAG_DD] = { CONTAINER_MEANING, true, 0 },
	};
	const struct container *around = &r->page.container[r->top];
	const bool heading = tag >= HTML_TAG_H1 && tag <= HTML_TAG_H6, quote = tag == HTML_TAG_BLOCKQUOTE;
	struct container *c = NULL;
	if (tag == HTML_TAG_UL || tag == HTML_TAG_OL || tag == HTML_TAG_MENU || tag == HTML_TAG_DIR) {
		if (around->kind == CONTAINER_LIST && around->last) {
			r->top = around->last;
			around = &r->page.container[r->top];
		}
		const bool fits = around->lists < STRUCTURE_LISTS;
		r->page.cut |= !fits;
		c = fits ? open_new(r, CONTAINER_LIST) : NULL;
		if (!c)
			return;
		c->line = r->top;
		c->lists++;
		c->number = tag_facts_number(facts, ATTR_START, -99999999, 99999999, 1) - 1;
		if (tag != HTML_TAG_OL)
			return;
		c->flags |= CONTAINER_ORDERED;
		for (size_t i = r->depth; i > 0 && r->depth - i < NEAR_ASIDE; i--) {
			if (r->open[i - 1].flags & (ELEMENT_ASIDE | ELEMENT_NOTES))
				c->flags |= CONTAINER_ASIDE;
		}
	} else if (tag == HTML_TAG_LI) {
		const uint32_t list = r->top;
		const bool listed = r->page.container[list].kind == CONTAINER_LIST;
		const bool fits = listed || r->page.container[list].lists < STRUCTURE_LISTS;
		r->page.cut |= !fits;
		c = fits ? open_new(r, CONTAINER_ITEM) : NULL;
		if (!c)
			return;
		c->line = r->top;
		if (!listed) {
			c->lists++;
			return;
		}
		struct container *l = &r->page.container[list];
		l->number = tag_facts_number(facts, ATTR_VALUE, 0, 99999999, l->number + 1);
		l->last = r->top;
		c->number = l->number;
		c->flags |= l->flags & CONTAINER_ORDERED;
	} else if (tag == HTML_TAG_TABLE) {
		const struct slice role = tag_facts_value(facts, ATTR_ROLE);
		c = open_new(r, CONTAINER_TABLE);
		if (!c)
			return;
		c->table = r->top;
		c->row = c->cell = 0;
		c->flags &= (uint16_t) ~(CONTAINER_FLOWS | CONTAINER_IN_CAPTION);
		if (slice_is(role, "presentation") || slice_is(role, "none"))
			c->flags |= CONTAINER_LAYOUT;
	} else if (tag == HTML_TAG_TR) {
		open_row(r);
	} else if (tag == HTML_TAG_TD || tag == HTML_TAG_TH) {
		const uint32_t table = r->page.container[r->top].table;
		if (table == r->top && r->page.container[table].last) {
			r->top = r->page.container[table].last;
		} else if (r->page.container[r->top].kind != CONTAINER_ROW) {
			open_row(r);
			if (table)
				r->page.container[table].last = r->page.container[r->top].row;
		}
		c = open_new(r, CONTAINER_CELL);
		if (!c)
			return;
		c->cell = r->top;
		c->columns = (uint8_t)tag_facts_number(facts, ATTR_COLSPAN, 1, STRUCTURE_COLUMNS, 1);
		c->rows = (uint16_t)tag_facts_number(facts, ATTR_ROWSPAN, 1, STRUCTURE_ROW_SPAN, 1);
		if (tag == HTML_TAG_TH)
			c->flags |= CONTAINER_HEAD_CELL;
	} else if (heading) {
		c = open_new(r, CONTAINER_HEADING);
		if (!c)
			return;
		c->flags |= CONTAINER_FLOWS | CONTAINER_IN_HEADING;
		c->number = 1 + (int)tag - HTML_TAG_H1;
	} else if (others[tag].line &&
		   (quote ? around->quotes == STRUCTURE_QUOTES : around->lists == STRUCTURE_LISTS)) {
		r->page.cut = true;
	} else if (others[tag].kind) {
		c = open_new(r, (enum container_kind)others[tag].kind);
		if (!c)
			return;
		c->flags |= others[tag].flags;
		c->line = others[tag].line ? r->top : c->line;
		if (quote)
			c->quotes++;
		else if (others[tag].line)
			c->lists++;
	}
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
	       is_white(slice_skip(buf_slice(&page->text), last->at));
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

static void record_picture(struct recorder *r, const struct html_tag_event *event)
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

/* Takes a tag that shows no picture itself, but says where one is. */
static void follow_picture(struct recorder *r, const struct html_tag_event *event)
{
	if (event->tag == HTML_TAG_PICTURE)
		r->source.len = 0;
	else if (!r->source.len && !r->skip_depth) {
		r->source = picture_of_set(html_attr_named(event, "srcset"));
		if (!r->source.len)
			r->source = picture_lazy(event);
	}
}

/* Pictures and boxes may have many attributes: they are read only where they matter. */
static void record_void(struct recorder *r, const struct html_tag_event *event)
{
	const bool shown = !r->skip_depth && !r->code_block;
	if (event->tag == HTML_TAG_INPUT) {
		/* a box that is the first thing in an item makes it a task if nobody can use it, or if the page speaks
		 * of tasks */
		enum { NEAR = 4 };
		struct container *item = &r->page.container[r->page.container[r->top].line];
		if (r->skip_depth || r->piece_open || item->kind != CONTAINER_ITEM || item->flags & CONTAINER_TASK)
			return;
		const struct tag_facts *facts = tag_facts_of(&r->tags, event);
		bool task = tag_facts_has(facts, ATTR_DISABLED) || facts->words.meanings & CLASS_TASK;
		for (size_t i = r->depth; i > 0 && r->depth - i < NEAR; i--)
			task |= (r->open[i - 1].flags & ELEMENT_TASKS) != 0;
		if (task && slice_is(tag_facts_value(facts, ATTR_TYPE), "checkbox"))
			item->flags |= CONTAINER_TASK | (tag_facts_has(facts, ATTR_CHECKED) ? CONTAINER_DONE : 0);
	} else if (event->tag == HTML_TAG_IMG && shown) {
		record_picture(r, event);
	} else if (event->tag == HTML_TAG_SOURCE) {
		follow_picture(r, event);
	}
	if (event->tag != HTML_TAG_HR || !shown || r->notes)
		return;
	if (r->page.n_pieces >= STRUCTURE_PIECES - 1) {
		r->page.cut = true;
		return;
	}
	r->piece = piece_here(r, PIECE_RULE, event->start);
	r->piece.end = event->end;
	record_piece_add(r);
	r->divided = true;
}

enum { KEEP_BUFFER = 1 << 20 };

struct recorder *recorder_new(size_t max_text, unsigned max_depth, bool readings)
{
	struct recorder *r = calloc(1, sizeof(*r));
	if (!r || element_stack_init(&r->stack, max_depth) < 0) {
		recorder_free(r);
		return NULL;
	}
	r->max_text = max_text;
	r->readings = readings;
	tag_reader_init(&r->tags);
	r->open = calloc(r->stack.max, sizeof(*r->open));
	r->passed = calloc(r->stack.max, sizeof(*r->passed));
	r->page.cap_containers = 64;
	r->page.container = calloc(r->page.cap_containers, sizeof(*r->page.container));
	if (!r->open || !r->passed || !r->page.container) {
		recorder_free(r);
		return NULL;
	}
	r->page.n_containers = 1;
	return r;
}

struct tag_reader *recorder_tags(struct recorder *r)
{
	return &r->tags;
}

void recorder_reset(struct recorder *r, const uint8_t *limit)
{
	struct structure_page *page = &r->page;
	element_stack_reset(&r->stack);
	tag_reader_reset(&r->tags, limit);
	buf_shrink(&page->text, KEEP_BUFFER);
	buf_shrink(&page->arguments, KEEP_BUFFER);
	buf_clear(&page->base_url);
	page->n_pieces = page->n_marks = page->n_targets = page->n_anchors = 0;
	page->places = (struct id_set){ 0 };
	page->raised = false;
	page->n_containers = 1;
	page->has_base = page->formulas = page->cut = false;
	page->container[0].flags = 0;
	r->depth = r->skip_depth = r->lines_depth = r->caption_depth = r->unshown_depth = r->code_block = r->leaf =
		r->tex_depth = 0;
	r->code_loose = r->in_label = r->button_joins = false;
	r->source.len = r->picture = 0;
	r->picture_stand_in = r->noscript = false;
	r->sidenotes = SIDENOTES_UNKNOWN;
	r->top = 0;
	r->status = DANA_OK;
	r->n_marks = r->mark_kinds = r->code_depth = r->notes = r->breaks = 0;
	r->piece_open = r->divided = false;
	r->formula.in_math = r->formula.in_script = r->in_reading = r->in_shadow = false;
}

void recorder_free(struct recorder *r)
{
	if (!r)
		return;
	element_stack_free(&r->stack);
	free(r->open);
	free(r->passed);
	free(r->page.piece);
	free(r->page.mark);
	free(r->page.container);
	free(r->page.target);
	free(r->page.anchor);
	buf_free(&r->page.text);
	buf_free(&r->page.arguments);
	buf_free(&r->page.base_url);
	formula_free(&r->formula);
	buf_free(&r->image);
	buf_free(&r->numbers.places);
	free(r);
}

static void record_element_end(struct recorder *r, uint64_t end)
{
	if (r->tex_depth == r->depth)
		tex_end(r, end);
	const struct open_element *e = &r->open[--r->depth];
	if (r->code_block > r->depth) {
		r->code_block = 0;
		r->code_loose = false;
		record_piece_end(r, end, false);
	} else if (e->flags & ELEMENT_SPLITS && !r->code_block)
		record_piece_divide(r, end);
	if (e->mark) {
		/* close the innermost open mark */
		struct mark mark = r->marks[--r->n_marks];
		r->mark_kinds &= ~(1U << mark.kind);
		mark.closes = true;
		if (r->piece_open && !r->code_block)
			record_mark_add(r, mark);
	}
	if (r->skip_depth > r->depth)
		r->skip_depth = 0;
	if (r->unshown_depth > r->depth)
		r->unshown_depth = 0;
	if (r->lines_depth > r->depth)
		r->lines_depth = 0;
	if (r->caption_depth > r->depth)
		r->caption_depth = 0;
	if (e->flags & ELEMENT_LINE && r->piece_open && !r->code_block)
		record_piece_end(r, end, true);
	if (e->target) {
		r->page.target[e->target - 1].end = r->page.n_pieces + r->piece_open;
		r->page.target[e->target - 1].to = r->page.n_containers;
	}
	r->in_label &= !(e->flags & ELEMENT_LABEL);
	r->code_depth -= (e->flags & ELEMENT_CODE) != 0;
	r->notes -= (e->flags & ELEMENT_NOTES) != 0;
	if (r->top != e->top && r->page.container[r->top].kind == CONTAINER_TABLE)
		r->page.container[r->top].last = r->page.n_containers;
	r->top = e->top;
}

static void elements_end(struct recorder *r, size_t count, uint64_t end)
{
	while (count--)
		record_element_end(r, end);
}

/*
 * Ends a line of code at a tag that divides text; a block with nothing in it is an empty line, except a cell that
 * others follow.
 */
static __attribute__((noinline)) void divide_code(struct recorder *r, enum html_tag tag, bool closing)
{
	if (tag == HTML_TAG_PRE && !r->code_loose)
		return;
	struct buf *text = &r->page.text;
	const bool empty = closing && !r->skip_depth && r->leaf == text->len + 1 && text->len != r->piece.text;
	if (!closing && (tag == HTML_TAG_TD || tag == HTML_TAG_TH) && r->empty_cell && r->empty_cell == text->len)
		text->len--;
	else if (!r->skip_depth && text->len < r->max_text && (tag == HTML_TAG_BR || empty || !line_is_empty(r)))
		note(r, buf_append_byte(text, '\n'));
	if (empty || tag == HTML_TAG_TR)
		r->empty_cell = empty && tag != HTML_TAG_TR ? text->len : 0;
	if (tag != HTML_TAG_BR)
		r->leaf = closing || r->skip_depth ? 0 : text->len + 1;
}

/* Returns whether a button is in a line of text, where it is parted by blanks. */
static __attribute__((noinline)) bool button_joins(struct recorder *r, bool closing, uint64_t start)
{
	const bool joins = closing ? r->button_joins : r->piece_open && !r->code_block;
	r->button_joins = joins && !closing;
	if (joins && r->piece_open)
		record_text(r, slice_from_text(" "), start);
	return joins;
}

/* Ends the piece, or a line of code, at a tag that divides text. */
static inline __attribute__((always_inline)) void divide(struct recorder *r, enum html_tag tag, bool closing,
							 uint64_t start)
{
	if (!html_tag_is(tag, TAG_SPLITS) || (tag == HTML_TAG_BUTTON && button_joins(r, closing, start)))
		return;
	if (r->code_block)
		divide_code(r, tag, closing);
	else if (tag == HTML_TAG_BR)
		record_piece_end(r, start, true);
	else
		record_piece_divide(r, start);
}

/* Ends an element in code, which may be the number of a line. */
static void number_end(struct recorder *r, enum html_tag tag)
{
	const struct buf *text = &r->page.text;
	const size_t before =
		text->len - (html_tag_is(tag, TAG_SPLITS) && line_is_empty(r) && text->len != r->piece.text);
	size_t line = before;
	while (line > r->piece.text && text->data[line - 1] != '\n' && before - line < HTML_TAG_NAME_MOST)
		line--;
	note(r, line_numbers_close(&r->numbers, tag, slice_of(text->data + line, before - line), before));
}

/* Returns whether a table is code: the first cell of its first row is for numbers, and no cell there has a <pre>. */
static bool is_code_table(struct recorder *r, const struct html_tag_event *table)
{
	enum { NEAR = 24 };
	const struct page_log *log = r->log;
	const size_t first = page_log_at(log, table->start) + 1, end = first + NEAR < log->n ? first + NEAR : log->n;
	bool numbers = false, cell = false;
	for (size_t i = first; i < end; i++) {
		const struct log_entry *e = &log->entry[i];
		const enum html_tag tag = (enum html_tag)e->tag;
		if (e->flags & (LOG_GAP | LOG_SKIPPED))
			continue;
		if (tag == HTML_TAG_PRE || tag == HTML_TAG_TABLE || (tag == HTML_TAG_TR && e->flags & LOG_CLOSING))
			return numbers && cell && tag == HTML_TAG_TR;
		if ((tag != HTML_TAG_TD && tag != HTML_TAG_TH) || e->flags & LOG_CLOSING)
			continue;
		if (numbers) {
			cell = true;
			continue;
		}
		const struct html_tag_event event = page_log_event(log, e);
		const struct tag_facts *facts = tag_facts_of(&r->tags, &event);
		numbers = facts->words.meanings & CLASS_GUTTER || tag_facts_has(facts, ATTR_LINE);
		if (!numbers)
			return false;
	}
	return numbers && cell;
}

/* Bytes of a block of code that another line is added to: the whole block is looked through once more for each. */
enum { JOINED_CODE_MOST = 8 << 10 };

/* Begins a <code> that is shown as a block: a block of its own, or more lines of the one directly before. */
static void begin_block_code(struct recorder *r, const struct html_tag_event *event)
{
	const struct page_log *log = r->log;
	struct structure_page *page = &r->page;
	const size_t entry = page_log_at(log, event->start);
	record_piece_divide(r, event->start);
	if (entry < 2 || !page->n_pieces || page->piece[page->n_pieces - 1].kind != PIECE_CODE)
		return;
	const struct log_entry *e = &log->entry[entry - 1];
	const struct piece *last = &page->piece[page->n_pieces - 1];
	if (e->tag != HTML_TAG_CODE || !(e->flags & LOG_CLOSING) || last->end != e->start ||
	    page->text.len - last->text > JOINED_CODE_MOST ||
	    slice_trim(page_log_part(log, e->end, (uint32_t)event->start)).len)
		return;
	r->piece = *last;
	page->n_pieces--;
	r->piece_open = true;
	if (page->text.len < r->max_text && !line_is_empty(r))
		note(r, buf_append_byte(&page->text, '\n'));
}

/** How the lines of an element begin. */
struct line_look {
	unsigned lines; /* that are not empty */
	bool deeper;    /* one is indented more than the first one, by two blanks or a tab */
};

/* Looks at source text; a line ends at <br>, too. */
static struct line_look look_at_lines(struct slice source)
{
	enum { DEEPER = 2, TAB = 4 };
	struct line_look look = { 0 };
	unsigned indent = 0, first = 0;
	bool begins = true;
	for (size_t i = 0; i < source.len; i++) {
		const uint8_t c = source.data[i];
		const bool tag = c == '<';
		if (c == '\n' || (tag && slice_is(slice_first(slice_skip(source, i), 3), "<br"))) {
			begins = true;
			indent = 0;
		}
		if (tag)
			i += slice_until(slice_skip(source, i), ">");
		else if (c == ' ' || c == '\t')
			indent += c == ' ' ? 1 : TAB;
		else if (begins && !ascii_is_space(c)) {
			begins = false;
			first = look.lines++ ? first : indent;
			look.deeper |= indent >= first + DEEPER;
		}
	}
	return look;
}

/*
 * Returns whether an element keeps its white space as <pre> does, by its style or class, and has lines, or blocks or
 * <code> in a block. Paragraphs, and `pre-wrap` without the letters of code, are for prose, too: a line is indented.
 */
static bool keeps_lines(const struct recorder *r, const struct html_tag_event *event)
{
	enum { LOOK = 2048 };
	const struct slice style = html_attr_named(event, "style"), class = html_attr_named(event, "class");
	enum white_space space = white_space_of_style(style);
	const bool by_style = space != WHITE_SPACE_INHERITED;
	if (!by_style)
		space = display_class_space(class);
	const struct slice value = by_style ? style : class;
	const bool wraps = slice_has(value, "pre-wrap") || slice_has(value, "break-spaces");
	const bool code = event->tag == HTML_TAG_CODE || event->tag == HTML_TAG_SAMP || slice_has(style, "mono") ||
			  slice_has(class, "mono");
	if (space != WHITE_SPACE_KEPT || r->piece_open || !r->log || event->end >= r->log->source.len)
		return false;
	const struct slice rest = slice_skip(r->log->source, (size_t)event->end);
	const struct slice next = slice_skip(rest, slice_until(rest, "<"));
	struct slice text = slice_first(rest, LOOK);
	for (size_t i = 0; i + 2 + event->name.len <= text.len; i++) {
		if (text.data[i] == '<' && text.data[i + 1] == '/' &&
		    memcmp(text.data + i + 2, event->name.data, event->name.len) == 0)
			text.len = i;
	}
	const struct line_look look = look_at_lines(text);
	const bool block = event->tag == HTML_TAG_DIV && is_white(slice_first(rest, rest.len - next.len)) &&
			   (slice_is(slice_first(next, 4), "<div") || slice_is(slice_first(next, 5), "<code"));
	if (!code && (wraps || event->tag == HTML_TAG_P))
		return look.deeper;
	return block || look.lines > 1;
}

/*
 * Returns whether a <code> is all of its block, has lines, and indents one by U+00A0: it is shown as a block of code
 * without being one.
 */
static bool indents_lines(struct recorder *r, const struct html_tag_event *event)
{
	const struct page_log *log = r->log;
	const size_t begin = page_log_at(log, event->start), n = log->n;
	bool indents = false;
	size_t i = begin + 1;
	for (; i < n && r->looks; i++, r->looks--) {
		const struct log_entry *e = &log->entry[i];
		const enum html_tag tag = (enum html_tag)e->tag;
		const struct slice after =
			page_log_part(log, e->end, i + 1 < n ? log->entry[i + 1].start : (uint32_t)log->source.len);
		if (tag == HTML_TAG_CODE && e->flags & LOG_CLOSING)
			return indents && slice_trim(after).len == 0 && i + 1 < n &&
			       html_tag_is((enum html_tag)e[1].tag, TAG_SPLITS);
		if (tag == HTML_TAG_BR)
			indents |= slice_is(slice_first(slice_trim(after), 6), "&nbsp;") ||
				   slice_is(slice_first(slice_trim(after), 2), "\xC2\xA0");
		else if (e->flags & LOG_GAP || html_tag_is(tag, TAG_SPLITS) || tag == HTML_TAG_CODE)
			return false;
	}
	return false;
}

/* Returns whether an element begins a block of code. */
static bool begins_code(struct recorder *r, const struct html_tag_event *event, unsigned words)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	if (tag == HTML_TAG_PRE || tag == HTML_TAG_XMP)
		return true;
	const bool may_keep = tag == HTML_TAG_DIV || tag == HTML_TAG_CODE || tag == HTML_TAG_SPAN ||
			      tag == HTML_TAG_P || tag == HTML_TAG_SAMP;
	const bool keeps = may_keep && slice_has(event->source, "space") && keeps_lines(r, event);
	if (keeps || tag == HTML_TAG_CODE)
		return keeps || (r->log && (words & CLASS_BLOCK || (!r->piece_open && indents_lines(r, event))));
	if (words & CLASS_CODE)
		return html_tag_is(tag, TAG_SPLITS) && tag != HTML_TAG_BODY && tag != HTML_TAG_ARTICLE;
	return tag == HTML_TAG_TABLE && r->log && is_code_table(r, event);
}

/*
 * What an element holds, by the log. A class alone never leaves words out: the element has to look like what its class
 * says that it is, or its source has to stand beside it. All looks at a page together cost a few times its length; what
 * is not looked at is kept.
 *
 * Example: <div class=gutter>1<br>2</div> holds numbers and goes, <div class=gutter>Our two offices</div> stays.
 */

struct content {
	size_t after;  /* the entry after its end tag, or after the one that implies its end */
	uint32_t to;   /* the place after it */
	size_t bytes;  /* of text */
	bool words;    /* two letters come one after the other */
	bool blocks;   /* paragraphs, items, headings, code */
	bool complete; /* its end was found */
};

/* Begins a look at the entries from `i` on. Returns their end. */
static size_t look_from(const struct recorder *r, size_t i)
{
	const size_t n = r->log ? r->log->n : 0;
	return i + r->looks < n ? i + r->looks : n;
}

static bool has_word(struct slice text)
{
	for (size_t i = 0; i + 1 < text.len; i++) {
		if ((ascii_is_alpha(text.data[i]) && ascii_is_alpha(text.data[i + 1])) || text.data[i] >= 0xC3) {
			/* a reference is none */
			size_t from = i;
			while (from > 0 && text.data[from - 1] != '&' && !ascii_is_space(text.data[from - 1]))
				from--;
			if (from == 0 || text.data[from - 1] != '&')
				return true;
			while (i + 1 < text.len && text.data[i] != ';' && !ascii_is_space(text.data[i]))
				i++;
		}
	}
	return false;
}

/* Looks at the element that begins at the entry `first`. */
static struct content content_of(struct recorder *r, size_t first)
{
	const struct page_log *log = r->log;
	struct content c = { .after = first };
	const size_t end = look_from(r, first);
	if (first >= end)
		return c;
	const struct log_entry *begin = &log->entry[first];
	const struct slice name = page_log_event(log, begin).name;
	const bool cell = begin->tag == HTML_TAG_TD || begin->tag == HTML_TAG_TH;
	unsigned depth = 1;
	size_t i = first + 1;
	for (; i < end && depth; i++) {
		const struct log_entry *e = &log->entry[i];
		const enum html_tag tag = (enum html_tag)e->tag;
		const struct slice text = page_log_part(log, e[-1].end, e->start);
		c.to = e->start;
		if (!(e->flags & LOG_TEXT_SKIPPED)) {
			c.bytes += slice_trim(text).len;
			c.words = c.words || has_word(text);
		}
		if (e->flags & (LOG_GAP | LOG_SKIPPED))
			continue;
		const bool closing = e->flags & LOG_CLOSING;
		const bool same =
			tag == begin->tag && (tag != HTML_TAG_OTHER || slice_equal(page_log_event(log, e).name, name));
		if (cell && (tag == HTML_TAG_TD || tag == HTML_TAG_TH || tag == HTML_TAG_TR))
			depth = 0;
		else if (same)
			depth += closing ? -1U : 1U;
		c.blocks |= !closing && (html_tag_is(tag, TAG_HEADING) || tag == HTML_TAG_P || tag == HTML_TAG_LI ||
					 tag == HTML_TAG_PRE || tag == HTML_TAG_TABLE || tag == HTML_TAG_BLOCKQUOTE);
		c.to = e->end;
	}
	c.after = i;
	c.complete = depth == 0;
	r->looks -= i - first;
	return c;
}

/* Returns whether an element is a formula as it is shown, and its TeX or MathML stands beside it. */
static bool is_formula_copy(struct recorder *r, const struct html_tag_event *event)
{
	if (record_formula_is_near(r) || (r->tex_depth && r->tex.len))
		return true;
	const size_t first = r->log ? page_log_at(r->log, event->start) : 0;
	const struct content c = content_of(r, first);
	if (!c.complete || c.blocks)
		return false;
	/* ends of elements around it may come before the source, and after a preview its copy */
	const bool preview = slice_has(event->source, "preview");
	const struct page_log *log = r->log;
	uint32_t before = c.to;
	const size_t end = look_from(r, c.after);
	size_t i = c.after;
	bool found = false, more = true;
	while (i < end && more && !found) {
		const struct log_entry *e = &log->entry[i];
		more = slice_trim(page_log_part(log, before, e->start)).len == 0;
		before = e->end;
		i++;
		r->looks--;
		if (!more || e->flags & LOG_GAP)
			continue;
		const struct html_tag_event next = page_log_event(log, e);
		if (next.closing) {
			more = !html_tag_is((enum html_tag)next.tag, TAG_SPLITS) || next.tag == HTML_TAG_DIV;
			continue;
		}
		if (next.tag == HTML_TAG_MATH || next.tag == HTML_TAG_SCRIPT) {
			found = next.tag == HTML_TAG_MATH || formula_mathjax_likely(next.source);
			more = false;
		} else if (next.tag == HTML_TAG_OTHER) {
			more = slice_is(next.name, "mjx-assistive-mml");
		} else if (slice_has(next.source, "assistive") || slice_has(next.source, "aria-hidden")) {
			more = next.tag == HTML_TAG_SPAN;
		} else {
			more = preview && (next.tag == HTML_TAG_SPAN || next.tag == HTML_TAG_DIV) &&
			       slice_has(next.source, "mathjax");
			if (!more)
				continue;
			const struct content other = content_of(r, i - 1);
			more = other.complete && !other.blocks;
			i = other.after;
			before = other.to;
		}
	}
	return found;
}

/* What is a tool by its class is short. */
static bool is_tool(const struct content *c)
{
	enum { TOOL_BYTES = 200 };
	return c->complete && !c->blocks && c->bytes <= TOOL_BYTES;
}

/* Returns whether an element is a tool in code, or in an element that has code before it or near after it. */
static bool is_tool_of_code(struct recorder *r, const struct html_tag_event *event)
{
	enum { NEAR = 64 };
	const struct structure_page *page = &r->page;
	const size_t levels = record_code_wrapper(r);
	if (r->code_block || !levels || !r->log)
		return r->code_block;
	const struct content c = content_of(r, page_log_at(r->log, event->start));
	if (!is_tool(&c))
		return false;
	bool near = page->n_pieces > r->open[r->depth - levels].pieces &&
		    page->piece[page->n_pieces - 1].kind == PIECE_CODE;
	const size_t end = r->log->n < c.after + NEAR ? r->log->n : c.after + NEAR;
	for (size_t i = c.after, open = levels - 1; i < end && open && !near; i++) {
		const struct log_entry *e = &r->log->entry[i];
		const enum html_tag tag = (enum html_tag)e->tag;
		near = tag == HTML_TAG_PRE || tag == HTML_TAG_CODE || tag == HTML_TAG_XMP || tag == HTML_TAG_TABLE;
		if (!html_tag_is(tag, TAG_VOID) && !(e->flags & (LOG_GAP | LOG_SKIPPED)))
			open += e->flags & LOG_CLOSING ? (size_t)-1 : 1;
	}
	return near;
}

static bool is_tool_of_page(struct recorder *r, const struct html_tag_event *event)
{
	const struct content c = content_of(r, r->log ? page_log_at(r->log, event->start) : 0);
	return is_tool(&c);
}

static bool holds_numbers(struct recorder *r, const struct html_tag_event *event)
{
	const struct content c = content_of(r, r->log ? page_log_at(r->log, event->start) : 0);
	return c.complete && !c.words;
}

/* Returns whether an inline element has blocks in it, which are hidden like blocks of other elements. */
static bool holds_blocks(struct recorder *r, const struct html_tag_event *event)
{
	return html_tag_is((enum html_tag)event->tag, TAG_NESTS) && r->log &&
	       content_of(r, page_log_at(r->log, event->start)).blocks;
}

/* Returns whether an element is left out with all that is in it. */
static bool is_left_out(struct recorder *r, const struct html_tag_event *event, const struct tag_facts *facts,
			bool hidden)
{
	const unsigned words = facts->words.meanings;
	const enum html_tag tag = (enum html_tag)event->tag;
	const bool part = tag == HTML_TAG_SPAN || tag == HTML_TAG_DIV, small = part || tag == HTML_TAG_A;
	const bool holds = tag == HTML_TAG_TD || tag == HTML_TAG_DIV || tag == HTML_TAG_PRE || tag == HTML_TAG_TH;
	const bool heading = r->page.container[r->top].flags & CONTAINER_IN_HEADING;
	const bool shown = (words & CLASS_FORMULA_COPY && part) ||
			   (tag == HTML_TAG_NOBR && slice_has(event->source, "aria-hidden")) ||
			   (tag == HTML_TAG_OTHER && slice_is(event->name, "mjx-math"));
	const bool tool = tag == HTML_TAG_BUTTON || (words & CLASS_COPY && small);
	return (hidden && !html_tag_is(tag, TAG_SPLITS) && !holds_blocks(r, event)) ||
	       (tool && is_tool_of_code(r, event)) || (shown && is_formula_copy(r, event)) ||
	       (words & CLASS_GUTTER && (holds || (r->code_block && (small || tag == HTML_TAG_CODE))) &&
		holds_numbers(r, event)) ||
	       (words & CLASS_KATEX_SHOWN && record_formula_is_near(r)) ||
	       (words & (r->sidenotes == SIDENOTES_TWICE ? CLASS_READER | CLASS_SIDENOTE : CLASS_READER) &&
		!html_tag_is(tag, TAG_SPLITS)) ||
	       (words & CLASS_EDIT && small && is_tool_of_page(r, event)) ||
	       (tag == HTML_TAG_BUTTON && r->caption_depth && r->piece_open &&
		has_words(slice_skip(buf_slice(&r->page.text), r->piece.text))) ||
	       (heading && (tag == HTML_TAG_BUTTON || words & (CLASS_TOOL | CLASS_COPY | CLASS_READER)) &&
		heading_has_begun(r)) ||
	       (words & CLASS_ANCHOR && tag == HTML_TAG_A && heading && !record_permalink_is_heading(r, event));
}

/* Returns whether line ends of the source are shown in an element, by its style or class. */
static bool shows_lines(const struct html_tag_event *event)
{
	if (!slice_has(event->source, "space"))
		return false;
	enum white_space space = white_space_of_style(html_attr_named(event, "style"));
	if (space == WHITE_SPACE_INHERITED)
		space = display_class_space(html_attr_named(event, "class"));
	return space == WHITE_SPACE_KEPT || space == WHITE_SPACE_LINES;
}

/** Opens an element that is on the stack. */
static void record_element(struct recorder *r, const struct html_tag_event *event)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	struct open_element *e = &r->open[r->depth++];
	*e = (struct open_element){ .top = r->top, .pieces = r->page.n_pieces, .containers = r->page.n_containers };
	if (html_tag_is(tag, TAG_SPLITS) && !(tag == HTML_TAG_BUTTON && r->button_joins))
		e->flags = tag == HTML_TAG_LI      ? ELEMENT_SPLITS | ELEMENT_ITEM
			   : tag == HTML_TAG_TFOOT ? ELEMENT_SPLITS | ELEMENT_FOOT
			   : tag == HTML_TAG_ASIDE ? ELEMENT_SPLITS | ELEMENT_ASIDE
						   : ELEMENT_SPLITS;
	if (tag == HTML_TAG_LABEL && r->in_label)
		e->flags = ELEMENT_LABEL;
	if (r->skip_depth)
		return;
	if (tag == HTML_TAG_FIGCAPTION && !r->caption_depth)
		r->caption_depth = r->depth;
	const struct tag_facts *facts = tag_facts_of(&r->tags, event);
	const unsigned words = facts->words.meanings;
	if ((facts->has & ATTRS_OF_ALL) | (tag == HTML_TAG_OTHER) | (tag == HTML_TAG_BUTTON) | (tag == HTML_TAG_NOBR)) {
		const struct style_display shown = tag_facts_display(facts, tag);
		/* what readers hear of a formula is its source */
		const bool formula =
			words & CLASS_FORMULA || (tag == HTML_TAG_OTHER && slice_is(event->name, "mjx-assistive-mml"));
		const bool hidden = shown.unseen && !formula;
		if (!html_tag_is(tag, TAG_SPLITS) && shown.line && r->code_block) {
			if (!line_is_empty(r) && r->page.text.len < r->max_text)
				note(r, buf_append_byte(&r->page.text, '\n'));
		} else if (!html_tag_is(tag, TAG_SPLITS) && shown.line) {
			e->flags |= ELEMENT_LINE;
			if (r->piece_open)
				record_piece_end(r, event->start, true);
		}
		if (r->tex_depth && words & CLASS_KATEX_SHOWN)
			(void)tex_take(r, false, event->start);
		if (is_left_out(r, event, facts, hidden)) {
			r->skip_depth = r->depth;
			r->numbered |= (words & CLASS_GUTTER) != 0;
			return;
		}
		if (hidden && !r->unshown_depth)
			r->unshown_depth = r->depth;
		if (tag == HTML_TAG_OTHER && !r->code_block &&
		    (slice_is(event->name, "amp-img") || slice_is(event->name, "amp-anim")))
			record_picture(r, event);
	}
	if (!r->lines_depth && shows_lines(event))
		r->lines_depth = r->depth;
	if (facts->has & (ATTRS_OF_PLACES | 1 << ATTR_TEX)) {
		record_place(r, tag, facts);
		if (tag_facts_has(facts, ATTR_TEX))
			tex_begin(r, event, tag_facts_value(facts, ATTR_TEX));
	}
	if (r->code_block) {
		line_numbers_open(&r->numbers, tag, r->page.text.len);
		if ((tag == HTML_TAG_CODE || tag == HTML_TAG_PRE) && !r->piece.language_len) {
			bool none;
			struct slice name = language_of(facts, HTML_TAG_CODE, &none);
			if (!name.len && facts->words.others == 0)
				name = facts->words.bare_language;
			set_language(r, name, &r->piece.language, &r->piece.language_len);
		}
		return;
	}
	if (facts->has & (ATTRS_OF_ALL | 1 << ATTR_LANG)) {
		bool none;
		struct slice name = language_of(facts, tag, &none);
		if (name.len || words & CLASS_HIGHLIGHT) {
			e->flags |= ELEMENT_WRAPS_CODE;
			set_language(r, name.len ? name : facts->words.bare_language, &e->language, &e->language_len);
		}
	}
	if (words & CLASS_TASK)
		e->flags |= ELEMENT_TASKS;
	if (words & CLASS_NOTES && (tag == HTML_TAG_SECTION || tag == HTML_TAG_DIV)) {
		e->flags |= ELEMENT_NOTES;
		r->notes++;
	}
	if (begins_code(r, event, words)) {
		bool none;
		facts = tag_facts_of(&r->tags, event);
		struct slice name = language_of(facts, tag, &none);
		if (tag == HTML_TAG_CODE)
			begin_block_code(r, event);
		const bool more = r->piece_open && tag == HTML_TAG_CODE && r->piece.kind == PIECE_CODE;
		if (r->piece_open && !more) /* the last one, which takes the rest of the text */
			return;
		if (!name.len && !none)
			name = facts->words.bare_language;
		r->code_block = r->depth;
		r->code_loose = tag != HTML_TAG_PRE && tag != HTML_TAG_XMP && tag != HTML_TAG_CODE;
		r->leaf = r->empty_cell = 0;
		line_numbers_reset(&r->numbers);
		r->numbered = false;
		if (more)
			return;
		record_piece_begin(r, event->end);
		r->piece.kind = PIECE_CODE;
		r->piece.raw = tag == HTML_TAG_XMP;
		set_language(r, name, &r->piece.language, &r->piece.language_len);
		/* else the language of the innermost element around it that names one; the last is the <pre> itself */
		for (size_t i = r->depth - 1; i > 0 && r->depth - i <= AROUND_LANGUAGE && !name.len; i--) {
			const struct open_element *around = &r->open[i - 1];
			r->piece.language = around->language;
			name.len = r->piece.language_len = around->language_len;
		}
	} else if (e->flags & ELEMENT_LABEL) {
		record_label(r, e, html_attr_named(event, "for"));
	} else if (html_tag_is(tag, TAG_SPLITS) && !(tag == HTML_TAG_BUTTON && r->button_joins)) {
		record_container(r, tag, facts);
	} else { /* a mark */
		static const uint8_t kinds[HTML_TAGS_COUNT] = {
			[HTML_TAG_EM] = MARK_EMPHASIS,    [HTML_TAG_I] = MARK_EMPHASIS,
			[HTML_TAG_STRONG] = MARK_STRONG,  [HTML_TAG_B] = MARK_STRONG,
			[HTML_TAG_DEL] = MARK_DELETED,    [HTML_TAG_S] = MARK_DELETED,
			[HTML_TAG_STRIKE] = MARK_DELETED, [HTML_TAG_CODE] = MARK_CODE,
			[HTML_TAG_TT] = MARK_CODE,        [HTML_TAG_SAMP] = MARK_CODE,
			[HTML_TAG_SUP] = MARK_RAISED,     [HTML_TAG_SUB] = MARK_LOWERED,
		};
		const uint8_t kind = kinds[event->tag];
		if (event->tag == HTML_TAG_A)
			record_link(r, e, facts);
		else if (kind && (!r->code_depth || kind == MARK_RAISED || kind == MARK_LOWERED))
			record_mark_open(r, e, (struct mark){ .kind = kind });
		r->page.raised |= kind == MARK_RAISED;
		if (kind == MARK_CODE) {
			e->flags |= ELEMENT_CODE;
			r->code_depth++;
		}
	}
}

/*
 * Follows <template shadowrootmode>, and the reserve where it is the page's text: what is in them is shown, and
 * recorded as what a method has to choose itself. Returns whether a skipped tag is recorded as any other.
 */
static bool follow_shadow(struct recorder *r, const struct html_tag_event *event)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	if (!r->in_shadow) {
		const bool reserve = r->shows_reserve && (tag == HTML_TAG_NOSCRIPT || tag == HTML_TAG_TEMPLATE);
		r->in_shadow = (reserve || tag == HTML_TAG_TEMPLATE) && event->skipped && !event->closing &&
			       !r->skip_depth && (reserve || html_attr_named(event, "shadowrootmode").len);
		r->shadow = tag;
		r->shadows = 0;
		r->shadow_skip = HTML_TAG_OTHER;
		if (r->in_shadow)
			record_piece_divide(r, event->start);
		return false;
	}
	r->shadows += tag == r->shadow && !event->closing;
	if (!event->skipped || (tag == r->shadow && event->closing && r->shadows-- == 0)) {
		record_piece_divide(r, event->start);
		r->in_shadow = false;
		return false;
	}
	if (r->shadow_skip != HTML_TAG_OTHER) {
		if (event->closing && tag == r->shadow_skip)
			r->shadow_skip = HTML_TAG_OTHER;
		return false;
	}
	if (html_tag_is(tag, TAG_SKIP | TAG_RAW)) {
		r->shadow_skip = event->closing || event->self_closing ? HTML_TAG_OTHER : tag;
		return false;
	}
	return true;
}

/* A reading of ruby ends with its element, with another one, and with what is around it. */
static void follow_reading(struct recorder *r, const struct html_tag_event *event)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	if (r->in_reading && (!event->skipped || tag == HTML_TAG_RT || tag == HTML_TAG_RP || tag == HTML_TAG_RTC)) {
		r->in_reading = false;
		record_text(r, slice_from_text("）"), event->start);
	}
	if (r->readings && event->skipped && tag == HTML_TAG_RT && !event->closing) {
		r->in_reading = true;
		record_text(r, slice_from_text("（"), event->start);
	}
}

/* Returns the tag as it is taken: one in a shadow root like any other; NULL if it is left out. */
static __attribute__((noinline)) const struct html_tag_event *follow_skipped(struct recorder *r,
									     const struct html_tag_event *event)
{
	follow_reading(r, event);
	if (!follow_shadow(r, event))
		return event->skipped && r->in_shadow ? NULL : event;
	r->shown = *event;
	r->shown.skipped = false;
	return &r->shown;
}

/*
 * Returns whether the innermost of the elements that end, `count` of them, is a link with nothing in it: as a browser
 * does, the block that ends it is in the link.
 *
 * Example: in <p><a href=x><div><img src=y></div></a> the <div> ends the paragraph, and the picture is in the link.
 */
static bool begins_link(const struct recorder *r, size_t count)
{
	const struct structure_page *page = &r->page;
	if (!count || r->code_block || r->piece_open || r->open[r->depth - 1].mark != MARK_LINK)
		return false;
	const uint32_t pieces = page->n_pieces - r->open[r->depth - 1].pieces;
	const struct mark *last = page->n_marks ? &page->mark[page->n_marks - 1] : NULL;
	return pieces == 0 || (pieces == 1 && last && last->kind == MARK_LINK && !last->closes &&
			       is_white(slice_skip(buf_slice(&page->text), last->at)));
}

int recorder_tag(struct recorder *r, const struct html_tag_event *event)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	if (event->skipped | r->in_reading | r->in_shadow) {
		event = follow_skipped(r, event);
		if (!event)
			return r->status;
	}
	if (event->skipped ? r->formula.in_math || tag == HTML_TAG_MATH : tag == HTML_TAG_SCRIPT) {
		/* the tag <math>, one inside of it, or <script>, whose end tag has bytes of the script */
		bool ends = false;
		if (event->skipped) {
			note(r, formula_math_tag(&r->formula, event, &ends));
		} else if (!r->skip_depth || event->closing) {
			if (event->closing && r->formula.in_script)
				note(r, formula_script_bytes(&r->formula, event->source));
			formula_script_tag(&r->formula, event, &ends);
		}
		if (ends)
			add_formula(r);
	} else if (event->skipped) {
		if (tag == HTML_TAG_NOSCRIPT)
			r->noscript = !event->closing;
		if (r->noscript && tag == HTML_TAG_IMG && !r->skip_depth && !r->code_block)
			record_picture(r, event);
	} else if (tag != HTML_TAG_STYLE) {
		if (tag != HTML_TAG_LABEL || !follow_label(r, event))
			divide(r, tag, event->closing, event->start);
		if (tag == HTML_TAG_BR)
			return r->status;
		if (event->closing) {
			if (r->code_block && !r->skip_depth)
				number_end(r, tag);
			elements_end(r, element_stack_end(&r->stack, tag, event->name), event->start);
			return r->status;
		}
		const struct stack_change change = element_stack_start(&r->stack, tag, event->name);
		const bool reopens = change.opens && tag != HTML_TAG_P && r->mark_kinds >> MARK_LINK & 1 &&
				     begins_link(r, change.closes);
		const struct mark link = reopens ? r->marks[r->n_marks - 1] : (struct mark){ 0 };
		elements_end(r, change.closes, event->start);
		if (tag == HTML_TAG_PICTURE)
			follow_picture(r, event);
		if (change.empty)
			record_void(r, event);
		else if (change.opens)
			record_element(r, event);
		if (reopens && !r->skip_depth && !r->code_block && r->open[r->depth - 1].mark == MARK_NONE)
			record_mark_open(r, &r->open[r->depth - 1], link);
	}
	return r->status;
}

/* Adds text whose line ends are shown. */
static void record_lines(struct recorder *r, struct slice text, uint64_t offset)
{
	for (;;) {
		const struct slice line = slice_first(text, slice_until(text, "\n"));
		record_text(r, line, offset);
		if (line.len == text.len)
			return;
		if (!r->skip_depth)
			record_piece_end(r, offset + line.len, true);
		offset += line.len + 1;
		text = slice_skip(text, line.len + 1);
	}
}

int recorder_text(struct recorder *r, struct slice text, uint64_t offset, bool skipped)
{
	if (!skipped || r->in_reading || (r->in_shadow && r->shadow_skip == HTML_TAG_OTHER)) {
		if (r->lines_depth && !r->code_block)
			record_lines(r, text, offset);
		else
			record_text(r, text, offset);
	} else if (r->formula.in_math)
		note(r, formula_math_text(&r->formula, text));
	return r->status;
}

int recorder_gap(struct recorder *r, struct slice bytes)
{
	if (r->formula.in_script)
		note(r, formula_script_bytes(&r->formula, bytes));
	return r->status;
}

bool recorder_may_end(const struct recorder *r, uint64_t place)
{
	const struct structure_page *page = &r->page;
	const struct piece *last = page->n_pieces ? &page->piece[page->n_pieces - 1] : NULL;
	const struct container *all = page->container;
	if (!last || last->wordless || last->start < place || r->code_block)
		return false;
	/* a list or table that this piece is the first in does not matter; nor does one of layout */
	const uint32_t before = page->n_pieces > 1 ? last[-1].container : 0;
	uint32_t c = last->container;
	while (c > before)
		c = all[c].parent;
	return (!all[r->top].table && !all[r->top].lists) ||
	       (!all[c].lists && (!all[c].table || all[all[c].table].flags & CONTAINER_NO_DATA));
}

int recorder_finish(struct recorder *r, struct structure_page **page)
{
	if (r->formula.in_script || r->formula.in_math) { /* the page's end cuts a formula */
		note(r, formula_end(&r->formula));
		add_formula(r);
	}
	elements_end(r, r->depth, UINT64_MAX);
	record_piece_end(r, UINT64_MAX, false);
	if (r->piece_open)
		record_piece_add(r);
	*page = &r->page;
	return r->status;
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
		const bool empty = is_white(line);
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
		const bool empty = parted && is_white(slice_first(text, len));
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

/* What any part of a page may say of all of it: the address that its links are relative to, and that it shows TeX. */

/* Returns whether source text may have a formula at `at`: a dollar, or a backslash before '(', '[' or "begin". */
static bool is_delimiter(struct slice text, size_t at)
{
	static const char *const references[] = { "&#36", "&#x24", "&dollar;", "&#92", "&#x5c", "&bsol;" };
	const struct slice here = slice_skip(text, at);
	const uint8_t next = here.len > 1 ? here.data[1] : ' ';
	bool found = false;
	switch (here.data[0]) {
	case '$':
		return next == '$' || ((at ? text.data[at - 1] : ' ') != ' ' && !ascii_is_digit(next));
	case '\\':
		return next && strchr("([b", next);
	default:
		if (!strchr("#db", next | 0x20))
			return false;
		for (size_t i = 0; i < sizeof(references) / sizeof(*references) && !found; i++)
			found = begins_with(here, references[i]);
		return found;
	}
}

/* What it declares of formulas matters to few pages, and costs as much as the record of all of it. */
int recorder_page_facts(struct recorder *r, const struct page_log *log)
{
	/* the text of all pieces is one buffer, in their order */
	const struct slice all = buf_slice(&r->page.text);
	const struct piece *p = r->page.piece, *end = p + r->page.n_pieces;
	bool delimiters = false;
	for (size_t at = 0; !delimiters && (at += text_scan_undelimited(slice_skip(all, at))) < all.len; at++) {
		while (p < end && p->text + p->len <= at)
			p++;
		delimiters = p < end && at >= p->text && p->kind == PIECE_TEXT &&
			     is_delimiter(slice_of(all.data + p->text, p->len), at - p->text);
	}
	for (size_t i = 0; i < log->n && delimiters && !r->page.formulas; i++) {
		if (log->entry[i].flags & (LOG_GAP | LOG_CLOSING | LOG_SKIPPED))
			continue;
		const struct html_tag_event event = page_log_event(log, &log->entry[i]);
		const enum html_tag tag = (enum html_tag)event.tag;
		r->page.formulas = tag == HTML_TAG_OTHER && slice_is(event.name, "mjx-container");
		if (r->page.formulas || (html_tag_is(tag, TAG_VOID) && tag != HTML_TAG_LINK))
			continue;
		const struct tag_facts *facts = tag_facts_of(&r->tags, &event);
		const struct slice url = tag_facts_value(facts, tag == HTML_TAG_LINK ? ATTR_HREF : ATTR_SRC);
		/* both names end in an x, as few do */
		if (tag == HTML_TAG_LINK || tag == HTML_TAG_SCRIPT)
			r->page.formulas = slice_until(url, "xX") < url.len &&
					   (slice_has(url, "mathjax") || slice_has(url, "katex"));
		else
			r->page.formulas = facts->words.meanings & CLASS_FORMULA;
	}
	/* the first <base> that has an address */
	for (size_t i = log->first_base; i > 0 && i <= log->n && !r->page.has_base; i++) {
		const struct log_entry *e = &log->entry[i - 1];
		if (e->tag != HTML_TAG_BASE || e->flags)
			continue;
		const struct html_tag_event event = page_log_event(log, e);
		const struct tag_facts *facts = tag_facts_of(&r->tags, &event);
		r->page.has_base = tag_facts_has(facts, ATTR_HREF);
		const struct slice href = tag_facts_value(facts, ATTR_HREF);
		note(r, buf_append(&r->page.base_url, href.data, href.len));
	}
	return r->status;
}

/*
 * What is before the part of a page that is recorded: which elements are open there, and how far the lists that are
 * open have counted. Nothing else of it matters to the record.
 *
 * Example: before "two" in <ol start=3><li>one<li><b>two, the elements ol, li and b are open, and the number before
 * that of the li is 3.
 */

enum part_of_list { NO_PART, IS_LIST, IS_OTHER };

/* What an element is to the items in it: IS_OTHER holds them without being a list. */
static enum part_of_list part_of_list(enum html_tag tag)
{
	static const uint8_t parts[HTML_TAGS_COUNT] = {
		[HTML_TAG_UL] = IS_LIST,       [HTML_TAG_OL] = IS_LIST,          [HTML_TAG_MENU] = IS_LIST,
		[HTML_TAG_DIR] = IS_LIST,      [HTML_TAG_LI] = IS_OTHER,         [HTML_TAG_DL] = IS_OTHER,
		[HTML_TAG_DT] = IS_OTHER,      [HTML_TAG_DD] = IS_OTHER,         [HTML_TAG_TABLE] = IS_OTHER,
		[HTML_TAG_TR] = IS_OTHER,      [HTML_TAG_TD] = IS_OTHER,         [HTML_TAG_TH] = IS_OTHER,
		[HTML_TAG_CAPTION] = IS_OTHER, [HTML_TAG_BLOCKQUOTE] = IS_OTHER, [HTML_TAG_H1] = IS_OTHER,
		[HTML_TAG_H2] = IS_OTHER,      [HTML_TAG_H3] = IS_OTHER,         [HTML_TAG_H4] = IS_OTHER,
		[HTML_TAG_H5] = IS_OTHER,      [HTML_TAG_H6] = IS_OTHER,
	};
	return (enum part_of_list)parts[tag];
}

static int number_in(struct recorder *r, const struct page_log *log, const struct log_entry *e, enum attr_kind kind,
		     int least, int other)
{
	const struct html_tag_event event = page_log_event(log, e);
	return tag_facts_number(tag_facts_of(&r->tags, &event), kind, least, 99999999, other);
}

void recorder_pass(struct recorder *r, const struct page_log *log, uint32_t to)
{
	r->log = log;
	for (uint32_t i = 0; i < to; i++) {
		const struct log_entry *e = &log->entry[i];
		const enum html_tag tag = (enum html_tag)e->tag;
		if (e->flags & (LOG_GAP | LOG_SKIPPED) || tag == HTML_TAG_SCRIPT || tag == HTML_TAG_STYLE ||
		    tag == HTML_TAG_BR)
			continue;
		const bool closing = e->flags & LOG_CLOSING;
		const struct slice name = slice_of(log->source.data + e->start + 1 + closing, e->name_len);
		if (closing) {
			r->depth -= element_stack_end(&r->stack, tag, name);
			continue;
		}
		const struct stack_change change = element_stack_start(&r->stack, tag, name);
		r->depth -= change.closes;
		if (!change.opens) {
			if (tag == HTML_TAG_INPUT && r->depth && r->passed[r->depth - 1].holder)
				r->passed[r->passed[r->depth - 1].holder - 1].has_box = true;
			continue;
		}
		struct passed_element *p = &r->passed[r->depth++];
		const uint32_t holder = r->depth > 1 ? p[-1].holder : 0;
		*p = (struct passed_element){ .entry = i, .holder = holder };
		if (part_of_list(tag) != NO_PART)
			p->holder = (uint32_t)r->depth;
		if (tag == HTML_TAG_OL)
			p->number = number_in(r, log, e, ATTR_START, -99999999, 1) - 1;
		struct passed_element *list = holder ? &r->passed[holder - 1] : p;
		const enum html_tag around = (enum html_tag)log->entry[list->entry].tag;
		if (tag != HTML_TAG_LI || part_of_list(around) != IS_LIST)
			continue;
		list->item = i;
		list->before = list->number++;
		if (around == HTML_TAG_OL)
			list->number = number_in(r, log, e, ATTR_VALUE, 0, list->number);
	}
}

void recorder_show_reserve(struct recorder *r, bool shown)
{
	r->shows_reserve = shown;
}

uint32_t recorder_pass_back(struct recorder *r, const struct page_log *log, uint32_t to)
{
	for (size_t i = 0; i < r->depth; i++) {
		const struct passed_element *p = &r->passed[i];
		const enum html_tag tag = (enum html_tag)log->entry[p->entry].tag;
		bool whole = tag == HTML_TAG_TABLE || tag == HTML_TAG_PRE || tag == HTML_TAG_XMP || p->has_box;
		if (!whole && (html_tag_is(tag, TAG_SPLITS) || tag == HTML_TAG_CODE)) {
			const struct html_tag_event event = page_log_event(log, &log->entry[p->entry]);
			whole = tag_facts_of(&r->tags, &event)->words.meanings &
				(tag == HTML_TAG_CODE ? CLASS_BLOCK : CLASS_CODE);
		}
		if (!whole)
			continue;
		element_stack_drop(&r->stack, r->depth - i);
		r->depth = i;
		return p->entry;
	}
	return to;
}

/* Opens an element that is not recorded as if it began here. */
static void open_here(struct recorder *r, const struct page_log *log, uint32_t entry)
{
	const struct html_tag_event event = page_log_event(log, &log->entry[entry]);
	record_element(r, &event);
}

int recorder_resume(struct recorder *r, const struct page_log *log)
{
	enum { LOOKS = 8 };
	const size_t depth = r->depth;
	r->depth = 0;
	r->looks = LOOKS * log->n;
	for (size_t i = 0; i < depth; i++) {
		const struct passed_element *p = &r->passed[i];
		const uint32_t before = r->page.n_containers;
		open_here(r, log, p->entry);
		if (!p->item || r->page.n_containers == before)
			continue;
		r->page.container[before].number = p->before;
		bool open = false; /* the last item of the list is among the open elements */
		for (size_t k = i + 1; k < depth && !open; k++)
			open = r->passed[k].entry == p->item;
		if (!open) {
			open_here(r, log, p->item);
			record_element_end(r, log->entry[p->item].end);
		}
	}
	return r->status;
}
