/* SPDX-License-Identifier: MIT */
/*
 * Records blocks of code: all text of a <pre> or <xmp>, and of what is shown as one, as it is, <br> and tags that
 * divide text as ends of lines, without the numbers of lines. The language is named by an attribute or a class of the
 * <pre>, of the <code> in it, or of an element around it.
 *
 * Example: <div class="language-c++"><div class="highlight"><pre>int i;</pre></div></div> is code in "c++".
 */
#include "base/ascii.h"
#include "base/buf.h"
#include "extract/html/display.h"
#include "extract/structure/page_log.h"
#include "extract/structure/record_parts.h"

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

/* Returns whether the open line of code has no text. */
static bool line_is_empty(const struct recorder *r)
{
	const struct buf *text = &r->page.text;
	return text->len == r->piece.text || text->data[text->len - 1] == '\n';
}

void record_code_line_end(struct recorder *r)
{
	if (!line_is_empty(r) && r->page.text.len < r->max_text)
		record_status(r, buf_append_byte(&r->page.text, '\n'));
}

bool record_code_is_between(const struct recorder *r, struct slice text)
{
	return line_is_empty(r) && slice_until(text, "\n") < text.len && slice_trim(text).len == 0;
}

void record_code_divide(struct recorder *r, enum html_tag tag, bool closing)
{
	if (tag == HTML_TAG_PRE && !r->code_loose)
		return;
	struct buf *text = &r->page.text;
	const bool empty = closing && !r->skip_depth && r->leaf == text->len + 1 && text->len != r->piece.text;
	if (!closing && (tag == HTML_TAG_TD || tag == HTML_TAG_TH) && r->empty_cell && r->empty_cell == text->len)
		text->len--;
	else if (!r->skip_depth && text->len < r->max_text && (tag == HTML_TAG_BR || empty || !line_is_empty(r)))
		record_status(r, buf_append_byte(text, '\n'));
	if (empty || tag == HTML_TAG_TR)
		r->empty_cell = empty && tag != HTML_TAG_TR ? text->len : 0;
	if (tag != HTML_TAG_BR)
		r->leaf = closing || r->skip_depth ? 0 : text->len + 1;
}

void record_code_number_end(struct recorder *r, enum html_tag tag)
{
	const struct buf *text = &r->page.text;
	const size_t before =
		text->len - (html_tag_is(tag, TAG_SPLITS) && line_is_empty(r) && text->len != r->piece.text);
	size_t line = before;
	while (line > r->piece.text && text->data[line - 1] != '\n' && before - line < HTML_TAG_NAME_MOST)
		line--;
	record_status(r, line_numbers_close(&r->numbers, tag, slice_of(text->data + line, before - line), before));
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

void record_code_end(struct recorder *r)
{
	take_numbers_out(r);
	if (r->numbered)
		take_blanks_out(r);
	drop_numbers_before(r);
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
	record_code_line_end(r);
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
	const bool block = event->tag == HTML_TAG_DIV && record_is_white(slice_first(rest, rest.len - next.len)) &&
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
static bool begins_code(struct recorder *r, const struct html_tag_event *event, unsigned words, bool spaced)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	if (tag == HTML_TAG_PRE || tag == HTML_TAG_XMP)
		return true;
	const bool may_keep = tag == HTML_TAG_DIV || tag == HTML_TAG_CODE || tag == HTML_TAG_SPAN ||
			      tag == HTML_TAG_P || tag == HTML_TAG_SAMP;
	const bool keeps = may_keep && spaced && keeps_lines(r, event);
	if (keeps || tag == HTML_TAG_CODE)
		return keeps || (r->log && (words & CLASS_BLOCK || (!r->piece_open && indents_lines(r, event))));
	if (words & CLASS_CODE)
		return html_tag_is(tag, TAG_SPLITS) && tag != HTML_TAG_BODY && tag != HTML_TAG_ARTICLE;
	return tag == HTML_TAG_TABLE && r->log && is_code_table(r, event);
}

void record_code_element(struct recorder *r, enum html_tag tag, const struct tag_facts *facts)
{
	line_numbers_open(&r->numbers, tag, r->page.text.len);
	if ((tag != HTML_TAG_CODE && tag != HTML_TAG_PRE) || r->piece.language_len)
		return;
	bool none;
	struct slice name = language_of(facts, HTML_TAG_CODE, &none);
	if (!name.len && facts->words.others == 0)
		name = facts->words.bare_language;
	set_language(r, name, &r->piece.language, &r->piece.language_len);
}

void record_code_around(struct recorder *r, struct open_element *element, enum html_tag tag,
			const struct tag_facts *facts)
{
	bool none;
	const struct slice name = language_of(facts, tag, &none);
	if (!name.len && !(facts->words.meanings & CLASS_HIGHLIGHT))
		return;
	element->flags |= ELEMENT_WRAPS_CODE;
	set_language(r, name.len ? name : facts->words.bare_language, &element->language, &element->language_len);
}

bool record_code_begin(struct recorder *r, const struct html_tag_event *event, unsigned words, bool spaced)
{
	if (!begins_code(r, event, words, spaced))
		return false;
	enum { AROUND = 8 }; /* elements in which a language is looked for */
	bool none;
	const enum html_tag tag = (enum html_tag)event->tag;
	const struct tag_facts *facts = tag_facts_of(&r->tags, event);
	struct slice name = language_of(facts, tag, &none);
	if (tag == HTML_TAG_CODE)
		begin_block_code(r, event);
	const bool more = r->piece_open && tag == HTML_TAG_CODE && r->piece.kind == PIECE_CODE;
	if (r->piece_open && !more) /* the last one, which takes the rest of the text */
		return true;
	if (!name.len && !none)
		name = facts->words.bare_language;
	r->code_block = r->depth;
	r->code_loose = tag != HTML_TAG_PRE && tag != HTML_TAG_XMP && tag != HTML_TAG_CODE;
	r->leaf = r->empty_cell = 0;
	line_numbers_reset(&r->numbers);
	r->numbered = false;
	if (more)
		return true;
	record_piece_begin(r, event->end);
	r->piece.kind = PIECE_CODE;
	r->piece.raw = tag == HTML_TAG_XMP;
	set_language(r, name, &r->piece.language, &r->piece.language_len);
	/* else the language of the innermost element around it that names one; the last is the <pre> itself */
	for (size_t i = r->depth - 1; i > 0 && r->depth - i <= AROUND && !name.len; i--) {
		const struct open_element *around = &r->open[i - 1];
		r->piece.language = around->language;
		name.len = r->piece.language_len = around->language_len;
	}
	return true;
}
