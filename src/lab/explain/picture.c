/* SPDX-License-Identifier: MIT */
/*
 * The strip of strip.c with its own style and with numbers in SVG text, because the picture is used alone. Coordinates
 * are pixels of the view box: bars between LEFT and RIGHT, probability 0 at BOTTOM and 1 at TOP.
 */
#include "lab/explain/picture.h"

#include <stdlib.h>

enum { WIDTH = 900, HEIGHT = 270, LEFT = 40, RIGHT = 885, TOP = 44, BOTTOM = 204 };

static const char style[] =
	"<style>text{font:14px system-ui,sans-serif;fill:#1b1f24}.n{text-anchor:middle}.k{font-weight:700}"
	".back{fill:#fff}.chosen{fill:#62bd82;stroke:#fff}.other{fill:url(#h);stroke:#7a828c}.h{stroke:#7a828c;stroke-"
	"width:2}"
	".first{stroke:#1b1f24;stroke-width:2}.threshold{stroke:#1b1f24;stroke-width:1.5;stroke-dasharray:3 4}"
	"@media (prefers-color-scheme:dark){text{fill:#e6e9ed}.back{fill:#15181c}.chosen{fill:#2c7d47;stroke:#15181c}"
	".other{stroke:#9aa4af}.h{stroke:#9aa4af}.first,.threshold{stroke:#e6e9ed}}</style>\n";

static double x_of(double share)
{
	return LEFT + share * (RIGHT - LEFT);
}

static double y_of(double chance)
{
	return BOTTOM - chance * (BOTTOM - TOP);
}

static void draw_bar(struct html_out *o, const struct bar *bar)
{
	double left = x_of(bar->from), right = x_of(bar->to);
	html_out_format(o, "<path class=\"%s\" d=\"M%.1f %dV%.1fH%.1fV%dZ\"/>", bar->kept ? "chosen" : "other", left,
			BOTTOM, y_of(bar->chance[1]), right, BOTTOM);
	html_out_format(o, "<path class=\"first\" d=\"M%.1f %.1fH%.1f\"/>\n", left, y_of(bar->chance[0]), right);
}

static void draw_numbers(struct html_out *o, const struct bars *b)
{
	enum number_room *room = calloc(b->n + 1, sizeof(*room));
	if (!room || bars_room(b, room, RIGHT - LEFT, RIGHT - LEFT, 9) < 0) {
		html_out_fail(o);
		free(room);
		return;
	}

	for (size_t i = 0; i < b->n; i++) {
		const struct bar *bar = &b->list[i];
		if (room[i] != NUMBER_NONE)
			html_out_format(o, "<text class=\"n%s\" x=\"%.1f\" y=\"%d\">%zu</text>\n",
					bar->kept ? " k" : "", x_of((bar->from + bar->to) / 2), BOTTOM + 18,
					bar->first + 1);
	}
	free(room);
}

/* Explains the marks of the picture, in a line below it. */
static void draw_legend(struct html_out *o, double threshold)
{
	const int y = HEIGHT - 14;
	html_out_format(o,
			"<path class=\"chosen\" d=\"M40 %dh28v-12h-28Z\"/><text x=\"74\" y=\"%d\">kept block</text>\n",
			y, y);
	html_out_format(
		o, "<path class=\"other\" d=\"M180 %dh28v-12h-28Z\"/><text x=\"214\" y=\"%d\">dropped block</text>\n",
		y, y);
	html_out_format(
		o,
		"<path class=\"first\" d=\"M345 %dh28\"/><text x=\"379\" y=\"%d\">probability after stage 1</text>\n",
		y - 5, y);
	html_out_format(o,
			"<path class=\"threshold\" d=\"M585 %dh28\"/><text x=\"619\" y=\"%d\">threshold %.2f</text>\n",
			y - 5, y, threshold);
}

void picture_write(struct html_out *o, const struct recording *r, const struct bars *b, struct slice title)
{
	double threshold = recording_number(r, "threshold", 0.5);
	html_out_format(o, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">\n<title>",
			WIDTH, HEIGHT);
	html_out_text(o, title);
	html_out_raw(o, "</title>\n");
	html_out_raw(o, style);
	html_out_raw(o, "<defs><pattern id=\"h\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
			"patternTransform=\"rotate(45)\"><path class=\"h\" d=\"M0 0V7\"/></pattern></defs>\n");
	html_out_format(o, "<path class=\"back\" d=\"M0 0H%dV%dH0Z\"/>\n<text class=\"k\" x=\"%d\" y=\"24\">", WIDTH,
			HEIGHT, LEFT);
	html_out_text(o, title);
	html_out_format(o, "</text>\n<text x=\"16\" y=\"%d\">1</text><text x=\"16\" y=\"%d\">0</text>\n", TOP + 10,
			BOTTOM);
	for (size_t i = 0; i < b->n; i++)
		draw_bar(o, &b->list[i]);
	html_out_format(o, "<path class=\"threshold\" d=\"M%d %.1fH%d\"/>\n", LEFT, y_of(threshold), RIGHT);
	draw_numbers(o, b);
	draw_legend(o, threshold);
	html_out_raw(o, "</svg>\n");
}
