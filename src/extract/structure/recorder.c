/* SPDX-License-Identifier: MIT */
/*
 * What each event does to the record. The stack of open elements knows what a tag closes and opens; beside each of its
 * elements is what ends with it: a mark, a container, code, or a part of the page that is left out.
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/cpu.h"
#include "base/status.h"
#include "extract/html/element_stack.h"
#include "extract/html/entity.h"
#include "extract/html/formula.h"
#include "extract/structure/escape.h"
#include "extract/structure/page.h"
#include "extract/structure/page_log.h"
#include "extract/structure/tag_facts.h"

enum element_flag {
	ELEMENT_SPLITS = 1 << 0, /* its end ends a piece */
	ELEMENT_CODE = 1 << 1,   /* inline code */
	ELEMENT_NOTES = 1 << 2,  /* holds footnotes */
	ELEMENT_SUPERSCRIPT = 1 << 3,
	ELEMENT_TASKS = 1 << 4,
	ELEMENT_WRAPS_CODE = 1 << 5,
};

/** An open element whose tag is before the part that is recorded. */
struct passed_element {
	uint32_t entry;         /* of its tag in the log */
	uint32_t holder;        /* the innermost that holds items or is one, counted from 1; 0: no element does */
	uint32_t item;          /* list: the entry of its last item; 0: it has none */
	int32_t before, number; /* list: numbers of the item before that one, and of that one */
	bool has_box;           /* item and the like: a box is directly in it, which may make it a task */
};

/** An open element, beside the one of the stack. */
struct open_element {
	uint32_t top; /* the innermost container before it */
	uint32_t language;
	uint8_t language_len;
	uint8_t mark; /* that ends with it; MARK_NONE: none does */
	uint16_t flags;
};

struct recorder {
	struct structure_page page;
	struct element_stack stack;
	struct open_element *open; /* as many as the stack's */
	struct passed_element *passed;
	size_t depth; /* elements in use of one of the two */
	size_t max_text;
	size_t cap_pieces, cap_marks, cap_containers;
	uint32_t top;                          /* the innermost container */
	struct mark marks[MARK_NESTING_KINDS]; /* open ones, the outermost first */
	unsigned n_marks, mark_kinds;          /* and the set of their kinds */
	unsigned code_depth, notes;            /* open elements of these flags */
	bool in_superscript;                   /* the innermost element before this one is <sup> */
	/* depth of the outermost element whose content is left out, is hidden, is code; 0: no such element is open */
	size_t skip_depth, unshown_depth, code_block;
	struct piece piece; /* the open one */
	bool piece_open;
	unsigned breaks; /* <br> since the last piece */
	bool divided;    /* another tag that divides text came since then */
	struct formula_reader formula;
	struct tag_reader tags;
	const struct page_log *log; /* that is recorded */
};

/*
 * Marks: what begins and ends inside of text (emphasis, code, links), and what is in it (pictures, formulas,
 * references of notes). A mark that is open when a piece ends is opened again in the next one, since no mark of
 * Markdown goes on over two blocks.
 *
 * Example: <b><p>a<p>b</b> makes two pieces, both strong.
 */

/* Marks that close find room although no more may open: as many as can be open. */
static int record_mark_add(struct recorder *r, struct mark mark)
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

/** Opens a mark that ends with `element`, unless one of its kind is open. */
static int record_mark_open(struct recorder *r, struct open_element *element, struct mark mark)
{
	if (r->mark_kinds >> mark.kind & 1)
		return DANA_OK;
	element->mark = mark.kind;
	r->mark_kinds |= 1U << mark.kind;
	r->marks[r->n_marks++] = mark;
	return r->piece_open && !r->code_block ? record_mark_add(r, mark) : DANA_OK;
}

/*
 * Pieces of text. A piece begins with the first byte that is not white space, or with a picture or formula, and ends at
 * the next tag that divides text. One that turns out to hold nothing but white space is dropped.
 *
 * Example: "one<br>two<p>&nbsp;</p>" gives the pieces "one" and "two", of which the second joins the first.
 */

static int record_argument(struct recorder *r, struct slice value, uint32_t *at, uint32_t *len)
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

/** Begins a piece unless one is open. */
static int record_piece_begin(struct recorder *r, uint64_t offset)
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
	/* open the marks again that are open, at the beginning of a piece */
	int status = DANA_OK;
	for (unsigned i = 0; i < r->n_marks && status == DANA_OK; i++)
		status = record_mark_add(r, r->marks[i]);
	return status;
}

/** Adds the open piece to the page. */
static int record_piece_add(struct recorder *r)
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

/** Ends the open piece at `end`. `by_break`: a <br> ends it. */
static int record_piece_end(struct recorder *r, uint64_t end, bool by_break)
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

/** The same at another tag that divides text; inline, since most such tags follow one another. */
static inline int record_piece_divide(struct recorder *r, uint64_t end)
{
	if (r->piece_open)
		return record_piece_end(r, end, false);
	r->divided = true;
	return DANA_OK;
}

/** Adds text; `offset`: its place in the page. */
static int record_text(struct recorder *r, struct slice text, uint64_t offset)
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

/** Adds a picture, formula or reference of a note. */
static int record_atom(struct recorder *r, struct mark mark, uint64_t offset)
{
	if (r->skip_depth || r->code_block)
		return DANA_OK;
	int status = record_piece_begin(r, offset);
	return status < 0 ? status : record_mark_add(r, mark);
}

/** Adds a piece that is a rule. */
static int record_rule(struct recorder *r, uint64_t start, uint64_t end)
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

/*
 * Formulas, once each: as html/formula.h reads them. What the page shows beside their TeX is left out (tag_facts.h),
 * and a <math> without TeX is written as its letters.
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

/** Ends a formula that the page's end cuts. */
static int record_formula_end(struct recorder *r)
{
	if (!r->formula.in_script && !r->formula.in_math)
		return DANA_OK;
	formula_end(&r->formula);
	return add_formula(r);
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
		if (!ascii_is_alpha(c) && !ascii_is_digit(c) && !strchr("_+#.-", c))
			return false;
	}
	return name.len && name.len <= STRUCTURE_LANGUAGE;
}

