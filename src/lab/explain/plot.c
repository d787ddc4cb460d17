/* SPDX-License-Identifier: MIT */
/*
 * Segments become columns, at most PLOT_COLUMNS: segment i is in column i * columns / segments. Example: of 1,500
 * segments in 600 columns, column 0 has segments 0 to 2, column 1 has 3 and 4. A column shows the mean of content and
 * code, and the lowest and highest smoothed value.
 *
 * Each shape is one SVG path, whatever the number of columns: M moves, V draws vertically, H horizontally, Z closes.
 */
#include "lab/explain/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 1200, HALF = 100, SMOOTH_HEIGHT = 160, STRIP_HEIGHT = 36 };

enum column_flag { COLUMN_NONE, COLUMN_REGION, COLUMN_CHOSEN };

/* Some neighbouring segments, drawn as one. */
struct column {
	double content, code; /* mean */
	size_t segments;
	double low, high; /* of the smoothed values */
	enum column_flag flag;
	bool in_gap; /* between two regions of the chosen chain */
};

struct plot {
	struct html_out *out;
	const struct recording *r;
	const struct method_words *words;
	const struct bars *bars; /* NULL = no links */
	unsigned id;
	struct column *columns;
	size_t n; /* columns */
	double top, low, high;
	bool has_code, has_smoothed;
	uint64_t chosen_first, chosen_last;
	size_t chosen_regions;
};

static size_t column_of(const struct plot *p, uint64_t segment)
{
	return (size_t)(segment * p->n / p->r->n_segments);
}

static double x_of(const struct plot *p, size_t column)
{
	return (double)column * WIDTH / (double)p->n;
}

/* The mean is kept up to date with each segment: mean += (value - mean) / number. */
static void fill_columns(struct plot *p)
{
	for (size_t i = 0; i < p->r->n_segments; i++) {
		const struct recorded_segment *s = &p->r->segments[i];
		struct column *c = &p->columns[column_of(p, i)];
		c->segments++;
		c->content += (s->content - c->content) / (double)c->segments;
		c->code += (s->code - c->code) / (double)c->segments;
		p->has_code = p->has_code || s->code > 0;
		if (!s->has_smoothed || !isfinite(s->smoothed))
			continue;
		bool first = i == 0 || column_of(p, i - 1) != column_of(p, i);
		c->low = first ? s->smoothed : fmin(c->low, s->smoothed);
		c->high = first ? s->smoothed : fmax(c->high, s->smoothed);
		p->low = fmin(p->low, s->smoothed);
		p->high = fmax(p->high, s->smoothed);
		p->has_smoothed = true;
	}
	for (size_t i = 0; i < p->n; i++)
		p->top = fmax(p->top, fmax(p->columns[i].content, p->columns[i].code));
}

/* If two regions share a column, the chosen one is drawn. */
static void flag_columns(struct plot *p)
{
	for (size_t i = 0; i < p->r->n_regions; i++) {
		const struct recorded_region *region = &p->r->regions[i];
		bool chosen = region->chosen;
		for (size_t c = column_of(p, region->first); c <= column_of(p, region->last); c++) {
			if (chosen || p->columns[c].flag == COLUMN_NONE)
				p->columns[c].flag = chosen ? COLUMN_CHOSEN : COLUMN_REGION;
		}
		if (!chosen)
			continue;
		if (p->chosen_regions++ == 0 || region->first < p->chosen_first)
			p->chosen_first = region->first;
		if (region->last > p->chosen_last)
			p->chosen_last = region->last;
	}
}

/* Gaps are between neighbouring regions of one chosen chain. */
static void flag_gaps(struct plot *p)
{
	for (size_t i = 1; i < p->r->n_regions; i++) {
		const struct recorded_region *a = &p->r->regions[i - 1], *b = &p->r->regions[i];
		if (!a->chosen || !b->chosen || a->chain != b->chain)
			continue;
		for (size_t c = column_of(p, a->last); c <= column_of(p, b->first); c++)
			p->columns[c].in_gap = true;
	}
}

/* Draws rectangles over all runs of columns with that flag. */
static void draw_bands(struct plot *p, enum column_flag flag, const char *class, int y, int height)
{
	html_out_format(p->out, "<path class=\"%s\" d=\"", class);
	for (size_t from = 0; from < p->n;) {
		size_t to = from;
		while (to < p->n && p->columns[to].flag == flag)
			to++;
		if (to > from)
			html_out_format(p->out, "M%.1f %dH%.1fV%dH%.1fZ", x_of(p, from), y, x_of(p, to), y + height,
					x_of(p, from));
		from = to > from ? to : from + 1;
	}
	html_out_raw(p->out, "\"/>");
}

