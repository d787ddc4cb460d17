/* SPDX-License-Identifier: MIT */
/*
 * `dana dedup VERB` and `dana site VERB`: each verb takes some of the options of one table, so that help, manual and
 * completions show all of them, and `dana dedup VERB --help` the ones that the verb takes.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/diagnostics.h"
#include "cli/command.h"
#include "dedup/line_table.h"

#define AT(m) OPTION_MEMBER(struct dedup_settings, m)

/* clang-format off */
#define OUTPUT_ROWS(heading) \
	{ "output", 'o', OPTION_TEXT, "FILE", NULL, NULL, "write to FILE; required", heading, 0, 0, 0, AT(output) }, \
	{ "force", 0, OPTION_FLAG, NULL, NULL, NULL, "overwrite an existing file", heading, 0, 0, 0, AT(force) }

#define LEAST_ROW(standard, shown, heading) \
	{ "least", 0, OPTION_NUMBER, "N", standard, shown, "leave out lines on fewer than N pages", heading, 0, 1, \
	  UINT32_MAX, AT(least) }

#define COUNTING_ROWS(heading, memory_heading) \
	{ "size", 0, OPTION_NUMBER, "BYTES", "1G", NULL, \
	  "limit the size of the table; lines on the fewest pages are left out", heading, 0, 1024, 0, AT(size) }, \
	{ "memory", 0, OPTION_NUMBER, "BYTES", "256M", NULL, \
	  "limit the memory for counting; the rest goes to temporary files beside the output", memory_heading, 0, \
	  LINE_COUNTER_MEMORY_LEAST, 0, AT(memory) }

#define JOBS_ROW(heading) \
	{ "jobs", 'j', OPTION_NUMBER, "N", NULL, "cores", "use N workers", heading, 0, 0, 1024, AT(jobs) }
/* clang-format on */

static const struct option options[] = {
	OUTPUT_ROWS("Options of learn, cluster, apply, rows, merge"),
	{ "keep", 0, OPTION_CHOICE, "first|longest|best", "first", NULL,
	  "choose the document of a group to keep: first, longest text or highest score", "Options of cluster", 0, 0, 0,
	  AT(keep), .more = "Of equal ones the first is kept." },
	{ "similarity", 0, OPTION_TEXT, "SHARE", "0", NULL,
	  "drop only documents with at least this estimated similarity to the kept one, 0 to 1", "Options of cluster",
	  0, 0, 0, AT(similarity) },
	{ "rows", 0, OPTION_TEXT, "FILE", NULL, NULL, "read the list of rows to drop, as made by cluster; required",
	  "Options of apply", 0, 0, 0, AT(rows) },
	{ "rejects", 0, OPTION_FLAG, NULL, NULL, NULL,
	  "list dropped documents, and what each repeats, in FILE.rejects.jsonl", "Options of apply", 0, 0, 0,
	  AT(rejects) },
	{ "method", 'm', OPTION_TEXT, "METHOD", "plain", NULL,
	  "choose the method whose text is counted; plain has all lines but rows of tables", "Options of learn", 0, 0,
	  0, AT(method) },
	JOBS_ROW("Options of learn"),
	{ "scope", 0, OPTION_CHOICE, "host|all", "host", NULL,
	  "count the pages of a line by site (registrable domain), or all together", "Options of learn", 0, 0, 0,
	  AT(scope) },
	LEAST_ROW("2", NULL, "Options of learn"),
	COUNTING_ROWS("Options of learn", "Options of learn, estimate"),
	{ "documents", 0, OPTION_NUMBER, "N", "1000000", NULL, "assume N documents", "Options of estimate", 0, 1,
	  UINT32_MAX, AT(documents) },
	{ "chars", 0, OPTION_NUMBER, "N", "3000", NULL, "assume a mean of N characters of text for each document",
	  "Options of estimate", 0, 1, 1 << 24, AT(chars) },
	{ "lines", 0, OPTION_NUMBER, "N", NULL, "one for each 100 characters",
	  "assume N different lines in all documents", "Options of estimate", 0, 1, UINT64_C(1) << 40, AT(lines),
	  .more = "The statistics of dedup-lines count them as lines_in_memory." },
	{ "repeated", 0, OPTION_NUMBER, "N", NULL, "at most all lines",
	  "assume N sites and lines that are on two or more pages of their site", "Options of estimate", 0, 0,
	  UINT64_C(1) << 40, AT(repeated), .more = "dana dedup info counts them in a table of learn." },
	{ "duplicates", 0, OPTION_NUMBER, "PERCENT", "30", NULL,
	  "assume that PERCENT of the documents repeat another one", "Options of estimate", 0, 0, 100, AT(duplicates) },
	{ .name = NULL },
};