/* A `lang` of code is often a language of people: "en", "pt-br". Returns whether it is a programming language's. */
static bool is_language_of_code(struct slice name)
{
	static const char *const short_names[] = { "js", "ts", "sh", "py", "rb", "go", "cs" };
	if (name.len != 2 && !(name.len > 2 && (name.data[2] == '-' || name.data[2] == '_')))
		return true;
	for (size_t i = 0; i < sizeof(short_names) / sizeof(*short_names); i++) {
		if (slice_is(name, short_names[i]))
			return true;
	}
	return false;
}

/* Returns the language that a tag names, else empty. *said: the tag declares that the text is not in a language. */
static struct slice language_of(const struct tag_facts *facts, enum html_tag tag, bool *said)
{
	struct slice name = slice_trim(tag_facts_value(facts, ATTR_CODE_LANG));
	if (!is_language(name) && (tag == HTML_TAG_PRE || tag == HTML_TAG_CODE)) {
		name = slice_trim(tag_facts_value(facts, ATTR_LANG));
		if (!is_language_of_code(name))
			name.len = 0;
	}
	if (!is_language(name))
		name = facts->words.language;
	*said = class_word_is_no_language(name);
	return is_language(name) && !*said ? name : slice_of(NULL, 0);
}

static int set_language(struct recorder *r, struct slice name, uint32_t *at, uint8_t *len)
{
	uint8_t lower[STRUCTURE_LANGUAGE];
	uint32_t taken;
	for (size_t i = 0; i < name.len; i++)
		lower[i] = ascii_lower(name.data[i]);
	int status = record_argument(r, slice_of(lower, name.len), at, &taken);
	*len = (uint8_t)taken;
	return status;
}

/** Returns whether the innermost elements belong to code. */
static bool record_in_code_wrapper(const struct recorder *r)
{
	for (size_t i = r->depth; i > 0 && r->depth - i < AROUND_TOOLS; i--) {
		if (r->open[i - 1].flags & ELEMENT_WRAPS_CODE)
			return true;
	}
	return r->code_block != 0;
}

/** Notes the language that an element around code names. */
static int record_code_wrapper(struct recorder *r, struct open_element *element, enum html_tag tag,
			       const struct tag_facts *facts)
{
	bool said;
	struct slice name = language_of(facts, tag, &said);
	if (!name.len && !(facts->words.meanings & CLASS_HIGHLIGHT))
		return DANA_OK;
	element->flags |= ELEMENT_WRAPS_CODE;
	if (!name.len)
		name = facts->words.bare_language;
	return name.len ? set_language(r, name, &element->language, &element->language_len) : DANA_OK;
}

/** Begins a block of code. */
static int record_code_begin(struct recorder *r, enum html_tag tag, const struct tag_facts *facts, uint64_t offset)
{
	bool said;
	struct slice name = language_of(facts, tag, &said);
	if (r->piece_open) /* the last one, which takes the rest of the text */
		return DANA_OK;
	if (!name.len && !said)
		name = facts->words.bare_language;
	r->code_block = r->depth;
	int status = record_piece_begin(r, offset);
	r->piece.kind = PIECE_CODE;
	r->piece.raw = tag == HTML_TAG_XMP;
	if (status == DANA_OK && name.len)
		return set_language(r, name, &r->piece.language, &r->piece.language_len);
	/* the innermost of the elements around it that names one; the last is the <pre> itself */
	for (size_t i = r->depth - 1; i > 0 && r->depth - i <= AROUND_LANGUAGE; i--) {
		const struct open_element *e = &r->open[i - 1];
		if (!e->language_len)
			continue;
		r->piece.language = e->language;
		r->piece.language_len = e->language_len;
		break;
	}
	return status;
}

/** Takes the language of a <code> inside of <pre>. */
static int record_code_inner(struct recorder *r, const struct tag_facts *facts)
{
	bool said;
	if (r->piece.language_len)
		return DANA_OK;
	struct slice name = language_of(facts, HTML_TAG_CODE, &said);
	if (!name.len && facts->words.others == 0)
		name = facts->words.bare_language;
	return name.len ? set_language(r, name, &r->piece.language, &r->piece.language_len) : DANA_OK;
}

/** Ends a line of code at a tag that divides text. */
static int record_code_line(struct recorder *r, bool always)
{
	struct buf *text = &r->page.text;
	bool empty = text->len == r->piece.text;
	if (r->skip_depth || text->len == r->max_text)
		return DANA_OK;
	if (!always && (empty || text->data[text->len - 1] == '\n'))
		return DANA_OK;
	return buf_append_byte(text, '\n');
}

/*
 * Links: those that lead elsewhere are marks, those to a footnote are its references, and those back from it are left
 * out. An address is stored as it is; whether it is one is decided when it is written (url.h).
 */

static struct slice without_prefix(struct slice s, const char *prefix)
{
	size_t len = strlen(prefix);
	return s.len >= len && slice_is(slice_first(s, len), prefix) ? slice_skip(s, len) : s;
}

static bool begins_with(struct slice s, const char *prefix)
{
	return slice_is(slice_first(s, strlen(prefix)), prefix);
}

/** Returns the name of a note that an id or a fragment (with its '#') names; empty if it names none. */
static struct slice record_note_name(struct slice id)
{
	struct slice s = without_prefix(without_prefix(id, "#"), "user-content-");
	if (!begins_with(s, "fn"))
		return slice_of(NULL, 0);
	s = slice_skip(s, 2);
	if (s.len && (s.data[0] == '-' || s.data[0] == ':'))
		s = slice_skip(s, 1);
	for (size_t i = 0; i < s.len; i++) {
		uint8_t c = s.data[i];
		if (!ascii_is_alpha(c) && !ascii_is_digit(c) && c != '_' && c != '-')
			return slice_of(NULL, 0);
	}
	return s.len <= STRUCTURE_LANGUAGE ? s : slice_of(NULL, 0);
}

/* What a heading may have at most, to be looked at for each of its permalinks. */
enum { HEADING_BYTES = 1024, HEADING_TAGS = 32 };

