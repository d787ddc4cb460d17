/* SPDX-License-Identifier: MIT */
/*
 * Writes the recording of a page as JSON, and the report with its viewer around it.
 *
 * The JSON has a member for each thing that viewer.js draws; that file lists them. Numbers are written as the method
 * reported them; an infinite one is 1e999, which readers take for infinite, and one that is not a number is null.
 */
#include "config.h"

#include "lab/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/html.h"
#include "base/utf8.h"
#include "extract/method.h"
#include "lab/places.h"

/* More rows of dropped blocks are left out of the plain table, so that a browser can open the report of any page. */
enum { DROPPED_MOST = 1000 };

/* ---- the file ---- */

/* JSON has '<' in strings only; escaped there, no text can end the script element or begin a comment in it. */
static void put_data(struct buf *out, struct slice data)
{
	while (data.len) {
		size_t n = slice_until(data, "<");
		buf_append(out, data.data, n);
		if (n < data.len)
			buf_append_text(out, "\\u003c");
		data = slice_skip(data, n + 1);
	}
}

void report_put_file(struct buf *out, const struct viewer_file *file)
{
	const struct slice style = slice_of(viewer_css, viewer_css_len), script = slice_of(viewer_js, viewer_js_len);
	const struct html_place places[] = {
		{ "{{digest of style}}", html_put_digest, style },
		{ "{{digest of script}}", html_put_digest, script },
		{ "{{command}}", html_put_markup, slice_from_text(file->command) },
		{ "{{heading}}", html_put_markup, slice_from_text(file->heading) },
		{ "{{title}}", html_put_text, file->title },
		{ "{{style}}", html_put_markup, style },
		{ "{{plain}}", html_put_markup, file->plain },
		{ "{{data}}", put_data, file->data },
		{ "{{script}}", html_put_markup, script },
	};
	html_fill(out, slice_of(viewer_html, viewer_html_len), places, sizeof(places) / sizeof(places[0]));
}

/* ---- the data ---- */

/* Appends a value of an array, or of the member whose name was written. */
static void put_number(struct json_writer *w, double value)
{
	if (w->comma)
		buf_append_byte(w->out, ',');
	if (isfinite(value))
		buf_printf(w->out, "%.12g", value);
	else
		buf_append_text(w->out, isnan(value) ? "null" : value > 0 ? "1e999" : "-1e999");
	w->comma = true;
}

static void put_row(struct json_writer *w, const double *values, size_t n)
{
	json_array_begin(w);
	for (size_t i = 0; i < n; i++)
		put_number(w, values[i]);
	json_array_end(w);
}

/* What is known of a method's text besides the recording; zeroed for a picture alone. */
struct shown {
	bool texts;
	const struct line_pages *lines;
	const struct compared_part
		*own; /* the lines of the output, compared with another method's; NULL if there is none */
	const struct page_places *places;
	const size_t *of;  /* the block of each line of the places */
	size_t line;       /* of the places: the next one */
	const bool *ruled; /* for each block whether it is kept with rules; NULL without rules */
};

/* Returns a block's part of the output, so that all kept ones are what `dana extract` prints, or what was dropped. */
static struct slice text_of(const struct recording *r, const struct block_record *b)
{
	return b->kept ? slice_of(r->text.data + b->out.from, b->out.to - b->out.from) : recording_span(r, b->text);
}

static void put_block(struct json_writer *w, const struct recording *r, size_t number, struct shown *shown)
{
	const struct block_record *b = &r->blocks[number];
	struct slice reasons = recording_span(r, b->reasons), text = text_of(r, b);
	json_object_begin(w);
	json_bool(w, "kept", b->kept);
	if (b->has_segments) {
		json_count(w, "first", b->first);
		json_count(w, "last", b->last);
	}
	if (b->has_chances) {
		json_count(w, "words", b->words);
		json_key(w, "chance"); /* in 1/65536, exactly */
		put_row(w, (const double[]){ b->chance[0] * 65536, b->chance[1] * 65536 }, 2);
	}
	if (shown->texts) {
		if (b->has_score) {
			json_key(w, "score");
			put_number(w, b->score);
		}
		json_text(w, "reason", recording_span(r, b->reason));
		json_text(w, "numbers", recording_span(r, b->numbers));
		json_text(w, "text", text);
		json_key(w, "marks"); /* line, on how many pages it is, whether only this method has kept it */
		json_array_begin(w);
		for (size_t i = 0; text.len; i++) {
			struct slice line = parts_next_line(&text);
			uint64_t pages = shown->lines ? line_pages_count(shown->lines, line) : 0;
			bool only = false;
			if (b->kept && shown->own) {
				while (shown->own->text.data != line.data)
					shown->own++;
				only = 2 * shown->own->common < shown->own->tokens;
			}
			if (pages || only)
				put_row(w, (const double[]){ (double)i, (double)pages, only }, 3);
		}
		json_array_end(w);
		json_key(w, "reasons");
		json_array_begin(w);
		buf_append(w->out, reasons.data, reasons.len - (reasons.len > 0)); /* without the last comma */
		json_array_end(w);
		if (shown->ruled)
			json_bool(w, "ruled", shown->ruled[number]);
		if (shown->of) {
			json_key(w, "in");
			page_places_put_block(shown->places, shown->of, &shown->line, number, w);
		}
	}
	json_object_end(w);
}

