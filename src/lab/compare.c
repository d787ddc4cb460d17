/* SPDX-License-Identifier: MIT */
/*
 * Each page of the sample is read by two single pages (archive/single_page.h), one for each setting, and their texts
 * are compared line by line: a word counts as common where a longest common subsequence of both texts has it.
 *
 * Of the pages so far those with the smallest hashes are kept, as many as the sample has. So a page is only read where
 * it may be in the sample: of a million pages and a sample of a thousand, about eight thousand are.
 */
#include "config.h"

#include "lab/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "archive/limits.h"
#include "archive/single_page.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/html.h"
#include "base/json.h"
#include "base/utf8.h"
#include "lab/archive_walk.h"
#include "lab/gold.h"
#include "lab/measure.h"
#include "lab/report.h"
#include "run/methods.h"
#include "run/pages.h"

enum { ROWS_MOST = 300, LINE_MOST = 600, SHOWN_MOST = 400, LARGEST = 10 };

struct compared_page {
	uint64_t hash;
	struct buf place, url;
	const char *kind; /* NULL: not known */
	uint64_t words[2], only[2];
	bool has_reference;
	double f1[2];
	struct buf rows; /* the lines that differ, and those around them: items of an array */
};

/* What reads pages, besides the result. */
struct comparer {
	struct comparison *c;
	struct plugins *plugins[2];
	struct model_reader models[2];
	struct single_page *page[2];
	size_t last; /* of the sample: the page with the largest hash */
	struct buf utf8;
	struct error err; /* why the walk over an archive ended */
	size_t input;     /* that is read, from 1 on */
	time_t told;      /* when progress was told last */
};

static uint64_t differing(const struct compared_page *p)
{
	return p->only[0] + p->only[1];
}

/* ---- a page ---- */

static bool line_differs(const struct compared_part *line)
{
	return line->common < line->tokens;
}

/* Appends [side (0: both, 1, 2), text]; a text that is too long is cut. */
static void put_row(struct json_writer *w, int side, struct slice text)
{
	json_array_begin(w);
	buf_printf(w->out, "%d", side);
	w->comma = true;
	const struct slice cut = slice_first(text, LINE_MOST);
	json_element(w, cut.len < text.len ? slice_first(cut, utf8_without_cut(cut)) : text);
	json_array_end(w);
}

/* Appends [3, how many lines are left out]. */
static void put_skipped(struct json_writer *w, size_t lines)
{
	json_array_begin(w);
	buf_printf(w->out, "3,%zu", lines);
	json_array_end(w);
}

/* The lines of both texts in one order, and which of them are shown. */
struct merged_line {
	int side; /* 0: both have it */
	const struct compared_part *part;
};

/* Appends the lines of the first text up to line `to`. */
static size_t merge_first(struct merged_line *all, size_t n, const struct compared_part *a, size_t *from, size_t to)
{
	for (; *from < to; ++*from)
		all[n++] = (struct merged_line){ line_differs(&a[*from]) ? 1 : 0, &a[*from] };
	return n;
}

/* Appends the lines that differ, with a line before and after, and [3, how many lines] for those left out. */
static int put_rows(struct buf *out, const struct compared_part *a, size_t n_a, const struct compared_part *b,
		    size_t n_b)
{
	struct json_writer w = { .out = out };
	struct merged_line *all = calloc(n_a + n_b + 1, sizeof(*all));
	size_t n = 0, from = 0, skipped = 0, rows = 0;
	if (!all)
		return DANA_ENOMEM;
	for (size_t i = 0; i < n_b; i++) {
		if (b[i].other != PART_NONE) /* with the line itself, as the first text has it */
			n = merge_first(all, n, a, &from, b[i].other + 1);
		if (line_differs(&b[i]))
			all[n++] = (struct merged_line){ 2, &b[i] };
	}
	n = merge_first(all, n, a, &from, n_a);
	for (size_t i = 0; i < n; i++) {
		const bool near = all[i].side || (i && all[i - 1].side) || (i + 1 < n && all[i + 1].side);
		if (!near || rows == ROWS_MOST) {
			skipped++;
			continue;
		}
		if (skipped)
			put_skipped(&w, skipped);
		skipped = 0;
		put_row(&w, all[i].side, all[i].part->text);
		rows++;
	}
	if (skipped)
		put_skipped(&w, skipped);
	free(all);
	return buf_status(out);
}