/* Returns whether source text has a letter or a digit; long text has. */
static bool has_words(struct slice source)
{
	if (source.len > HEADING_BYTES)
		return true;
	while (source.len) {
		uint8_t text[8];
		const size_t plain = slice_until(source, "&");
		size_t len = 0;
		if (letter_kind_any(slice_first(source, plain)))
			return true;
		source = slice_skip(source, plain);
		if (source.len == 0)
			break;
		const size_t taken = html_entity_decode(source, text, &len);
		if (taken && letter_kind_any(slice_of(text, len)))
			return true;
		source = slice_skip(source, taken ? taken : 1);
	}
	return false;
}

/* Returns whether the heading that is open has words before its latest tag. */
static bool heading_has_words(const struct recorder *r)
{
	const struct structure_page *page = &r->page;
	uint32_t heading = r->top;
	while (page->container[heading].kind != CONTAINER_HEADING)
		heading = page->container[heading].parent;
	if (r->piece_open && has_words(slice_skip(buf_slice(&page->text), r->piece.text)))
		return true;
	const struct piece *last = page->n_pieces ? &page->piece[page->n_pieces - 1] : NULL;
	return last && last->container >= heading && !last->wordless;
}

/* Elements of a tag, one in the other, whose words are not the heading's; of depth 0 if none is open. */
struct left_out {
	enum html_tag tag;
	unsigned depth;
};

/* Takes a tag of a heading. */
static void pass_left_out(struct recorder *r, const struct html_tag_event *event, struct left_out *out)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	if (out->depth && tag == out->tag)
		out->depth = event->closing ? out->depth - 1 : tag == HTML_TAG_A ? 0 : out->depth + 1;
	if (out->depth || event->closing || html_tag_is(tag, TAG_VOID))
		return;
	const struct tag_facts *facts = tag_facts_of(&r->tags, event);
	if (tag_facts_hidden(facts) || (tag == HTML_TAG_SPAN && facts->words.meanings & CLASS_READER) ||
	    (tag == HTML_TAG_A && facts->words.meanings & CLASS_ANCHOR))
		*out = (struct left_out){ tag, 1 };
}

