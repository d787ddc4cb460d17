/* SPDX-License-Identifier: MIT */
#include "oracle/family.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "extract/html/entity.h"
#include "oracle/family_page.h"

static void append(struct buf *b, const void *data, size_t len)
{
	if (buf_append(b, data, len) < 0)
		abort();
}

static void append_byte(struct buf *b, uint8_t byte)
{
	append(b, &byte, 1);
}

/* ---- choosing (DANA, algorithm 1) ---- */

struct region {
	size_t first, last, chain;
	int64_t rank;
};

static int64_t smoothed(const struct family_line *lines, size_t count, size_t i)
{
	return lines[i].value + (i ? lines[i - 1].value : 0) + (i + 1 < count ? lines[i + 1].value : 0);
}

static struct region *find_regions(const struct family_line *lines, size_t count, bool by_weight, enum family_rank rank,
				   size_t *n)
{
	struct region *regions = calloc(count + 1, sizeof(*regions));
	if (!regions)
		abort();
	*n = 0;
	bool inside = false;
	for (size_t i = 0; i < count; i++) {
		int64_t value = smoothed(lines, count, i);
		bool hit = by_weight ? lines[i].weight > 0 : value > 0;
		int64_t one = rank == FAMILY_VALUE ? value : lines[i].weight;
		if (hit && !inside)
			regions[(*n)++] = (struct region){ .first = i, .last = i, .rank = one };
		if (hit && inside) {
			struct region *r = &regions[*n - 1];
			r->rank = rank == FAMILY_REGION ? r->rank + one : one > r->rank ? one : r->rank;
			r->last = i;
		}
		inside = hit;
	}
	return regions;
}

/* The piece of a word at the end (else the start) of a text: what has no white space in it. */
static struct slice word_at(struct slice text, bool at_end)
{
	size_t n = 0;
	while (n < text.len && !ascii_is_space(text.data[at_end ? text.len - 1 - n : n]))
		n++;
	return slice_of(text.data + (at_end ? text.len - n : 0), n);
}

/*
 * The piece of a word at the end of line number `from` - 1 that the next line goes on with; what was taken of its
 * start is gone.
 */
static struct slice begun_before(const struct family_line *lines, const size_t *taken, size_t from)
{
	if (from == 0 || word_at(lines[from].text, false).len == 0)
		return slice_of(NULL, 0);
	return word_at(slice_skip(lines[from - 1].text, taken[from - 1]), true);
}

/*
 * What parts two regions, the second of which begins at line `from` with `begun` in the line before: a line end where
 * text is left out between them, else the white space that stands there.
 */
static const char *parted_by(const struct family_line *lines, const size_t *taken, size_t after, size_t from,
			     size_t begun)
{
	bool text = false, line = false, blank = false;
	for (size_t k = after; k < from; k++) {
		for (size_t i = taken[k]; i < lines[k].text.len - (k + 1 == from ? begun : 0); i++) {
			uint8_t c = lines[k].text.data[i];
			text |= !ascii_is_space(c);
			line |= c == '\n';
			blank = true;
		}
	}
	return text || line ? "\n" : blank ? " " : "";
}

/* Appends the regions of the chain `wanted`, with the rest of each word that their ends cut. */
static void write_chain(struct buf *out, const struct family_line *lines, size_t count, const struct region *regions,
			size_t n, size_t wanted, bool gap_fill)
{
	struct buf text = { 0 };
	size_t *taken = calloc(count + 1, sizeof(*taken)); /* of each line's start, by the region before it */
	if (!taken)
		abort();
	for (size_t i = 0; i < n && regions[i].chain <= wanted; i++) {
		bool first = i == 0 || regions[i - 1].chain != regions[i].chain;
		size_t from = regions[i].first, after = regions[i].last + 1;
		if (first)
			text.len = 0;
		if (first || !gap_fill) {
			struct slice begun = begun_before(lines, taken, from);
			if (text.len) {
				const char *by = parted_by(lines, taken, regions[i - 1].last + 1, from, begun.len);
				append(&text, by, strlen(by));
			}
			append(&text, begun.data, begun.len);
		}
		for (size_t k = first || !gap_fill ? from : regions[i - 1].last + 1; k < after; k++)
			append(&text, lines[k].text.data + taken[k], lines[k].text.len - taken[k]);
		if (after < count && word_at(buf_slice(&text), true).len)
			taken[after] = word_at(lines[after].text, false).len;
		if (after < count)
			append(&text, lines[after].text.data, taken[after]);
	}
	append(out, text.data, text.len);
	buf_free(&text);
	free(taken);
}

