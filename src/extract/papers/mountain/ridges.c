/* SPDX-License-Identifier: MIT */
/*
 * Cells and blank cells are laid out in one row of "slopes" and smoothed; a ridge is a run of slopes above the
 * threshold that begins and ends with a cell. Low slopes inside are allowed, but not more than `span` in a row.
 * Example, with h for high, l for low and a span of 2: "hhlhllhlllh" has two ridges, the first of seven slopes, the
 * second of one.
 */
#include "extract/papers/mountain/ridges.h"

#include "extract/method/trace.h"

enum { SIDE = MOUNTAIN_SMOOTHING / 2 /* neighbours on each side */, NO_CELL = UINT32_MAX };

/* A cell or a blank cell. */
struct slope {
	float score, smoothed;
	uint32_t cell; /* NO_CELL: blank */
};

/* Fills the row, with SIDE more blank slopes at both ends, so that the smoothing needs no bounds. */
static int lay_out(struct buf *row, const struct mountain_cells *cells)
{
	static const struct slope blank = { .cell = NO_CELL };
	int status = 0;
	buf_clear(row);
	for (unsigned k = 0; k < SIDE && status >= 0; k++)
		status = buf_append(row, &blank, sizeof(blank));
	for (size_t i = 0; i < mountain_cells_count(cells) && status >= 0; i++) {
		const struct mountain_cell *cell = mountain_cell_at(cells, i);
		for (uint32_t k = 0; i && k < cell->blanks && status >= 0; k++)
			status = buf_append(row, &blank, sizeof(blank));
		struct slope slope = { .score = cell->score, .cell = (uint32_t)i };
		if (status >= 0)
			status = buf_append(row, &slope, sizeof(slope));
	}
	for (unsigned k = 0; k < SIDE && status >= 0; k++)
		status = buf_append(row, &blank, sizeof(blank));
	return status;
}

/* Equations 2 and 3; at[-SIDE] to at[SIDE] exist. */
static double smooth(const struct slope *at)
{
	double sum = 0, mean, pull = 0;
	for (int k = -SIDE; k <= SIDE; k++)
		sum += (double)at[k].score;
	mean = sum / MOUNTAIN_SMOOTHING;
	for (int k = -SIDE; k <= SIDE; k++) {
		if (k != 0)
			pull += ((double)at[k].score - mean) * (1 - 0.2 * (k < 0 ? -k : k));
	}
	return (double)at->score + pull / (MOUNTAIN_SMOOTHING - 1);
}

/* Smooths the row; returns the mean over cells. */
static double smooth_row(struct slope *row, size_t count)
{
	double sum = 0;
	size_t cells = 0;
	for (size_t i = SIDE; i < count - SIDE; i++) {
		row[i].smoothed = (float)smooth(row + i);
		if (row[i].cell != NO_CELL) {
			sum += (double)row[i].smoothed;
			cells++;
		}
	}
	return cells ? sum / (double)cells : 0;
}

/* A growing ridge: positions in the row. */
struct growing {
	size_t first, last; /* last: the last cell above the threshold */
	size_t low;         /* slopes in a row below it */
	float highest;
	bool open;
};

/* Ends a ridge, and drops it if no slope is above `peak`. */
static int close_ridge(struct mountain_ridges *r, const struct slope *row, struct growing *g)
{
	if (!g->open)
		return 0;
	g->open = false;
	if (!((double)g->highest > r->peak))
		return 0;
	struct mountain_ridge ridge = { .first = row[g->first].cell,
					.last = row[g->last].cell,
					.first_place = g->first - SIDE,
					.last_place = g->last - SIDE };
	double sum = 0;
	for (size_t i = g->first; i <= g->last; i++)
		sum += row[i].cell == NO_CELL ? 0 : (double)row[i].smoothed;
	ridge.mean = sum / (double)(ridge.last - ridge.first + 1);
	return buf_append(&r->ridges, &ridge, sizeof(ridge));
}

static int find_ridges(struct mountain_ridges *r, const struct slope *row, size_t count)
{
	struct growing g = { 0 };
	int status = 0;
	for (size_t i = SIDE; i < count - SIDE && status >= 0; i++) {
		bool high = (double)row[i].smoothed > r->primary, cell = row[i].cell != NO_CELL;
		if (!high && g.open && ++g.low > r->span)
			status = close_ridge(r, row, &g);
		if (!high || (!g.open && !cell))
			continue;
		if (!g.open)
			g = (struct growing){ .first = i, .highest = row[i].smoothed, .open = true };
		g.low = 0;
		if (cell) {
			g.last = i;
			g.highest = row[i].smoothed > g.highest ? row[i].smoothed : g.highest;
		}
	}
	return status < 0 ? status : close_ridge(r, row, &g);
}

/* Equations 4 to 7. */
static void fill_features(struct mountain_ridges *r, size_t cells)
{
	struct mountain_ridge *ridges = (struct mountain_ridge *)(void *)r->ridges.data;
	size_t count = mountain_ridges_count(r), widest = 0;
	double highest = 0;
	for (size_t i = 0; i < count; i++) {
		size_t width = ridges[i].last - ridges[i].first + 1;
		widest = width > widest ? width : widest;
		highest = ridges[i].mean > highest ? ridges[i].mean : highest;
	}
	for (size_t i = 0; i < count; i++) {
		struct mountain_ridge *ridge = &ridges[i];
		ridge->features[0] = ridge->mean / highest;
		ridge->features[1] = (double)(ridge->last - ridge->first + 1) / (double)widest;
		ridge->features[2] = (double)(i + 1) / (double)count;
		ridge->features[3] = (double)(ridge->first + 1) / (double)cells;
	}
}

static void tell(const struct mountain_ridges *r, const struct mountain_cells *cells, const struct slope *row,
		 size_t count, const struct trace *trace)
{
	for (size_t i = SIDE; trace && i < count - SIDE; i++) {
		struct slice text = { 0 };
		if (row[i].cell != NO_CELL) {
			size_t from = mountain_cell_start(cells, row[i].cell),
			       to = mountain_cell_at(cells, row[i].cell)->text_end;
			text = slice_of(cells->text.buf.data + from, to - from);
		}
		if (trace->segment)
			trace->segment(trace->arg, i - SIDE, (double)row[i].score, 0, text);
		if (trace->smoothed)
			trace->smoothed(trace->arg, i - SIDE, (double)row[i].smoothed,
					(double)row[i].smoothed > r->primary);
	}
	if (trace && trace->number) {
		trace->number(trace->arg, "primary threshold", r->primary);
		trace->number(trace->arg, "peak threshold", r->peak);
	}
}

int mountain_ridges_find(struct mountain_ridges *r, const struct mountain_cells *cells, const struct ridge_rule *rule,
			 const struct trace *trace)
{
	buf_clear(&r->ridges);
	int status = lay_out(&r->slopes, cells);
	if (status < 0)
		return status;
	struct slope *row = (struct slope *)(void *)r->slopes.data;
	size_t count = r->slopes.len / sizeof(*row);
	double mean = smooth_row(row, count);
	r->primary = rule->threshold ? mean * rule->threshold / 1e6 : mean;
	r->peak = MOUNTAIN_PEAK * mean;
	r->span = rule->span ? rule->span : MOUNTAIN_SPAN;
	status = find_ridges(r, row, count);
	if (status < 0)
		return status;
	fill_features(r, mountain_cells_count(cells));
	tell(r, cells, row, count, trace);
	return 0;
}

void mountain_ridges_free(struct mountain_ridges *r)
{
	buf_free(&r->ridges);
	buf_free(&r->slopes);
}