/* Looks from the entry of a permalink to the end of its heading, and reads attributes of the tags there. */
static bool has_all_words(struct recorder *r, size_t entry)
{
	const struct page_log *log = r->log;
	const size_t end = entry + HEADING_TAGS < log->n ? entry + HEADING_TAGS : log->n;
	struct left_out out = { HTML_TAG_A, 1 };
	bool inside = true, own = false;
	for (size_t i = entry + 1; i < end; i++) {
		const struct log_entry *e = &log->entry[i];
		const enum html_tag tag = (enum html_tag)e->tag;
		if ((inside || !out.depth) && !(e->flags & LOG_TEXT_SKIPPED) &&
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
		pass_left_out(r, &event, &out);
		inside &= tag != HTML_TAG_A;
		if (!inside && !own)
			return false;
	}
	return own && end == log->n;
}

/** Returns whether a permalink that begins in a heading holds all the words of the heading. */
static bool record_permalink_is_heading(struct recorder *r, const struct html_tag_event *event)
{
	if (heading_has_words(r))
		return false;
	const bool all = has_all_words(r, page_log_at(r->log, event->start));
	(void)tag_facts_of(&r->tags, event); /* which the caller reads further: its place may have been used */
	return all;
}

/** Takes <a>. */
static int record_link(struct recorder *r, struct open_element *element, const struct tag_facts *facts, uint64_t offset)
{
	struct slice href = slice_trim(tag_facts_value(facts, ATTR_HREF));
	if (href.len == 0)
		return DANA_OK;
	if (href.data[0] == '#') {
		if (begins_with(without_prefix(slice_skip(href, 1), "user-content-"), "fnref")) {
			r->skip_depth = r->depth;
			return DANA_OK;
		}
		struct slice name = record_note_name(href);
		bool marked = facts->words.meanings & CLASS_NOTE_REFERENCE || tag_facts_has(facts, ATTR_NOTE) ||
			      r->in_superscript;
		if (!(name.len && marked))
			return DANA_OK;
		struct mark mark = { .kind = MARK_NOTE };
		r->skip_depth = r->depth;
		int status = record_argument(r, name, &mark.argument, &mark.len);
		if (status < 0 || mark.len == 0)
			return status;
		r->skip_depth = 0;
		status = record_atom(r, mark, offset);
		r->skip_depth = r->depth;
		return status;
	}
	if (href.len > STRUCTURE_URL || r->code_depth) {
		r->page.cut |= href.len > STRUCTURE_URL;
		return DANA_OK;
	}
	struct mark mark = { .kind = MARK_LINK };
	int status = record_argument(r, href, &mark.argument, &mark.len);
	return status < 0 || mark.len == 0 ? status : record_mark_open(r, element, mark);
}

/*
 * Containers: lists and their items, quotes, tables, headings, and so on. A container takes from its parent what a
 * piece inside of it needs to know, so that nobody has to go up to find its table or its list.
 *
 * Example: in <ul><li>a</li><ul><li>b</ul></ul> the inner list belongs to the item "a", since a list cannot be in a
 * list.
 */

/* Flags that what is inside of a container has too. */
enum { INHERITED = CONTAINER_FLOWS | CONTAINER_IN_HEADING | CONTAINER_IN_CAPTION };

/* Opens a container in the innermost one. Returns it, or NULL with *status where a limit or memory ends. */
static struct container *open_new(struct recorder *r, enum container_kind kind, int *status)
{
	struct structure_page *page = &r->page;
	*status = DANA_OK;
	if (page->n_containers == STRUCTURE_CONTAINERS) {
		page->cut = true;
		return NULL;
	}
	struct container *more = grow_items(page->container, page->n_containers, &r->cap_containers, sizeof(*more));
	if (!more) {
		*status = DANA_ENOMEM;
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

static int open_list(struct recorder *r, enum html_tag tag, const struct tag_facts *facts)
{
	int status;
	const struct container *around = &r->page.container[r->top];
	if (around->kind == CONTAINER_LIST && around->last) {
		r->top = around->last;
		around = &r->page.container[r->top];
	}
	if (around->lists == STRUCTURE_LISTS) {
		r->page.cut = true;
		return DANA_OK;
	}
	struct container *c = open_new(r, CONTAINER_LIST, &status);
	if (!c)
		return status;
	c->line = r->top;
	c->lists++;
	c->number = tag_facts_number(facts, ATTR_START, -99999999, 99999999, 1) - 1;
	if (tag == HTML_TAG_OL)
		c->flags |= CONTAINER_ORDERED;
	if (r->notes || facts->words.meanings & CLASS_NOTES)
		c->flags |= CONTAINER_NOTES;
	return DANA_OK;
}

/* An item of a list of notes whose id names a note is one. */
static int be_note(struct recorder *r, const struct tag_facts *facts)
{
	uint32_t at, len;
	struct slice name = record_note_name(tag_facts_value(facts, ATTR_ID));
	if (!name.len)
		return DANA_OK;
	int status = record_argument(r, name, &at, &len);
	struct container *c = &r->page.container[r->top];
	if (len == 0)
		return status;
	c->kind = CONTAINER_NOTE;
	c->number = (int32_t)at;
	c->rows = (uint16_t)len;
	return status;
}

static int open_table(struct recorder *r, const struct tag_facts *facts)
{
	int status;
	struct container *c = open_new(r, CONTAINER_TABLE, &status);
	struct slice role = tag_facts_value(facts, ATTR_ROLE);
	if (!c)
		return status;
	c->table = r->top;
	c->row = c->cell = 0;
	c->flags &= (uint16_t) ~(CONTAINER_FLOWS | CONTAINER_IN_CAPTION);
	if (slice_is(role, "presentation") || slice_is(role, "none"))
		c->flags |= CONTAINER_LAYOUT;
	return DANA_OK;
}

static int open_row(struct recorder *r)
{
	int status;
	const uint32_t table = r->page.container[r->top].table;
	if (table)
		r->top = table;
	struct container *c = open_new(r, CONTAINER_ROW, &status);
	if (!c)
		return status;
	c->row = r->top;
	r->page.container[table].last = 0;
	return DANA_OK;
}

static int open_cell(struct recorder *r, enum html_tag tag, const struct tag_facts *facts)
{
	int status = DANA_OK;
	const uint32_t table = r->page.container[r->top].table;
	if (table == r->top && r->page.container[table].last) {
		r->top = r->page.container[table].last;
	} else if (r->page.container[r->top].kind != CONTAINER_ROW) {
		status = open_row(r);
		if (table)
			r->page.container[table].last = r->page.container[r->top].row;
	}
	struct container *c = status < 0 ? NULL : open_new(r, CONTAINER_CELL, &status);
	if (!c)
		return status;
	c->cell = r->top;
	c->columns = (uint8_t)tag_facts_number(facts, ATTR_COLSPAN, 1, STRUCTURE_COLUMNS, 1);
	c->rows = (uint16_t)tag_facts_number(facts, ATTR_ROWSPAN, 1, STRUCTURE_ROW_SPAN, 1);
	if (tag == HTML_TAG_TH)
		c->flags |= CONTAINER_HEAD_CELL;
	return DANA_OK;
}

/* Opens a container of which nothing is known but its kind. `line`: its lines begin in another way. */
static int open_plain(struct recorder *r, enum container_kind kind, unsigned flags, bool line)
{
	int status;
	struct container *c = open_new(r, kind, &status);
	if (!c)
		return status;
	c->flags |= (uint16_t)flags;
	if (line)
		c->line = r->top;
	return DANA_OK;
}

/* Opens a quote, a term or a meaning, unless too many are around it. */
static int open_level(struct recorder *r, enum container_kind kind)
{
	const struct container *around = &r->page.container[r->top];
	const bool quote = kind == CONTAINER_QUOTE;
	if (quote ? around->quotes == STRUCTURE_QUOTES : around->lists == STRUCTURE_LISTS) {
		r->page.cut = true;
		return DANA_OK;
	}
	uint32_t before = r->page.n_containers;
	int status = open_plain(r, kind, quote ? CONTAINER_FLOWS : 0, true);
	if (r->page.n_containers != before) {
		r->page.container[before].quotes += quote;
		r->page.container[before].lists += !quote;
	}
	return status;
}

/** Opens the container of an element. */
static int record_container(struct recorder *r, enum html_tag tag, const struct tag_facts *facts)
{
	switch (tag) {
	case HTML_TAG_UL:
	case HTML_TAG_OL:
	case HTML_TAG_MENU:
	case HTML_TAG_DIR:
		return open_list(r, tag, facts);
	case HTML_TAG_LI: {
		int status;
		uint32_t list = r->top;
		bool listed = r->page.container[list].kind == CONTAINER_LIST;
		if (!listed && r->page.container[list].lists == STRUCTURE_LISTS) {
			r->page.cut = true;
			return DANA_OK;
		}
		struct container *c = open_new(r, CONTAINER_ITEM, &status);
		if (!c)
			return status;
		c->line = r->top;
		if (!listed) {
			c->lists++;
			return DANA_OK;
		}
		struct container *l = &r->page.container[list];
		l->number = tag_facts_number(facts, ATTR_VALUE, 0, 99999999, l->number + 1);
		l->last = r->top;
		c->number = l->number;
		c->flags |= l->flags & CONTAINER_ORDERED;
		return l->flags & CONTAINER_NOTES ? be_note(r, facts) : DANA_OK;
	}
	case HTML_TAG_BLOCKQUOTE:
		return open_level(r, CONTAINER_QUOTE);
	case HTML_TAG_TABLE:
		return open_table(r, facts);
	case HTML_TAG_TR:
		return open_row(r);
	case HTML_TAG_TD:
	case HTML_TAG_TH:
		return open_cell(r, tag, facts);
	case HTML_TAG_CAPTION:
		return open_plain(r, CONTAINER_CAPTION, CONTAINER_IN_CAPTION, false);
	case HTML_TAG_DL:
		return open_plain(r, CONTAINER_TERMS, CONTAINER_FLOWS, false);
	case HTML_TAG_DT:
		return open_level(r, CONTAINER_TERM);
	case HTML_TAG_DD:
		return open_level(r, CONTAINER_MEANING);
	case HTML_TAG_H1:
	case HTML_TAG_H2:
	case HTML_TAG_H3:
	case HTML_TAG_H4:
	case HTML_TAG_H5:
	case HTML_TAG_H6: {
		uint32_t before = r->page.n_containers;
		int status = open_plain(r, CONTAINER_HEADING, CONTAINER_FLOWS | CONTAINER_IN_HEADING, false);
		if (r->page.n_containers != before)
			r->page.container[before].number = 1 + (int)tag - HTML_TAG_H1;
		return status;
	}
	default:
		return DANA_OK;
	}
}

/* Elements without content: pictures, rules and boxes of tasks. */

/* A picture whose address comes from a script has a stand-in, often in the page itself. */
static bool is_stand_in(struct slice url)
{
	return url.len == 0 || slice_is(slice_first(url, 5), "data:");
}

static struct slice picture_url(const struct tag_facts *facts)
{
	struct slice url = slice_trim(tag_facts_value(facts, ATTR_SRC));
	if (is_stand_in(url))
		url = slice_trim(tag_facts_value(facts, ATTR_LAZY_SRC));
	if (is_stand_in(url)) {
		url = slice_trim(tag_facts_value(facts, ATTR_SRCSET));
		size_t len = 0;
		while (len < url.len && url.data[len] != ',' && !ascii_is_space(url.data[len]))
			len++;
		url = slice_first(url, len);
	}
	return is_stand_in(url) ? slice_of(NULL, 0) : url;
}

static int record_formula_picture(struct recorder *r, struct slice tex, uint64_t offset)
{
	struct mark mark = { .kind = MARK_FORMULA };
	while (tex.len && (tex.data[0] == '$' || ascii_is_space(tex.data[0])))
		tex = slice_skip(tex, 1);
	while (tex.len && (tex.data[tex.len - 1] == '$' || ascii_is_space(tex.data[tex.len - 1])))
		tex.len--;
	if (tex.len == 0 || tex.len > FORMULA_MOST || record_formula_is_near(r))
		return DANA_OK;
	int status = record_argument(r, tex, &mark.argument, &mark.len);
	return status < 0 || !mark.len ? status : record_atom(r, mark, offset);
}

/* Pictures of one pixel count visitors; those without words for them in a link are signs. */
static bool is_decoration(const struct recorder *r, const struct tag_facts *facts)
{
	if (tag_facts_number(facts, ATTR_WIDTH, 0, 2, 2) < 2 || tag_facts_number(facts, ATTR_HEIGHT, 0, 2, 2) < 2)
		return true;
	return (r->mark_kinds >> MARK_LINK & 1) && tag_facts_has(facts, ATTR_ALT) &&
	       tag_facts_value(facts, ATTR_ALT).len == 0 && !tag_facts_has(facts, ATTR_TITLE);
}

static int record_picture(struct recorder *r, const struct tag_facts *facts, uint64_t offset)
{
	struct slice alt = tag_facts_value(facts, ATTR_ALT), url = picture_url(facts);
	struct mark mark = { .kind = MARK_IMAGE };
	uint32_t at, len;
	if (facts->words.meanings & CLASS_FORMULA_IMAGE)
		return record_formula_picture(r, alt, offset);
	if (url.len == 0 || url.len > STRUCTURE_URL || is_decoration(r, facts))
		return DANA_OK;
	int status = record_argument(r, url, &mark.argument, &mark.len);
	if (status < 0 || mark.len == 0)
		return status;
	if (record_argument(r, slice_of("", 1), &at, &len) < 0 || record_argument(r, alt, &at, &len) < 0)
		return DANA_ENOMEM;
	mark.len = (uint32_t)(r->page.arguments.len - mark.argument);
	return record_atom(r, mark, offset);
}

static struct container *item_around(const struct recorder *r)
{
	return &r->page.container[r->page.container[r->top].line];
}

/* Returns whether a box here would be the first thing in an item. */
static bool may_be_task(const struct recorder *r)
{
	const struct container *item = item_around(r);
	return !r->skip_depth && !r->piece_open && item->kind == CONTAINER_ITEM && !(item->flags & CONTAINER_TASK);
}

/* Pictures and boxes may have many attributes: they are read only where they matter. */
static int record_void(struct recorder *r, const struct html_tag_event *event)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	const bool shown = !r->skip_depth && !r->code_block;
	switch (tag) {
	case HTML_TAG_HR:
		return shown && !r->notes ? record_rule(r, event->start, event->end) : DANA_OK;
	case HTML_TAG_IMG:
		if (!shown)
			return DANA_OK;
		return record_picture(r, tag_facts_of(&r->tags, event), event->start);
	case HTML_TAG_INPUT:
		if (may_be_task(r)) {
			/* a box makes its item a task if nobody can use it, or if the page speaks of tasks */
			const struct tag_facts *facts = tag_facts_of(&r->tags, event);
			enum { NEAR = 4 };
			struct container *item = item_around(r);
			bool task = tag_facts_has(facts, ATTR_DISABLED) || facts->words.meanings & CLASS_TASK;
			for (size_t i = r->depth; i > 0 && r->depth - i < NEAR; i--)
				task |= (r->open[i - 1].flags & ELEMENT_TASKS) != 0;
			if (task && slice_is(tag_facts_value(facts, ATTR_TYPE), "checkbox"))
				item->flags |=
					CONTAINER_TASK | (tag_facts_has(facts, ATTR_CHECKED) ? CONTAINER_DONE : 0);
		}
		return DANA_OK;
	default:
		return DANA_OK;
	}
}

enum { KEEP_BUFFER = 1 << 20 };

struct recorder *recorder_new(size_t max_text, unsigned max_depth)
{
	struct recorder *r = calloc(1, sizeof(*r));
	if (!r || element_stack_init(&r->stack, max_depth) < 0) {
		recorder_free(r);
		return NULL;
	}
	r->max_text = max_text;
	tag_reader_init(&r->tags);
	r->open = calloc(r->stack.max, sizeof(*r->open));
	r->passed = calloc(r->stack.max, sizeof(*r->passed));
	r->cap_containers = 64;
	r->page.container = calloc(r->cap_containers, sizeof(*r->page.container));
	if (!r->open || !r->passed || !r->page.container) {
		recorder_free(r);
		return NULL;
	}
	r->page.n_containers = 1;
	return r;
}

void recorder_reset(struct recorder *r, const uint8_t *limit)
{
	struct structure_page *page = &r->page;
	element_stack_reset(&r->stack);
	tag_reader_reset(&r->tags, limit);
	buf_shrink(&page->text, KEEP_BUFFER);
	buf_shrink(&page->arguments, KEEP_BUFFER);
	buf_clear(&page->base_url);
	page->n_pieces = page->n_marks = 0;
	page->n_containers = 1;
	page->has_base = page->formulas = page->cut = false;
	page->container[0].flags = 0;
	r->depth = r->skip_depth = r->unshown_depth = r->code_block = 0;
	r->top = 0;
	r->n_marks = r->mark_kinds = r->code_depth = r->notes = r->breaks = 0;
	r->piece_open = r->divided = false;
	r->formula.in_math = r->formula.in_script = false;
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
	buf_free(&r->page.text);
	buf_free(&r->page.arguments);
	buf_free(&r->page.base_url);
	formula_free(&r->formula);
	free(r);
}

/** Ends the innermost element. */
static int record_element_end(struct recorder *r, uint64_t end)
{
	const struct open_element *e = &r->open[--r->depth];
	int status = DANA_OK;
	if (r->code_block > r->depth) {
		r->code_block = 0;
		status = record_piece_end(r, end, false);
	} else if (e->flags & ELEMENT_SPLITS && !r->code_block)
		status = record_piece_divide(r, end);
	if (status == DANA_OK && e->mark) {
		/* close the innermost open mark */
		struct mark mark = r->marks[--r->n_marks];
		r->mark_kinds &= ~(1U << mark.kind);
		mark.closes = true;
		status = r->piece_open && !r->code_block ? record_mark_add(r, mark) : DANA_OK;
	}
	if (r->skip_depth > r->depth)
		r->skip_depth = 0;
	if (r->unshown_depth > r->depth)
		r->unshown_depth = 0;
	r->code_depth -= (e->flags & ELEMENT_CODE) != 0;
	r->notes -= (e->flags & ELEMENT_NOTES) != 0;
	if (r->top != e->top && r->page.container[r->top].kind == CONTAINER_TABLE)
		r->page.container[r->top].last = r->page.n_containers;
	r->top = e->top;
	return status;
}

static int elements_end(struct recorder *r, size_t count, uint64_t end)
{
	int status = DANA_OK;
	while (count-- && status == DANA_OK)
		status = record_element_end(r, end);
	return status;
}

/* Ends the piece, or a line of code, at a tag that divides text. */
static inline int divide(struct recorder *r, enum html_tag tag, uint64_t start)
{
	if (!html_tag_is(tag, TAG_SPLITS))
		return DANA_OK;
	if (!r->code_block)
		return tag == HTML_TAG_BR ? record_piece_end(r, start, true) : record_piece_divide(r, start);
	return tag == HTML_TAG_PRE ? DANA_OK : record_code_line(r, tag == HTML_TAG_BR);
}

/* Returns whether an element is left out with all that is in it. */
static bool is_left_out(struct recorder *r, const struct html_tag_event *event, const struct tag_facts *facts,
			bool hidden)
{
	const unsigned words = facts->words.meanings;
	const enum html_tag tag = (enum html_tag)event->tag;
	bool small = tag == HTML_TAG_SPAN || tag == HTML_TAG_DIV || tag == HTML_TAG_A;
	if (hidden && !html_tag_is(tag, TAG_SPLITS))
		return true;
	if (tag == HTML_TAG_BUTTON && record_in_code_wrapper(r))
		return true;
	if (tag == HTML_TAG_OTHER && slice_is(event->name, "mjx-math"))
		return true;
	if (words & CLASS_GUTTER) {
		bool holds = tag == HTML_TAG_TD || tag == HTML_TAG_DIV || tag == HTML_TAG_PRE || tag == HTML_TAG_TH;
		if (holds || (r->code_block && (small || tag == HTML_TAG_CODE)))
			return true;
	}
	return (words & CLASS_KATEX_SHOWN && record_formula_is_near(r)) ||
	       (words & CLASS_COPY && small && record_in_code_wrapper(r)) ||
	       (words & CLASS_READER && tag == HTML_TAG_SPAN) ||
	       (words & CLASS_FORMULA_TWIN && tag != HTML_TAG_OTHER) ||
	       (words & CLASS_ANCHOR && tag == HTML_TAG_A && r->page.container[r->top].flags & CONTAINER_IN_HEADING &&
		!record_permalink_is_heading(r, event));
}

/* Opens what a mark of text opens. */
static int mark_begin(struct recorder *r, struct open_element *e, const struct html_tag_event *event,
		      const struct tag_facts *facts)
{
	enum html_tag tag = (enum html_tag)event->tag;
	static const uint8_t kinds[HTML_TAGS_COUNT] = {
		[HTML_TAG_EM] = MARK_EMPHASIS,    [HTML_TAG_I] = MARK_EMPHASIS,  [HTML_TAG_STRONG] = MARK_STRONG,
		[HTML_TAG_B] = MARK_STRONG,       [HTML_TAG_DEL] = MARK_DELETED, [HTML_TAG_S] = MARK_DELETED,
		[HTML_TAG_STRIKE] = MARK_DELETED,
	};
	enum mark_kind kind = (enum mark_kind)kinds[tag];
	if (tag == HTML_TAG_A)
		return record_link(r, e, facts, event->start);
	if (kind)
		return r->code_depth ? DANA_OK : record_mark_open(r, e, (struct mark){ .kind = (uint8_t)kind });
	if (tag != HTML_TAG_CODE && tag != HTML_TAG_TT && tag != HTML_TAG_SAMP)
		return DANA_OK;
	e->flags |= ELEMENT_CODE;
	return r->code_depth++ ? DANA_OK : record_mark_open(r, e, (struct mark){ .kind = MARK_CODE });
}

/** Opens an element that is on the stack. */
static int record_element(struct recorder *r, const struct html_tag_event *event)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	r->in_superscript = r->depth && r->open[r->depth - 1].flags & ELEMENT_SUPERSCRIPT;
	struct open_element *e = &r->open[r->depth++];
	*e = (struct open_element){ .top = r->top };
	if (html_tag_is(tag, TAG_SPLITS))
		e->flags = ELEMENT_SPLITS;
	if (tag == HTML_TAG_SUP)
		e->flags = ELEMENT_SUPERSCRIPT;
	if (r->skip_depth)
		return DANA_OK;
	const struct tag_facts *facts = tag_facts_of(&r->tags, event);
	if ((facts->has & ATTRS_OF_ALL) | (tag == HTML_TAG_OTHER) | (tag == HTML_TAG_BUTTON)) {
		const bool hidden = !(facts->words.meanings & CLASS_FORMULA) && tag_facts_hidden(facts);
		if (is_left_out(r, event, facts, hidden)) {
			r->skip_depth = r->depth;
			return DANA_OK;
		}
		if (hidden && !r->unshown_depth)
			r->unshown_depth = r->depth;
	}
	if (r->code_block)
		return tag == HTML_TAG_CODE ? record_code_inner(r, facts) : DANA_OK;
	/* open what an element opens that is neither left out nor inside of code */
	const unsigned words = facts->words.meanings;
	int status = facts->has & (ATTRS_OF_ALL | 1 << ATTR_LANG) ? record_code_wrapper(r, e, tag, facts) : DANA_OK;
	if (words & CLASS_TASK)
		e->flags |= ELEMENT_TASKS;
	if (words & CLASS_NOTES && (tag == HTML_TAG_SECTION || tag == HTML_TAG_DIV)) {
		e->flags |= ELEMENT_NOTES;
		r->notes++;
	}
	if (status < 0)
		return status;
	if (tag == HTML_TAG_PRE || tag == HTML_TAG_XMP)
		return record_code_begin(r, tag, facts, event->end);
	if (!html_tag_is(tag, TAG_SPLITS))
		return mark_begin(r, e, event, facts);
	return record_container(r, tag, facts);
}

int recorder_tag(struct recorder *r, const struct html_tag_event *event)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	if (event->skipped && (r->formula.in_math || tag == HTML_TAG_MATH)) {
		/* take a tag inside of <math>, or the tag <math> itself */
		bool ends;
		int status = formula_math_tag(&r->formula, event, &ends);
		return status == DANA_OK && ends ? add_formula(r) : status;
	}
	if (event->skipped)
		return r->code_block ? DANA_OK : divide(r, tag, event->start);
	if (tag == HTML_TAG_SCRIPT) {
		/* the bytes of an end tag are bytes of the script, as html/formula.h wants it */
		bool ends = false;
		if (r->skip_depth && !event->closing)
			return DANA_OK;
		int status = DANA_OK;
		if (event->closing && r->formula.in_script)
			status = formula_script_bytes(&r->formula, event->source);
		formula_script_tag(&r->formula, event, &ends);
		return status == DANA_OK && ends ? add_formula(r) : status;
	}
	if (tag == HTML_TAG_STYLE)
		return DANA_OK;
	int status = divide(r, tag, event->start);
	if (status < 0 || tag == HTML_TAG_BR)
		return status;
	if (event->closing)
		return elements_end(r, element_stack_end(&r->stack, tag, event->name), event->start);
	const struct stack_change change = element_stack_start(&r->stack, tag, event->name);
	status = elements_end(r, change.closes, event->start);
	if (status < 0 || !(change.empty || change.opens))
		return status;
	return change.empty ? record_void(r, event) : record_element(r, event);
}

