/* SPDX-License-Identifier: MIT */
/*
 * Writes the segments of a piece. Text between two marks is escaped as one run, since what it is read as depends on its
 * neighbours.
 */
#include "extract/structure/inline.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "extract/structure/escape.h"
#include "extract/structure/formula_text.h"
#include "extract/structure/inline_private.h"
#include "extract/structure/letter_kind.h"

struct line {
	struct inline_writer *w;
	struct buf *out;
	size_t start; /* of the piece in `out` */
	struct escape_rules rules;
};

int inline_begin(struct inline_writer *w, const struct structure_page *page, const struct style *style,
		 struct slice url)
{
	w->page = page;
	w->style = style;
	buf_clear(&w->scratch);
	buf_clear(&w->url);
	if (page->has_base) {
		if (inline_decode(&w->scratch, buf_slice(&page->base_url)) < 0 || link_base_set(&w->base, url) < 0 ||
		    url_append(&w->url, &w->base, url_clean(&w->scratch)) < 0)
			return DANA_ENOMEM;
		if (url_may_be_base(buf_slice(&w->url)))
			url = buf_slice(&w->url);
	}
	w->base_is_odd = inline_url_is_odd(url);
	return link_base_set(&w->base, url);
}

void inline_free(struct inline_writer *w)
{
	link_base_free(&w->base);
	buf_free(&w->text);
	buf_free(&w->run);
	buf_free(&w->scratch);
	buf_free(&w->url);
	buf_free(&w->plain);
	free(w->segment);
	*w = (struct inline_writer){ 0 };
}

static struct slice segment_text(const struct inline_writer *w, const struct segment *s)
{
	return s->kind == SEGMENT_SPACE ? slice_of(" ", 1) : slice_of(w->text.data + s->from, s->len);
}

static bool is_escaped(const struct line *l)
{
	return l->w->style->escape && !l->w->style->plain;
}

static uint8_t last_byte(const struct line *l)
{
	return l->out->len > l->start ? l->out->data[l->out->len - 1] : 0;
}

/*
 * Returns whether a bracket that is Markdown already would have another meaning before this byte of text: the reference
 * of a note that of a link or of the note itself, the beginning of a link that of a note.
 */
static bool bracket_binds(uint8_t bracket, uint8_t first)
{
	return bracket == ']' ? first == '(' || first == ':' : bracket == '[' && first == '^';
}

/* Escapes and appends the run; `followed`: a mark comes after it. */
static int flush(struct line *l, bool followed)
{
	struct slice run = buf_slice(&l->w->run);
	int status = DANA_OK;
	if (run.len && is_escaped(l) && bracket_binds(last_byte(l), run.data[0]))
		buf_append_byte(l->out, '\\');
	if (run.len && is_escaped(l))
		status = escape_text(l->out, run, &l->rules, followed);
	else
		status = buf_append(l->out, run.data, run.len);
	buf_clear(&l->w->run);
	return status;
}

/* Appends Markdown. After '!' a bracket would begin a picture, and after code a backtick would be a part of its fence.
 */
static int put(struct line *l, struct slice raw)
{
	const bool direct = !l->w->run.len;
	int status = flush(l, true);
	struct buf *out = l->out;
	if (raw.len && is_escaped(l) && raw.data[0] == '[' && last_byte(l) == '!') {
		out->len--;
		buf_append_text(out, "\\!");
	}
	if (raw.len && direct && !l->w->style->plain && raw.data[0] == '`' && last_byte(l) == '`')
		buf_append_byte(out, ' ');
	return status < 0 ? status : buf_append(out, raw.data, raw.len);
}

static int put_formula(struct line *l, struct slice tex)
{
	int status = flush(l, true);
	if (!is_escaped(l))
		return status < 0 ? status : buf_append(l->out, tex.data, tex.len);
	return status < 0 ? status : escape_tex(l->out, tex, &l->rules);
}

static int put_text(struct line *l, const char *raw)
{
	return put(l, slice_from_text(raw));
}

/* Returns the text of the segments between two, without marks; it lies in w->plain if it is that of several. */
static struct slice text_between(struct inline_writer *w, size_t from, size_t to)
{
	buf_clear(&w->plain);
	if (to == from + 1 && w->segment[from].kind != SEGMENT_MARK)
		return segment_text(w, &w->segment[from]);
	for (size_t i = from; i < to; i++) {
		const struct segment *s = &w->segment[i];
		if (s->kind != SEGMENT_MARK) {
			struct slice t = segment_text(w, s);
			buf_append(&w->plain, t.data, t.len);
		}
	}
	return buf_slice(&w->plain);
}