bool family_choose(const struct family_line *lines, size_t count, bool by_weight, enum family_rank rank, size_t gap,
		   bool gap_fill, struct buf *out)
{
	size_t n, best = 0;
	struct region *regions = find_regions(lines, count, by_weight, rank, &n);
	int64_t best_rank = 0;
	for (size_t i = 0; i < n; i++)
		regions[i].chain = i == 0 ? 0 : regions[i - 1].chain + (regions[i].first - regions[i - 1].last > gap);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || regions[i].rank > best_rank) {
			best_rank = regions[i].rank;
			best = regions[i].chain;
		}
	}
	write_chain(out, lines, count, regions, n, best, gap_fill);
	free(regions);
	return n != 0;
}

/* ---- what counts ---- */

enum op_kind { OP_BYTE, OP_BLANK, OP_BLOCK, OP_CODE, OP_ANCHOR, OP_ANCHOR_END };

enum { NONE = -1 };

/* One step of the normalised page. */
struct op {
	enum op_kind kind;
	uint8_t byte;   /* BYTE: of the page */
	bool inside;    /* BYTE: of a reference, after its first one */
	bool uncounted; /* BYTE: of a reference, more than the character it names has */
	int out; /* BYTE: what of it belongs to the output; NONE = nothing. BLANK: white space that is kept, 0 = a blank
		  */
	int weight;  /* BYTE: what it adds above the axis, in the method's unit */
	size_t code; /* CODE: units */
};

struct ops {
	struct op *all;
	size_t count;
};

static void op_add(struct ops *ops, struct op op)
{
	if ((ops->count & (ops->count - 1)) == 0) {
		ops->all = realloc(ops->all, (ops->count ? ops->count * 2 : 1) * sizeof(*ops->all));
		if (!ops->all)
			abort();
	}
	ops->all[ops->count++] = op;
}

static bool is_lead(uint8_t byte)
{
	return (byte & 0xC0) != 0x80;
}

/* Whether a character of the page, or one that a reference names, begins with it. */
static bool op_leads(const struct op *op)
{
	return !op->inside && is_lead(op->byte);
}

/*
 * The reference that `text` begins with, which counts as the character it names: its length, or 0. *bytes: of the
 * character in UTF-8; *first: the first of them.
 */
static size_t reference_at(struct slice text, bool literal, size_t *bytes, uint8_t *first)
{
	uint8_t out[8];
	size_t len, taken = 0;
	if (!literal && text.data[0] == '&')
		taken = html_entity_decode(slice_first(text, HTML_ENTITY_LONGEST), out, &len);
	if (taken) {
		*bytes = len < 4 ? len : 4;
		*first = out[0];
	}
	return taken;
}

static bool all_space(struct slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (!ascii_is_space(s.data[i]))
			return false;
	}
	return true;
}

static struct buf collapse(struct slice s)
{
	struct buf b = { 0 };
	for (size_t i = 0; i < s.len; i++) {
		bool space = ascii_is_space(s.data[i]);
		if (!space || i == 0 || !ascii_is_space(s.data[i - 1]))
			append_byte(&b, space ? ' ' : s.data[i]);
	}
	return b;
}

/* A tag that begins a new block of the output. */
static bool breaks(const struct family_item *item)
{
	bool script = item->tag == HTML_TAG_SCRIPT || item->tag == HTML_TAG_STYLE;
	return item->is_tag && !item->skipped && !script && !html_tag_is(item->tag, TAG_INLINE);
}

static bool is_r2l(uint32_t c)
{
	static const uint32_t ranges[][2] = { { 0x590, 0x77F },
					      { 0x8A0, 0x8FF },
					      { 0xFB1D, 0xFDFF },
					      { 0xFE70, 0xFEFE } };
	for (size_t i = 0; i < 4; i++) {
		if (c >= ranges[i][0] && c <= ranges[i][1])
			return true;
	}
	return false;
}

