/* SPDX-License-Identifier: MIT */
/*
 * If there are more than OVERVIEW_PAGES pages, a sample is kept in which all pages are equally likely (reservoir
 * sampling): the n-th page replaces a random one with the probability OVERVIEW_PAGES/n. The random numbers have a fixed
 * start, so that the same archive always gives the same sample.
 *
 * Groups (hosts, types) are made by sorting the pages, so that the pages of a group are adjacent.
 */
#include "lab/explain/overview.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/grow.h"
#include "base/status.h"
#include "base/url_parts.h"
#include "lab/explain/frame.h"

enum { GROUPS_MOST = 50 }; /* rows of a table of groups */

/* A linear congruential generator (Knuth's MMIX): its upper bits. */
static uint64_t next_random(struct overview *o)
{
	o->random = o->random * 6364136223846793005U + 1442695040888963407U;
	return o->random >> 16;
}

struct overview_page *overview_next(struct overview *o, int *status)
{
	uint64_t number = o->seen++, at = number;
	*status = DANA_OK;
	if (number < OVERVIEW_PAGES) {
		const struct grow_array pages = GROW_ARRAY(o->pages);
		*status = grow_arrays(&pages, 1, o->n + 1, &o->cap);
		if (*status < 0)
			return NULL;
		o->n++;
	} else {
		at = next_random(o) % o->seen;
		if (at >= OVERVIEW_PAGES)
			return NULL;
	}
	o->pages[at] = (struct overview_page){ .number = number };
	return &o->pages[at];
}

/* Copies with a final NUL; text that does not fit is cut between UTF-8 characters. */
static void put(char *to, size_t size, struct slice from)
{
	size_t len = from.len < size ? from.len : size - 1;
	while (len < from.len && len && (from.data[len] & 0xC0) == 0x80)
		len--;
	if (len)
		memcpy(to, from.data, len);
	to[len] = '\0';
}

static struct slice type_of(struct slice content_type)
{
	size_t end = 0;
	while (end < content_type.len && content_type.data[end] != ';' && !ascii_is_space(content_type.data[end]))
		end++;
	return slice_first(content_type, end);
}

void overview_name(struct overview_page *page, struct slice url, struct slice content_type, const char *charset)
{
	put(page->url, sizeof(page->url), url);
	put(page->host, sizeof(page->host), url_host(url));
	put(page->type, sizeof(page->type), type_of(content_type));
	put(page->charset, sizeof(page->charset), slice_from_text(charset ? charset : ""));
}

/* Largest share first. kept/visible of both is compared without division: a/b > c/d is a*d > c*b. */
static int by_share(const void *a, const void *b)
{
	const struct overview_page *x = a, *y = b;
	uint64_t left = x->kept * y->visible, right = y->kept * x->visible;
	if (left != right)
		return left > right ? -1 : 1;
	if (x->visible != y->visible)
		return x->visible > y->visible ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

static int by_host(const void *a, const void *b)
{
	return strcmp(((const struct overview_page *)a)->host, ((const struct overview_page *)b)->host);
}

static int by_type(const void *a, const void *b)
{
	const struct overview_page *x = a, *y = b;
	int type = strcmp(x->type, y->type);
	return type ? type : strcmp(x->charset, y->charset);
}

/* Pages without visible text have no share, and come after the others. */
static int visible_first(const void *a, const void *b)
{
	const struct overview_page *x = a, *y = b;
	if ((x->visible == 0) != (y->visible == 0))
		return x->visible ? -1 : 1;
	return by_share(a, b);
}

/* No page is in both lists: if there are few pages, each list gets half. */
size_t overview_choose(struct overview *o, struct overview_strip *strips)
{
	size_t visible = 0, n = 0;
	if (o->n)
		qsort(o->pages, o->n, sizeof(*o->pages), visible_first);
	while (visible < o->n && o->pages[visible].visible)
		visible++;

	size_t most = visible < OVERVIEW_SHOWN ? (visible + 1) / 2 : OVERVIEW_SHOWN;
	size_t least = visible - most < OVERVIEW_SHOWN ? visible - most : OVERVIEW_SHOWN;
	for (size_t i = 0; i < most; i++)
		strips[n++] = (struct overview_strip){ .page = &o->pages[i], .most = true };
	for (size_t i = 0; i < least; i++)
		strips[n++] = (struct overview_strip){ .page = &o->pages[visible - 1 - i] };
	return n;
}

/* Pages of one host, or of one type and charset. */
struct group {
	const struct overview_page *first;
	uint64_t pages, visible, kept;
};

static int by_pages(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	if (x->pages != y->pages)
		return x->pages > y->pages ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static size_t make_groups(const struct overview_page *pages, size_t n, struct group *groups,
			  int (*compare)(const void *, const void *))
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || compare(&pages[i - 1], &pages[i]) != 0)
			groups[count++] = (struct group){ .first = &pages[i] };
		groups[count - 1].pages++;
		groups[count - 1].visible += pages[i].visible;
		groups[count - 1].kept += pages[i].kept;
	}
	if (count)
		qsort(groups, count, sizeof(*groups), by_pages);
	return count;
}

static void cell_text(struct html_out *o, const char *name, const char *text)
{
	html_out_format(o, "<td data-name=\"%s\"><bdi>", name);
	html_out_text(o, slice_from_text(*text ? text : "unknown"));
	html_out_raw(o, "</bdi></td>");
}

static void cell_number(struct html_out *o, const char *name, double number)
{
	html_out_format(o, "<td class=\"number\" data-name=\"%s\">", name);
	html_out_number(o, number);
	html_out_raw(o, "</td>");
}