/* Appends all that is known of a method but its facts. */
static void put_method(struct json_writer *w, const struct report_method *m, struct shown *shown)
{
	const struct recording *r = &m->recording;
	const struct method_words *words = recording_words(r);
	const struct {
		const char *name, *word;
	} terms[] = { { "segment", words->segment }, { "segments", words->segments }, { "region", words->region },
		      { "regions", words->regions }, { "group", words->group },       { "above", words->above },
		      { "below", words->below },     { "smoothed", words->smoothed }, { "chosen", words->chosen } };
	json_text(w, "spec", slice_from_text(m->spec));
	json_text(w, "made", slice_from_text(r->text.method ? r->text.method : ""));
	json_key(w, "words");
	json_object_begin(w);
	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++)
		json_text(w, terms[i].name, slice_from_text(terms[i].word));
	json_object_end(w);
	json_key(w, "numbers");
	json_array_begin(w);
	for (size_t i = 0; i < r->n_numbers; i++) {
		json_array_begin(w);
		json_element(w, slice_from_text(r->numbers[i].name));
		put_number(w, r->numbers[i].value);
		json_array_end(w);
	}
	json_array_end(w);
	json_key(w, "segments");
	json_array_begin(w);
	for (const struct recorded_segment *s = r->segments; s < r->segments + r->n_segments; s++)
		put_row(w, (const double[]){ s->content, s->code, s->smoothed }, 3);
	json_array_end(w);
	json_key(w, "regions");
	json_array_begin(w);
	for (const struct region *g = r->regions; g < r->regions + r->n_regions; g++)
		put_row(w,
			(const double[]){ (double)g->first, (double)g->last, g->weight, (double)g->chain, g->chosen },
			5);
	json_array_end(w);
	json_key(w, "blocks");
	json_array_begin(w);
	for (size_t i = 0; i < r->n_blocks; i++)
		put_block(w, r, i, shown);
	json_array_end(w);
}

int report_put_method(struct json_writer *w, struct report_method *m, struct slice visible)
{
	int status = recording_decide(&m->recording, visible);
	put_method(w, m, &(struct shown){ 0 });
	return status < 0 ? status : buf_status(w->out);
}

/* ---- the report of a page ---- */

/* Writes the table of decisions for readers without JavaScript; the viewer takes it over. */
static void put_table(struct buf *out, const char *spec, const struct recording *r)
{
	size_t dropped = 0;
	buf_append_text(out, "<h2>Method ");
	html_put_text(out, slice_from_text(spec));
	buf_append_text(out, "</h2>\n<table><thead><tr><th>block<th>decision<th>reason<th>numbers<th>text</thead>\n");
	for (size_t i = 0; i < r->n_blocks; i++) {
		const struct block_record *b = &r->blocks[i];
		const struct slice texts[] = { recording_span(r, b->reason), recording_span(r, b->numbers),
					       text_of(r, b) };
		if (!b->kept && ++dropped > DROPPED_MOST)
			continue;
		buf_printf(out, "<tr><td>%zu<td>%s", i + 1, b->kept ? "\xE2\x9C\x93 kept" : "\xE2\x9C\x97 dropped");
		for (int t = 0; t < 3; t++) {
			buf_append_text(out, "<td dir=\"auto\">");
			html_put_text(out, texts[t]);
		}
		buf_append_byte(out, '\n');
	}
	buf_append_text(out, "</table>\n");
	if (r->n_blocks == 0)
		buf_append_text(out, "<p>This page has no text.\n");
	if (dropped > DROPPED_MOST)
		buf_printf(out, "<p>%zu more rows of what was dropped are left out.\n", dropped - DROPPED_MOST);
}