/* Returns whether brackets match, and none of them would begin or end anything by what is beside it. */
static bool brackets_match(struct slice text)
{
	int depth = 0;
	for (size_t i = 0; i < text.len && depth >= 0; i++) {
		const uint8_t c = text.data[i], next = i + 1 < text.len ? text.data[i + 1] : 0;
		if ((c == '[' && next == '^') || (c == ']' && next && strchr("([:", next)))
			return false;
		depth += (c == '[') - (c == ']');
	}
	return depth == 0;
}

/* Decides about the brackets of a link's text, which is that between two segments: all of them match, or none does. */
static enum escape_brackets brackets_of_link(const struct line *l, size_t from, size_t to, struct slice text)
{
	const struct inline_writer *w = l->w;
	if (slice_until(text, "[") == text.len && slice_until(text, "]") == text.len)
		return BRACKETS_NONE;
	for (size_t i = from; i < to; i++) {
		if (w->segment[i].kind == SEGMENT_RAW || w->segment[i].kind == SEGMENT_FORMULA)
			return BRACKETS_ALL;
	}
	return !l->rules.formulas && brackets_match(text) ? BRACKETS_NONE : BRACKETS_ALL;
}

/* Returns whether code between two segments would end the label of a definition, were their link the first of a block.
 */
static bool code_defines(const struct inline_writer *w, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (w->segment[i].kind == SEGMENT_RAW && slice_has(segment_text(w, &w->segment[i]), "]:"))
			return true;
	}
	return false;
}

/* Returns whether a link's text is its address, so that it can be written <address>. */
static bool is_address(struct slice text, struct slice url)
{
	static const char mail[] = "mailto:";
	const size_t len = sizeof(mail) - 1;
	const bool slash = url.len == text.len + 1 && url.data[text.len] == '/';
	if (url.len == text.len + len && slice_is(slice_first(url, len), mail))
		return slice_equal(slice_skip(url, len), text) && url_is_mailbox(text);
	if (!slice_equal(slice_first(url, url.len - slash), text) || !url_has_scheme(text))
		return false;
	for (size_t i = 0; i < text.len; i++) {
		if (strchr(" <>`|\\", text.data[i]) ||
		    (text.data[i] == '&' && escape_is_reference(slice_skip(text, i))))
			return false;
	}
	return true;
}

/* Drops what is between two segments, or only these. */
static void drop(struct inline_writer *w, size_t from, size_t to, bool inside)
{
	w->segment[from].dropped = w->segment[to].dropped = true;
	for (size_t i = from; inside && i < to; i++)
		w->segment[i].dropped = true;
}

/* Decides which links are written, before emphasis looks at what is beside it. */
static int judge_links(struct inline_writer *w, bool heading)
{
	const bool written = w->style->links && !w->style->plain;
	for (size_t i = 0; i < w->n_segments; i++) {
		const struct segment *s = &w->segment[i];
		bool leads = false, sign = false;
		if (s->kind != SEGMENT_MARK || s->mark_kind != MARK_LINK || s->closes)
			continue;
		if (inline_link_leads(w, &w->page->mark[s->mark], &leads) < 0)
			return DANA_ENOMEM;
		if (heading)
			sign = !letter_kind_any(text_between(w, i + 1, s->pair));
		if (buf_status(&w->plain) < 0)
			return DANA_ENOMEM;
		if (sign || !leads || !written)
			drop(w, i, s->pair, sign);
	}
	return DANA_OK;
}

/* Writes the beginning of a link; *next is where to go on: at its end if it is written as its address. */
static int open_link(struct line *l, size_t *next)
{
	struct inline_writer *w = l->w;
	const struct segment *s = &w->segment[*next];
	int status = flush(l, true);
	if (status < 0 || inline_link_url(w, &w->page->mark[s->mark]) < 0)
		return DANA_ENOMEM;
	const struct slice text = text_between(w, *next + 1, s->pair);
	if (buf_status(&w->plain) < 0)
		return DANA_ENOMEM;
	if (is_address(text, buf_slice(&w->url))) {
		*next = s->pair;
		return buf_printf(l->out, "<%.*s>", (int)text.len, (const char *)text.data);
	}
	l->rules.brackets = brackets_of_link(l, *next + 1, s->pair, text);
	l->rules.in_link = true;
	if (l->rules.brackets == BRACKETS_ALL && l->out->len == l->start && code_defines(w, *next + 1, s->pair))
		buf_append_text(l->out, "&#32;");
	return put_text(l, "[");
}

static int close_link(struct line *l)
{
	int status = put_text(l, "](");
	l->rules.brackets = BRACKETS_THAT_LINK;
	l->rules.in_link = false;
	if (status == DANA_OK)
		status = inline_url(l->w, l->out);
	return status < 0 ? status : buf_append_byte(l->out, ')');
}

