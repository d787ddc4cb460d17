/* SPDX-License-Identifier: MIT */
/* `dana eval`: its options, and the figures of each method as a table, TSV or JSON. */
#include "config.h"

#include "lab/eval.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/system.h"
#include "cli/command.h"
#include "dana/dana.h"
#include "dedup/site_table.h"
#include "lab/gold.h"
#include "run/methods.h"

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
	if (t->sites)
		f[n++] = (struct figure){ "sites", "sites", true, (double)s->sites };
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

static const char *group_title(const struct eval_table *t)
{
	return t->by == EVAL_GROUP_SITE ? "site" : t->by == EVAL_GROUP_SCRIPT ? "script" : "corpus";
}

static int wider(int a, size_t b)
{
	return a > (int)b ? a : (int)b;
}

static int names_width(const char *const *names, size_t n)
{
	int width = 6;
	for (size_t i = 0; i < n; i++)
		width = wider(width, strlen(names[i]));
	return width;
}

static int print_table(const struct eval_table *t, struct buf *out)
{
	struct figure f[FIGURES_MOST];
	size_t n = figures_of(t, eval_table_at(t, 0, 0), f);
	int groups = t->by == EVAL_GROUP_NONE ? 0 : names_width((const char *const *)t->groups, t->n_groups),
	    methods = names_width(t->job->methods, t->job->n_methods);
	if (groups)
		buf_printf(out, "%-*s  ", groups, group_title(t));
	buf_printf(out, "%-*s", methods, "method");
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "  %*s", wider(6, strlen(f[i].title)), f[i].title);
	for (size_t g = 0; g < t->n_groups; g++) {
		for (size_t m = 0; m < t->job->n_methods; m++) {
			figures_of(t, eval_table_at(t, m, g), f);
			buf_append_byte(out, '\n');
			if (groups)
				buf_printf(out, "%-*s  ", groups, t->groups[g]);
			buf_printf(out, "%-*s", methods, t->job->methods[m]);
			for (size_t i = 0; i < n; i++) {
				const int decimals = f[i].whole ? 0 : strcmp(f[i].name, "mb_per_s") == 0 ? 1 : 4;
				buf_printf(out, "  %*.*f", wider(6, strlen(f[i].title)), decimals, f[i].value);
			}
		}
	}
	return buf_append_byte(out, '\n');
}

static int print_tsv(const struct eval_table *t, struct buf *out)
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

static int print_json(const struct eval_table *t, struct buf *out)
{
	static const char
		*const measures[] = { [EVAL_LCS] = "lcs", [EVAL_SENTENCE] = "sentence", [EVAL_BLOCK] = "block" };
	struct json_writer w = { .out = out };
	json_object_begin(&w);
	json_text(&w, "measure", slice_from_text(measures[t->job->measure]));
	json_key(&w, "methods");
	json_array_begin(&w);
	for (size_t m = 0; m < t->job->n_methods; m++) {
		json_object_begin(&w);
		json_text(&w, "method", slice_from_text(t->job->methods[m]));
		json_figures(t, m, t->n_groups - 1, &w);
		json_key(&w, "groups");
		json_array_begin(&w);
		for (size_t g = 0; g + 1 < t->n_groups; g++) {
			json_object_begin(&w);
			json_text(&w, group_title(t), slice_from_text(t->groups[g]));
			json_figures(t, m, g, &w);
			json_object_end(&w);
		}
		json_array_end(&w);
		json_object_end(&w);
	}
	json_array_end(&w);
	json_object_end(&w);
	return buf_append_byte(out, '\n');
}

/* As printed: four decimals decide who is best. */
static long rounded(double f1)
{
	return (long)(f1 * 10000 + 0.5);
}

/* Rows and columns of the papers: F1 of methods by groups, best in bold there and with a star here; then MB/s. */
static int print_paper(const struct eval_table *t, bool tsv, struct buf *out)
{
	int width = names_width(t->job->methods, t->job->n_methods);
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
	for (size_t m = 0; m < t->job->n_methods; m++) {
		if (tsv)
			buf_printf(out, "\n%s", t->job->methods[m]);
		else
			buf_printf(out, "\n%-*s", width, t->job->methods[m]);

		for (size_t g = 0; g < t->n_groups; g++) {
			const struct eval_sums *s = eval_table_at(t, m, g);
			double f1 = mean(s->sum.f1, s->pages);
			int column = wider(7, strlen(t->groups[g]));
			long best = 0;
			for (size_t k = 0; k < t->job->n_methods; k++) {
				const struct eval_sums *other = eval_table_at(t, k, g);
				long one = rounded(mean(other->sum.f1, other->pages));
				best = one > best ? one : best;
			}
			if (tsv)
				buf_printf(out, "\t%.4f", f1);
			else
				buf_printf(out, "  %*.4f%c", column - 1, f1, rounded(f1) == best ? '*' : ' ');
		}

		double mb = speed(eval_table_at(t, m, t->n_groups - 1));
		if (tsv)
			buf_printf(out, "\t%.2f", mb);
		else
			buf_printf(out, "  %9.2f", mb);
	}
	return buf_append_byte(out, '\n');
}

