/* SPDX-License-Identifier: MIT */
/*
 * Puts a report together: head, then for each method its facts, plots, text and tables. With two methods, the lines of
 * both outputs are compared first, so that each section can mark the lines that only it has.
 */
#include "lab/explain/report.h"

#include "base/status.h"
#include "base/utf8.h"
#include "extract/table.h"
#include "lab/explain/block_list.h"
#include "lab/explain/frame.h"
#include "lab/explain/picture.h"
#include "lab/explain/plot.h"
#include "lab/explain/strip.h"
#include "lab/explain/tables.h"

static void write_head(struct html_out *o, const struct report_page *page)
{
	frame_open(o, "What was kept of", slice_from_text(page->file));
	if (page->title.len) {
		html_out_raw(o, "<p>Title of the page: <bdi>");
		html_out_text(o, page->title);
		html_out_raw(o, "</bdi></p>\n");
	}
	facts_open(o);
	fact_text(o, "charset", page->charset ? page->charset : "unknown");
	fact_number(o, "bytes of HTML as UTF-8", (double)page->html.len);
	fact_number(o, "characters of visible text", (double)utf8_count(page->visible));
	fact_text(o, "made by", page->version);
	if (page->lines) {
		fact_text(o, "lines counted in", page->lines->file);
		fact_number(o, "pages of the site there", (double)page->lines->pages);
	}
	facts_close(o);
}

static size_t lines_alone(const struct line_marks *marks)
{
	size_t n = 0;
	for (size_t i = 0; i < marks->n; i++)
		n += !marks->shared[i];
	return n;
}

/* `marks` is NULL if there is no other method. */
static void write_facts(struct html_out *o, const struct report_page *page, const struct report_method *m,
			const struct line_marks *marks)
{
	size_t kept = utf8_count(m->text), visible = utf8_count(page->visible);
	facts_open(o);
	if (strncmp(m->spec, m->made, strcspn(m->spec, ":")) != 0)
		fact_text(o, "method that made the text", m->made);
	fact_number(o, "characters kept", (double)kept);
	fact_number(o, "percent of the visible text", frame_percent(kept, visible));
	if (marks)
		fact_number(o, "lines that only this method kept", (double)lines_alone(marks));
	if (m->n_media)
		fact_number(o, "media kept", (double)m->n_media);
	for (size_t i = 0; i < m->recording->n_numbers; i++)
		fact_number(o, m->recording->numbers[i].name, m->recording->numbers[i].value);
	facts_close(o);
	if (m->no_region)
		html_out_raw(o, "<p><strong>The method found no main content.</strong></p>\n");
	if (m->truncated)
		html_out_raw(o, "<p><strong>The text reached its limit and was cut.</strong></p>\n");
}

/* Returns a method's terms for its segments and regions. */
static const struct method_words *words_of(const char *name)
{
	struct slice keys;
	const struct method *m = method_find(slice_from_text(name), &keys);
	return m && m->words ? m->words : &method_words_default;
}

static void write_plots(struct html_out *o, const struct report_method *m, const struct bars *bars, unsigned id,
			bool linked)
{
	const struct method_words *words = words_of(m->made);
	if (bars->chances)
		strip_write(o, m->recording, bars, id, linked);
	else if (m->recording->n_segments)
		plot_all(o, m->recording, words, linked ? bars : NULL, id);
}

/* The first line end in a <pre> is dropped by who reads it. */
static void write_markdown(struct html_out *o, struct slice markdown)
{
	if (markdown.len == 0)
		return;
	html_out_raw(o,
		     "<details class=\"table\" open><summary>Markdown of what is kept</summary><pre dir=\"auto\">\n");
	html_out_text(o, markdown);
	html_out_raw(o, "</pre></details>\n");
}

static int write_parts(struct html_out *o, const struct report_page *page, const struct report_method *m,
		       const struct decisions *d, const struct line_marks *marks, unsigned id)
{
	const struct method_words *words = words_of(m->made);
	struct bars bars;
	int status = bars_make(&bars, d);
	if (status < 0)
		return status;

	write_plots(o, m, &bars, id, true);
	const struct block_list list = { d, m->recording, &bars, words, m->text, marks, page->lines, id };
	block_list_write(o, &list);
	write_markdown(o, m->markdown);
	if (m->recording->n_regions)
		table_of_regions(o, m->recording, words);
	table_of_decisions(o, d, words, id);
	bars_free(&bars);
	return DANA_OK;
}

static int write_method(struct html_out *o, const struct report_page *page, const struct report_method *m,
			const struct line_marks *marks, unsigned id)
{
	struct decisions d;
	int status = decisions_make(&d, m->recording, words_of(m->made), page->visible, m->text);
	html_out_format(o, "<section class=\"method\" aria-labelledby=\"m%u\">\n<h2 id=\"m%u\">Method ", id, id);
	html_out_text(o, slice_from_text(m->spec));
	html_out_raw(o, "</h2>\n");
	write_facts(o, page, m, marks);
	if (status == DANA_OK)
		status = write_parts(o, page, m, &d, marks, id);
	html_out_raw(o, "</section>\n");
	decisions_free(&d);
	return status;
}

int report_write(struct html_out *o, const struct report_page *page, const struct report_method *methods, size_t n)
{
	struct line_marks marks[2] = { { 0 }, { 0 } };
	int status = n == 2 ? match_lines(marks, methods[0].text, methods[1].text) : DANA_OK;
	write_head(o, page);
	html_out_format(o, "<div class=\"methods%s\">\n", n > 1 ? " two" : "");
	for (size_t i = 0; i < n && status == DANA_OK; i++)
		status = write_method(o, page, &methods[i], n == 2 ? &marks[i] : NULL, (unsigned)i + 1);
	html_out_raw(o, "</div>\n");
	frame_close(o);
	line_marks_free(&marks[0]);
	line_marks_free(&marks[1]);
	return status < 0 ? status : html_out_status(o);
}

/* Makes the bars of a method's decisions, which they do not refer to afterwards. */
static int make_bars(struct bars *bars, const struct report_method *m, struct slice visible)
{
	struct decisions d;
	*bars = (struct bars){ 0 };
	int status = decisions_make(&d, m->recording, words_of(m->made), visible, m->text);
	if (status == DANA_OK)
		status = bars_make(bars, &d);
	decisions_free(&d);
	return status;
}

int report_strip(struct html_out *o, const struct report_method *m, struct slice visible, unsigned id)
{
	struct bars bars;
	int status = make_bars(&bars, m, visible);
	if (status < 0)
		return status;

	write_plots(o, m, &bars, id, false);
	bars_free(&bars);
	return html_out_status(o);
}

int report_picture(struct html_out *o, const struct report_page *page, const struct report_method *m)
{
	struct bars bars;
	int status = make_bars(&bars, m, page->visible);
	if (status < 0)
		return status;

	bool chances = bars.chances;
	if (chances)
		picture_write(o, m->recording, &bars, page->title);
	bars_free(&bars);
	return chances ? html_out_status(o) : DANA_ECONFIG;
}
