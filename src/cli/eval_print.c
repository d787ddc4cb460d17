/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "base/json_writer.h"
#include "lab/eval.h"

/* One figure of a row; the measure and the columns of the index decide which there are. */
struct figure {
	const char *name;  /* in TSV and JSON */
	const char *title; /* in the table */
	bool whole;        /* a number of pages */
	double value;
};

enum { FIGURES_MOST = 16 };

static double mean(double sum, size_t n)
{
	return n ? sum / (double)n : 0;
}

/* 10^6 bytes a second. */
static double speed(const struct eval_sums *s)
{
	return s->nanoseconds ? (double)s->bytes * 1000 / (double)s->nanoseconds : 0;
}

static size_t figures_of(const struct eval_table *t, const struct eval_sums *s, struct figure *f)
{
	size_t n = 0;
	f[n++] = (struct figure){ "pages", "pages", true, (double)s->pages };
	f[n++] = (struct figure){ "precision", "precision", false, mean(s->sum.precision, s->pages) };
	f[n++] = (struct figure){ "recall", "recall", false, mean(s->sum.recall, s->pages) };
	f[n++] = (struct figure){ "f1", "F1", false, mean(s->sum.f1, s->pages) };
	if (t->sites)
		f[n++] = (struct figure){ "f1_by_site", "F1 by site", false, s->site_f1 };
	if (t->job->measure == EVAL_SENTENCE) {
		f[n++] = (struct figure){ "good", "F1 > 0.9", true, (double)s->good };
		f[n++] = (struct figure){ "located", "F1 > 0.8", true, (double)s->located };
		f[n++] = (struct figure){ "complete", "recall > 0.95", true, (double)s->complete };
	}
	if (t->job->measure == EVAL_BLOCK) {
		struct score micro = score_of((double)s->common, (double)s->output, (double)s->gold);
		f[n++] = (struct figure){ "micro_precision", "micro P", false, micro.precision };
		f[n++] = (struct figure){ "micro_recall", "micro R", false, micro.recall };
		f[n++] = (struct figure){ "micro_f1", "micro F1", false, micro.f1 };
	}
	f[n++] = (struct figure){ "mb_per_s", "MB/s", false, speed(s) };
	return n;
}

static bool is_speed(const struct figure *f)
{
	return strcmp(f->name, "mb_per_s") == 0;
}

static int decimals(const struct figure *f)
{
	return f->whole ? 0 : is_speed(f) ? 1 : 4;
}

static const char *group_title(const struct eval_table *t)
{
	return t->by == EVAL_GROUP_SCRIPT ? "script" : "corpus";
}

static int wider(int a, size_t b)
{
	return a > (int)b ? a : (int)b;
}

static int method_width(const struct eval_table *t)
{
	int width = 6;
	for (size_t m = 0; m < t->job->n_methods; m++)
		width = wider(width, strlen(t->job->methods[m]));
	return width;
}

static int group_width(const struct eval_table *t)
{
	int width = 6;
	for (size_t g = 0; g < t->n_groups; g++)
		width = wider(width, strlen(t->groups[g]));
	return width;
}

static int figure_width(const struct figure *f)
{
	return wider(6, strlen(f->title));
}

int eval_print_table(const struct eval_table *t, struct buf *out)
{
	struct figure f[FIGURES_MOST];
	size_t n = figures_of(t, eval_table_at(t, 0, 0), f);
	int groups = t->by == EVAL_GROUP_NONE ? 0 : group_width(t), methods = method_width(t);

	if (groups)
		buf_printf(out, "%-*s  ", groups, group_title(t));
	buf_printf(out, "%-*s", methods, "method");
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "  %*s", figure_width(&f[i]), f[i].title);
	for (size_t g = 0; g < t->n_groups; g++) {
		for (size_t m = 0; m < t->job->n_methods; m++) {
			figures_of(t, eval_table_at(t, m, g), f);
			buf_append_byte(out, '\n');
			if (groups)
				buf_printf(out, "%-*s  ", groups, t->groups[g]);
			buf_printf(out, "%-*s", methods, t->job->methods[m]);
			for (size_t i = 0; i < n; i++)
				buf_printf(out, "  %*.*f", figure_width(&f[i]), decimals(&f[i]), f[i].value);
		}
	}
	return buf_append_byte(out, '\n');
}