int recorder_text(struct recorder *r, struct slice text, uint64_t offset, bool skipped)
{
	if (skipped)
		return r->formula.in_math ? formula_math_text(&r->formula, text) : DANA_OK;
	return record_text(r, text, offset);
}

int recorder_gap(struct recorder *r, struct slice bytes)
{
	return r->formula.in_script ? formula_script_bytes(&r->formula, bytes) : DANA_OK;
}

bool recorder_may_end(const struct recorder *r, uint64_t place)
{
	const struct structure_page *page = &r->page;
	const struct piece *last = page->n_pieces ? &page->piece[page->n_pieces - 1] : NULL;
	const struct container *top = &page->container[r->top];
	return last && !last->wordless && last->start >= place && !r->code_block && !top->table && !top->lists;
}

int recorder_finish(struct recorder *r, struct structure_page **page)
{
	int status = record_formula_end(r);
	if (status == DANA_OK)
		status = elements_end(r, r->depth, UINT64_MAX);
	if (status == DANA_OK)
		status = record_piece_end(r, UINT64_MAX, false);
	if (status == DANA_OK && r->piece_open)
		status = record_piece_add(r);
	*page = &r->page;
	return status;
}

int recorder_take_lines(struct recorder *r, struct slice text, struct structure_page **page)
{
	int status = DANA_OK;
	recorder_reset(r, NULL);
	while (text.len && status == DANA_OK) {
		const size_t len = slice_until(text, "\n");
		status = record_text(r, slice_first(text, len), 0);
		if (status == DANA_OK)
			status = record_piece_end(r, 0, false);
		text = slice_skip(text, len + 1);
	}
	if (status == DANA_OK)
		status = recorder_finish(r, page);
	for (uint32_t i = 0; i < r->page.n_pieces; i++)
		r->page.piece[i].raw = r->page.piece[i].kept = true;
	return status;
}