/* White space since the last word or block where it does not collapse; LF for each line end. */
struct held {
	struct buf white;
	bool line; /* the first of it was a line end, which is written */
	bool cr;   /* the last of it was CR */
};

static void held_clear(struct held *held)
{
	buf_clear(&held->white);
	held->line = held->cr = false;
}

static void held_add(struct held *held, uint8_t c, enum white_space space)
{
	bool line = c == '\r' || c == '\n', ended = c == '\n' && held->cr;
	held->cr = c == '\r';
	if (!ended)
		append_byte(&held->white, line ? '\n' : space == WHITE_SPACE_LINES ? ' ' : c == '\t' ? c : '\f');
}

/* As it is written: CR for each line end after the first, and what follows the last one. */
static size_t held_marks(const struct held *held, uint8_t marks[512])
{
	size_t n = 0, tail = 0, lines = held->line;
	for (size_t i = 0; i < held->white.len; i++) {
		if (held->white.data[i] != '\n')
			continue;
		if (n < 256)
			marks[n++] = lines ? '\r' : '\n';
		lines++;
		tail = i + 1;
	}
	for (size_t i = tail; i < held->white.len; i++) {
		if (n < (held->white.data[i] == ' ' ? 1 : 512))
			marks[n++] = held->white.data[i];
	}
	return n;
}

/* `counts`: the first character of it counts as a blank would. */
static void ops_held(struct ops *ops, struct held *held, bool counts, int weight)
{
	uint8_t marks[512];
	size_t n = held_marks(held, marks);
	for (size_t i = 0; i < n; i++)
		op_add(ops, (struct op){ .kind = counts && i == 0 ? OP_BYTE : OP_BLANK,
					 .byte = ' ',
					 .out = marks[i],
					 .weight = weight });
	buf_clear(&held->white);
}

/* What is known between two texts. */
struct flow {
	bool block, after_space, lone;
	bool scan, r2l; /* the byte scans, of which R2L keeps no more than line ends */
	struct held held;
};

/* The first word of a text: what stands before it. `blank`: white space, which counts. */
static void ops_word(struct ops *ops, struct flow *f, bool blank)
{
	bool lone = f->lone && !f->block && !f->after_space;
	if (f->block)
		op_add(ops, (struct op){ .kind = OP_BLOCK });
	if (f->held.white.len)
		ops_held(ops, &f->held, blank, !f->scan);
	else if (blank)
		op_add(ops, (struct op){ .kind = OP_BYTE, .byte = ' ', .out = ' ', .weight = !f->scan });
	else if (lone)
		op_add(ops, (struct op){ .kind = OP_BLANK });
	f->block = f->lone = false;
}

/*
 * The byte text[i] of a word, or the reference there, of which a scan counts all bytes unless it names a letter.
 * Returns the place after it.
 */
static size_t ops_letter(struct ops *ops, struct slice text, size_t i, bool scan, bool literal)
{
	size_t bytes;
	uint8_t first, c = text.data[i];
	size_t len = reference_at(slice_skip(text, i), literal, &bytes, &first);
	bool foreign = len && first > 0xC2 && first != 0xE2;
	for (size_t k = 0; k < len; k++)
		op_add(ops, (struct op){ .kind = OP_BYTE,
					 .byte = text.data[i + k],
					 .inside = k > 0,
					 .uncounted = k >= bytes && (!scan || foreign || ascii_is_alpha(first)),
					 .out = text.data[i + k],
					 .weight = !scan || foreign });
	if (!len)
		op_add(ops, (struct op){ .kind = OP_BYTE, .byte = c, .out = c, .weight = !scan || c >= 0x80 });
	return i + (len ? len : 1);
}