/* Finds which blocks a text has at least half of, in order. */
static int find_blocks(const struct recording *r, struct slice text, bool *found)
{
	struct compared_part all = { .text = text }, *parts = calloc(r->n_blocks + 1, sizeof(*parts));
	for (size_t i = 0; parts && i < r->n_blocks; i++)
		parts[i].text = recording_span(r, r->blocks[i].text);
	const int status = parts ? parts_compare(parts, r->n_blocks, &all, 1) : DANA_ENOMEM;
	for (size_t i = 0; i < r->n_blocks && status == DANA_OK; i++)
		found[i] = parts[i].tokens && 2 * parts[i].common >= parts[i].tokens;
	free(parts);
	return status;
}

/*
 * Decides for each block whether it is kept with rules. A block that both texts have, or neither, is as before: words
 * of a dropped one may be in both, where a kept one has them too.
 */
static int find_ruled(const struct report_method *m, bool **ruled)
{
	const struct recording *r = &m->recording;
	const size_t n = r->n_blocks;
	bool *found = calloc(2 * n + 1, sizeof(*found));
	int status = found ? find_blocks(r, slice_of(r->text.data, r->text.len), found + n) : DANA_ENOMEM;
	if (status == DANA_OK)
		status = find_blocks(r, m->ruled, found);
	for (size_t i = 0; i < n && status == DANA_OK; i++)
		found[i] = found[i] == found[n + i] ? r->blocks[i].kept : found[i];
	*ruled = found;
	return status;
}

/* Appends a method as an object, and its table. `lines`: as `own` of struct shown. */
static int add_method(struct json_writer *w, struct buf *plain, const struct report_page *page, struct report_method *m,
		      const struct compared_part *lines)
{
	const struct dana_text *text = &m->recording.text;
	size_t *of = NULL;
	bool *ruled = NULL;
	int status = recording_decide(&m->recording, page->visible);
	if (status == DANA_OK && page->places)
		status = page_places_match(page->places, &m->recording, &of);
	if (status == DANA_OK && m->has_rules)
		status = find_ruled(m, &ruled);
	json_object_begin(w);
	json_count(w, "kept", utf8_count(slice_of(text->data, text->len)));
	if (m->has_rules)
		json_count(w, "ruled", utf8_count(m->ruled));
	json_count(w, "media", text->n_media);
	json_bool(w, "none", text->flags & DANA_NO_REGION);
	json_bool(w, "cut", text->flags & DANA_TEXT_TRUNCATED);
	json_text(w, "markdown", m->markdown);
	if (status == DANA_OK)
		put_method(w, m, &(struct shown){ true, page->lines, lines, page->places, of, 0, ruled });
	json_object_end(w);
	put_table(plain, m->spec, &m->recording);
	free(of);
	free(ruled);
	return status;
}

int report_add(struct report *r, const struct report_page *page, struct report_method *methods, size_t n)
{
	struct json_writer w = { .out = &r->data, .comma = r->pages > 0 };
	struct compared_part *lines[2] = { NULL, NULL };
	size_t n_lines[2];
	int status = DANA_OK;
	for (size_t i = 0; n == 2 && i < 2; i++) {
		const struct dana_text *text = &methods[i].recording.text;
		lines[i] = parts_of_lines(slice_of(text->data, text->len), &n_lines[i]);
		status = lines[i] ? status : DANA_ENOMEM;
	}
	if (n == 2 && status == DANA_OK)
		status = parts_compare(lines[0], n_lines[0], lines[1], n_lines[1]);

	if (r->pages == 0)
		buf_append_text(&r->title, page->file);
	buf_append_text(&r->plain, "<h2>Page ");
	html_put_text(&r->plain, slice_from_text(page->file));
	buf_append_text(&r->plain, "</h2>\n");
	if (page->is_first)
		buf_append_text(&r->plain, "<p>This is the page of the first of several records at this offset; --url "
					   "URL names another.\n");
	json_object_begin(&w);
	json_text(&w, "file", slice_from_text(page->file));
	json_text(&w, "url", page->url);
	json_text(&w, "title", page->title);
	json_text(&w, "charset", slice_from_text(page->charset ? page->charset : "unknown"));
	if (page->is_first)
		json_bool(&w, "first", true);
	json_text(&w, "version", slice_from_text("dana " PACKAGE_VERSION));
	json_count(&w, "bytes", page->html.len);
	json_count(&w, "visible", utf8_count(page->visible));
	if (page->lines)
		json_count(&w, "pages", line_pages_count(page->lines, slice_of("", 0)));
	if (page->places) {
		json_text(&w, "canonical", buf_slice(&page->places->canonical));
		json_key(&w, "elements");
		page_places_put(page->places, &w);
	}
	json_key(&w, "methods");
	json_array_begin(&w);
	for (size_t i = 0; i < n && status == DANA_OK; i++)
		status = add_method(&w, &r->plain, page, &methods[i], lines[i]);
	json_array_end(&w);
	json_object_end(&w);
	r->pages++;
	free(lines[0]);
	free(lines[1]);
	buf_latch(&r->plain, buf_status(&r->data) < 0 ? DANA_ENOMEM : buf_status(&r->title));
	return status < 0 ? status : buf_status(&r->plain);
}