/* What any part of a page may say of all of it: the address that its links are relative to, and that it shows TeX. */

/* Returns whether an address names a program that shows formulas. Both names end in an x, as few do. */
static bool is_program(struct slice url)
{
	return (slice_until(url, "x") < url.len || slice_until(url, "X") < url.len) &&
	       (slice_has(url, "mathjax") || slice_has(url, "katex"));
}

/* Returns whether a start tag means that the page shows formulas. */
static bool shows_formulas(struct recorder *r, const struct html_tag_event *event)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	if (tag == HTML_TAG_OTHER && slice_is(event->name, "mjx-container"))
		return true;
	if (html_tag_is(tag, TAG_VOID) && tag != HTML_TAG_LINK)
		return false;
	const struct tag_facts *facts = tag_facts_of(&r->tags, event);
	if (tag == HTML_TAG_LINK)
		return is_program(tag_facts_value(facts, ATTR_HREF));
	if (tag == HTML_TAG_SCRIPT)
		return is_program(tag_facts_value(facts, ATTR_SRC));
	return facts->words.meanings & CLASS_FORMULA;
}

/* Returns whether source text begins with a reference of '$' or '\\'. */
static bool is_reference(struct slice text)
{
	static const char *const references[] = { "&#36", "&#x24", "&dollar;", "&#92", "&#x5c", "&bsol;" };
	if (text.len < 2 || !strchr("#dDbB", text.data[1]))
		return false;
	for (size_t i = 0; i < sizeof(references) / sizeof(*references); i++) {
		if (slice_is(slice_first(text, strlen(references[i])), references[i]))
			return true;
	}
	return false;
}

