/* SPDX-License-Identifier: MIT */
/*
 * Writes the segments of a piece. Text between two marks is escaped as one run, since what it is read as depends on its
 * neighbours.
 */
#include "extract/structure/inline.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/characters.h"
#include "base/utf8.h"
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
		    url_append(&w->url, &w->base, slice_trim(buf_slice(&w->scratch))) < 0)
			return DANA_ENOMEM;
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

/* Escapes and appends the run. */
static int flush(struct line *l)
{
	struct slice run = buf_slice(&l->w->run);
	int status = DANA_OK;
	if (run.len && l->w->style->escape && !l->w->style->plain)
		status = escape_text(l->out, run, &l->rules);
	else
		status = buf_append(l->out, run.data, run.len);
	buf_clear(&l->w->run);
	return status;
}

/* Appends Markdown. After '!' a bracket would begin a picture. */
static int put(struct line *l, struct slice raw)
{
	int status = flush(l);
	struct buf *out = l->out;
	if (raw.len && raw.data[0] == '[' && out->len > l->start && out->data[out->len - 1] == '!') {
		out->len--;
		buf_append_text(out, "\\!");
	}
	return status < 0 ? status : buf_append(out, raw.data, raw.len);
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

static bool has_letter(struct slice text)
{
	while (text.len) {
		uint32_t c;
		text = slice_skip(text, utf8_decode(text, &c));
		enum letter_kind kind = letter_kind_of(c);
		if (kind == LETTER_LETTER || (kind == LETTER_UNSURE && !character_is_invisible(c)))
			return true;
	}
	return false;
}

static bool brackets_match(struct slice text)
{
	int depth = 0;
	if (slice_until(text, "[") == text.len && slice_until(text, "]") == text.len)
		return true;
	for (size_t i = 0; i < text.len && depth >= 0; i++)
		depth += (text.data[i] == '[') - (text.data[i] == ']');
	return depth == 0;
}

/* Returns whether a link's text is its address, so that it can be written <address>. */
static bool is_address(struct slice text, struct slice url)
{
	static const char mail[] = "mailto:";
	size_t len = sizeof(mail) - 1;
	bool slash = url.len == text.len + 1 && url.data[text.len] == '/', same;
	if (url.len == text.len + len && slice_is(slice_first(url, len), mail))
		same = slice_equal(slice_skip(url, len), text);
	else
		same = slice_equal(slice_first(url, url.len - slash), text) && memchr(text.data, ':', text.len);
	return same && slice_until(text, " <>") == text.len;
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
			sign = !has_letter(text_between(w, i + 1, s->pair));
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
	int status = flush(l);
	if (status < 0 || inline_link_url(w, &w->page->mark[s->mark]) < 0)
		return DANA_ENOMEM;
	const struct slice text = text_between(w, *next + 1, s->pair);
	if (buf_status(&w->plain) < 0)
		return DANA_ENOMEM;
	if (is_address(text, buf_slice(&w->url))) {
		*next = s->pair;
		return buf_printf(l->out, "<%.*s>", (int)text.len, (const char *)text.data);
	}
	l->rules.brackets = !brackets_match(text);
	return put_text(l, "[");
}

static int close_link(struct line *l)
{
	int status = put_text(l, "](");
	l->rules.brackets = false;
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

/* Returns whether the piece is one formula that is written on lines of its own, and appends its TeX. */
static bool lone_formula(struct inline_writer *w, struct buf *out)
{
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
		buf_append(out, text.data + 2, text.len - 4);
		return true;
	}
	if (!w->page->formulas || !w->style->formulas)
		return false;
	if (!formula_is_all(text_between(w, 0, w->n_segments), &tex))
		return false;
	buf_append(out, tex.data, tex.len);
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
	return status < 0 ? status : flush(l);
}

int inline_append(struct inline_writer *w, const struct piece *piece, struct buf *out, enum inline_kind *kind)
{
	struct line l = { .w = w, .out = out, .start = out->len };
	bool heading = w->page->container[piece->container].flags & CONTAINER_IN_HEADING;
	l.rules.formulas = w->page->formulas && w->style->formulas;
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
	if (status == DANA_OK)
		status = flush(&l);
	while (out->len > l.start && out->data[out->len - 1] == ' ')
		out->len--;
	*kind = out->len > l.start ? INLINE_TEXT : INLINE_EMPTY;
	return status;
}