/* A text in which white space does not collapse. */
static void ops_of_kept(struct ops *ops, const struct family_item *item, struct flow *f, bool literal)
{
	bool seen = false, leading = false;
	if (f->scan)
		f->after_space = false;
	for (size_t i = 0; i < item->bytes.len;) {
		uint8_t c = item->bytes.data[i];
		if (ascii_is_space(c)) {
			i++;
			if (!f->r2l)
				held_add(&f->held, c, (enum white_space)item->space);
			else if (c == '\n' || c == '\r')
				op_add(ops, (struct op){ .kind = OP_BLOCK });
			if (seen && !f->after_space && f->r2l)
				op_add(ops, (struct op){ .kind = OP_BYTE, .byte = ' ', .out = ' ' });
			else if (seen && !f->after_space) {
				ops_held(ops, &f->held, true, !f->scan);
				f->held.line = c == '\n' || c == '\r';
			}
			leading |= !seen;
			f->after_space |= seen;
			continue;
		}
		if (!seen)
			ops_word(ops, f, leading && !f->after_space);
		ops_held(ops, &f->held, false, 0);
		held_clear(&f->held);
		i = ops_letter(ops, item->bytes, i, f->scan, literal);
		seen = true;
		f->after_space = false;
	}
	f->lone |= !seen;
}

/* A tag is over. Where it ends what keeps white space, what is held is written. */
static void ops_tag(struct ops *ops, const struct family_item *item, struct flow *f)
{
	if (breaks(item)) {
		f->block = f->after_space = true;
		f->lone &= f->scan;
		held_clear(&f->held);
	}
	if (!item->is_tag || item->space != WHITE_SPACE_COLLAPSES)
		return;
	if (f->held.white.len) {
		if (f->block)
			op_add(ops, (struct op){ .kind = OP_BLANK, .out = '\n' });
		f->block = f->lone = false;
		ops_held(ops, &f->held, false, 0);
	}
	held_clear(&f->held);
}

/* What counts, and how. */
struct count {
	bool bytes, literal;
	size_t tag_limit, link_limit;
};

/* Code up to its limit, in which white space collapses; what is not visible counts byte by byte. */
static size_t code_units(const struct family_item *item, const struct count *count)
{
	if (item->kind == FAMILY_VOID || item->skipped)
		return item->bytes.len;
	size_t limit = item->tag == HTML_TAG_A ? count->link_limit : count->tag_limit;
	struct buf b = collapse(slice_of(item->bytes.data, item->bytes.len < limit ? item->bytes.len : limit));
	size_t units = 0;
	for (size_t k = 0; k < b.len; k++)
		units += count->bytes || is_lead(b.data[k]);
	buf_free(&b);
	return units;
}

/*
 * Byte scan: every byte of the page, above the axis those above 127. When the count is not literal all of code stands
 * below.
 */
static void ops_of_bytes(struct ops *ops, const struct family_page *page, bool r2l, const struct count *count)
{
	struct flow f = { .block = true, .scan = true, .r2l = r2l };
	for (size_t i = 0; i < page->count; i++) {
		const struct family_item *item = &page->items[i];
		bool kept = item->kind == FAMILY_TEXT && !item->skipped;
		if (!kept && !count->literal) {
			op_add(ops, (struct op){ .kind = OP_CODE, .code = code_units(item, count) });
			f.after_space = false;
			if (item->kind != FAMILY_TEXT)
				ops_tag(ops, item, &f);
			continue;
		}
		if (kept && item->space != WHITE_SPACE_COLLAPSES) {
			ops_of_kept(ops, item, &f, count->literal);
			continue;
		}
		if (item->kind == FAMILY_TEXT && all_space(item->bytes)) {
			f.lone |= kept;
			continue;
		}
		struct buf b = collapse(item->bytes);
		bool blank = b.data[0] == ' ';
		f.after_space = false;
		if (kept)
			ops_word(ops, &f, blank);
		for (size_t k = blank; kept && k < b.len;)
			k = ops_letter(ops, buf_slice(&b), k, true, count->literal);
		for (size_t k = 0; !kept && k < b.len; k++)
			op_add(ops, (struct op){ .kind = OP_BYTE,
						 .byte = b.data[k],
						 .out = NONE,
						 .weight = b.data[k] >= 0x80 });
		buf_free(&b);
		if (item->kind != FAMILY_TEXT)
			ops_tag(ops, item, &f);
	}
	buf_free(&f.held.white);
}

