/* SPDX-License-Identifier: MIT */
/* Batch oracles of the methods that look at a row of tokens: bte, dsc, ccb and its kin. Slow and plain. */
#include <math.h>

#include "oracle/oracle_page.h"

/* All ranges; of equal ones the first to end, and of those the shortest. */
bool oracle_run_bte(const struct oracle_page *page, enum oracle_fate *fate)
{
	long tags = 0, best = 0;
	size_t first = 1, last = 0;
	for (size_t i = 0; i < page->count; i++)
		tags += page->items[i].is_tag;
	best = tags; /* an empty range */
	for (size_t j = 0; j < page->count; j++) {
		long words = 0, inside = 0, here = -1;
		size_t start = 0;
		for (size_t i = j + 1; i-- > 0;) {
			words += !page->items[i].is_tag;
			inside += page->items[i].is_tag;
			if (words + tags - inside > here) {
				here = words + tags - inside;
				start = i;
			}
		}
		if (here > best) {
			best = here;
			first = start;
			last = j;
		}
	}
	for (size_t i = first; i <= last; i++)
		fate[i] = WORD_KEPT;
	return first <= last;
}

/* Is window `w` of 50 tokens, 25 on, as flat as half of the page's slope? */
static bool is_low(const struct oracle_page *page, size_t w)
{
	size_t tags = 0, tokens = 0, all_tags = 0;
	for (size_t i = 0; i < page->count; i++) {
		bool in = i >= w * 25 && i < w * 25 + 50;
		all_tags += page->items[i].is_tag;
		tokens += in;
		tags += in && page->items[i].is_tag;
	}
	return 2 * tags * page->count <= all_tags * tokens;
}

bool oracle_run_dsc(const struct oracle_page *page, enum oracle_fate *fate)
{
	size_t halves = (page->count + 24) / 25;
	bool found = false;
	if (halves <= 3) {
		for (size_t i = 0; i < page->count; i++) {
			found |= !page->items[i].is_tag;
			fate[i] = WORD_KEPT;
		}
		return found;
	}
	size_t windows = halves - 1;
	bool *low = calloc(windows + 3, sizeof(*low));
	if (!low)
		abort();
	for (size_t w = 0; w < windows; w++)
		low[w] = is_low(page, w);
	for (size_t w = 0; w + 2 < windows; w++) {
		if (!(low[w] && low[w + 1] && low[w + 2]))
			continue;
		size_t after = w + 3;
		while (after < windows && !(after + 2 < windows && !low[after] && !low[after + 1] && !low[after + 2]))
			after++;
		size_t last = after - 1;
		while (!low[last])
			last--;
		for (size_t i = w * 25; i < page->count && i < last * 25 + 50; i++)
			fate[i] = i == w * 25 ? WORD_BEGINS_BLOCK : WORD_KEPT;
		/* The section's first item may be a tag: its first word begins the block. */
		for (size_t i = w * 25; i < page->count && page->items[i].is_tag; i++)
			fate[i + 1] = WORD_BEGINS_BLOCK;
		found = true;
		w = after + 2;
	}
	free(low);
	return found;
}

static bool blur(const struct oracle_page *page, enum oracle_fate *fate, long range, bool tokens, bool without_anchors)
{
	size_t elements = 0;
	bool found = false;
	for (size_t i = 0; i < page->count; i++)
		elements += page->items[i].chars + page->items[i].source_chars + 2;
	bool *content = calloc(elements, sizeof(*content));
	size_t *middle = calloc(page->count + 1, sizeof(*middle));
	if (!content || !middle)
		abort();
	elements = 0;
	for (size_t i = 0; i < page->count; i++) {
		const struct oracle_item *item = &page->items[i];
		size_t space = !item->is_tag && item->space && !tokens;
		size_t len = tokens ? 1 : item->is_tag ? item->source_chars : item->chars + space;
		if (item->is_tag && without_anchors && item->tag == HTML_TAG_A)
			continue;
		middle[i] = elements + (tokens ? 0 : space + item->chars / 2);
		for (size_t k = 0; k < len; k++)
			content[elements++] = !item->is_tag;
	}
	for (size_t i = 0; i < page->count; i++) {
		long long sum = 0, all = 0;
		if (page->items[i].is_tag)
			continue;
		for (long k = -range; k <= range; k++) {
			long at = (long)middle[i] + k;
			double deviation = (double)range / 2;
			long long weight = llround(1048576 * exp(-(double)(k * k) / (2 * deviation * deviation)));
			if (at < 0 || at >= (long)elements)
				continue;
			all += weight;
			sum += content[at] ? weight : 0;
		}
		if (sum * 4 >= all * 3) {
			fate[i] = WORD_KEPT;
			found = true;
		}
	}
	free(content);
	free(middle);
	return found;
}

bool oracle_run_ccb(const struct oracle_page *page, enum oracle_fate *fate)
{
	return blur(page, fate, 40, false, false);
}

bool oracle_run_accb_40(const struct oracle_page *page, enum oracle_fate *fate)
{
	return blur(page, fate, 40, false, true);
}

bool oracle_run_tccb_18(const struct oracle_page *page, enum oracle_fate *fate)
{
	return blur(page, fate, 18, true, false);
}

bool oracle_run_tccb_25(const struct oracle_page *page, enum oracle_fate *fate)
{
	return blur(page, fate, 25, true, false);
}
