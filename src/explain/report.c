#include "explain/report.h"

#include <stdio.h>

#include "base/status.h"
#include "base/utf8.h"
#include "explain/plot.h"
#include "explain/report_style.h"
#include "extract/table.h"

/* Long lists are cut: a browser should open the report of any page. */
enum { ROWS_MOST = 1000, START_BYTES = 160 };

static void fact_open(struct html_out *o, const char *name)
{
	html_out_raw(o, "<div><dt>");
	html_out_text(o, slice_from_text(name));
	html_out_raw(o, "</dt><dd>");
}

static void fact_close(struct html_out *o)
{
	html_out_raw(o, "</dd></div>");
}

static void fact_text(struct html_out *o, const char *name, const char *value)
{
	fact_open(o, name);
	html_out_text(o, slice_from_text(value));
	fact_close(o);
}

static void fact_number(struct html_out *o, const char *name, double value)
{
	fact_open(o, name);
	html_out_number(o, value);
	fact_close(o);
}

static void write_head(struct html_out *o, const struct report_page *page)
{
	html_out_raw(
		o,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
	html_out_text(o, slice_from_text(page->file));
	html_out_raw(o, " - dana explain</title>\n<style>\n");
	html_out_raw(o, report_style);
	html_out_raw(o, "</style>\n</head>\n<body>\n");
	plot_patterns(o);
	html_out_raw(o, "<main>\n<h1>What was kept of <bdi>");
	html_out_text(o, slice_from_text(page->file));
	html_out_raw(o, "</bdi></h1>\n");
	if (page->title.len) {
		html_out_raw(o, "<p>Title of the page: <bdi>");
		html_out_text(o, page->title);
		html_out_raw(o, "</bdi></p>\n");
	}
	html_out_raw(o, "<dl class=\"facts\">");
	fact_text(o, "charset", page->charset ? page->charset : "unknown");
	fact_number(o, "bytes of HTML as UTF-8", (double)page->html.len);
	fact_number(o, "characters of visible text", (double)utf8_count(page->visible));
	fact_text(o, "made by", page->version);
	html_out_raw(o, "</dl>\n");
}

static void write_facts(struct html_out *o, const struct report_page *page, const struct report_method *m)
{
	size_t kept = utf8_count(m->text), visible = utf8_count(page->visible);
	html_out_raw(o, "<dl class=\"facts\">");
	if (strncmp(m->spec, m->made, strcspn(m->spec, ":")) != 0)
		fact_text(o, "method that made the text", m->made);
	fact_number(o, "characters kept", (double)kept);
	fact_number(o, "percent of the visible text", visible ? (double)(1000 * kept / visible) / 10 : 0);
	if (m->n_media)
		fact_number(o, "media kept", (double)m->n_media);
	for (size_t i = 0; i < m->recording->n_numbers; i++)
		fact_number(o, m->recording->numbers[i].name, m->recording->numbers[i].value);
	html_out_raw(o, "</dl>\n");
	if (m->no_region)
		html_out_raw(o, "<p><strong>The method found no main content.</strong></p>\n");
	if (m->truncated)
		html_out_raw(o, "<p><strong>The text reached its limit and was cut.</strong></p>\n");
}

static void write_legend(struct html_out *o, const struct method_words *words, bool has_code)
{
	static const char *const picture[] = { "content", "code", "box chosen", "box other" };
	const char *name[] = { words->above, words->below, "kept", "not kept" };
	html_out_raw(o, "<ul class=\"legend\">");
	for (int i = 0; i < 4; i++) {
		if (i == 1 && !has_code)
			continue;
		html_out_format(
			o,
			"<li><svg viewBox=\"0 0 28 14\" aria-hidden=\"true\"><path class=\"%s\" d=\"M0 0H28V14H0Z\"/></svg> ",
			picture[i]);
		html_out_format(o, i < 2 ? "%s</li>" : "%s: %s</li>", i < 2 ? name[i] : words->region, name[i]);
	}
	html_out_raw(o, "<li>dashed line: gap, or threshold</li></ul>\n");
}

/* A column of numbers has a name that begins with #. */
static void open_table(struct html_out *o, const char *label, const char *const *columns)
{
	html_out_format(
		o,
		"<h3>%s</h3>\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\"><table><thead><tr>",
		label, label);
	for (; *columns; columns++) {
		bool number = **columns == '#';
		html_out_format(o, "<th scope=\"col\"%s>%s</th>", number ? " class=\"number\"" : "", *columns + number);
	}
	html_out_raw(o, "</tr></thead><tbody>\n");
}

static void close_table(struct html_out *o, size_t rows)
{
	html_out_raw(o, "</tbody></table></div>\n");
	if (rows > ROWS_MOST)
		html_out_format(o, "<p class=\"note\">%zu more rows are left out.</p>\n", rows - ROWS_MOST);
}

static void cell_number(struct html_out *o, double value)
{
	html_out_raw(o, "<td class=\"number\">");
	html_out_number(o, value);
	html_out_raw(o, "</td>");
}

static void cell_kept(struct html_out *o, bool kept)
{
	html_out_raw(o,
		     kept ? "<td class=\"yes\">\xE2\x9C\x93 kept</td>" : "<td class=\"no\">\xE2\x9C\x97 dropped</td>");
}

static void write_regions(struct html_out *o, const struct recording *r, const struct method_words *words)
{
	char label[80], group[32];
	(void)snprintf(group, sizeof(group), "#%s", words->group);
	const char *columns[] = { group, "#first", "#last", "#weight", "#gap before", "decision", NULL };
	(void)snprintf(label, sizeof(label), "Table of %s", words->regions);
	open_table(o, label, columns);
	for (size_t i = 0; i < r->n_regions && i < ROWS_MOST; i++) {
		const struct recorded_region *region = &r->regions[i];
		html_out_raw(o, "<tr>");
		cell_number(o, (double)region->chain);
		cell_number(o, (double)region->first);
		cell_number(o, (double)region->last);
		cell_number(o, region->weight);
		if (i && region->first > r->regions[i - 1].last)
			cell_number(o, (double)(region->first - r->regions[i - 1].last));
		else
			html_out_raw(o, "<td></td>");
		cell_kept(o, region->chosen);
		html_out_raw(o, "</tr>\n");
	}
	close_table(o, r->n_regions);
}

static struct slice text_of(const struct decisions *d, const struct decision *k)
{
	return slice_of(d->text.data + k->text_from, k->text_to - k->text_from);
}

static struct slice numbers_of(const struct decisions *d, const struct decision *k)
{
	return slice_of(d->text.data + k->numbers_from, k->numbers_to - k->numbers_from);
}

/* The first words, cut between characters. */
static void write_start(struct html_out *o, struct slice text)
{
	size_t len = text.len;
	if (len > START_BYTES) {
		len = START_BYTES;
		while (len && (text.data[len] & 0xC0) == 0x80)
			len--;
	}
	html_out_raw(o, "<td class=\"start\" dir=\"auto\">");
	html_out_text(o, slice_of(text.data, len));
	html_out_raw(o, len < text.len ? "\xE2\x80\xA6</td>" : "</td>");
}

static void cell_segments(struct html_out *o, const struct decision *k)
{
	if (k->has_segments)
		html_out_format(o, "<td class=\"number\">%llu\xE2\x80\x93%llu</td>", (unsigned long long)k->first,
				(unsigned long long)k->last);
	else
		html_out_raw(o, "<td></td>");
}

static void cell_text(struct html_out *o, const char *class, struct slice text)
{
	html_out_format(o, "<td class=\"%s\">", class);
	html_out_text(o, text);
	html_out_raw(o, "</td>");
}

/* Columns that would be empty are left out. */
static void write_decisions(struct html_out *o, const struct decisions *d, const struct method_words *words)
{
	bool segments = false, scores = false, numbers = false;
	for (size_t i = 0; i < d->len; i++) {
		segments |= d->list[i].has_segments;
		scores |= d->list[i].has_score;
		numbers |= d->list[i].numbers_to > d->list[i].numbers_from;
	}
	char title[32];
	(void)snprintf(title, sizeof(title), "#%s", words->segments);
	const char *columns[8] = { "#number" };
	size_t n = 1;
	if (segments)
		columns[n++] = title;
	columns[n++] = "decision";
	if (scores)
		columns[n++] = "#score";
	columns[n++] = "reason";
	if (numbers)
		columns[n++] = "numbers";
	columns[n++] = "text begins";
	open_table(o, "Table of decisions", columns);
	for (size_t i = 0; i < d->len && i < ROWS_MOST; i++) {
		const struct decision *k = &d->list[i];
		html_out_format(o, "<tr><td class=\"number\">%zu</td>", i + 1);
		if (segments)
			cell_segments(o, k);
		cell_kept(o, k->kept);
		if (scores && k->has_score)
			cell_number(o, k->score);
		else if (scores)
			html_out_raw(o, "<td></td>");
		cell_text(o, "reason", slice_from_text(k->reason ? k->reason : ""));
		if (numbers)
			cell_text(o, "numbers", numbers_of(d, k));
		write_start(o, text_of(d, k));
		html_out_raw(o, "</tr>\n");
	}
	close_table(o, d->len);
}

/* The next block that has text, from block i on; d->len when there is none. */
static size_t next_block(const struct decisions *d, size_t i)
{
	while (i < d->len && d->list[i].text_to == d->list[i].text_from)
		i++;
	return i;
}

/* Neighbours with one decision stand together. */
static void write_text(struct html_out *o, const struct decisions *d)
{
	html_out_raw(o, "<h3>Text of the page</h3>\n");
	for (size_t i = next_block(d, 0); i < d->len;) {
		bool kept = d->list[i].kept;
		size_t last = i;
		for (size_t k = i; k < d->len && d->list[k].kept == kept; k = next_block(d, k + 1))
			last = k;
		html_out_format(o, "<div class=\"block %s\"><span class=\"what %s\">%s", kept ? "kept" : "dropped",
				kept ? "yes" : "no", kept ? "\xE2\x9C\x93 kept" : "\xE2\x9C\x97 dropped");
		html_out_format(o, last > i ? ": blocks %zu to %zu</span>" : ": block %zu</span>", i + 1, last + 1);
		for (; i <= last; i = next_block(d, i + 1)) {
			html_out_raw(o, "<p dir=\"auto\">");
			html_out_text(o, text_of(d, &d->list[i]));
			html_out_raw(o, "</p>");
		}
		html_out_raw(o, "</div>\n");
	}
}

static const struct method_words *words_of(const char *name)
{
	struct slice keys;
	const struct method *m = method_find(slice_from_text(name), &keys);

	return m && m->words ? m->words : &method_words_default;
}

static int write_method(struct html_out *o, const struct report_page *page, const struct report_method *m, unsigned id)
{
	const struct method_words *words = words_of(m->made);
	struct decisions d;
	int status = decisions_make(&d, m->recording, words, page->visible, m->text);
	html_out_format(o, "<section aria-labelledby=\"m%u\">\n<h2 id=\"m%u\">Method ", id, id);
	html_out_text(o, slice_from_text(m->spec));
	html_out_raw(o, "</h2>\n");
	write_facts(o, page, m);
	if (status == DANA_OK && m->recording->n_segments) {
		bool has_code = false;
		for (size_t i = 0; i < m->recording->n_segments && !has_code; i++)
			has_code = m->recording->segments[i].code > 0;
		write_legend(o, words, has_code);
		status = plot_all(o, m->recording, words, id);
	}
	if (m->recording->n_regions)
		write_regions(o, m->recording, words);
	if (status == DANA_OK) {
		write_decisions(o, &d, words);
		write_text(o, &d);
	}
	html_out_raw(o, "</section>\n");
	decisions_free(&d);
	return status;
}

int report_write(struct html_out *o, const struct report_page *page, const struct report_method *methods, size_t n)
{
	int status = DANA_OK;
	write_head(o, page);
	html_out_format(o, "<div class=\"methods%s\">\n", n > 1 ? " two" : "");
	for (size_t i = 0; i < n && status == DANA_OK; i++)
		status = write_method(o, page, &methods[i], (unsigned)i + 1);
	html_out_raw(o, "</div>\n</main>\n</body>\n</html>\n");
	return status < 0 ? status : o->status;
}