enum eval_format { EVAL_FORMAT_TABLE, EVAL_FORMAT_JSON, EVAL_FORMAT_TSV };

struct eval_settings {
	const char *methods, *site;
	int measure; /* enum eval_measure */
	int per;     /* 0: corpus, 1: script, 2: site; -1 unset */
	int format;  /* enum eval_format */
	unsigned jobs;
	bool paper_table;
};

static const struct option options[] = {
	{ "method", 'm', OPTION_TEXT, "METHOD[,METHOD...]|all", DANA_DEFAULT_METHOD, NULL,
	  "score these methods, as danag:gap=40 with a key; all scores every method", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct eval_settings, methods) },
	{ "measure", 0, OPTION_CHOICE, "lcs|sentence|block", "lcs", NULL,
	  "compare by common tokens (lcs), whole sentences, or blocks and media", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct eval_settings, measure), .more = "lcs is the longest common subsequence of tokens." },
	{ "per", 0, OPTION_CHOICE, "corpus|script|site", NULL, NULL,
	  "print figures for each corpus, or for each script or site in the index, too", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct eval_settings, per) },
	{ "site", 0, OPTION_TEXT, "FILE|auto|off", "off", NULL,
	  "use what other pages of a site have, by a table or of all pages of DIR", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct eval_settings, site), .more = "As in dana filter." },
	{ "format", 'f', OPTION_CHOICE, "table|json|tsv", "table", NULL, "set the output format", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct eval_settings, format) },
	{ "jobs", 'j', OPTION_NUMBER, "N", NULL, "number of cores", "score N pages at once; use 1 to measure speed",
	  "Options", 0, 0, 1024, OPTION_MEMBER(struct eval_settings, jobs) },
	{ "paper-table", 0, OPTION_FLAG, NULL, NULL, NULL,
	  "print F1 of methods by corpus or script, then the speed, as the papers do", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct eval_settings, paper_table),
	  .more = "Methods that have the key literal count as the papers do." },
	{ 0 },
};

const struct option_table eval_options = {
	.command = "eval",
	.summary = "measure accuracy and speed of methods on pages with reference texts",
	.synopsis = "[OPTIONS] DIR",
	.description =
		"DIR holds pages with their reference texts (what a good extraction gives): CORPUS/ID.html (also "
		".html.gz or "
		".html.zst) beside CORPUS/ID.txt (UTF-8, a block a line) and, for the block measure, CORPUS/ID.media "
		"with the "
		"URLs of pictures and films that belong to the content, one a line. Where there is a file "
		"index.tsv, only the pages that it lists are scored: its first line names columns, of which "
		"corpus, id, charset, script and url count.\n\n"
		"Precision, recall and F1 are means over pages. F1 by site, shown when the index has URLs, "
		"is the mean of the means of the sites, which are registrable domains. MB/s is millions of bytes of "
		"UTF-8 HTML for each second "
		"that the extraction alone takes of one processor, with the page in memory. A page is decoded "
		"by the charset in the index, or else by its own marks and bytes.",
	.examples = "dana eval -m dana,danag,addanag --per corpus reference/\n"
		    "dana eval -m all --paper-table reference/\n"
		    "dana eval -m wlr,wlr-media --measure block -f tsv reference/",
	.options = options,
	.least_positionals = 1,
	.most_positionals = 1,
};

/* Opens the table of --site. Returns NULL with `err` unset if --site is off. */
static struct site_table *open_sites(const struct eval_job *job, const char *site, struct error *err)
{
	const struct gold_folder *gold = job->gold;
	const char *method = "learned";
	size_t known = 0;
	if (strcmp(site, "off") == 0)
		return NULL;
	for (size_t i = 0; i < gold_count(gold); i++)
		known += gold_page(gold, i)->domain[0] != '\0';
	if (known == 0)
		command_message("eval", "--site changes nothing: no page has a URL; expected the column url in "
					"index.tsv");
	if (strcmp(site, "auto") != 0)
		return site_table_open(site, err);
	const char *temporary = getenv("TMPDIR");
	struct site_table *table = NULL;
	struct buf name = { 0 };
	buf_printf(&name, "%s/dana.site.XXXXXX", temporary && *temporary ? temporary : "/tmp");
	const int fd = buf_append_byte(&name, 0) < 0 ? -1 : mkstemp((char *)name.data);
	if (fd < 0) {
		(void)error_set(err, DANA_EIO, "--site auto: no temporary file can be made");
	} else {
		(void)close(fd);
		for (size_t i = 0; i < job->n_methods; i++) {
			if (strncmp(job->methods[i], "learned:", strlen("learned:")) == 0)
				method = job->methods[i];
		}
		if (gold_learn_sites(gold, method, (const char *)name.data, err) == DANA_OK)
			table = site_table_open((const char *)name.data, err);
		(void)unlink((const char *)name.data);
	}
	buf_free(&name);
	return table;
}

