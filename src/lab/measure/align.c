/* SPDX-License-Identifier: MIT */
/*
 * A table with a cell for each pair of a page token and a gold token, filled row by row (dynamic programming); only two
 * rows of values are kept, but all steps, one byte each, to walk back along the best alignment. Values are +2 for a
 * match that begins a run and +5 for one that continues it. Example: page "a x a b", gold "a b": the second "a" with
 * "b" is a run worth 7, the first "a" with "b" is worth 4, so the first "a" (of a menu, say) is not matched.
 */
#include "lab/measure/align.h"

#include <stdlib.h>

#include "base/status.h"

enum { GAIN_FIRST = 2, GAIN_FURTHER = 5, NEVER = -1000000 };

/* Where the best value of a cell comes from: two bits, and one more for whether its match continues a run. */
enum step { FROM_PAGE, FROM_GOLD, FROM_MATCH, STEP_MASK = 3, IN_RUN = 4 };

struct row {
	int32_t *best, *match; /* best alignment up to here; best one that ends with a match here */
};

/* Both sequences are read from their ends, so that ties end in the first copy of a text. */
static uint32_t from_end(const struct tokens *t, size_t i)
{
	return t->ids[t->len - i];
}

static void fill_row(const struct tokens *gold, uint32_t token, struct row above, struct row here, uint8_t *steps)
{
	here.best[0] = 0;
	here.match[0] = NEVER;
	for (size_t j = 1; j <= gold->len; j++) {
		uint8_t step = FROM_PAGE;
		int32_t match = NEVER, best = above.best[j];
		if (from_end(gold, j) == token) {
			int32_t first = above.best[j - 1] + GAIN_FIRST, further = above.match[j - 1] + GAIN_FURTHER;
			match = further >= first ? further : first;
			step = further >= first ? IN_RUN : 0;
		}
		uint8_t from = FROM_PAGE;
		if (here.best[j - 1] > best) {
			best = here.best[j - 1];
			from = FROM_GOLD;
		}
		if (match >= best) {
			best = match;
			from = FROM_MATCH;
		}
		here.best[j] = best;
		here.match[j] = match;
		steps[j] = (uint8_t)(step | from);
	}
}

/*
 * In a run the next match must be taken even if skipping has the same value, because the run's gain was counted for it.
 */
static void walk_back(const struct tokens *page, const struct tokens *gold, const uint8_t *steps, uint8_t *on_page)
{
	size_t i = page->len, j = gold->len, width = gold->len + 1;
	bool in_run = false;
	while (i > 0 && j > 0) {
		uint8_t step = steps[i * width + j];
		if (in_run || (step & STEP_MASK) == FROM_MATCH) {
			on_page[page->len - i] = 1;
			in_run = (step & IN_RUN) != 0;
			i--;
			j--;
		} else if ((step & STEP_MASK) == FROM_GOLD) {
			j--;
		} else {
			i--;
		}
	}
}

int align_runs(const struct tokens *page, const struct tokens *gold, uint8_t *on_page)
{
	if (page->len == 0)
		return DANA_OK;
	memset(on_page, 0, page->len);

	size_t width = gold->len + 1;
	if (gold->len == 0)
		return DANA_OK;
	if (page->len + 1 > ALIGN_CELLS_MOST / width)
		return DANA_ELIMIT;
	uint8_t *steps = malloc((page->len + 1) * width);
	int32_t *numbers = calloc(4 * width, sizeof(*numbers));
	if (steps && numbers) {
		struct row above = { numbers, numbers + width }, here = { numbers + 2 * width, numbers + 3 * width };
		for (size_t j = 0; j < width; j++)
			above.match[j] = NEVER;
		for (size_t i = 1; i <= page->len; i++) {
			fill_row(gold, from_end(page, i), above, here, steps + i * width);
			struct row full = here;
			here = above;
			above = full;
		}
		walk_back(page, gold, steps, on_page);
	}
	int status = steps && numbers ? DANA_OK : DANA_ENOMEM;
	free(steps);
	free(numbers);
	return status;
}