/* Returns whether source text may have a formula at `at`: a dollar, or a backslash before '(', '[' or "begin". */
static bool is_delimiter(struct slice text, size_t at)
{
	switch (text.data[at]) {
	case '$': {
		const uint8_t before = at ? text.data[at - 1] : ' ',
			      after = at + 1 < text.len ? text.data[at + 1] : ' ';
		return after == '$' || (before != ' ' && !ascii_is_digit(after));
	}
	case '\\':
		return at + 1 < text.len && text.data[at + 1] && strchr("([b", text.data[at + 1]);
	default:
		return text.data[at] == '&' && is_reference(slice_skip(text, at));
	}
}

/* The text of all pieces lies together, in their order. */
static bool any_delimiter(const struct structure_page *page)
{
	const struct slice all = buf_slice(&page->text);
	const struct piece *p = page->piece, *end = p + page->n_pieces;
	for (size_t at = 0; (at += text_scan_undelimited(slice_skip(all, at))) < all.len; at++) {
		while (p < end && p->text + p->len <= at)
			p++;
		if (p < end && at >= p->text && p->kind == PIECE_TEXT &&
		    is_delimiter(slice_of(all.data + p->text, p->len), at - p->text))
			return true;
	}
	return false;
}

/* What it declares of formulas matters to few pages, and costs as much as the record of all of it. */
int recorder_page_facts(struct recorder *r, const struct page_log *log)
{
	const bool delimiters = any_delimiter(&r->page);
	for (size_t i = 0; i < log->n && delimiters && !r->page.formulas; i++) {
		if (log->entry[i].flags & (LOG_GAP | LOG_CLOSING | LOG_SKIPPED))
			continue;
		const struct html_tag_event event = page_log_event(log, &log->entry[i]);
		r->page.formulas = shows_formulas(r, &event);
	}
	/* take the first <base> that has an address */
	for (size_t i = log->first_base; i > 0 && i <= log->n && !r->page.has_base; i++) {
		const struct log_entry *e = &log->entry[i - 1];
		if (e->tag != HTML_TAG_BASE || e->flags)
			continue;
		const struct html_tag_event event = page_log_event(log, e);
		const struct tag_facts *facts = tag_facts_of(&r->tags, &event);
		r->page.has_base = tag_facts_has(facts, ATTR_HREF);
		const struct slice href = tag_facts_value(facts, ATTR_HREF);
		if (buf_append(&r->page.base_url, href.data, href.len) < 0)
			return DANA_ENOMEM;
	}
	return DANA_OK;
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

/* Opens an element that is not recorded. */
static void pass_element(struct recorder *r, const struct page_log *log, uint32_t entry)
{
	const struct log_entry *e = &log->entry[entry];
	struct passed_element *p = &r->passed[r->depth++];
	const uint32_t holder = r->depth > 1 ? p[-1].holder : 0;
	*p = (struct passed_element){ .entry = entry, .holder = holder };
	const enum part_of_list part = part_of_list((enum html_tag)e->tag);
	if (part != NO_PART)
		p->holder = (uint32_t)r->depth;
	if (e->tag == HTML_TAG_OL)
		p->number = number_in(r, log, e, ATTR_START, -99999999, 1) - 1;
	if (e->tag != HTML_TAG_LI || !holder)
		return;
	struct passed_element *list = &r->passed[holder - 1];
	const enum html_tag around = (enum html_tag)log->entry[list->entry].tag;
	if (part_of_list(around) != IS_LIST)
		return;
	list->item = entry;
	list->before = list->number;
	list->number += 1;
	if (around == HTML_TAG_OL)
		list->number = number_in(r, log, e, ATTR_VALUE, 0, list->number);
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
		if (change.opens)
			pass_element(r, log, i);
		else if (tag == HTML_TAG_INPUT && r->depth && r->passed[r->depth - 1].holder)
			r->passed[r->passed[r->depth - 1].holder - 1].has_box = true;
	}
}