static const struct option site_rows[] = {
	OUTPUT_ROWS("Options"),
	LEAST_ROW(NULL, "2 for learn, 1 for merge", "Options"),
	JOBS_ROW("Options of learn"),
	COUNTING_ROWS("Options of learn", "Options of learn"),
	{ .name = NULL },
};

#ifdef HAVE_ROARING
#define RUN(function) function
#else
#define RUN(function) missing

static int missing(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	(void)s;
	command_message(a->command, "this dana was built without CRoaring, which it needs for this" BUILD_REMEDY);
	return EXIT_FAULT;
}
#endif

static const struct dedup_verb dedup_verbs[] = {
	{ "learn", "count on how many pages of its site each line occurs", "-o FILE [OPTIONS] INPUT...",
	  " output force method jobs scope least size memory ", 1, SIZE_MAX, RUN(dedup_learn) },
	{ "cluster", "find duplicates by signatures, and list the rows to drop", "-o FILE [OPTIONS] DIR|FILE...",
	  " output force keep similarity ", 1, SIZE_MAX, RUN(dedup_cluster) },
	{ "apply", "write outputs of earlier runs without the rows of a list", "-o FILE --rows FILE [OPTIONS] INPUT...",
	  " output force rows rejects ", 1, SIZE_MAX, RUN(dedup_apply) },
	{ "rows", "make a list of rows from lines of JSON, for duplicates that another program has found",
	  "-o FILE [OPTIONS] FILE", " output force ", 1, 1, RUN(dedup_rows) },
	{ "merge", "merge several files of one type into one", "-o FILE [OPTIONS] DIR|FILE...", " output force ", 1,
	  SIZE_MAX, RUN(dedup_merge) },
	{ "estimate", "estimate memory and disk of each kind of deduplication", "[OPTIONS]",
	  " documents chars lines repeated duplicates memory ", 0, 0, RUN(dedup_estimate) },
	{ "info", "print what a file contains", "FILE...", " ", 1, SIZE_MAX, RUN(dedup_info) },
	{ "verify", "check all checksums of files", "DIR|FILE...", " ", 1, SIZE_MAX, RUN(dedup_verify) },
	{ .name = NULL },
};

static const struct dedup_verb site_verbs[] = {
	{ "learn", "learn which lines and places of text the pages of a site have in common",
	  "-o FILE [OPTIONS] INPUT...", " output force jobs least size memory ", 1, SIZE_MAX, RUN(site_learn) },
	{ "merge", "add up the tables of several runs", "-o FILE [OPTIONS] FILE...", " output force least ", 1,
	  SIZE_MAX, RUN(site_merge) },
	{ .name = NULL },
};

const struct option_table dedup_options = {
	.command = "dedup",
	.summary = "find and drop duplicates and boilerplate",
	.synopsis = "COMMAND [OPTIONS] [INPUT|DIR|FILE...]",
	.description =
		"learn reads archives, as dana filter does, and makes a table of lines. With it the plugin boilerplate "
		"drops lines that occur on many pages of a site, and dedup-lines those that occur on many pages "
		"anywhere (--scope all).\n\n"
		"The plugin dedup-near writes files of signatures during a run of dana filter. cluster groups the "
		"documents of any number of such files that share a bucket (near-duplicates), keeps one of each group, "
		"and writes a list of the rows of the others. The files may come from any machine, in any order. "
		"Memory grows by 8 to 16 bytes for each document, in mapped temporary files beside the output, and "
		"does not depend on the number of files.\n\n"
		"apply copies outputs of dana filter without the rows of a list: JSONL of any schema and compression, "
		"or WARC, by the name of the output. The documents must be the ones that the signatures were made "
		"from, in the same order. The plugin dedup-near drops the same rows in a second run over the "
		"archives.\n\n"
		"rows makes such a list from lines of JSON; - is standard input. With it a program on many machines "
		"can group signatures by their buckets (see doc/DEDUP.md), and no machine needs a table of all "
		"documents.\n\n"
		"merge makes one file of several files of one type (lists of rows: of different inputs). info prints "
		"what a file contains; verify reads all of it and checks its checksums. A file that is cut, damaged, "
		"of another program or of another version is reported, and nothing is overwritten.\n\n"
		"In a DIR, all files whose names end in .sig are read.",
	.examples = "dana dedup learn -o lines.table crawl/*.warc.gz\n"
		    "dana dedup cluster -o drop.rows signatures/\n"
		    "dana dedup apply -o clean.jsonl.zst --rows drop.rows all.jsonl.zst\n"
		    "dana dedup info drop.rows\n"
		    "dana dedup verify signatures/",
	.options = options,
	.verbs = dedup_verbs,
	.least_positionals = 1,
	.most_positionals = SIZE_MAX,
};

