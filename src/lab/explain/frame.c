/* SPDX-License-Identifier: MIT */
/* The same head, style and lists of facts for each kind of report. */
#include "lab/explain/frame.h"

#include "lab/explain/plot.h"
#include "lab/explain/report_style.h"

void frame_open(struct html_out *o, const char *before, struct slice name)
{
	html_out_raw(o, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
			"'unsafe-inline'\">\n"
			"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
	html_out_text(o, name);
	html_out_raw(o, " - dana explain</title>\n<style>\n");
	html_out_raw(o, report_style);
	html_out_raw(o, "</style>\n</head>\n<body>\n");
	plot_patterns(o);
	html_out_format(o, "<main>\n<h1>%s <bdi>", before);
	html_out_text(o, name);
	html_out_raw(o, "</bdi></h1>\n");
}

void frame_close(struct html_out *o)
{
	html_out_raw(o, "</main>\n</body>\n</html>\n");
}

void facts_open(struct html_out *o)
{
	html_out_raw(o, "<dl class=\"facts\">");
}

static void fact_open(struct html_out *o, const char *name)
{
	html_out_raw(o, "<div><dt>");
	html_out_text(o, slice_from_text(name));
	html_out_raw(o, "</dt><dd>");
}

void fact_text(struct html_out *o, const char *name, const char *value)
{
	fact_open(o, name);
	html_out_text(o, slice_from_text(value));
	html_out_raw(o, "</dd></div>");
}

void fact_number(struct html_out *o, const char *name, double value)
{
	fact_open(o, name);
	html_out_number(o, value);
	html_out_raw(o, "</dd></div>");
}

void facts_close(struct html_out *o)
{
	html_out_raw(o, "</dl>\n");
}

double frame_percent(uint64_t part, uint64_t whole)
{
	return whole ? (double)(1000 * part / whole) / 10 : 0;
}