/* Counts the words of both texts. */
static int compare_texts(const struct compare_config *config, const struct slice text[2], struct compared_page *p)
{
	struct compared_part *lines[2] = { NULL, NULL };
	size_t n[2] = { 0, 0 };
	int status = DANA_OK;
	for (int i = 0; i < 2; i++) {
		lines[i] = parts_of_lines(text[i], &n[i]);
		status = lines[i] ? status : DANA_ENOMEM;
	}
	if (status == DANA_OK)
		status = parts_compare(lines[0], n[0], lines[1], n[1]);
	for (int i = 0; i < 2 && status == DANA_OK; i++) {
		for (size_t k = 0; k < n[i]; k++) {
			p->words[i] += lines[i][k].tokens;
			p->only[i] += lines[i][k].tokens - lines[i][k].common;
		}
	}
	if (status == DANA_OK && config->details && differing(p))
		status = put_rows(&p->rows, lines[0], n[0], lines[1], n[1]);
	free(lines[0]);
	free(lines[1]);
	return status;
}

/* Scores both texts against the main text of the page. */
static int score_texts(const struct slice text[2], struct slice reference, struct compared_page *p)
{
	struct token_table *table = token_table_new();
	struct tokens wanted = { 0 }, tokens[2] = { { 0 }, { 0 } };
	int status = table ? tokens_append(&wanted, table, reference) : DANA_ENOMEM;
	for (int i = 0; i < 2 && status == DANA_OK; i++)
		status = tokens_append(&tokens[i], table, text[i]);
	for (int i = 0; i < 2 && status == DANA_OK; i++) {
		size_t common = 0;
		status = lcs_length(&tokens[i], &wanted, token_table_count(table), &common);
		p->f1[i] = score_of((double)common, (double)tokens[i].len, (double)wanted.len).f1;
		tokens_free(&tokens[i]);
	}
	p->has_reference = status == DANA_OK;
	tokens_free(&tokens[0]);
	tokens_free(&tokens[1]);
	tokens_free(&wanted);
	token_table_free(table);
	return status;
}

/* Reads a page, which is UTF-8, by both settings. `reference`: data are NULL without a reference. */
static int read_page(struct comparer *x, struct compared_page *p, struct slice html, struct slice reference)
{
	const struct single_page_source source = { .url = buf_slice(&p->url), .charset = slice_from_text("utf-8") };
	struct slice text[2] = { { NULL, 0 }, { NULL, 0 } };
	int status = DANA_OK;
	for (int i = 0; i < 2 && status == DANA_OK; i++) {
		struct document doc = { 0 };
		struct error why = { 0 };
		const int read = single_page_read(x->page[i], &source, html, &doc, &why);
		if (read == DANA_OK) {
			text[i] = doc.text;
			p->kind = p->kind ? p->kind : doc.page_kind;
		} else if (read == DANA_ECONFIG) {
			status = model_reader_refused(&x->models[i], &x->err);
		} else if (read < 0 && read != DANA_EFORMAT && read != DANA_ELIMIT) {
			x->err = why;
			status = single_page_fault(read, &x->err);
		} /* else a plugin drops it, or it is too costly: there is no text */
	}
	if (status == DANA_OK)
		status = compare_texts(&x->c->config, text, p);
	if (status == DANA_OK && reference.data)
		status = score_texts(text, reference, p);
	return status;
}

/* ---- the sample ---- */

