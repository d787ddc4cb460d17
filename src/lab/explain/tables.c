/* SPDX-License-Identifier: MIT */
/* Rows of everything kept, and of the first DROPPED_MOST dropped items. */
#include "lab/explain/tables.h"

#include <stdio.h>

#include "base/status.h"

/* Further rows of dropped blocks are left out, so that a browser can open the report of any page. */
enum { DROPPED_MOST = 1000, START_BYTES = 160 };

/* A column of numbers has a name that begins with #. Narrow windows show a row as a list, with these names in it. */
static void open_table(struct html_out *o, const char *label, const char *const *columns, size_t n_columns)
{
	html_out_format(o, "<details class=\"table\"><summary>%s</summary><table><thead><tr>", label);
	for (size_t i = 0; i < n_columns; i++) {
		bool number = columns[i][0] == '#';
		html_out_format(o, "<th scope=\"col\"%s>%s</th>", number ? " class=\"number\"" : "",
				columns[i] + number);
	}
	html_out_raw(o, "</tr></thead><tbody>\n");
}

static void close_table(struct html_out *o, size_t left_out)
{
	html_out_raw(o, "</tbody></table>\n");
	if (left_out)
		html_out_format(o, "<p class=\"note\">%zu more rows of what was dropped are left out.</p>\n", left_out);
	html_out_raw(o, "</details>\n");
}

static void open_cell(struct html_out *o, const char *class, const char *name)
{
	html_out_format(o, "<td class=\"%s\" data-name=\"%s\">", class, name);
}

static void cell_number(struct html_out *o, const char *name, double value)
{
	open_cell(o, "number", name);
	html_out_number(o, value);
	html_out_raw(o, "</td>");
}

static void cell_kept(struct html_out *o, bool kept)
{
	open_cell(o, kept ? "yes" : "no", "decision");
	html_out_raw(o, kept ? "\xE2\x9C\x93 kept</td>" : "\xE2\x9C\x97 dropped</td>");
}

static void cell_text(struct html_out *o, const char *class, const char *name, struct slice text)
{
	open_cell(o, class, name);
	html_out_text(o, text);
	html_out_raw(o, "</td>");
}

/* Returns false for dropped rows beyond the limit. */
static bool takes_row(bool kept, size_t *dropped)
{
	return kept || (*dropped)++ < DROPPED_MOST;
}

static size_t left_out(size_t dropped)
{
	return dropped > DROPPED_MOST ? dropped - DROPPED_MOST : 0;
}

void table_of_regions(struct html_out *o, const struct recording *r, const struct method_words *words)
{
	char label[80], group[32];
	size_t dropped = 0;
	(void)snprintf(group, sizeof(group), "#%s", words->group);
	const char *columns[] = { group, "#first", "#last", "#weight", "#gap before", "decision" };
	(void)snprintf(label, sizeof(label), "Table of %s", words->regions);
	open_table(o, label, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < r->n_regions; i++) {
		const struct recorded_region *region = &r->regions[i];
		if (!takes_row(region->chosen, &dropped))
			continue;
		html_out_raw(o, "<tr>");
		cell_number(o, words->group, (double)region->chain);
		cell_number(o, "first", (double)region->first);
		cell_number(o, "last", (double)region->last);
		cell_number(o, "weight", region->weight);
		if (i && region->first > r->regions[i - 1].last)
			cell_number(o, "gap before", (double)(region->first - r->regions[i - 1].last));
		else
			html_out_raw(o, "<td></td>");
		cell_kept(o, region->chosen);
		html_out_raw(o, "</tr>\n");
	}
	close_table(o, left_out(dropped));
}

/* Writes the first words, cut between characters. */
static void cell_start(struct html_out *o, struct slice text)
{
	size_t len = text.len;
	if (len > START_BYTES) {
		len = START_BYTES;
		while (len && (text.data[len] & 0xC0) == 0x80)
			len--;
	}
	html_out_raw(o, "<td class=\"start\" data-name=\"text\" dir=\"auto\">");
	html_out_text(o, slice_first(text, len));
	html_out_raw(o, len < text.len ? "\xE2\x80\xA6</td>" : "</td>");
}

static void cell_segments(struct html_out *o, const struct decision *k, const char *name)
{
	open_cell(o, "number", name);
	if (k->has_segments)
		html_out_format(o, "%llu\xE2\x80\x93%llu", (unsigned long long)k->first, (unsigned long long)k->last);
	html_out_raw(o, "</td>");
}

/* Columns that would be empty are left out. */
struct columns {
	bool segments, scores, numbers;
};

static struct columns columns_of(const struct decisions *d)
{
	struct columns c = { false, false, false };
	for (size_t i = 0; i < d->len; i++) {
		c.segments = c.segments || d->list[i].has_segments;
		c.scores = c.scores || d->list[i].has_score;
		c.numbers = c.numbers || d->list[i].numbers_to > d->list[i].numbers_from;
	}
	return c;
}

static void open_decisions(struct html_out *o, const struct columns *c, const struct method_words *words)
{
	char segments[32];
	const char *columns[7];
	size_t n = 0;
	(void)snprintf(segments, sizeof(segments), "#%s", words->segments);
	columns[n++] = "#block";
	if (c->segments)
		columns[n++] = segments;
	columns[n++] = "decision";
	if (c->scores)
		columns[n++] = "#score";
	columns[n++] = "reason";
	if (c->numbers)
		columns[n++] = "numbers";
	columns[n++] = "text";
	open_table(o, "Table of decisions", columns, n);
}

static void write_row(struct html_out *o, const struct decisions *d, size_t i, const struct columns *c,
		      const struct method_words *words, unsigned id)
{
	const struct decision *k = &d->list[i];
	html_out_raw(o, "<tr><td class=\"number\" data-name=\"block\">");
	if (decision_is_shown(k))
		html_out_format(o, "<a href=\"#m%ub%zu\">%zu</a></td>", id, i + 1, i + 1);
	else
		html_out_format(o, "%zu</td>", i + 1);
	if (c->segments)
		cell_segments(o, k, words->segments);
	cell_kept(o, k->kept);
	if (c->scores && k->has_score)
		cell_number(o, "score", k->score);
	else if (c->scores)
		html_out_raw(o, "<td></td>");
	cell_text(o, "reason", "reason", slice_from_text(k->reason ? k->reason : ""));
	if (c->numbers)
		cell_text(o, "numbers", "numbers", decision_numbers(d, k));
	cell_start(o, decision_text(d, k));
	html_out_raw(o, "</tr>\n");
}

void table_of_decisions(struct html_out *o, const struct decisions *d, const struct method_words *words, unsigned id)
{
	const struct columns c = columns_of(d);
	size_t dropped = 0;
	open_decisions(o, &c, words);
	for (size_t i = 0; i < d->len; i++) {
		if (takes_row(d->list[i].kept, &dropped))
			write_row(o, d, i, &c, words, id);
	}
	close_table(o, left_out(dropped));
}