static int write_segment(struct line *l, size_t *next)
{
	static const char *const
		marks[MARK_NESTING_KINDS] = { [MARK_EMPHASIS] = "*", [MARK_STRONG] = "**", [MARK_DELETED] = "~~" };
	const struct segment *s = &l->w->segment[*next];
	struct slice text = segment_text(l->w, s);
	if (s->dropped)
		return DANA_OK;
	if (s->kind == SEGMENT_SPACE && !l->w->run.len &&
	    (l->out->len == l->start || l->out->data[l->out->len - 1] == ' '))
		return DANA_OK; /* what stood before it was left out */
	if (s->kind == SEGMENT_TEXT || s->kind == SEGMENT_SPACE)
		return buf_append(&l->w->run, text.data, text.len);
	if (s->kind == SEGMENT_FORMULA)
		return put_formula(l, text);
	if (s->kind != SEGMENT_MARK)
		return put(l, text);
	if (s->mark_kind == MARK_LINK)
		return s->closes ? close_link(l) : open_link(l, next);
	return l->w->style->emphasis && !l->w->style->plain ? put_text(l, marks[s->mark_kind]) : DANA_OK;
}

static bool many_tildes(struct slice text)
{
	const uint8_t *first = text.len ? memchr(text.data, '~', text.len) : NULL;
	return first && memchr(first + 1, '~', text.len - (size_t)(first + 1 - text.data));
}

/* Returns whether the piece has links, or what is written as a whole. */
static bool has_parts(const struct inline_writer *w)
{
	for (size_t i = 0; i < w->n_segments; i++) {
		const struct segment *s = &w->segment[i];
		if (s->kind == SEGMENT_RAW || (s->kind == SEGMENT_MARK && s->mark_kind == MARK_LINK))
			return true;
	}
	return false;
}

/* Returns whether the piece is one formula that is written on lines of its own, and appends its TeX. */
static bool lone_formula(struct inline_writer *w, struct buf *out)
{
	const struct escape_rules rules = { .open = &w->open_brackets };
	struct slice text, tex;
	if (!w->n_segments)
		return false;
	if (w->style->plain && w->n_segments == 1 && w->segment[0].kind == SEGMENT_FORMULA) {
		text = segment_text(w, w->segment);
		buf_append(out, text.data, text.len);
		return true;
	}
	if (!w->style->plain && w->n_segments == 1 && w->segment[0].kind == SEGMENT_FORMULA && w->segment[0].display) {
		text = segment_text(w, w->segment);
		tex = slice_of(text.data + 2, text.len - 4);
	} else if (!w->page->formulas || !w->style->formulas || has_parts(w) ||
		   !formula_is_all(text_between(w, 0, w->n_segments), &tex)) {
		return false;
	}
	if (w->style->plain || !w->style->escape)
		buf_append(out, tex.data, tex.len);
	else
		escape_tex(out, tex, &rules);
	return true;
}

/* Appends a piece of text without marks: most are. */
static int append_text(struct line *l, const struct piece *piece)
{
	struct buf *run = &l->w->run;
	const struct slice source = slice_of(l->w->page->text.data + piece->text, piece->len);
	bool pending = false, lead;
	buf_clear(run);
	int status = inline_collapse(run, 0, source, !piece->raw, &pending, &lead);
	l->rules.tildes = many_tildes(buf_slice(run));
	return status < 0 ? status : flush(l, false);
}

int inline_append(struct inline_writer *w, const struct piece *piece, struct buf *out, enum inline_kind *kind)
{
	struct line l = { .w = w, .out = out, .start = out->len, .rules.open = &w->open_brackets };
	bool heading = w->page->container[piece->container].flags & CONTAINER_IN_HEADING;
	l.rules.formulas = w->page->formulas && w->style->formulas;
	w->ends_in_text = true;
	if (piece->mark == piece->marks_end && !l.rules.formulas) {
		int failed = append_text(&l, piece);
		*kind = out->len > l.start ? INLINE_TEXT : INLINE_EMPTY;
		return failed;
	}
	int status = inline_segments(w, piece);
	*kind = INLINE_FORMULA;
	buf_clear(&w->plain);
	if (status < 0 || lone_formula(w, out))
		return status < 0 ? status : buf_status(out);
	if (buf_status(&w->plain) < 0)
		return DANA_ENOMEM;
	l.rules.tildes = many_tildes(buf_slice(&w->text));
	buf_clear(&w->run);
	status = judge_links(w, heading);
	if (status == DANA_OK)
		inline_emphasis(w);
	for (size_t i = 0; i < w->n_segments && status == DANA_OK; i++)
		status = write_segment(&l, &i);
	w->ends_in_text = w->run.len != 0;
	if (status == DANA_OK)
		status = flush(&l, false);
	while (out->len > l.start && out->data[out->len - 1] == ' ')
		out->len--;
	*kind = out->len > l.start ? INLINE_TEXT : INLINE_EMPTY;
	return status;
}