const struct option_table site_options = {
	.command = "site",
	.summary = "learn what the pages of a site have in common",
	.synopsis = "COMMAND [OPTIONS] INPUT...",
	.description =
		"learn reads archives, as dana filter does, and makes a table of the lines that occur on several "
		"pages of a site, which is the registrable domain of a page's URL, and of the places of its "
		"text. With it `dana filter --site FILE` believes less in what other pages have as boilerplate, and "
		"the plugin boilerplate drops such lines. Nothing but hashes is in the table. Memory is bounded by "
		"--memory, and the table is the same for any number of workers.\n\n"
		"Several machines can each learn from a part of the archives: merge adds up their tables. With learn "
		"--least 1 and merge --least 2 the sum is the table of the whole; without them lines that are on one "
		"page of each part are missing.\n\n"
		"`dana dedup learn` makes tables of lines alone. `dana dedup info` prints what one contains, and "
		"`dana dedup verify` checks it.",
	.examples = "dana site learn -o crawl.site crawl/*.warc.gz\n"
		    "dana filter --site crawl.site -O text crawl/*.warc.gz\n"
		    "dana site merge --least 2 -o all.site part1.site part2.site",
	.options = site_rows,
	.verbs = site_verbs,
	.least_positionals = 1,
	.most_positionals = SIZE_MAX,
};

const struct dedup_verb *verb_find(const struct option_table *table, const char *name)
{
	for (const struct dedup_verb *v = table->verbs; v && v->name; v++) {
		if (strcmp(v->name, name) == 0)
			return v;
	}
	return NULL;
}

bool verb_takes(const struct dedup_verb *v, const char *option)
{
	char word[32];
	(void)snprintf(word, sizeof(word), " %s ", option);
	return strstr(v->options, word) != NULL;
}

static int run_verb(const struct option_table *of, const struct dedup_verb *v, int argc, char **argv)
{
	struct option own[sizeof(options) / sizeof(*options)] = { { 0 } };
	struct dedup_settings settings = { 0 };
	struct options_rest rest = { 0 };
	char command[32];
	size_t n = 0;
	for (const struct option *o = of->options; o->name; o++) {
		if (verb_takes(v, o->name))
			own[n++] = *o;
	}
	(void)snprintf(command, sizeof(command), "%s %s", of->command, v->name);
	const struct option_table table = { .command = command,
					    .summary = v->summary,
					    .synopsis = v->synopsis,
					    .options = own,
					    .least_positionals = v->least,
					    .most_positionals = v->most };
	int code = command_options(&table, &settings, argc, argv, &rest);
	const char *left_out = verb_takes(v, "output") && !settings.output ? "-o"
			       : verb_takes(v, "rows") && !settings.rows   ? "--rows"
									   : NULL;
	if (code < 0 && left_out) {
		command_message(command, "%s FILE is missing", left_out);
		code = EXIT_USAGE;
	}
	if (code < 0) {
		const struct dedup_arguments a = { command, rest.positionals, rest.n_positionals };
		code = v->run(&settings, &a);
	}
	options_rest_free(&rest);
	return code;
}

static int run_verbs(const struct option_table *table, int argc, char **argv)
{
	const struct dedup_verb *v = argc > 1 ? verb_find(table, argv[1]) : NULL;
	if (v)
		return run_verb(table, v, argc - 1, argv + 1);
	if (argc > 1 && argv[1][0] != '-') {
		struct buf words = { 0 };
		struct error err = { 0 };
		for (const struct dedup_verb *each = table->verbs; each->name; each++)
			buf_printf(&words, "%s%s", each == table->verbs ? "" : "|", each->name);
		buf_append_byte(&words, 0);
		if (buf_status(&words) == DANA_OK)
			(void)word_refuse((const char *)words.data, slice_from_text(argv[1]), "COMMAND", &err);
		buf_free(&words);
		return command_usage(table->command, &err);
	}

	struct dedup_settings settings = { 0 };
	struct options_rest rest = { 0 };
	int code = command_options(table, &settings, argc, argv, &rest);
	if (code < 0) {
		command_message(table->command, "the verb comes first; expected dana %s %s", table->command,
				table->synopsis);
		code = EXIT_USAGE;
	}
	options_rest_free(&rest);
	return code;
}

int dedup_run(int argc, char **argv)
{
	return run_verbs(&dedup_options, argc, argv);
}

int site_run(int argc, char **argv)
{
	return run_verbs(&site_options, argc, argv);
}
