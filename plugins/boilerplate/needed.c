/* SPDX-License-Identifier: MIT */
/*
 * How many pages make a line boilerplate. Repetition is one sign, the method's probability another: for a line that the
 * method doubts two pages are enough, for one that it takes for content many are needed. The numbers were chosen on
 * real sites (doc/DEDUP.md).
 *
 * And how much of a page must be left: most of the text of plain may be boilerplate, but not most of what another
 * method found to be main content, unless that method also says which lines it doubts.
 */
#include "plugins/boilerplate/boilerplate.h"

enum { USUAL = 5, DOUBTED = 2, SURE = 15 };

static const double doubted_below = 0.6; /* probability */

uint64_t boilerplate_usual_pages(const struct boilerplate_rule *r)
{
	return r->min_pages ? r->min_pages : USUAL;
}

static uint32_t needed(const struct boilerplate_rule *r, double probability)
{
	if (r->min_pages || probability < 0)
		return (uint32_t)boilerplate_usual_pages(r);
	return probability < doubted_below ? DOUBTED : SURE;
}

/* A block holds one line or, where line ends are kept, several. */
void boilerplate_mark_needed(const struct boilerplate_rule *r, const struct dana_host *host,
			     const struct dana_page *page, struct lines *l)
{
	const char *text = host->text(page).data;
	const size_t blocks = host->block_count(page);
	size_t line = 0;

	for (size_t i = 0; i < blocks; i++) {
		const struct dana_block block = host->block(page, i);
		const size_t end = (size_t)(block.text.data - text) + block.text.len;
		for (; line < l->lines.n && l->lines.items[line].start <= end; line++)
			l->lines.items[line].mark = needed(r, block.probability);
	}
	for (; line < l->lines.n; line++)
		l->lines.items[line].mark = needed(r, -1);
}

double boilerplate_least_left(const struct boilerplate_rule *r, const struct dana_host *host,
			      const struct dana_page *page)
{
	const struct dana_view method = host->text_item(page, DANA_METHOD);

	if (r->min_left >= 0)
		return r->min_left;
	const bool all = slice_equal(slice_of_view(method), slice_from_text("plain"));
	return all || host->block(page, 0).probability >= 0 ? 0.1 : 0.5;
}