/* The hash of FNV with its bits mixed (the end of MurmurHash3), as the order of its values must look random. */
static uint64_t hash_of(struct slice name)
{
	uint64_t h = hash_fnv64(name);
	h = (h ^ h >> 33) * 0xFF51AFD7ED558CCDU;
	h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53U;
	return h ^ h >> 33;
}

static void page_free(struct compared_page *p)
{
	buf_free(&p->place);
	buf_free(&p->url);
	buf_free(&p->rows);
}

/* Returns whether a page of this hash would be in the sample of the pages so far. */
static bool is_sampled(const struct comparer *x, uint64_t hash)
{
	const struct comparison *c = x->c;
	return c->n_pages < c->config.sample || hash < c->pages[x->last].hash;
}

/* Puts a page into the sample, in place of the one with the largest hash where that is full. */
static void keep_page(struct comparer *x, const struct compared_page *p)
{
	struct comparison *c = x->c;
	const size_t at = c->n_pages < c->config.sample ? c->n_pages++ : x->last;
	page_free(&c->pages[at]);
	c->pages[at] = *p;
	x->last = 0;
	for (size_t i = 1; i < c->n_pages; i++)
		x->last = c->pages[i].hash > c->pages[x->last].hash ? i : x->last;
}

/* Counts a page, and tells from time to time how far the inputs are read. */
static void note_page(struct comparer *x)
{
	struct comparison *c = x->c;
	struct timespec now = { 0 };
	char text[120];
	c->seen++;
	if (!c->config.progress.line || clock_gettime(CLOCK_MONOTONIC, &now) < 0 || now.tv_sec == x->told)
		return;
	x->told = now.tv_sec;
	(void)snprintf(text, sizeof(text), "input %zu of %zu, %llu pages", x->input, c->config.n_inputs,
		       (unsigned long long)c->seen);
	c->config.progress.line(c->config.progress.arg, text);
}

/* ---- archives ---- */

static int on_document(void *arg, struct document *doc)
{
	struct comparer *x = arg;
	const struct slice url = doc->record->target_uri;
	struct compared_page p = { .hash = hash_of(url) };
	note_page(x);
	if (!is_sampled(x, p.hash))
		return DANA_OK;
	buf_printf(&p.place, "%s@%llu", doc->file, (unsigned long long)doc->record->offset);
	buf_append(&p.url, url.data, url.len);
	int status = buf_status(&p.place) < 0 ? DANA_ENOMEM : buf_status(&p.url);
	if (status == DANA_OK)
		status = read_page(x, &p, buf_slice(&x->utf8), slice_of(NULL, 0));
	if (status == DANA_OK)
		keep_page(x, &p);
	else
		page_free(&p);
	return status;
}

static int walk_archive(struct comparer *x, const char *file, struct error *err)
{
	const struct archive_walk walk = { .method = "plain",
					   .lines = x->c->config.lines,
					   .page = &x->utf8,
					   .document = on_document,
					   .arg = x };
	const int status = archive_walk_run(&walk, file, err);
	if (x->err.status < 0)
		*err = x->err;
	return x->err.status < 0 ? (int)err->status : status;
}

/* ---- files ---- */

/* Reads the text beside a page: PAGE.txt for PAGE.html. A page without one has none. */
static int read_reference(const char *path, char **text, size_t *len)
{
	const char *dot = strrchr(path, '.');
	struct buf name = { 0 };
	buf_append(&name, path, dot && !strchr(dot, '/') ? (size_t)(dot - path) : strlen(path));
	buf_append_text(&name, ".txt");
	int status = buf_append_byte(&name, 0);
	if (status == DANA_OK && whole_file_read(NULL, (const char *)name.data, text, len) == DANA_ENOMEM)
		status = DANA_ENOMEM;
	buf_free(&name);
	return status;
}