static void open_figure(struct plot *p, const char *kind, const char *title)
{
	html_out_format(p->out,
			"<figure class=\"plot %s\"><figcaption id=\"p%u-%s\">%s</figcaption><div class=\"frame\">",
			kind, p->id, kind, title);
}

static void open_svg(struct plot *p, const char *kind, int height)
{
	html_out_format(
		p->out,
		"<svg role=\"%s\" aria-labelledby=\"p%u-%s\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
		"style=\"height:%dpx\">",
		strcmp(kind, "strip") == 0 && p->bars ? "group" : "img", p->id, kind, WIDTH, height, height);
}

static void write_scale(struct plot *p)
{
	html_out_format(p->out, "<div class=\"scale\"><span>%s 0</span><span>%zu</span></div></figure>\n",
			p->words->segment, p->r->n_segments - 1);
}

static void close_figure(struct plot *p)
{
	html_out_raw(p->out, "</svg></div>");
	write_scale(p);
}

/* Writes the numbers at the upper and lower end of the vertical axis. */
static void axis_ends(struct plot *p, double top, const char *above, double bottom, const char *below)
{
	html_out_raw(p->out, "<span class=\"end top\">");
	html_out_number(p->out, top);
	html_out_format(p->out, " %s</span>", above);
	if (below) {
		html_out_raw(p->out, "<span class=\"end bottom\">");
		html_out_number(p->out, bottom);
		html_out_format(p->out, " %s</span>", below);
	}
}

/* Draws one closed path along the tops of all columns: content up from the axis, code down. */
static void draw_bars(struct plot *p, bool code, double axis)
{
	html_out_format(p->out, "<path class=\"%s\" d=\"M0 %.1f", code ? "code" : "content", axis);
	for (size_t c = 0; c < p->n; c++) {
		double value = code ? -p->columns[c].code : p->columns[c].content;
		html_out_format(p->out, "V%.1fH%.1f", axis - (p->top > 0 ? value / p->top * HALF : 0), x_of(p, c + 1));
	}
	html_out_format(p->out, "V%.1fZ\"/>", axis);
}

static void plot_signal(struct plot *p)
{
	int height = p->has_code ? 2 * HALF : HALF;
	char title[300];
	(void)snprintf(title, sizeof(title),
		       p->has_code ? "%c%s of each %s above the axis, %s below it" : "%c%s of each %s",
		       p->words->above[0] & 0xDF, p->words->above + 1, p->words->segment, p->words->below);
	open_figure(p, "signal", title);
	axis_ends(p, p->top, p->words->above, p->top, p->has_code ? p->words->below : NULL);
	open_svg(p, "signal", height);
	draw_bands(p, COLUMN_REGION, "band other", 0, height);
	draw_bands(p, COLUMN_CHOSEN, "band chosen", 0, height);
	draw_bars(p, false, HALF);
	if (p->has_code)
		draw_bars(p, true, HALF);
	html_out_format(p->out, "<path class=\"axis\" d=\"M0 %dH%d\"/>", HALF, WIDTH);
	close_figure(p);
}

/* Four pixels of margin above and below the curve. */
static double y_of(const struct plot *p, double value)
{
	double range = p->high - p->low;
	return range > 0 ? (p->high - value) / range * (SMOOTH_HEIGHT - 8) + 4 : SMOOTH_HEIGHT - 4;
}

/* Draws the page's thresholds for the smoothed value. */
static void draw_thresholds(struct plot *p)
{
	for (size_t i = 0; i < p->r->n_numbers; i++) {
		double value = p->r->numbers[i].value;
		if (strstr(p->r->numbers[i].name, "threshold") && value >= p->low && value <= p->high)
			html_out_format(p->out, "<path class=\"threshold\" d=\"M0 %.1fH%d\"/>", y_of(p, value), WIDTH);
	}
}

/* The curve goes through the highest value of each column; a vertical line reaches down to the lowest. */
static void plot_smoothed(struct plot *p)
{
	char title[200];
	(void)snprintf(title, sizeof(title), "%c%s; %s in the background, hatched if not chosen",
		       p->words->smoothed[0] & 0xDF, p->words->smoothed + 1, p->words->regions);
	open_figure(p, "smoothed", title);
	axis_ends(p, p->high, "", p->low, "");
	open_svg(p, "smoothed", SMOOTH_HEIGHT);
	draw_bands(p, COLUMN_REGION, "band other", 0, SMOOTH_HEIGHT);
	draw_bands(p, COLUMN_CHOSEN, "band chosen", 0, SMOOTH_HEIGHT);
	html_out_format(p->out, "<path class=\"axis\" d=\"M0 %.1fH%d\"/>", y_of(p, 0), WIDTH);
	draw_thresholds(p);
	html_out_raw(p->out, "<path class=\"curve\" d=\"");
	for (size_t c = 0; c < p->n; c++) {
		double x = (x_of(p, c) + x_of(p, c + 1)) / 2;
		html_out_format(p->out, "%c%.1f %.1f", c ? 'L' : 'M', x, y_of(p, p->columns[c].high));
		if (p->columns[c].low < p->columns[c].high)
			html_out_format(p->out, "V%.1f", y_of(p, p->columns[c].low));
	}
	html_out_raw(p->out, "\"/>");
	close_figure(p);
}