static void cell_share(struct html_out *o, uint64_t kept, uint64_t visible)
{
	double percent = frame_percent(kept, visible);
	html_out_format(o, "<td class=\"number\" data-name=\"kept\">%.1f&#160;%%", percent);
	html_out_format(o, "<span class=\"share\"><span style=\"width:%.1f%%\"></span></span></td>",
			percent > 100 ? 100 : percent);
}

/* Sorts a copy: the strips point into o->pages. */
static void write_groups(struct html_out *out, struct overview *o, const char *title, bool hosts)
{
	int (*compare)(const void *, const void *) = hosts ? by_host : by_type;
	struct overview_page *pages = malloc((o->n + 1) * sizeof(*pages));
	struct group *groups = calloc(o->n + 1, sizeof(*groups));
	if (!pages || !groups) {
		free(pages);
		free(groups);
		html_out_fail(out);
		return;
	}
	if (o->n) {
		memcpy(pages, o->pages, o->n * sizeof(*pages));
		qsort(pages, o->n, sizeof(*pages), compare);
	}

	size_t n = make_groups(pages, o->n, groups, compare);
	html_out_format(out, "<h2>%s</h2>\n<table><thead><tr><th scope=\"col\">%s</th>", title,
			hosts ? "host" : "type");
	html_out_raw(out, hosts ? "" : "<th scope=\"col\">charset</th>");
	html_out_raw(out,
		     "<th scope=\"col\" class=\"number\">pages</th><th scope=\"col\" class=\"number\">characters</th>"
		     "<th scope=\"col\" class=\"number\">kept</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < n && i < GROUPS_MOST; i++) {
		html_out_raw(out, "<tr>");
		cell_text(out, hosts ? "host" : "type", hosts ? groups[i].first->host : groups[i].first->type);
		if (!hosts)
			cell_text(out, "charset", groups[i].first->charset);
		cell_number(out, "pages", (double)groups[i].pages);
		cell_number(out, "characters", (double)groups[i].visible);
		cell_share(out, groups[i].kept, groups[i].visible);
		html_out_raw(out, "</tr>\n");
	}
	html_out_raw(out, "</tbody></table>\n");
	if (n > GROUPS_MOST)
		html_out_format(out, "<p class=\"note\">%zu more with fewer pages are not shown.</p>\n",
				n - GROUPS_MOST);
	free(pages);
	free(groups);
}

static void write_pages(struct html_out *out, const char *title, bool most, const struct overview_strip *strips,
			size_t n)
{
	html_out_format(out, "<h2>%s</h2>\n<table><thead><tr><th scope=\"col\">page</th>", title);
	html_out_raw(out,
		     "<th scope=\"col\" class=\"number\">characters</th><th scope=\"col\" class=\"number\">kept</th>"
		     "</tr></thead><tbody>\n");
	for (size_t i = 0; i < n; i++) {
		if (strips[i].most != most)
			continue;
		html_out_format(out, "<tr><td data-name=\"page\"><a id=\"row%zu\" href=\"#page%zu\">", i + 1, i + 1);
		html_out_text(out, slice_from_text(*strips[i].page->url ? strips[i].page->url : "unknown"));
		html_out_raw(out, "</a></td>");
		cell_number(out, "characters", (double)strips[i].page->visible);
		cell_share(out, strips[i].page->kept, strips[i].page->visible);
		html_out_raw(out, "</tr>\n");
	}
	html_out_raw(out, "</tbody></table>\n");
}

static void write_strips(struct html_out *out, const struct overview_strip *strips, size_t n)
{
	html_out_raw(out, "<h2>How these pages were decided</h2>\n");
	for (size_t i = 0; i < n; i++) {
		const struct overview_strip *s = &strips[i];
		html_out_format(out, "<section id=\"page%zu\"><h3><a href=\"#row%zu\">", i + 1, i + 1);
		html_out_text(out, slice_from_text(*s->page->url ? s->page->url : "unknown"));
		html_out_format(out, "</a>: %.1f %% kept</h3>\n", frame_percent(s->page->kept, s->page->visible));
		buf_append(&out->buf, s->picture.buf.data, s->picture.buf.len);
		html_out_raw(out, "</section>\n");
	}
}

static void write_facts(struct html_out *out, const struct overview *o, const char *method)
{
	uint64_t visible = 0, kept = 0;
	for (size_t i = 0; i < o->n; i++) {
		visible += o->pages[i].visible;
		kept += o->pages[i].kept;
	}
	facts_open(out);
	fact_text(out, "method", method);
	fact_number(out, "pages", (double)o->seen);
	if (o->seen > o->n)
		fact_number(out, "of these in the sample", (double)o->n);
	fact_number(out, "characters of visible text", (double)visible);
	fact_number(out, "percent of these kept", frame_percent(kept, visible));
	facts_close(out);
}

int overview_write(struct html_out *out, struct overview *o, const char *file, const char *method,
		   const struct overview_strip *strips, size_t n)
{
	frame_open(out, "What was kept of the pages of", slice_from_text(file));
	html_out_raw(out, "<div class=\"method\">\n");
	write_facts(out, o, method);
	write_groups(out, o, "By host", true);
	write_groups(out, o, "By type and charset", false);
	write_pages(out, "Pages with most kept", true, strips, n);
	write_pages(out, "Pages with least kept", false, strips, n);
	write_strips(out, strips, n);
	html_out_raw(out, "</div>\n");
	frame_close(out);
	return html_out_status(out);
}

void overview_free(struct overview *o)
{
	free(o->pages);
	*o = (struct overview){ 0 };
}