static int read_file(struct comparer *x, const char *path, struct error *err)
{
	const struct compare_config *config = &x->c->config;
	const struct limits limits = LIMITS_DEFAULT;
	struct compared_page p = { .hash = hash_of(slice_from_text(path)) };
	struct page_decoder decoder;
	char *reference = NULL;
	size_t len = 0;
	note_page(x);
	if (!is_sampled(x, p.hash))
		return DANA_OK;
	int status = page_decoder_init(&decoder) < 0 ? error_no_memory(err) : DANA_OK;
	if (status == DANA_OK)
		status = page_decoder_read(&decoder, path, limits.body,
					   slice_from_text(config->charset ? config->charset : ""), err);
	if (status == DANA_OK && config->references && read_reference(path, &reference, &len) < 0)
		status = error_no_memory(err);
	if (status == DANA_OK) {
		buf_append_text(&p.place, path);
		if (config->url)
			buf_append_text(&p.url, config->url);
		else if (decoder.url.len) /* of the record */
			buf_append_text(&p.url, (const char *)decoder.url.data);
		status = buf_status(&p.place) < 0 ? DANA_ENOMEM : buf_status(&p.url);
		if (status == DANA_OK)
			status = read_page(x, &p, buf_slice(&decoder.page), slice_of(reference, len));
		if (x->err.status < 0)
			*err = x->err;
		else if (status < 0)
			status = error_no_memory(err);
	}
	if (status == DANA_OK)
		keep_page(x, &p);
	else
		page_free(&p);
	free(reference);
	page_decoder_free(&decoder);
	return status;
}

/*
 * Whether an input is a page: FILE@OFFSET, or HTML by its name or first bytes. One that cannot be read is left to what
 * reads archives.
 */
static bool is_page(const char *path)
{
	uint8_t first[PAGE_FIRST_BYTES];
	struct buf archive = { 0 };
	uint64_t offset;
	const bool archived = page_decoder_place(path, &archive, &offset);
	buf_free(&archive);
	if (archived || extract_input_named_as_page(path))
		return true;
	FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
	const size_t len = file ? fread(first, 1, sizeof(first), file) : 0;
	if (file)
		(void)fclose(file);
	return len && page_begins(slice_of(first, len));
}

/* ---- all ---- */

static int by_difference(const void *a, const void *b)
{
	const struct compared_page *x = a, *y = b;
	const uint64_t left = differing(x), right = differing(y);
	return left != right ? (left > right ? -1 : 1) : (x->hash > y->hash) - (x->hash < y->hash);
}

static int by_pages(const void *a, const void *b)
{
	const struct compare_sums *x = a, *y = b;
	return x->pages != y->pages ? (x->pages > y->pages ? -1 : 1) : strcmp(x->kind, y->kind);
}

static void add_page(struct compare_sums *s, const struct compared_page *p)
{
	s->pages++;
	s->differ += differing(p) > 0;
	s->references += p->has_reference;
	for (int i = 0; i < 2; i++) {
		s->words[i] += p->words[i];
		s->only[i] += p->only[i];
		s->empty[i] += p->words[i] == 0 && p->words[1 - i] > 0;
		s->f1[i] += p->f1[i];
		s->nearer[i] += p->has_reference && p->f1[i] > p->f1[1 - i];
	}
}

static void sum_up(struct comparison *c)
{
	c->all.kind = "all";
	for (const struct compared_page *p = c->pages; p < c->pages + c->n_pages; p++) {
		const char *kind = p->kind ? p->kind : "unknown";
		size_t k = 0;
		while (k < c->n_kinds && strcmp(c->kinds[k].kind, kind) != 0)
			k++;
		if (k == c->n_kinds && k < COMPARE_KINDS)
			c->kinds[c->n_kinds++].kind = kind;
		add_page(&c->all, p);
		if (k < COMPARE_KINDS)
			add_page(&c->kinds[k], p);
	}
	if (c->n_pages)
		qsort(c->pages, c->n_pages, sizeof(*c->pages), by_difference);
	if (c->n_kinds)
		qsort(c->kinds, c->n_kinds, sizeof(*c->kinds), by_pages);
}