/* Runs and prints; faults are reported here. Returns the exit status. */
static int score_all(struct eval_job *job, const struct eval_settings *s)
{
	size_t n = gold_count(job->gold), unreadable = 0;
	struct error err = { 0 };
	struct eval_table table = { 0 };
	struct buf out = { 0 };
	const char *command = "eval";
	job->notices = (struct notices){ command_notice, &command };
	job->cells = calloc(n * job->n_methods, sizeof(*job->cells));
	job->pages = calloc(n, sizeof(*job->pages));
	int status = job->cells && job->pages ? eval_pages(job, &unreadable, &err) : DANA_ENOMEM;
	if (status == DANA_OK)
		status = eval_table_make(&table, job,
					 s->per == 2                     ? EVAL_GROUP_SITE
					 : s->per == 1                   ? EVAL_GROUP_SCRIPT
					 : s->per == 0 || s->paper_table ? EVAL_GROUP_CORPUS
									 : EVAL_GROUP_NONE);
	if (status == DANA_OK)
		status = s->paper_table                  ? print_paper(&table, s->format == EVAL_FORMAT_TSV, &out)
			 : s->format == EVAL_FORMAT_JSON ? print_json(&table, &out)
			 : s->format == EVAL_FORMAT_TSV  ? print_tsv(&table, &out)
							 : print_table(&table, &out);
	int code = status == DANA_OK ? command_print("eval", buf_slice(&out)) : EXIT_FAULT;
	if (status == DANA_ECONFIG)
		code = command_usage("eval", &err);
	else if (status < 0)
		command_message("eval", "%s", status_text(status));
	eval_table_free(&table);
	buf_free(&out);
	free(job->cells);
	free(job->pages);
	return code == EXIT_DONE && unreadable ? EXIT_FAULT : code;
}

static int check_methods(const struct name_list *methods, struct error *err)
{
	int status = DANA_OK;
	for (size_t i = 0; i < methods->n && status == DANA_OK; i++)
		status = method_check(methods->items[i], err);
	return status;
}

/* The papers' tables are of the papers' count, in the methods that have another one, too. */
static int papers_count(struct name_list *methods)
{
	for (size_t i = 0; i < methods->n; i++) {
		const char *name = methods->items[i];
		struct error none;
		size_t room = strlen(name) + sizeof(",literal=1");
		char *literal = arena_alloc(methods->memory, room);
		if (!literal)
			return DANA_ENOMEM;
		snprintf(literal, room, "%s%cliteral=1", name, strchr(name, ':') ? ',' : ':');
		if (!strstr(name, "literal=") && method_check(literal, &none) == DANA_OK)
			methods->items[i] = literal;
	}
	return DANA_OK;
}

int eval_run(int argc, char **argv)
{
	struct eval_settings s;
	struct options_rest rest = { 0 };
	int code = command_options(&eval_options, &s, argc, argv, &rest);
	if (code < 0 && s.paper_table && s.format == EVAL_FORMAT_JSON) {
		command_message("eval", "--paper-table has no JSON: use -f table or -f tsv");
		code = EXIT_USAGE;
	}
	if (code < 0) {
		const char *path = rest.positionals[0];
		struct error err = { 0 };
		struct gold_folder *gold = NULL;
		struct name_list methods = { 0 };
		code = EXIT_FAULT;
		if (method_list_make(&methods, s.methods) < 0) {
			command_message("eval", "%s", status_text(DANA_ENOMEM));
		} else if (check_methods(&methods, &err) < 0) {
			code = command_usage("eval", &err);
		} else if (s.paper_table && papers_count(&methods) < 0) {
			command_message("eval", "%s", status_text(DANA_ENOMEM));
		} else if (gold_open(&gold, path, &err) < 0) {
			command_message("eval", "%s", err.text);
		} else if (gold_count(gold) == 0) {
			command_message(
				"eval",
				"%s: no pages with reference texts (CORPUS/ID.html with CORPUS/ID.txt beside it)%s",
				path, gold_left_out(gold) ? " that its index.tsv lists" : "");
		} else if (page_decoder_check_gold(gold, &err) < 0) {
			code = command_usage("eval", &err);
		} else {
			size_t n = gold_left_out(gold);
			if (n)
				command_message("eval", "%zu page%s left out: index.tsv does not list %s", n,
						n == 1 ? " is" : "s are", n == 1 ? "it" : "them");
			const unsigned cores = system_cores();
			struct eval_job job = { .gold = gold,
						.methods = methods.items,
						.n_methods = methods.n,
						.measure = (enum eval_measure)s.measure,
						.threads = s.jobs == (unsigned)-1 ? cores
							   : s.jobs               ? s.jobs
										  : 1 };
			struct site_table *sites = open_sites(&job, s.site, &err);
			job.sites = sites ? site_table_sources(sites) : NULL;
			code = err.status < 0 ? command_failed("eval", &err) : score_all(&job, &s);
			site_table_free(sites);
		}
		free(methods.items);
		arena_free(methods.memory);
		gold_close(gold);
	}
	options_rest_free(&rest);
	return code;
}