/* R2L: above the axis and kept are right-to-left characters only; others between them become one blank. */
static void ops_to_r2l(struct ops *ops, bool bytes)
{
	for (size_t i = 0; i < ops->count;) {
		struct op *op = &ops->all[i];
		if (op->kind != OP_BYTE) {
			i++;
			continue;
		}
		uint8_t c[4];
		size_t n = 0, most = utf8_length(op->byte);
		while (n < most && i + n < ops->count && op[n].kind == OP_BYTE && (n == 0 || !is_lead(op[n].byte))) {
			c[n] = op[n].byte;
			n++;
		}
		uint32_t value = 0;
		bool whole = n && n == most && utf8_decode(slice_of(c, n), &value) == n;
		bool r2l = whole && n > 1 && is_r2l(value);
		n = n ? n : 1;
		for (size_t k = 0; k < n; k++) {
			op[k].weight = r2l && (bytes || k + 1 == n);
			/* the blank stands where the character ends; a broken one leaves none */
			if (!r2l && op[k].out != NONE)
				op[k].out = op[k].byte < 0x80 || (n == most && k + 1 == n) ? ' ' : NONE;
		}
		i += n;
	}
}

/* Tag-aware scan: text without scripts, styles, comments and skipped elements; tags below the axis. */
static void ops_of_text(struct ops *ops, const struct family_page *page, const struct count *count, bool anchors)
{
	struct flow f = { .block = true, .after_space = true };
	for (size_t i = 0; i < page->count; i++) {
		const struct family_item *item = &page->items[i];
		if (item->kind == FAMILY_VOID || item->skipped) {
			if (item->is_tag && item->space == WHITE_SPACE_COLLAPSES)
				held_clear(&f.held); /* of a formula on a line of its own */
			continue;
		}
		if (item->kind == FAMILY_TEXT && item->space != WHITE_SPACE_COLLAPSES) {
			ops_of_kept(ops, item, &f, count->literal);
			continue;
		}
		if (item->kind == FAMILY_TEXT && all_space(item->bytes)) {
			f.lone = true;
			continue;
		}
		if (item->kind == FAMILY_CODE) {
			size_t code = code_units(item, count);
			bool anchor = item->tag == HTML_TAG_A && !item->closing;
			if (anchors && anchor)
				op_add(ops, (struct op){ .kind = OP_ANCHOR });
			else
				op_add(ops, (struct op){ .kind = OP_CODE, .code = code });
			bool ends = item->closing && (item->tag == HTML_TAG_A || item->tag == HTML_TAG_BODY);
			if (anchors && ends && item->is_tag)
				op_add(ops, (struct op){ .kind = OP_ANCHOR_END });
			ops_tag(ops, item, &f);
			continue;
		}
		struct buf b = collapse(item->bytes);
		bool blank = b.data[0] == ' ';
		ops_word(ops, &f, blank && !f.after_space);
		for (size_t k = blank; k < b.len;)
			k = ops_letter(ops, buf_slice(&b), k, false, count->literal);
		f.after_space = b.data[b.len - 1] == ' ';
		buf_free(&b);
	}
	buf_free(&f.held.white);
}

/* AdDANAg: "<a" and as many characters as the anchor's text has, less five, and ">". */
static void ops_weigh_anchors(struct ops *ops)
{
	for (size_t i = 0; i < ops->count; i++) {
		if (ops->all[i].kind != OP_ANCHOR)
			continue;
		size_t chars = 0;
		for (size_t k = i + 1; k < ops->count; k++) {
			const struct op *op = &ops->all[k];
			if (op->kind == OP_ANCHOR || op->kind == OP_ANCHOR_END)
				break;
			chars += op->kind == OP_BYTE && op_leads(op);
		}
		chars = chars < 2048 ? chars : 2048;
		ops->all[i].code = chars > 5 ? 2 + 1 + (chars - 5) + 1 : 3;
	}
	for (size_t i = 0; i < ops->count; i++) {
		if (ops->all[i].kind == OP_ANCHOR)
			ops->all[i].kind = OP_CODE;
	}
}

/* ---- segments ---- */

struct segments {
	struct family_line *lines;
	struct buf *texts;
	size_t count;
	size_t used;
	int64_t most; /* units of a segment; what broken UTF-8 has after them does not raise its value */
	int64_t above;
	struct buf text;
};