uint32_t recorder_pass_back(struct recorder *r, const struct page_log *log, uint32_t to)
{
	for (size_t i = 0; i < r->depth; i++) {
		const struct passed_element *p = &r->passed[i];
		const enum html_tag tag = (enum html_tag)log->entry[p->entry].tag;
		if (tag != HTML_TAG_TABLE && tag != HTML_TAG_PRE && tag != HTML_TAG_XMP && !p->has_box)
			continue;
		element_stack_drop(&r->stack, r->depth - i);
		r->depth = i;
		return p->entry;
	}
	return to;
}

/* Opens an element that is not recorded as if it began here. */
static int open_here(struct recorder *r, const struct page_log *log, uint32_t entry)
{
	const struct html_tag_event event = page_log_event(log, &log->entry[entry]);
	return record_element(r, &event);
}

/* Returns whether the last item of passed list `i` is among the open elements, of which there are `depth`. */
static bool item_is_open(const struct recorder *r, size_t i, size_t depth)
{
	const uint32_t item = r->passed[i].item;
	while (++i < depth) {
		if (r->passed[i].entry == item)
			return true;
	}
	return false;
}

int recorder_resume(struct recorder *r, const struct page_log *log)
{
	const size_t depth = r->depth;
	int status = DANA_OK;
	r->depth = 0;
	for (size_t i = 0; i < depth && status == DANA_OK; i++) {
		const struct passed_element *p = &r->passed[i];
		const uint32_t before = r->page.n_containers;
		status = open_here(r, log, p->entry);
		if (status < 0 || !p->item || r->page.n_containers == before)
			continue;
		r->page.container[before].number = p->before;
		if (item_is_open(r, i, depth))
			continue;
		status = open_here(r, log, p->item);
		if (status == DANA_OK)
			status = record_element_end(r, log->entry[p->item].end);
	}
	return status;
}
