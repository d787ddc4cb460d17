/* SPDX-License-Identifier: MIT */
/*
 * How many pages a line must stand on to be boilerplate. That it is repeated is one sign, what the method thinks of it another: of a
 * line that the method was in doubt about two pages are enough, one that it took for content must stand on many. The numbers were
 * chosen on real sites (doc/DEDUP.md).
 *
 * And how much must be left of a page: of the text of plain most may be boilerplate, of what a method has found to be main content
 * not, unless it says itself which lines it doubted.
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