static int open_side(struct comparer *x, int i, struct error *err)
{
	const struct compare_side *side = &x->c->config.side[i];
	const struct limits limits = LIMITS_DEFAULT;
	const struct plugins_config plugins = { .rows = side->plugins,
						.folder = DANA_PLUGIN_FOLDER,
						.max_html = limits.body,
						.line = x->c->config.notices.line,
						.arg = x->c->config.notices.arg };
	x->plugins[i] = plugins_new_of_pages(&plugins, false, err);
	if (err->status < 0)
		return (int)err->status;
	const struct single_page_config page = { .method = side->method,
						 .read_file = model_reader_read,
						 .read_arg = &x->models[i],
						 .texts = side->texts,
						 .plugins = x->plugins[i] };
	const int status = single_page_new(&x->page[i], &page, err);
	if (status == DANA_ECONFIG)
		return model_reader_refused(&x->models[i], err);
	return status < 0 ? single_page_fault(status, err) : DANA_OK;
}

int compare_run(struct comparison *c, const struct compare_config *config, struct error *err)
{
	struct comparer x = { .c = c };
	int status = DANA_OK, worst = DANA_OK;
	c->config = *config;
	c->pages = calloc(config->sample, sizeof(*c->pages));
	if (!c->pages)
		status = error_no_memory(err);
	for (int i = 0; i < 2; i++)
		model_reader_init(&x.models[i], &c->config.side[i].method, 1);
	for (int i = 0; i < 2 && status == DANA_OK; i++)
		status = open_side(&x, i, err);
	for (size_t i = 0; i < config->n_inputs && status == DANA_OK; i++) {
		const char *path = config->inputs[i];
		x.input = i + 1;
		const bool page = is_page(path);
		status = page ? read_file(&x, path, err) : walk_archive(&x, path, err);
		if (status == DANA_EIO || status == DANA_EFORMAT) {
			if (err->text[0])
				config->notices.line(config->notices.arg, err->text);
			worst = page || status == DANA_EIO ? DANA_EIO : worst == DANA_OK ? status : worst;
			*err = (struct error){ 0 };
			status = DANA_OK;
		}
	}
	for (int i = 0; i < 2; i++) {
		single_page_free(x.page[i]);
		plugins_free(x.plugins[i]);
		model_reader_free(&x.models[i]);
	}
	buf_free(&x.utf8);
	sum_up(c);
	return status < 0 ? status : worst;
}

void compare_free(struct comparison *c)
{
	for (size_t i = 0; i < c->n_pages; i++)
		page_free(&c->pages[i]);
	free(c->pages);
}

/* ---- what is written ---- */

/* Percent, in whole tenths, rounded down as in the page: 100.0 is all. */
static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)(1000 * part / whole) / 10 : 0;
}

static double mean(double sum, uint64_t n)
{
	return n ? sum / (double)n : 0;
}

static void table_row(const struct comparison *c, const struct compare_sums *s, struct buf *out)
{
	buf_printf(out, "%-14s  %7llu  %7llu  %5.1f %%  %9llu  %9llu  %9llu  %9llu", s->kind,
		   (unsigned long long)s->pages, (unsigned long long)s->differ, share(s->differ, s->pages),
		   (unsigned long long)s->words[0], (unsigned long long)s->words[1], (unsigned long long)s->only[0],
		   (unsigned long long)s->only[1]);
	if (c->all.references)
		buf_printf(out, "  %6.4f  %6.4f", mean(s->f1[0], s->references), mean(s->f1[1], s->references));
	buf_append_byte(out, '\n');
}