/* Draws the parts of the chosen chain that no region covers. */
static void draw_gaps(struct plot *p)
{
	html_out_raw(p->out, "<path class=\"gap\" d=\"");
	for (size_t c = 0; c < p->n;) {
		size_t to = c;
		while (to < p->n && p->columns[to].in_gap && p->columns[to].flag != COLUMN_CHOSEN)
			to++;
		if (to > c)
			html_out_format(p->out, "M%.1f %dH%.1f", x_of(p, c), STRIP_HEIGHT / 2, x_of(p, to));
		c = to > c ? to : c + 1;
	}
	html_out_raw(p->out, "\"/>");
}

static void plot_strip(struct plot *p)
{
	char title[300];
	if (p->chosen_regions)
		(void)snprintf(title, sizeof(title),
			       "%zu %s; %s: %s %llu to %llu with %zu of them (full boxes), gaps dashed; all others are "
			       "hatched",
			       p->r->n_regions, p->r->n_regions == 1 ? p->words->region : p->words->regions,
			       p->words->chosen, p->words->segments, (unsigned long long)p->chosen_first,
			       (unsigned long long)p->chosen_last, p->chosen_regions);
	else
		(void)snprintf(title, sizeof(title), "%zu %s, none chosen", p->r->n_regions, p->words->regions);
	open_figure(p, "strip", title);
	open_svg(p, "strip", STRIP_HEIGHT);
	draw_gaps(p);
	draw_bands(p, COLUMN_REGION, "box other", 10, STRIP_HEIGHT - 20);
	draw_bands(p, COLUMN_CHOSEN, "box chosen", 4, STRIP_HEIGHT - 8);
	if (p->bars)
		bars_links(p->out, p->bars, p->id, WIDTH, STRIP_HEIGHT, NULL);
	html_out_raw(p->out, "</svg></div>");
	if (p->bars)
		bars_numbers(p->out, p->bars, p->id);
	write_scale(p);
}

void plot_patterns(struct html_out *o)
{
	html_out_raw(o, "<svg class=\"defs\" aria-hidden=\"true\" width=\"0\" height=\"0\"><defs>"
			"<pattern id=\"hatch\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
			"patternTransform=\"rotate(45)\">"
			"<path class=\"hatch\" d=\"M0 0V7\"/></pattern>"
			"<pattern id=\"lines\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\">"
			"<path class=\"lines\" d=\"M0 1H5\"/></pattern></defs></svg>\n");
}

static void write_legend(struct plot *p)
{
	const struct method_words *words = p->words;
	struct html_out *o = p->out;
	static const char *const picture[] = { "content", "code", "box chosen", "box other" };
	const char *name[] = { words->above, words->below, "kept", "not kept" };
	html_out_raw(o, "<ul class=\"legend\">");
	for (int i = 0; i < 4; i++) {
		if (i == 1 && !p->has_code)
			continue;
		html_out_format(o,
				"<li><svg viewBox=\"0 0 28 14\" aria-hidden=\"true\"><path class=\"%s\" d=\"M0 "
				"0H28V14H0Z\"/></svg> ",
				picture[i]);
		html_out_format(o, i < 2 ? "%s</li>" : "%s: %s</li>", i < 2 ? name[i] : words->region, name[i]);
	}
	html_out_raw(o, "<li>dashed line: gap, or threshold</li></ul>\n");
}

void plot_all(struct html_out *o, const struct recording *r, const struct method_words *words, const struct bars *bars,
	      unsigned id)
{
	struct plot p = { .out = o, .r = r, .words = words, .bars = bars, .id = id };
	p.n = r->n_segments < PLOT_COLUMNS ? r->n_segments : PLOT_COLUMNS;
	p.columns = calloc(p.n, sizeof(*p.columns));
	if (!p.columns) {
		html_out_fail(o);
		return;
	}

	fill_columns(&p);
	flag_columns(&p);
	flag_gaps(&p);

	write_legend(&p);
	if (r->n_segments > PLOT_COLUMNS)
		html_out_format(o,
				"<p class=\"note\">%zu %s in %zu columns: each shows the mean of about %zu, the curve "
				"all of them.</p>\n",
				r->n_segments, words->segments, p.n, (r->n_segments + p.n - 1) / p.n);

	plot_signal(&p);
	if (p.has_smoothed)
		plot_smoothed(&p);
	plot_strip(&p);
	free(p.columns);
}
