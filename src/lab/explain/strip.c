/* SPDX-License-Identifier: MIT */
/*
 * Bars rise from the lower edge of the view box; SVG counts y from the top, so probability 1 is at HEADROOM and 0 at
 * HEIGHT. The picture stretches to the window's width: lines keep their thickness by vector-effect, and text is outside
 * of it.
 */
#include "lab/explain/strip.h"

enum { WIDTH = 1200, HEIGHT = 180, HEADROOM = 8 };

static double y_of(double chance)
{
	return HEADROOM + (1 - chance) * (HEIGHT - HEADROOM);
}

static void draw_bar(struct html_out *o, const struct bar *bar)
{
	double left = bar->from * WIDTH, right = bar->to * WIDTH;
	html_out_format(o, "<path class=\"bar %s\" d=\"M%.1f %dV%.1fH%.1fV%dZ\"/>", bar->kept ? "chosen" : "other",
			left, HEIGHT, y_of(bar->chance[1]), right, HEIGHT);
	html_out_format(o, "<path class=\"first\" d=\"M%.1f %.1fH%.1f\"/>", left, y_of(bar->chance[0]), right);
}

/* Explains the marks of the picture. */
static void write_legend(struct html_out *o, double threshold)
{
	static const struct {
		const char *class, *path, *words;
	} keys[] = {
		{ "bar chosen", "M0 0H28V14H0Z", "kept" },
		{ "bar other", "M0 0H28V14H0Z", "dropped" },
		{ "first", "M0 7H28", "probability after stage 1" },
		{ "threshold", "M0 7H28", "threshold" },
	};
	html_out_raw(o, "<ul class=\"legend\">");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		html_out_format(
			o, "<li><svg viewBox=\"0 0 28 14\" aria-hidden=\"true\"><path class=\"%s\" d=\"%s\"/></svg> %s",
			keys[i].class, keys[i].path, keys[i].words);
		if (i == 3)
			html_out_format(o, ": %.2f", threshold);
		html_out_raw(o, "</li>");
	}
	html_out_raw(o, "</ul>\n");
}

void strip_write(struct html_out *o, const struct recording *r, const struct bars *b, unsigned id, bool linked)
{
	double threshold = recording_number(r, "threshold", 0.5);
	write_legend(o, threshold);
	html_out_format(
		o,
		"<figure class=\"plot chances\"><figcaption id=\"p%u-chances\">Each block of the page: as wide as it "
		"has words, as high as its probability in the end</figcaption>\n<div class=\"frame\">",
		id);
	html_out_raw(o, "<span class=\"end top\">1</span><span class=\"end bottom\">0</span>");
	html_out_format(o,
			"<svg role=\"%s\" aria-labelledby=\"p%u-chances\" viewBox=\"0 0 %d %d\" "
			"preserveAspectRatio=\"none\" style=\"height:%dpx\">\n",
			linked ? "group" : "img", id, WIDTH, HEIGHT, HEIGHT);
	if (linked) {
		bars_links(o, b, id, WIDTH, HEIGHT, draw_bar);
	} else {
		for (size_t i = 0; i < b->n; i++)
			draw_bar(o, &b->list[i]);
	}
	html_out_format(o, "<path class=\"threshold\" d=\"M0 %.1fH%d\"/></svg></div>", y_of(threshold), WIDTH);
	if (linked)
		bars_numbers(o, b, id);
	html_out_format(o, "<div class=\"scale\"><span>word 1</span><span>%llu</span></div></figure>\n",
			(unsigned long long)b->total);
}