int compare_table(const struct comparison *c, struct buf *out)
{
	const struct compare_sums *all = &c->all;
	for (int i = 0; i < 2; i++)
		buf_printf(out, "%c: %s\n", "AB"[i], c -> config.side[i].shown);
	buf_printf(out, "%llu of %llu pages; the texts of %llu differ (%.1f %%)\n\n", (unsigned long long)all->pages,
		   (unsigned long long)c->seen, (unsigned long long)all->differ, share(all->differ, all->pages));
	buf_printf(out, "%-14s  %7s  %7s  %7s  %9s  %9s  %9s  %9s", "kind of page", "pages", "differ", "", "words A",
		   "words B", "only A", "only B");
	buf_append_text(out, all->references ? "    F1 A    F1 B\n" : "\n");
	for (size_t i = 0; i < c->n_kinds; i++)
		table_row(c, &c->kinds[i], out);
	if (c->n_kinds != 1)
		table_row(c, all, out);
	for (int i = 0; i < 2; i++) {
		if (all->empty[i])
			buf_printf(out, "\n%c has no text of %llu pages of which %c has one.", "AB"[i],
				   (unsigned long long)all -> empty[i], "BA"[i]);
	}
	if (all->references)
		buf_printf(
			out,
			"\nOf %llu pages with a reference A is nearer to it on %llu, B on %llu, and neither on %llu.",
			(unsigned long long)all->references, (unsigned long long)all->nearer[0],
			(unsigned long long)all->nearer[1],
			(unsigned long long)(all->references - all->nearer[0] - all->nearer[1]));
	buf_append_text(out, all->empty[0] || all->empty[1] || all->references ? "\n" : "");
	if (all->differ)
		buf_append_text(out, "\nlargest differences, in words\n   only A     only B  page\n");
	for (size_t i = 0; i < c->n_pages && i < LARGEST && differing(&c->pages[i]); i++) {
		const struct compared_page *p = &c->pages[i];
		char place[400], url[400];
		buf_printf(out, "%9llu  %9llu  %s%s%s\n", (unsigned long long)p->only[0],
			   (unsigned long long)p->only[1], printable(buf_slice(&p->place), place, sizeof(place)),
			   p->url.len ? "  " : "", printable(buf_slice(&p->url), url, sizeof(url)));
	}
	return buf_status(out);
}

static void tsv_row(const struct compare_sums *s, struct buf *out)
{
	buf_printf(out, "%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%.6f\t%.6f\n", s->kind,
		   (unsigned long long)s->pages, (unsigned long long)s->differ, (unsigned long long)s->words[0],
		   (unsigned long long)s->words[1], (unsigned long long)s->only[0], (unsigned long long)s->only[1],
		   (unsigned long long)s->empty[0], (unsigned long long)s->empty[1], (unsigned long long)s->references,
		   mean(s->f1[0], s->references), mean(s->f1[1], s->references));
}

int compare_tsv(const struct comparison *c, struct buf *out)
{
	buf_append_text(out,
			"kind\tpages\tdiffer\twords_a\twords_b\tonly_a\tonly_b\tempty_a\tempty_b\treferences\tf1_a\t"
			"f1_b\n");
	tsv_row(&c->all, out);
	for (size_t i = 0; i < c->n_kinds; i++)
		tsv_row(&c->kinds[i], out);
	return buf_status(out);
}

static void json_sums(const struct compare_sums *s, struct json_writer *w)
{
	json_object_begin(w);
	json_text(w, "kind", slice_from_text(s->kind));
	json_count(w, "pages", s->pages);
	json_count(w, "differ", s->differ);
	json_count(w, "words_a", s->words[0]);
	json_count(w, "words_b", s->words[1]);
	json_count(w, "only_a", s->only[0]);
	json_count(w, "only_b", s->only[1]);
	json_count(w, "empty_a", s->empty[0]);
	json_count(w, "empty_b", s->empty[1]);
	json_count(w, "references", s->references);
	if (s->references) {
		json_decimal(w, "f1_a", mean(s->f1[0], s->references), 6);
		json_decimal(w, "f1_b", mean(s->f1[1], s->references), 6);
		json_count(w, "nearer_a", s->nearer[0]);
		json_count(w, "nearer_b", s->nearer[1]);
	}
	json_object_end(w);
}

