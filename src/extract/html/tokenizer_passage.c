/* SPDX-License-Identifier: MIT */
/*
 * Comments and scripts are a large part of most pages, of which only the end matters. memchr finds it, so no masks are
 * made for their content.
 *
 * Example: in "<script>if (a<b) f()</script><p>" memchr finds the '<' of "<b)", which is not followed by '/', and then
 * the one of "</script", which opening_of_raw accepts. The passage ends after its '>', and ordinary markup continues
 * with "<p>".
 */
#include "extract/html/tokenizer_passage.h"

#include "base/cpu.h"
#include "extract/html/tokenizer_markup.h"
#include "extract/html/tokenizer_scan.h"
#include "extract/html/tokenizer_stretch.h"

static size_t next_byte(const struct html_tokenizer *t, size_t from, char byte)
{
	const uint8_t *found = from < t->n ? memchr(t->p + from, byte, t->n - from) : NULL;
	return found ? (size_t)(found - t->p) : t->n;
}

/* Skips the masks of everything before p[at], which is void. */
static void masks_pass(struct html_tokenizer *t, size_t at)
{
	if (t->filled < at / 64)
		t->filled = at / 64;
}

/*
 * Returns the first '>' from p[at] on that ends the declaration, or the comment that begins at `start` of the page;
 * t->n if it does not end in the window.
 */
static size_t declaration_end(const struct html_tokenizer *t, size_t at, uint64_t start, bool comment)
{
	size_t i = next_byte(t, at, '>');
	while (i < t->n && comment && !comment_ends(t, start, i))
		i = next_byte(t, i + 1, '>');
	return i;
}

/*
 * Sets *end to the byte after the '>' of the tag whose name ends before p[at]. Returns false if the window cuts it, or
 * its first '>' is quoted.
 */
static bool tag_end_near(struct html_tokenizer *t, size_t at, size_t *end)
{
	size_t gt = next_byte(t, at, '>');
	if (gt == t->n)
		return false;
	*end = gt + 1;
	if (gt == at)
		return true;
	masks_need(t, gt / 64 + 1);
	return tag_scan_plain(t, at, end) && *end == gt + 1;
}

/*
 * Returns the first '<' from p[at] on that begins the end tag of the raw element, or that the window cuts too early to
 * decide (see *o); otherwise t->n.
 */
static size_t raw_end(const struct html_tokenizer *t, size_t at, enum html_tag raw, struct opening *o)
{
	size_t i = at;
	for (; (i = next_byte(t, i, '<')) < t->n; i++) {
		if (i + 1 < t->n && t->p[i + 1] != '/')
			continue;
		*o = opening_of_raw(opening_bytes(t, i), raw);
		if (o->kind != OPENS_NOTHING)
			break;
	}
	return i;
}

/*
 * Sets *end to the byte after the script or style whose content begins at p[at]. Returns false if it does not end in
 * this window.
 */
static bool script_end(struct html_tokenizer *t, size_t at, enum html_tag raw, size_t *end)
{
	struct opening o;
	size_t i = raw_end(t, at, raw, &o);
	if (i == t->n || o.kind != OPENS_TAG)
		return false;
	const size_t filled = t->filled;
	masks_pass(t, i);
	if (tag_end_near(t, i + o.len, end))
		return true;
	t->filled = filled; /* the content is not void yet: what scans it now needs its masks */
	return false;
}

struct passage {
	size_t end;   /* the byte after its '>' in the window */
	bool is_void; /* not part of the visible page; otherwise code */
	uint8_t skip; /* the element whose content is skipped after it, or HTML_TAG_OTHER */
};

/*
 * Returns whether the tag, which ends before p[end], begins or ends a skipped element; *skip: the one whose content is
 * skipped after it.
 */
static bool tag_skips(const struct html_tokenizer *t, const struct opening *o, size_t end, uint8_t *skip)
{
	const enum html_tag tag = o->name.tag;
	*skip = HTML_TAG_OTHER;
	if (t->skip != HTML_TAG_OTHER)
		return o->closing && tag == t->skip;
	if (tag == HTML_TAG_MATH && t->handler.formulas)
		return false;
	if (!o->closing && t->p[end - 2] != '/')
		*skip = (uint8_t)tag;
	return html_tag_is(tag, TAG_SKIP);
}

