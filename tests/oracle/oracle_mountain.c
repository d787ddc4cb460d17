/* SPDX-License-Identifier: MIT */
/* Batch oracle of the Mountain Model: cells, blank cells, smoothing, ridges and features by their definitions. */
#include <math.h>

#include "extract/papers/mountain.h"
#include "oracle/oracle_page.h"

struct cell {
	size_t first, last; /* items */
	uint64_t start, end;
	float score;
};

/* Cells and blank ones in one row; cell SIZE_MAX = blank. */
struct spot {
	size_t cell;
	float score, smoothed;
};

static bool is_in(uint32_t c, const uint32_t *list)
{
	while (*list && *list != c)
		list++;
	return *list != 0;
}

static double score(const struct oracle_page *page, const struct cell *cell, uint64_t left, uint64_t right)
{
	static const uint32_t marks[] = { '!',    '?',    ';',   0x3002, 0xFF01, 0xFF1F, 0xFF1B, 0xFF1A,
					  0xFF0C, 0x3001, 0x60C, 0x61B,  0x61F,  0x6D4,  0x964,  0 };
	static const uint32_t late[] = { '.', ',', ':', 0 };
	static const uint32_t stops[] = { '.', '!', '?', 0x3002, 0xFF01, 0xFF1F, 0x2026, 0x61F, 0x6D4, 0x964, 0 };
	static const uint32_t closing[] = { '"',    '\'',   ')',    ']',    '}',    0xBB,   0x2019, 0x201D,
					    0x300D, 0x300F, 0x3009, 0x300B, 0x3011, 0xFF09, 0 };
	double chars = 0, dense = 0, p = 0;
	uint32_t last = 0, last_open = 0;
	for (size_t i = cell->first; i <= cell->last; i++) {
		const struct oracle_item *item = &page->items[i];
		bool space = i > cell->first && item->space;
		chars += (double)item->chars + space;
		p += space && is_in(last, late);
		for (size_t k = 0; k < item->text.len;) {
			k += utf8_decode(slice_skip(item->text, k), &last);
			p += is_in(last, marks);
			if (!is_in(last, closing))
				last_open = last;
			dense += (last >= 0xE00 && last <= 0xEFF) || (last >= 0x3040 && last <= 0x30FF) ||
				 (last >= 0x4E00 && last <= 0x9FFF);
		}
	}
	p += is_in(last, late);
	double v = chars / ((double)(cell->end - cell->start) + ((double)left + (double)right) / 2);
	double l = dense / 12 + (chars - dense) / 75;
	return (l + p) * (is_in(last_open, stops) ? 1.5 : 1) * (page->items[cell->first].link ? 0.5 : 1) * v;
}

static size_t find_cells(const struct oracle_page *page, struct cell *cells)
{
	size_t n = 0;
	for (size_t i = 0; i < page->count; i++) {
		const struct oracle_item *item = &page->items[i];
		if (item->is_tag)
			continue;
		if (n == 0 || cells[n - 1].start != item->start)
			cells[n++] = (struct cell){ i, i, item->start, item->end, 0 };
		cells[n - 1].last = i;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t left = cells[i].start - (i ? cells[i - 1].end : 0);
		uint64_t right = (i + 1 < n ? cells[i + 1].start : page->bytes) - cells[i].end;
		cells[i].score = (float)score(page, &cells[i], left, right);
	}
	return n;
}

static float smooth(const struct spot *row, size_t count, size_t n)
{
	double window[5], mean = 0, sum = 0;
	for (size_t k = 0; k < 5; k++) {
		window[k] = n + k >= 2 && n + k - 2 < count ? (double)row[n + k - 2].score : 0;
		mean += window[k];
	}
	mean /= 5;
	for (size_t k = 0; k < 5; k++)
		sum += k == 2 ? 0 : (window[k] - mean) * (1 - 0.2 * fabs((double)k - 2));
	return (float)(window[2] + sum / 4);
}

/* Ridges grow from peaks in both directions, as the paper tells it. */
struct ridge {
	size_t first, last; /* cells */
	double mean, f;
};