static void segment_close(struct segments *s)
{
	if ((s->count & (s->count - 1)) == 0) {
		size_t room = s->count ? s->count * 2 : 1;
		s->lines = realloc(s->lines, room * sizeof(*s->lines));
		s->texts = realloc(s->texts, room * sizeof(*s->texts));
		if (!s->lines || !s->texts)
			abort();
	}
	s->texts[s->count] = s->text;
	int64_t used = (int64_t)s->used, value = 2 * s->above - used - (used > s->most ? used - s->most : 0);
	s->lines[s->count] = (struct family_line){ value, s->above, buf_slice(&s->text) };
	s->count++;
	s->text = (struct buf){ 0 };
	s->used = 0;
	s->above = 0;
}

static void segments_cut(struct segments *s, const struct ops *ops, size_t length, bool bytes, bool scan, bool r2l)
{
	bool block = false, counts;
	for (size_t i = 0; i < ops->count; i++) {
		const struct op *op = &ops->all[i];
		switch (op->kind) {
		case OP_BYTE:
			if (op_leads(op) && s->used >= length)
				segment_close(s);
			if (op->out != NONE && block && !(r2l && op->out == ' ')) {
				append_byte(&s->text, '\n');
				block = false;
			}
			if (op->out != NONE)
				append_byte(&s->text, (uint8_t)op->out);
			counts = bytes ? !op->uncounted : op_leads(op);
			s->used += counts;
			s->above += op->weight && (counts || r2l);
			break;
		case OP_CODE:
			for (size_t k = 0; k < op->code; k++) {
				if (s->used >= length)
					segment_close(s);
				s->used++;
			}
			break;
		case OP_BLANK:
			if (op->out && block) {
				append_byte(&s->text, '\n');
				block = false;
			}
			append_byte(&s->text, op->out ? (uint8_t)op->out : ' ');
			break;
		case OP_BLOCK:
			if (!scan && s->used >= length)
				segment_close(s);
			block = true;
			break;
		default:
			break;
		}
	}
	if (s->used || s->text.len)
		segment_close(s);
}

static void segments_free(struct segments *s)
{
	for (size_t i = 0; i < s->count; i++)
		buf_free(&s->texts[i]);
	free(s->texts);
	free(s->lines);
}

/* ---- output ---- */

static void drop_white(struct buf *b, size_t block)
{
	while (b->len > block && (b->data[b->len - 1] == ' ' || b->data[b->len - 1] == '\t'))
		b->len--;
}

/*
 * Decodes references, collapses white space but FF and tab in a text (not the title), where CR after the end of a line
 * is an empty one; drops control characters and empty blocks, repairs UTF-8.
 */
static void write_text(struct buf *out, struct slice s, bool breaks_count)
{
	struct buf b = { 0 };
	bool space = false, ended = false;
	size_t block = 0;
	for (size_t i = 0; i < s.len;) {
		uint8_t text[8] = { s.data[i] };
		size_t len = 1, taken = 0;
		bool newline = s.data[i] == '\n' && breaks_count;
		if (s.data[i] == '&')
			taken = html_entity_decode(slice_skip(s, i), text, &len);
		if (!taken) {
			text[0] = s.data[i];
			len = taken = 1;
			if (s.data[i] == 0xC2 && i + 1 < s.len && s.data[i + 1] == 0xA0) {
				text[1] = 0xA0;
				len = taken = 2;
			}
		}
		bool kept = breaks_count && (s.data[i] == '\f' || s.data[i] == '\t');
		bool empty = breaks_count && s.data[i] == '\r';
		i += taken;
		if (empty) {
			if (ended && b.len && b.len == block)
				append_byte(&b, '\n');
			block = b.len;
		} else if (kept) {
			if (space && b.len > block)
				append_byte(&b, ' ');
			space = false;
			append_byte(&b, text[0] == '\t' ? '\t' : ' ');
		} else if (newline) {
			drop_white(&b, block);
			ended = b.len > block;
			if (b.len > block)
				append_byte(&b, '\n');
			block = b.len;
			space = false;
		} else if ((len == 1 && (ascii_is_space(text[0]) || text[0] == 11)) ||
			   (len == 2 && text[0] == 0xC2 && text[1] == 0xA0)) {
			space = true;
		} else if (!(len == 1 && (text[0] < 32 || text[0] == 127))) {
			if (space && b.len > block)
				append_byte(&b, ' ');
			space = false;
			append(&b, text, len);
		}
	}
	drop_white(&b, block);
	while (b.len && b.len == block && b.data[b.len - 1] == '\n')
		block = --b.len;
	for (size_t i = 0; i < b.len;) {
		uint32_t c;
		uint8_t bytes[4];
		i += utf8_decode(slice_of(b.data + i, b.len - i), &c);
		append(out, bytes, utf8_put(c, bytes));
	}
	buf_free(&b);
}