int report_write(struct buf *out, const struct report *r)
{
	struct buf all = { 0 };
	char title[64];
	(void)snprintf(title, sizeof(title), "%zu pages", r->pages);
	if (r->pages > 1) {
		buf_append_text(&all, "{\"reports\":[");
		buf_append(&all, r->data.data, r->data.len);
		buf_append_text(&all, "]}");
	}
	const struct viewer_file file = { "explain", "What was kept of",
					  r->pages > 1 ? slice_from_text(title) : buf_slice(&r->title),
					  buf_slice(&r->plain), buf_slice(r->pages > 1 ? &all : &r->data) };
	report_put_file(out, &file);
	buf_latch(out, buf_status(&all));
	buf_free(&all);
	return buf_status(out);
}

void report_free(struct report *r)
{
	buf_free(&r->data);
	buf_free(&r->plain);
	buf_free(&r->title);
}

/* ---- the picture ---- */

enum { LEFT = 40, RIGHT = 885, TOP = 44, BOTTOM = 204 }; /* of the bars, in pixels of picture.svg */

static double y_of(double chance)
{
	return BOTTOM - chance * (BOTTOM - TOP);
}

int report_picture(struct buf *out, const struct report_page *page, struct report_method *m)
{
	struct recording *r = &m->recording;
	const double threshold = recording_number(r, "threshold", 0.5);
	struct buf bars = { 0 };
	char line[40], value[8];
	double words = 0, left = LEFT, taken = LEFT;
	int status = recording_decide(r, page->visible);
	for (size_t i = 0; i < r->n_blocks; i++)
		words += r->blocks[i].words;
	if (status == DANA_OK && words == 0)
		status = DANA_ECONFIG;
	if (status < 0)
		return status;
	for (size_t i = 0; i < r->n_blocks; i++) { /* a number is written where it does not run into the one before */
		const struct block_record *b = &r->blocks[i];
		const double right = left + b->words / words * (RIGHT - LEFT), middle = (left + right) / 2;
		const double half = snprintf(NULL, 0, "%zu", i + 1) * 4.5 + 3;
		buf_printf(&bars, "<path class=\"%s\" d=\"M%.1f %dV%.1fH%.1fV%dZ\"/>", b->kept ? "chosen" : "other",
			   left, BOTTOM, y_of(b->chance[1]), right, BOTTOM);
		buf_printf(&bars, "<path class=\"first\" d=\"M%.1f %.1fH%.1f\"/>\n", left, y_of(b->chance[0]), right);
		if (middle - half >= taken && (b->kept || right - left > 2 * half)) {
			buf_printf(&bars, "<text class=\"n%s\" x=\"%.1f\" y=\"%d\">%zu</text>\n", b->kept ? " k" : "",
				   middle, BOTTOM + 18, i + 1);
			taken = middle + half;
		}
		left = right;
	}
	(void)snprintf(line, sizeof(line), "M%d %.1fH%d", LEFT, y_of(threshold), RIGHT);
	(void)snprintf(value, sizeof(value), "%.2f", threshold);
	const struct html_place places[] = { { "{{title}}", html_put_text, page->title },
					     { "{{bars}}", html_put_markup, buf_slice(&bars) },
					     { "{{line}}", html_put_markup, slice_from_text(line) },
					     { "{{threshold}}", html_put_markup, slice_from_text(value) } };
	html_fill(out, slice_of(picture_svg, picture_svg_len), places, sizeof(places) / sizeof(places[0]));
	buf_latch(out, buf_status(&bars));
	buf_free(&bars);
	return buf_status(out);
}
