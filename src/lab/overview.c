/* SPDX-License-Identifier: MIT */
/*
 * The pages that `filter` takes by default are walked over twice (archive_walk.h). The first walk counts; then up to
 * SHOWN_MOST pages with most and as many with least kept are chosen, which the second walk records. The viewer groups
 * pages by host and type.
 *
 * If there are more than PAGES_MOST pages, a sample is kept in which all pages are equally likely (reservoir
 * sampling): the n-th page replaces a random one with the probability PAGES_MOST/n. The random numbers have a fixed
 * start, so that the same archive always gives the same sample.
 */
#include "config.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/html.h"
#include "base/url_parts.h"
#include "base/utf8.h"
#include "lab/archive_walk.h"
#include "lab/report.h"
#include "run/methods.h"

enum { PAGES_MOST = 10000, SHOWN_MOST = 10 };

struct page {
	uint64_t number;        /* from 0, of all pages of the archive */
	uint64_t visible, kept; /* characters */
	const char *shown;      /* "most" or "least" kept; NULL if it is not shown */
	struct buf data;        /* what else is known of it, as members of JSON */
};

/* Receives the documents of both walks. */
struct overview {
	struct page *pages; /* the sample */
	size_t n, cap;
	uint64_t seen;   /* pages of the archive */
	uint64_t random; /* a linear congruential generator (Knuth's MMIX), of which the upper bits are used */
	uint64_t number; /* of the next document, in the second walk */
	bool second;
	const char *method;
	struct model_reader models;
	struct notices lines;
	struct buf page; /* the last page as UTF-8 */
	struct buf rows; /* of the table without JavaScript: pages that are shown */
	struct dana_extractor *plain;
};

/* Returns where the numbers of the next page go, or NULL if it is not in the sample or, with *status, for memory. */
static struct page *next_page(struct overview *w, int *status)
{
	const struct grow_array pages = GROW_ARRAY(w->pages);
	const uint64_t number = w->seen++;
	uint64_t at = number;
	struct buf data = { 0 };
	*status = DANA_OK;
	if (number < PAGES_MOST) {
		*status = grow_arrays(&pages, 1, w->n + 1, &w->cap);
		w->n += *status == DANA_OK;
	} else {
		w->random = w->random * 6364136223846793005U + 1442695040888963407U;
		at = (w->random >> 16) % w->seen;
	}
	if (*status < 0 || at >= PAGES_MOST)
		return NULL;
	if (number >= PAGES_MOST) {
		data = w->pages[at].data;
		buf_clear(&data);
	}
	w->pages[at] = (struct page){ .number = number, .data = data };
	return &w->pages[at];
}