static size_t grow(const struct spot *row, size_t count, size_t peak, double primary, size_t span, int step)
{
	size_t end = peak, low = 0;
	for (size_t i = peak; (step > 0 ? i + 1 < count : i > 0) && low <= span;) {
		i = step > 0 ? i + 1 : i - 1;
		bool high = (double)row[i].smoothed > primary;
		low = high ? 0 : low + 1;
		if (high && row[i].cell != SIZE_MAX && low <= span)
			end = i;
	}
	return end;
}

static size_t find_ridges(const struct spot *row, size_t count, double mean, const struct ridge_rule *rule,
			  struct ridge *ridges)
{
	size_t n = 0;
	double primary = mean * rule->threshold / 1e6;
	for (size_t i = 0; i < count; i++) {
		if (row[i].cell == SIZE_MAX || !((double)row[i].smoothed > 3 * mean))
			continue;
		if (n && row[i].cell <= ridges[n - 1].last)
			continue;
		size_t first = grow(row, count, i, primary, rule->span, -1),
		       last = grow(row, count, i, primary, rule->span, 1);
		struct ridge r = { row[first].cell, row[last].cell, 0, 0 };
		for (size_t k = first; k <= last; k++)
			r.mean += row[k].cell == SIZE_MAX ? 0 : (double)row[k].smoothed;
		r.mean /= (double)(r.last - r.first + 1);
		ridges[n++] = r;
	}
	return n;
}

static void judge(struct ridge *ridges, size_t count, size_t cells)
{
	double highest = 0, widest = 0;
	for (size_t i = 0; i < count; i++) {
		highest = fmax(highest, ridges[i].mean);
		widest = fmax(widest, (double)(ridges[i].last - ridges[i].first + 1));
	}
	for (size_t i = 0; i < count; i++) {
		const double features[] = { ridges[i].mean / highest,
					    (double)(ridges[i].last - ridges[i].first + 1) / widest,
					    (double)(i + 1) / (double)count,
					    (double)(ridges[i].first + 1) / (double)cells };
		ridges[i].f = mountain_model_decide(&mountain_universal, features);
	}
}

static bool run(const struct oracle_page *page, const struct ridge_rule *rule, enum oracle_fate *fate)
{
	struct cell *cells = calloc(page->count + 1, sizeof(*cells));
	struct spot *row = calloc((page->count + 1) * 20 + (size_t)(page->bytes / 200), sizeof(*row));
	struct ridge *ridges = calloc(page->count + 1, sizeof(*ridges));
	size_t count = 0;
	double mean = 0;
	if (!cells || !row || !ridges)
		abort();
	size_t n = find_cells(page, cells);
	for (size_t i = 0; i < n; i++) {
		/* All the blank cells, without the method's cap. */
		for (uint64_t k = 0; i && k < (cells[i].start - cells[i - 1].end) / 200; k++)
			row[count++] = (struct spot){ .cell = SIZE_MAX };
		row[count++] = (struct spot){ .cell = i, .score = cells[i].score };
	}
	for (size_t i = 0; i < count; i++) {
		row[i].smoothed = smooth(row, count, i);
		mean += row[i].cell == SIZE_MAX ? 0 : (double)row[i].smoothed;
	}
	mean /= n ? (double)n : 1;
	size_t found = find_ridges(row, count, mean, rule, ridges), best = 0;
	judge(ridges, found, n);
	for (size_t i = 0; i < found; i++)
		best = ridges[i].f > ridges[best].f ? i : best;
	for (size_t i = 0; i < found; i++) {
		if (!(ridges[i].f > 0) && (i != best || ridges[best].f > 0))
			continue;
		for (size_t k = cells[ridges[i].first].first; k <= cells[ridges[i].last].last; k++)
			fate[k] = k == cells[ridges[i].first].first ? WORD_BEGINS_BLOCK : WORD_KEPT;
	}
	free(cells);
	free(row);
	free(ridges);
	return found > 0;
}

bool oracle_run_mountain(const struct oracle_page *page, enum oracle_fate *fate)
{
	return run(page, &(struct ridge_rule){ 1000000, 5 }, fate);
}

bool oracle_run_mountain_low(const struct oracle_page *page, enum oracle_fate *fate)
{
	return run(page, &(struct ridge_rule){ 250000, 10 }, fate);
}

bool oracle_run_mountain_high(const struct oracle_page *page, enum oracle_fate *fate)
{
	return run(page, &(struct ridge_rule){ 3000000, 1 }, fate);
}