static const char *choose_method(const char *method, const struct family_page *page, bool literal)
{
	size_t letters = 0, foreign = 0, look = 256;
	if (strcmp(method, "auto") != 0)
		return method;
	for (size_t i = 0; i < page->count; i++) {
		const struct family_item *item = &page->items[i];
		for (size_t k = 0; k < item->bytes.len && item->kind == FAMILY_TEXT && !item->skipped;) {
			uint8_t c = item->bytes.data[k];
			size_t bytes, named = reference_at(slice_skip(item->bytes, k), literal, &bytes, &c);
			k += named ? named : 1;
			bool other = c > 0xC2 && c != 0xE2;
			if (!other && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z'))
				continue;
			letters++;
			foreign += other;
			if (letters != look)
				continue;
			/* sixteenths of all letters */
			const size_t most = look < 2048 ? look / 256 : 8;
			const size_t least = look == 1024 ? 2 : look == 2048 ? 4 : look == 4096 ? 6 : 8;
			if (16 * foreign >= (16 - most) * letters)
				return "dana";
			if (look >= 1024 && 16 * foreign <= least * letters)
				return "danag";
			look *= 2;
		}
	}
	return letters && 2 * foreign >= letters ? "dana" : "danag";
}

static void run_plain(const struct ops *ops, struct buf *text)
{
	for (size_t i = 0; i < ops->count; i++) {
		if (ops->all[i].kind == OP_BLOCK)
			append_byte(text, '\n');
		else if (ops->all[i].kind == OP_BLANK)
			append_byte(text, ops->all[i].out ? (uint8_t)ops->all[i].out : ' ');
		else if (ops->all[i].kind == OP_BYTE)
			append_byte(text, (uint8_t)ops->all[i].out);
	}
}

void family_run(const char *method, const struct family_keys *keys, struct slice html, struct family_result *result)
{
	struct family_page page;
	struct ops ops = { 0 };
	struct buf text = { 0 };
	bool plain = strcmp(method, "plain") == 0, addanag = strcmp(method, "addanag") == 0;
	bool r2l = strcmp(method, "r2l") == 0, slides = strcmp(method, "dana-slides") == 0;
	family_page_split(&page, html);
	family_page_formulas(&page, html);
	*result = (struct family_result){ .method = choose_method(method, &page, keys->literal),
					  .has_title = page.title_seen };
	bool scan = r2l || slides || strcmp(result->method, "dana") == 0;
	const struct count count = { .bytes = keys->unit ? keys->unit == 'b' : scan,
				     .literal = r2l || slides || keys->literal,
				     .tag_limit = keys->tag_limit && !keys->literal ? keys->tag_limit : SIZE_MAX,
				     .link_limit = keys->link_limit && !keys->literal ? keys->link_limit : SIZE_MAX };
	if (scan)
		ops_of_bytes(&ops, &page, r2l, &count);
	else
		ops_of_text(&ops, &page, &count, addanag);
	if (r2l)
		ops_to_r2l(&ops, count.bytes);
	ops_weigh_anchors(&ops);
	if (plain) {
		run_plain(&ops, &text);
	} else {
		struct segments s = { .most = (int64_t)keys->segment + (count.bytes ? 3 : 0) };
		segments_cut(&s, &ops, keys->segment, count.bytes, scan, r2l);
		enum family_rank rank = r2l ? FAMILY_LINE : slides ? FAMILY_VALUE : FAMILY_REGION;
		result->no_region =
			!family_choose(s.lines, s.count, r2l || slides, rank, keys->gap, keys->gap_fill, &text);
		segments_free(&s);
	}
	write_text(&result->text, buf_slice(&text), true);
	write_text(&result->title, page.title, false);
	buf_free(&text);
	free(ops.all);
	family_page_free(&page);
}