/* Returns whether the start tag of a script may be one of MathJax, whose formulas the handler asks for. */
static bool shows_formulas(const struct html_tokenizer *t, struct slice source)
{
	return t->handler.formulas && t->skip == HTML_TAG_OTHER &&
	       formula_mathjax_likely(slice_first(source, HTML_TAG_BYTES));
}

static bool tag_passage(struct html_tokenizer *t, size_t at, const struct opening *o, struct passage *passage)
{
	enum html_tag tag = o->name.tag;
	bool script = tag == HTML_TAG_SCRIPT || tag == HTML_TAG_STYLE;
	if (html_breaks_out(t->skip, tag, o->closing) || (html_tag_is(tag, TAG_RAW) && !script) ||
	    !tag_end_near(t, at + o->len, &passage->end))
		return false;

	if (script && !o->closing && shows_formulas(t, slice_of(t->p + at, passage->end - at)))
		return false;
	if (script)
		return o->closing || script_end(t, passage->end, tag, &passage->end);
	return tag_skips(t, o, passage->end, &passage->skip);
}

/* Finds the passage that begins at p[at]. Returns false if none does. */
static bool passage_find(struct html_tokenizer *t, size_t at, struct passage *passage)
{
	struct opening o = opening_of(opening_bytes(t, at));
	*passage = (struct passage){ .is_void = true, .skip = t->skip };
	switch (o.kind) {
	case OPENS_UNKNOWN:
	case OPENS_NOTHING:
		return false;
	case OPENS_TAG:
		return tag_passage(t, at, &o, passage);
	case OPENS_DECLARATION:
	case OPENS_COMMENT:
		break;
	}

	size_t gt = declaration_end(t, at, t->base + at, o.kind == OPENS_COMMENT);
	passage->is_void = o.kind == OPENS_COMMENT || t->skip != HTML_TAG_OTHER;
	passage->end = gt + 1;
	if (gt == t->n)
		return false;
	if (passage->is_void)
		masks_pass(t, passage->end);
	else
		masks_need(t, gt / 64 + 1);
	return true;
}

/*
 * Marks p[from..to), which is not empty, as `code`, as `voids`, or as neither. Bits of what precedes it are kept; later
 * ones of its last block may be anything.
 */
static void mark(struct html_tokenizer *t, size_t from, size_t to, bool is_code, bool is_void)
{
	const uint64_t kept = bits_below(from % 64), code = is_code ? ~(uint64_t)0 : 0,
		       voids = is_void ? ~(uint64_t)0 : 0;
	size_t block = from / 64;
	t->code[block] = (t->code[block] & kept) | (code & ~kept);
	t->breaks[block] &= kept;
	t->links[block] &= kept;
	t->starts[block] = (t->starts[block] & kept) | (code & 1) << from % 64;
	t->voids[block] = (t->voids[block] & kept) | (voids & ~kept);
	for (size_t last = (to - 1) / 64; block++ < last;) {
		t->code[block] = code;
		t->breaks[block] = t->links[block] = t->starts[block] = 0;
		t->voids[block] = voids;
	}
}

/*
 * Returns the '<' of what seems to be a comment, script or style after p[at], with nothing but white space between;
 * t->n if something else follows. They often follow each other, and to look for tags between them would cost more than
 * to take them.
 */
static size_t passage_near(struct html_tokenizer *t, size_t at)
{
	while (at < t->n && ascii_is_space(t->p[at]))
		at++;
	if (t->n - at < OPENING_MOST || t->p[at] != '<')
		return t->n;
	const uint8_t *name = t->p + at + 1;
	const uint8_t last = ascii_lower(name[2]);
	const bool named = ascii_lower(name[0]) == 's' && (last == 'r' || last == 'y'); /* <script> or <style> */
	if (name[0] != '!' && !named)
		return t->n;
	masks_need(t, at / 64 + 1); /* of the white space, which is text */
	return at;
}