int eval_print_tsv(const struct eval_table *t, struct buf *out)
{
	struct figure f[FIGURES_MOST];
	size_t n = figures_of(t, eval_table_at(t, 0, 0), f);
	buf_printf(out, "%s\tmethod", group_title(t));
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "\t%s", f[i].name);
	for (size_t g = 0; g < t->n_groups; g++) {
		for (size_t m = 0; m < t->job->n_methods; m++) {
			figures_of(t, eval_table_at(t, m, g), f);
			buf_printf(out, "\n%s\t%s", t->groups[g], t->job->methods[m]);
			for (size_t i = 0; i < n; i++)
				buf_printf(out, "\t%.*f", f[i].whole ? 0 : 6, f[i].value);
		}
	}
	return buf_append_byte(out, '\n');
}

static void json_figures(const struct eval_table *t, size_t method, size_t group, struct json_writer *w)
{
	struct figure f[FIGURES_MOST];
	size_t n = figures_of(t, eval_table_at(t, method, group), f);

	for (size_t i = 0; i < n; i++)
		json_decimal(w, f[i].name, f[i].value, f[i].whole ? 0 : 6);
}

static void json_method(const struct eval_table *t, size_t method, struct json_writer *w)
{
	json_object_begin(w);
	json_text(w, "method", slice_from_text(t->job->methods[method]));
	json_figures(t, method, t->n_groups - 1, w);
	json_key(w, "groups");
	json_array_begin(w);
	for (size_t g = 0; g + 1 < t->n_groups; g++) {
		json_object_begin(w);
		json_text(w, group_title(t), slice_from_text(t->groups[g]));
		json_figures(t, method, g, w);
		json_object_end(w);
	}
	json_array_end(w);
	json_object_end(w);
}

int eval_print_json(const struct eval_table *t, struct buf *out)
{
	static const char
		*const measures[] = { [EVAL_LCS] = "lcs", [EVAL_SENTENCE] = "sentence", [EVAL_BLOCK] = "block" };
	struct json_writer w = { .out = out };

	json_object_begin(&w);
	json_text(&w, "measure", slice_from_text(measures[t->job->measure]));
	json_key(&w, "methods");
	json_array_begin(&w);
	for (size_t m = 0; m < t->job->n_methods; m++)
		json_method(t, m, &w);
	json_array_end(&w);
	json_object_end(&w);
	return buf_append_byte(out, '\n');
}

/* As printed: four decimals decide who is best. */
static long rounded(double f1)
{
	return (long)(f1 * 10000 + 0.5);
}

static long best_of(const struct eval_table *t, size_t group)
{
	long best = 0;
	for (size_t m = 0; m < t->job->n_methods; m++) {
		const struct eval_sums *s = eval_table_at(t, m, group);
		long f1 = rounded(mean(s->sum.f1, s->pages));
		best = f1 > best ? f1 : best;
	}
	return best;
}

static void paper_row(const struct eval_table *t, size_t method, bool tsv, int width, struct buf *out)
{
	if (tsv)
		buf_printf(out, "\n%s", t->job->methods[method]);
	else
		buf_printf(out, "\n%-*s", width, t->job->methods[method]);

	for (size_t g = 0; g < t->n_groups; g++) {
		const struct eval_sums *s = eval_table_at(t, method, g);
		double f1 = mean(s->sum.f1, s->pages);
		int column = wider(7, strlen(t->groups[g]));
		bool best = rounded(f1) == best_of(t, g);
		if (tsv)
			buf_printf(out, "\t%.4f", f1);
		else
			buf_printf(out, "  %*.4f%c", column - 1, f1, best ? '*' : ' ');
	}

	double mb = speed(eval_table_at(t, method, t->n_groups - 1));
	if (tsv)
		buf_printf(out, "\t%.2f", mb);
	else
		buf_printf(out, "  %9.2f", mb);
}

static void paper_head(const struct eval_table *t, bool tsv, int width, struct buf *out)
{
	static const char title[] = "Evaluation results based on F1-measure (*: best), and average speed (MB/s)";

	if (tsv) {
		buf_append_text(out, "method");
		for (size_t g = 0; g < t->n_groups; g++)
			buf_printf(out, "\t%s", t->groups[g]);
		buf_append_text(out, "\tMB/s");
	} else {
		buf_printf(out, "%s\n\n%-*s", title, width, "");
		for (size_t g = 0; g < t->n_groups; g++)
			buf_printf(out, "  %*s", wider(7, strlen(t->groups[g])), t->groups[g]);
		buf_printf(out, "  %9s", "MB/s");
	}
}

int eval_print_paper(const struct eval_table *t, bool tsv, struct buf *out)
{
	int width = method_width(t);

	paper_head(t, tsv, width, out);
	for (size_t m = 0; m < t->job->n_methods; m++)
		paper_row(t, m, tsv, width, out);
	return buf_append_byte(out, '\n');
}