/* Largest share first, compared without division; pages without visible text have none, and come last. */
static int by_share(const void *a, const void *b)
{
	const struct page *x = a, *y = b;
	uint64_t left = x->kept * y->visible, right = y->kept * x->visible;
	if ((x->visible == 0) != (y->visible == 0))
		return x->visible ? -1 : 1;
	if (left != right)
		return left > right ? -1 : 1;
	if (x->visible != y->visible)
		return x->visible > y->visible ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

static int plain_text(struct overview *w, struct slice *text)
{
	struct dana_text plain = { 0 };
	dana_reset(w->plain);
	int status = dana_feed(w->plain, w->page.data, w->page.len);
	if (status >= 0)
		status = dana_finish(w->plain, &plain);
	*text = slice_of(plain.data, plain.len);
	return status;
}

enum { NAME_MOST = 240 }; /* bytes */

static void put_name(struct json_writer *w, const char *name, struct slice value)
{
	value = slice_first(value, NAME_MOST);
	json_text(w, name, slice_first(value, utf8_without_cut(value)));
}

static int record_page(struct overview *w, struct page *page, struct slice url)
{
	struct report_method m = { .spec = w->method };
	struct json_writer json = { .out = &page->data, .comma = true };
	struct slice visible;
	const struct dana_options wish = { .struct_size = sizeof(wish),
					   .method = w->method,
					   .read_file = model_reader_read,
					   .read_arg = &w->models };
	int status = recording_make(&m.recording, &wish, NULL, buf_slice(&w->page), url);
	if (status >= 0)
		status = plain_text(w, &visible);
	if (status >= 0) {
		json_text(&json, "shown", slice_from_text(page->shown));
		json_key(&json, "method");
		json_object_begin(&json);
		status = report_put_method(&json, &m, visible);
		json_object_end(&json);
		buf_append_text(&w->rows, "<tr><td>");
		html_put_text(&w->rows, url);
		buf_printf(&w->rows, "<td>%llu<td>%llu\n", (unsigned long long)page->visible,
			   (unsigned long long)page->kept);
	}
	recording_free(&m.recording);
	return status;
}

static int on_document(void *arg, struct document *doc)
{
	struct overview *w = arg;
	if (!w->second) {
		/* text that only scripts or noscript hold, and that is kept, counts as visible, too */
		struct slice visible;
		int status;
		struct page *page = next_page(w, &status);
		if (!page || (status = plain_text(w, &visible)) < 0)
			return status;
		struct json_writer json = { .out = &page->data };
		put_name(&json, "url", doc->record->target_uri);
		put_name(&json, "host", url_host(doc->record->target_uri));
		put_name(&json, "type", slice_first(doc->content_type, slice_until(doc->content_type, "; \t\r\n\f")));
		put_name(&json, "charset", slice_from_text(doc->charset ? doc->charset : ""));
		page->kept = doc->text_chars;
		page->visible = utf8_count(visible);
		page->visible = page->kept > page->visible ? page->kept : page->visible;
		json_count(&json, "kept", page->kept);
		json_count(&json, "visible", page->visible);
		return buf_status(&page->data);
	}
	uint64_t number = w->number++;
	for (struct page *p = w->pages; p < w->pages + w->n; p++) {
		if (p->shown && p->number == number)
			return record_page(w, p, doc->record->target_uri);
	}
	return DANA_OK;
}

/* The second walk needs no text of the method. */
static int walk(struct overview *w, const char *file, struct error *err)
{
	const struct archive_walk all = { .method = w->second ? "plain" : w->method,
					  .models = &w->models,
					  .lines = w->lines,
					  .quiet = w->second,
					  .page = &w->page,
					  .document = on_document,
					  .arg = w };
	return archive_walk_run(&all, file, err);
}

int overview_write(struct buf *out, const char *file, const char *method, struct notices lines, struct error *err)
{
	struct overview w = { .method = method, .lines = lines };
	const struct dana_options plain = { .struct_size = sizeof(plain), .method = "plain" };
	model_reader_init(&w.models, &method, 1);
	buf_append_text(&w.rows, "<table><thead><tr><th>page<th>characters<th>of these kept</thead>\n");
	int status = dana_new(&w.plain, &plain) < 0 ? error_no_memory(err) : walk(&w, file, err);
	if (status == DANA_OK || status == DANA_EFORMAT) {
		/* choose the pages that the second walk records. No page is shown twice: of few pages each half is
		 * shown. */
		size_t visible = 0;
		if (w.n)
			qsort(w.pages, w.n, sizeof(*w.pages), by_share);
		while (visible < w.n && w.pages[visible].visible)
			visible++;
		const size_t most = visible < SHOWN_MOST ? (visible + 1) / 2 : SHOWN_MOST;
		const size_t least = visible - most < SHOWN_MOST ? visible - most : SHOWN_MOST;
		for (size_t i = 0; i < most + least; i++)
			w.pages[i < most ? i : visible - 1 - (i - most)].shown = i < most ? "most" : "least";
		w.second = true;
		const int again = walk(&w, file, err);
		if (again != DANA_OK && again != DANA_EFORMAT)
			status = again;
		else if (again != status)
			status = error_set(err, DANA_EIO, "%s: the file changed while it was being read", file);
		else {
			struct buf data = { 0 };
			struct json_writer json = { .out = &data };
			json_object_begin(&json);
			json_text(&json, "file", slice_from_text(file));
			json_text(&json, "method", slice_from_text(w.method));
			json_text(&json, "version", slice_from_text("dana " PACKAGE_VERSION));
			json_count(&json, "seen", w.seen);
			json_key(&json, "pages");
			json_array_begin(&json);
			for (size_t i = 0; i < w.n; i++) {
				json_object_begin(&json);
				buf_append(&data, w.pages[i].data.data, w.pages[i].data.len);
				json_object_end(&json);
			}
			json_array_end(&json);
			json_object_end(&json);
			buf_append_text(&w.rows, "</table>\n");
			buf_latch(out, buf_status(&data) < 0 ? DANA_ENOMEM : buf_status(&w.rows));
			const struct viewer_file page = { "explain", "What was kept of", slice_from_text(file),
							  buf_slice(&w.rows), buf_slice(&data) };
			report_put_file(out, &page);
			buf_free(&data);
		}
		if (buf_status(out) < 0)
			status = error_no_memory(err);
	}
	for (size_t i = 0; i < w.n; i++)
		buf_free(&w.pages[i].data);
	free(w.pages);
	buf_free(&w.page);
	buf_free(&w.rows);
	dana_free(w.plain);
	model_reader_free(&w.models);
	return status;
}