size_t html_passages_take(struct html_tokenizer *t, size_t at)
{
	struct passage passage;
	for (size_t next = at; next < t->n && passage_find(t, next, &passage); next = passage_near(t, at)) {
		if (next > at)
			mark(t, at, next, false, t->skip != HTML_TAG_OTHER);
		mark(t, next, passage.end, true, passage.is_void);
		t->skip = passage.skip;
		at = passage.end;
	}
	return at;
}

/* Returns the first '>' in p[from..to), which has masks, or `to`. */
static size_t next_gt(const struct html_tokenizer *t, size_t from, size_t to)
{
	uint64_t keep = ~(uint64_t)0 << from % 64;
	for (size_t block = from / 64; block * 64 < to; block++, keep = ~(uint64_t)0) {
		uint64_t bits = t->masks[block].gt & keep;
		if (bits)
			return block * 64 + bits_lowest(bits);
	}
	return to;
}

/* Marks p[from..to) as void, or as not. */
static void mark_void(struct html_tokenizer *t, size_t from, size_t to, bool is_void)
{
	for (size_t block = from / 64; block * 64 < to; block++) {
		uint64_t bits = mask_range(from > block * 64 ? from - block * 64 : 0, to - block * 64);
		t->voids[block] = is_void ? t->voids[block] | bits : t->voids[block] & ~bits;
	}
}

/*
 * Example: in "<b><!-- a --></b>" the comment was taken for a tag, and </b> was found after it. That would be wrong for
 * <!-- a> -->, whose first '>' does not end it, and for <!-- a="> -->, where the '>' was taken for a quoted one.
 */
bool html_passage_pass(struct html_tokenizer *t, size_t at, size_t next, size_t end)
{
	const size_t gt = next_gt(t, at, next);
	if (gt + 1 >= end || gt == next || (gt + 1 < next && t->code[(gt + 1) / 64] >> (gt + 1) % 64 & 1))
		return false;

	const struct opening o = opening_of(opening_bytes(t, at));
	uint8_t skip = t->skip;
	if (o.kind == OPENS_COMMENT) {
		if (!comment_ends(t, t->base + at, gt))
			return false;
	} else if (o.kind != OPENS_TAG || html_tag_is(o.name.tag, TAG_RAW) ||
		   html_breaks_out(t->skip, o.name.tag, o.closing) || !tag_skips(t, &o, gt + 1, &skip)) {
		return false;
	}

	if (t->skip == HTML_TAG_OTHER)
		mark_void(t, at, skip == HTML_TAG_OTHER ? gt + 1 : end, true);
	else if (skip == HTML_TAG_OTHER)
		mark_void(t, gt + 1, end, false);
	t->skip = skip;
	return true;
}

bool html_in_void(const struct html_tokenizer *t)
{
	return t->state == STATE_COMMENT ||
	       (t->state == STATE_RAW && (t->raw == HTML_TAG_SCRIPT || t->raw == HTML_TAG_STYLE));
}

/* Takes raw content up to and including its end tag, or up to bytes that may begin one. */
static void raw_pass(struct html_tokenizer *t)
{
	struct opening o;
	size_t i = raw_end(t, t->at, t->raw, &o), end;
	t->at = i;
	masks_pass(t, i);
	if (i < t->n && o.kind == OPENS_TAG && tag_end_near(t, i + o.len, &end)) {
		t->at = end;
		t->raw = HTML_TAG_OTHER;
		t->state = STATE_TEXT;
	}
}

static void comment_pass(struct html_tokenizer *t)
{
	size_t gt = declaration_end(t, t->at, t->start, true);
	t->at = gt < t->n ? gt + 1 : t->n;
	if (gt < t->n)
		t->state = STATE_TEXT;
	t->source.len = 0;
}

int html_step_void(struct html_tokenizer *t)
{
	size_t from = t->at;
	if (t->state == STATE_COMMENT)
		comment_pass(t);
	else
		raw_pass(t);
	masks_pass(t, t->at);
	return html_run_window(t, HTML_VOID, from, t->at);
}