static void json_page(const struct compared_page *p, bool rows, struct json_writer *w)
{
	json_object_begin(w);
	json_text(w, "page", buf_slice(&p->place));
	json_text_or_null(w, "url", buf_slice(&p->url));
	json_text(w, "kind", slice_from_text(p->kind ? p->kind : "unknown"));
	json_count(w, "words_a", p->words[0]);
	json_count(w, "words_b", p->words[1]);
	json_count(w, "only_a", p->only[0]);
	json_count(w, "only_b", p->only[1]);
	if (p->has_reference) {
		json_decimal(w, "f1_a", p->f1[0], 6);
		json_decimal(w, "f1_b", p->f1[1], 6);
	}
	if (rows) {
		json_key(w, "rows");
		json_array_begin(w);
		buf_append(w->out, p->rows.data, p->rows.len);
		json_array_end(w);
	}
	json_object_end(w);
}

/* Appends the object; with `rows` also the lines of the pages that differ, as many as a browser can show. */
static int put_json(const struct comparison *c, bool rows, struct buf *out)
{
	struct json_writer w = { .out = out };
	json_object_begin(&w);
	json_text(&w, "a", slice_from_text(c->config.side[0].shown));
	json_text(&w, "b", slice_from_text(c->config.side[1].shown));
	json_text(&w, "version", slice_from_text("dana " PACKAGE_VERSION));
	json_count(&w, "seen", c->seen);
	json_key(&w, "all");
	json_sums(&c->all, &w);
	json_key(&w, "kinds");
	json_array_begin(&w);
	for (size_t i = 0; i < c->n_kinds; i++)
		json_sums(&c->kinds[i], &w);
	json_array_end(&w);
	json_key(&w, "differences"); /* the largest first */
	json_array_begin(&w);
	for (size_t i = 0; i < c->n_pages && differing(&c->pages[i]) && (!rows || i < SHOWN_MOST); i++)
		json_page(&c->pages[i], rows, &w);
	json_array_end(&w);
	json_object_end(&w);
	return buf_status(out);
}

int compare_json(const struct comparison *c, struct buf *out)
{
	(void)put_json(c, false, out);
	return buf_append_byte(out, '\n');
}

int compare_page(const struct comparison *c, struct buf *out)
{
	struct buf data = { 0 }, plain = { 0 }, title = { 0 };
	int status = put_json(c, true, &data);
	buf_printf(&title, "%s | %s", c->config.side[0].shown, c->config.side[1].shown);
	buf_append_text(&plain, "<table><thead><tr><th>page<th>only the first<th>only the second</thead>\n");
	for (size_t i = 0; i < c->n_pages && i < SHOWN_MOST && differing(&c->pages[i]); i++) {
		const struct compared_page *p = &c->pages[i];
		buf_append_text(&plain, "<tr><td>");
		html_put_text(&plain, buf_slice(&p->place));
		buf_append_byte(&plain, ' ');
		html_put_text(&plain, buf_slice(&p->url));
		buf_printf(&plain, "<td>%llu<td>%llu\n", (unsigned long long)p->only[0],
			   (unsigned long long)p->only[1]);
	}
	buf_append_text(&plain, "</table>\n");
	status = status < 0 ? status : buf_status(&plain) < 0 ? DANA_ENOMEM : buf_status(&title);
	if (status == DANA_OK) {
		const struct viewer_file file = { "compare", "How two settings differ:", buf_slice(&title),
						  buf_slice(&plain), buf_slice(&data) };
		report_put_file(out, &file);
	}
	buf_free(&data);
	buf_free(&plain);
	buf_free(&title);
	return status < 0 ? status : buf_status(out);
}
