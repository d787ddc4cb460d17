/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "lab/eval.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "cli/command.h"
#include "dana/dana.h"
#include "lab/method_list.h"
#include "lab/page_decoder.h"
#include "run/methods.h"

enum eval_format { EVAL_FORMAT_TABLE, EVAL_FORMAT_JSON, EVAL_FORMAT_TSV };

struct eval_settings {
	const char *methods;
	int measure; /* enum eval_measure */
	int per;     /* 0: corpus, 1: script; -1 unset */
	int format;  /* enum eval_format */
	unsigned jobs;
	bool paper_table;
};

static const struct option options[] = {
	{ .name = "method",
	  .letter = 'm',
	  .type = OPTION_TEXT,
	  .argument = "METHOD[,METHOD...]|all",
	  .standard = DANA_DEFAULT_METHOD,
	  .help = "methods to score, each with its keys (danag:gap=40); all is every method of this program",
	  .section = "Options",
	  OPTION_MEMBER(struct eval_settings, methods) },
	{ .name = "measure",
	  .type = OPTION_CHOICE,
	  .argument = "lcs|sentence|block",
	  .standard = "lcs",
	  .help = "lcs: longest common subsequence of tokens; sentence: whole sentences found; block: blocks and media "
		  "found",
	  .section = "Options",
	  OPTION_MEMBER(struct eval_settings, measure) },
	{ .name = "per",
	  .type = OPTION_CHOICE,
	  .argument = "corpus|script",
	  .help = "figures for each corpus, or for each script that the index names, too",
	  .section = "Options",
	  OPTION_MEMBER(struct eval_settings, per) },
	{ .name = "format",
	  .letter = 'f',
	  .type = OPTION_CHOICE,
	  .argument = "table|json|tsv",
	  .standard = "table",
	  .help = "how the figures are written",
	  .section = "Options",
	  OPTION_MEMBER(struct eval_settings, format) },
	{ .name = "jobs",
	  .letter = 'j',
	  .type = OPTION_NUMBER,
	  .argument = "N",
	  .shown = "number of cores",
	  .help = "pages that are scored at once; the speed of the extraction is best measured with 1",
	  .section = "Options",
	  .most = 1024,
	  OPTION_MEMBER(struct eval_settings, jobs) },
	{ .name = "paper-table",
	  .type = OPTION_FLAG,
	  .help = "F1 of methods by corpora (or scripts), then the speed, as the papers print their tables; "
		  "methods that have the key literal count as the papers do",
	  .section = "Options",
	  OPTION_MEMBER(struct eval_settings, paper_table) },
	{ 0 },
};

const struct option_table eval_options = {
	.command = "eval",
	.summary = "score methods on gold pages: accuracy and speed",
	.synopsis = "[OPTIONS] DIR",
	.description = "DIR holds pages with the text that a good extraction gives: CORPUS/ID.html beside "
		       "CORPUS/ID.txt (UTF-8, a block a line) and, for the block measure, CORPUS/ID.media with the "
		       "addresses of pictures and films that belong to the content, one a line. Where there is a file "
		       "index.tsv, only the pages that it lists are scored: its first line names columns, of which "
		       "corpus, id, charset, script and url count.\n\n"
		       "Precision, recall and F1 are means over pages. F1 by site, shown when the index has addresses, "
		       "is the mean of the means of the sites. MB/s is millions of bytes of UTF-8 HTML for each second "
		       "that the extraction alone takes of one processor, with the page in memory. A page is decoded "
		       "as the index says, or as its own marks and bytes say.",
	.examples = "dana eval -m dana,danag,addanag --per corpus gold/\n"
		    "dana eval -m all --paper-table gold/\n"
		    "dana eval -m wlr,wlr-media --measure block -f tsv gold/",
	.options = options,
	.least_positionals = 1,
	.most_positionals = 1,
};

static int print(const struct eval_table *t, const struct eval_settings *s, struct buf *out)
{
	if (s->paper_table)
		return eval_print_paper(t, s->format == EVAL_FORMAT_TSV, out);
	switch (s->format) {
	case EVAL_FORMAT_JSON:
		return eval_print_json(t, out);
	case EVAL_FORMAT_TSV:
		return eval_print_tsv(t, out);
	default:
		return eval_print_table(t, out);
	}
}

static enum eval_group group_of(const struct eval_settings *s)
{
	if (s->per < 0)
		return s->paper_table ? EVAL_GROUP_CORPUS : EVAL_GROUP_NONE;
	return s->per == 0 ? EVAL_GROUP_CORPUS : EVAL_GROUP_SCRIPT;
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
		status = eval_table_make(&table, job, group_of(s));
	if (status == DANA_OK)
		status = print(&table, s, &out);
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

static unsigned threads(const struct eval_settings *s)
{
	if (s->jobs != (unsigned)-1)
		return s->jobs ? s->jobs : 1;
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	return cores > 0 && cores < 1024 ? (unsigned)cores : 1;
}

static void say_left_out(const struct gold_folder *gold)
{
	size_t n = gold_left_out(gold);

	if (n)
		command_message("eval", "%zu page%s left out: index.tsv does not list %s", n, n == 1 ? " is" : "s are",
				n == 1 ? "it" : "them");
}

static int check_methods(const struct method_list *methods, struct error *err)
{
	int status = DANA_OK;

	for (size_t i = 0; i < methods->len && status == DANA_OK; i++)
		status = method_check(methods->names[i], err);
	return status;
}

/* The papers' tables are of the papers' count, in the methods that have another one, too. */
static int papers_count(struct method_list *methods)
{
	for (size_t i = 0; i < methods->len; i++) {
		const char *name = methods->names[i];
		struct error none;
		size_t room = strlen(name) + sizeof(",literal=1");
		char *literal = arena_alloc(methods->memory, room);
		if (!literal)
			return DANA_ENOMEM;
		snprintf(literal, room, "%s%cliteral=1", name, strchr(name, ':') ? ',' : ':');
		if (!strstr(name, "literal=") && method_check(literal, &none) == DANA_OK)
			methods->names[i] = literal;
	}
	return DANA_OK;
}

static int eval_folder(const struct eval_settings *s, const char *path)
{
	struct error err = { 0 };
	struct gold_folder *gold = NULL;
	struct method_list methods = { 0 };
	int code = EXIT_FAULT;
	if (method_list_make(&methods, s->methods) < 0) {
		command_message("eval", "%s", status_text(DANA_ENOMEM));
	} else if (check_methods(&methods, &err) < 0) {
		code = command_usage("eval", &err);
	} else if (s->paper_table && papers_count(&methods) < 0) {
		command_message("eval", "%s", status_text(DANA_ENOMEM));
	} else if (gold_open(&gold, path, &err) < 0) {
		command_message("eval", "%s", err.text);
	} else if (gold_count(gold) == 0) {
		command_message("eval", "%s: no gold pages (CORPUS/ID.html with CORPUS/ID.txt beside it)%s", path,
				gold_left_out(gold) ? " that its index.tsv lists" : "");
	} else if (page_decoder_check_gold(gold, &err) < 0) {
		code = command_usage("eval", &err);
	} else {
		say_left_out(gold);
		struct eval_job job = { .gold = gold,
					.methods = methods.names,
					.n_methods = methods.len,
					.measure = (enum eval_measure)s->measure,
					.threads = threads(s) };
		code = score_all(&job, s);
	}
	method_list_free(&methods);
	gold_close(gold);
	return code;
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
	if (code < 0)
		code = eval_folder(&s, rest.positionals[0]);
	options_rest_free(&rest);
	return code;
}
