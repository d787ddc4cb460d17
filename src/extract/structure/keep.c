/* SPDX-License-Identifier: MIT */
/*
 * A piece is kept as the parts of the page are that it covers. On top of that:
 *
 *  - a block of code is a whole: kept if at least half of it is;
 *  - a row of a table with data is kept as a whole if at least half of it is, and its head if two other rows are;
 *  - a heading directly before kept text is kept, a heading of level 1 also two pieces before it;
 *  - a piece without words is kept as its neighbours are;
 *  - what the page hides is kept only where the method chose just that.
 */
#include "extract/structure/keep.h"

#include "extract/structure/tables.h"

/* How far before kept text a heading may be, in pieces. */
enum { TITLE_REACH = 3, HEADING_REACH = 1 };

struct decisions {
	struct slice spans;
	size_t next; /* the first one that ends after the pieces so far */
};

static struct method_span span_at(const struct decisions *d, size_t i)
{
	struct method_span span;
	memcpy(&span, d->spans.data + i * sizeof(span), sizeof(span));
	return span;
}

/* Decides about a piece by the spans that it overlaps. */
static void decide(struct decisions *d, struct piece *piece)
{
	const size_t count = d->spans.len / sizeof(struct method_span);
	uint64_t kept = 0, dropped = 0, most = 0;
	bool chosen = false;
	while (d->next < count && span_at(d, d->next).to <= piece->start)
		d->next++;
	for (size_t i = d->next; i < count; i++) {
		const struct method_span span = span_at(d, i);
		if (span.from >= piece->end)
			break;
		uint64_t from = span.from > piece->start ? span.from : piece->start;
		uint64_t len = (span.to < piece->end ? span.to : piece->end) - from;
		if (len > most) {
			most = len;
			piece->chance = span.chance;
		}
		if (span.fate == SPAN_DROPPED)
			dropped += len;
		else
			kept += len;
		chosen |= span.fate == SPAN_CHOSEN;
	}
	piece->kept = kept && kept >= dropped && (chosen || !piece->unshown);
}

/* Pieces without words that the method says nothing of: a rule needs two kept neighbours, others the one before. */
static void decide_wordless(struct structure_page *page)
{
	bool before = false, any_before = false, after = true;
	uint32_t first = 0; /* after the last piece with words */
	for (uint32_t i = 0; i <= page->n_pieces; i++) {
		if (i < page->n_pieces && page->piece[i].wordless)
			continue;
		after = i == page->n_pieces || page->piece[i].kept;
		for (; first < i; first++) {
			struct piece *p = &page->piece[first];
			bool keep =
				any_before ? before && (after || p->kind != PIECE_RULE) : after && i < page->n_pieces;
			p->kept |= keep && !p->unshown;
		}
		if (i < page->n_pieces) {
			before = page->piece[i].kept;
			any_before = true;
			first = i + 1;
		}
	}
}

/* Returns the end of the row that begins with piece `i`; *kept: whether more of its text is kept than dropped. */
static uint32_t row_end(const struct structure_page *page, uint32_t i, bool *kept)
{
	const uint32_t row = page->container[page->piece[i].container].row;
	uint64_t with = 0, without = 0;
	for (; i < page->n_pieces && page->container[page->piece[i].container].row == row; i++) {
		const struct piece *p = &page->piece[i];
		*(p->kept ? &with : &without) += p->len;
	}
	*kept = with && with >= without;
	return i;
}

static void set_kept(struct structure_page *page, uint32_t from, uint32_t to, bool kept)
{
	for (; from < to; from++)
		page->piece[from].kept = kept && !page->piece[from].unshown;
}

/* Makes the rows of a table whole that begins with piece `i`; returns its end. */
static uint32_t decide_table(struct structure_page *page, uint32_t i, uint32_t table)
{
	const uint32_t begin = i;
	uint32_t head_end = i;
	unsigned body = 0, rows = 0; /* rows after the head that are kept; all rows */
	while (i < page->n_pieces && tables_of_piece(page, &page->piece[i]) == table) {
		const uint32_t from = i;
		const struct container *c = &page->container[page->piece[i].container];
		bool kept, head = rows == 0 && page->container[c->cell].flags & CONTAINER_HEAD_CELL;
		i = row_end(page, i, &kept);
		if (!c->row) /* a caption */
			continue;
		if (kept)
			set_kept(page, from, i, true);
		rows++;
		if (head)
			head_end = i;
		else
			body += kept;
	}
	if (head_end != begin && body != 1 && rows > 1)
		set_kept(page, begin, head_end, body != 0);
	return i;
}

static void decide_rows(struct structure_page *page)
{
	tables_judge(page, false);
	for (uint32_t i = 0; i < page->n_pieces;) {
		uint32_t table = tables_of_piece(page, &page->piece[i]);
		i = table ? decide_table(page, i, table) : i + 1;
	}
}

/* Returns the level of the heading that a piece is in, 0 if it is in none. */
static int heading_level(const struct structure_page *page, const struct piece *piece)
{
	const struct container *c = &page->container[piece->container];
	if (!(c->flags & CONTAINER_IN_HEADING))
		return 0;
	while (c->kind != CONTAINER_HEADING)
		c = &page->container[c->parent];
	return c->number;
}

static void decide_headings(struct structure_page *page, enum style_headings headings)
{
	uint32_t next = UINT32_MAX; /* the nearest kept piece with words after this one */
	for (uint32_t i = page->n_pieces; i-- > 0;) {
		struct piece *p = &page->piece[i];
		const int level = heading_level(page, p);
		const uint32_t reach = level == 1 ? TITLE_REACH : HEADING_REACH;
		if (level && headings == HEADINGS_NONE)
			p->kept = false;
		else if (level && !p->unshown && next != UINT32_MAX && next - i <= reach)
			p->kept = true;
		if (p->kept && !p->wordless)
			next = i;
	}
}

bool keep_pieces(struct structure_page *page, struct slice spans, enum style_headings headings)
{
	struct decisions d = { .spans = spans };
	bool any = false;
	for (uint32_t i = 0; i < page->n_pieces; i++) {
		decide(&d, &page->piece[i]);
		any |= page->piece[i].kept;
	}
	decide_wordless(page);
	decide_rows(page);
	if (headings != HEADINGS_CHOSEN)
		decide_headings(page, headings);
	return any;
}

/* A piece with words that is not kept must come first, on which pieces without words depend. */
bool keep_is_sure(const struct structure_page *page)
{
	bool words = false;
	for (uint32_t i = 0; i < page->n_pieces; i++) {
		if (page->piece[i].kept)
			return words && i >= TITLE_REACH;
		words |= !page->piece[i].wordless;
	}
	return true;
}
