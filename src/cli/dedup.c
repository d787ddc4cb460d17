/* SPDX-License-Identifier: MIT */
/*
 * `dana dedup VERB`: each verb takes some of the options of one table, so that help, manual and completions show all of
 * them, and `dana dedup VERB --help` the ones that the verb takes.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/diagnostics.h"
#include "cli/command.h"

#define AT(m) OPTION_MEMBER(struct dedup_settings, m)

static const struct option options[] = {
	{ "output", 'o', OPTION_TEXT, "FILE", NULL, NULL, "the file to write; it has to be given",
	  "Options of learn, cluster, apply, rows, merge", 0, 0, 0, AT(output) },
	{ "force", 0, OPTION_FLAG, NULL, NULL, NULL, "overwrite a file that exists",
	  "Options of learn, cluster, apply, rows, merge", 0, 0, 0, AT(force) },
	{ "keep", 0, OPTION_CHOICE, "first|longest|best", "first", NULL,
	  "which document of a group is kept: the first in order, the one with the longest text, or the one "
	  "with the highest score; of equal ones the first",
	  "Options of cluster", 0, 0, 0, AT(keep) },
	{ "similarity", 0, OPTION_TEXT, "SHARE", "0", NULL,
	  "drop only documents whose similarity to the one that is kept is estimated to be at least this, 0 to "
	  "1",
	  "Options of cluster", 0, 0, 0, AT(similarity) },
	{ "rows", 0, OPTION_TEXT, "FILE", NULL, NULL, "the list of rows to drop, made by cluster; it has to be given",
	  "Options of apply", 0, 0, 0, AT(rows) },
	{ "rejects", 0, OPTION_FLAG, NULL, NULL, NULL,
	  "write what was dropped, and what each document repeats, to FILE.rejects.jsonl beside the output",
	  "Options of apply", 0, 0, 0, AT(rejects) },
	{ "method", 'm', OPTION_TEXT, "METHOD", "plain", NULL,
	  "the method whose text is counted; lines of plain are those of the others too", "Options of learn", 0, 0, 0,
	  AT(method) },
	{ "jobs", 'j', OPTION_NUMBER, "N", NULL, "cores", "workers", "Options of learn", 0, 0, 1024, AT(jobs) },
	{ "scope", 0, OPTION_CHOICE, "host|all", "host", NULL,
	  "count the pages of a line by site (registrable domain), or all together", "Options of learn", 0, 0, 0,
	  AT(scope) },
	{ "least", 0, OPTION_NUMBER, "N", "2", NULL, "leave out lines on fewer pages", "Options of learn", 0, 1, 0,
	  AT(least) },
	{ "size", 0, OPTION_NUMBER, "BYTES", "1G", NULL,
	  "size of the table at most: lines on the fewest pages are left out", "Options of learn", 0, 1024, 0,
	  AT(size) },
	{ "memory", 0, OPTION_NUMBER, "BYTES", "256M", NULL,
	  "memory for counting; what does not fit goes into temporary files beside the output",
	  "Options of learn, estimate", 0, 4096, 0, AT(memory) },
	{ "documents", 0, OPTION_NUMBER, "N", "1000000", NULL, "documents", "Options of estimate", 0, 1, UINT32_MAX,
	  AT(documents) },
	{ "chars", 0, OPTION_NUMBER, "N", "3000", NULL, "characters of a document's text, in the mean",
	  "Options of estimate", 0, 1, 1 << 24, AT(chars) },
	{ "lines", 0, OPTION_NUMBER, "N", NULL, "one for each 100 characters",
	  "different lines in all documents, as the statistics of dedup-lines count them (lines_in_memory)",
	  "Options of estimate", 0, 1, UINT64_C(1) << 40, AT(lines) },
	{ "repeated", 0, OPTION_NUMBER, "N", NULL, "at most all lines",
	  "lines that stand on two pages of their site and more, and sites, as dana dedup info counts them in "
	  "a table of learn",
	  "Options of estimate", 0, 0, UINT64_C(1) << 40, AT(repeated) },
	{ "duplicates", 0, OPTION_NUMBER, "PERCENT", "30", NULL, "documents that repeat another one, of a hundred",
	  "Options of estimate", 0, 0, 100, AT(duplicates) },
	{ .name = NULL },
};

#ifdef HAVE_ROARING
#define RUN(function) function
#else
#define RUN(function) missing

static int missing(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	(void)s;
	command_message(a->command, "this dana was built without CRoaring, which it needs for this");
	return EXIT_FAULT;
}
#endif

const struct dedup_verb dedup_verbs[] = {
	{ "learn", "count on how many pages of its site each line stands", "-o FILE [OPTIONS] INPUT...",
	  " output force method jobs scope least size memory ", 1, SIZE_MAX, RUN(dedup_learn) },
	{ "cluster", "join signatures, and list the rows to drop", "-o FILE [OPTIONS] DIR|FILE...",
	  " output force keep similarity ", 1, SIZE_MAX, RUN(dedup_cluster) },
	{ "apply", "write outputs of earlier runs without the rows of a list", "-o FILE --rows FILE [OPTIONS] INPUT...",
	  " output force rows rejects ", 1, SIZE_MAX, RUN(dedup_apply) },
	{ "rows", "make a list of rows of lines of JSON, for signatures that another program has joined",
	  "-o FILE [OPTIONS] FILE", " output force ", 1, 1, RUN(dedup_rows) },
	{ "merge", "make one file of several of the same kind", "-o FILE [OPTIONS] DIR|FILE...", " output force ", 1,
	  SIZE_MAX, RUN(dedup_merge) },
	{ "estimate", "print memory and disk of each way before it is run", "[OPTIONS]",
	  " documents chars lines repeated duplicates memory ", 0, 0, RUN(dedup_estimate) },
	{ "info", "say what a file holds", "FILE...", " ", 1, SIZE_MAX, RUN(dedup_info) },
	{ "verify", "compare all checksums of files", "DIR|FILE...", " ", 1, SIZE_MAX, RUN(dedup_verify) },
	{ .name = NULL },
};

static int write_verbs(struct buf *out)
{
	buf_append_text(out, ".SH VERBS\n");
	for (const struct dedup_verb *v = dedup_verbs; v->name; v++)
		buf_printf(out, ".TP\n.B dana dedup %s\n%s\n.br\n%s\n", v->name, v->synopsis, v->summary);
	return buf_status(out);
}

const struct option_table dedup_options = {
	.command = "dedup",
	.summary = "indexes of duplicates and boilerplate",
	.synopsis = "COMMAND [OPTIONS] [INPUT|DIR|FILE...]",
	.description =
		"learn reads archives, as dana filter does, and makes a table of lines: the plugin boilerplate drops "
		"by it what stands on many pages of a site, dedup-lines what stands on many pages anywhere (--scope "
		"all).\n\n"
		"Files of signatures are made beside a run of dana filter. cluster joins the documents of any number "
		"of such files that share a bucket (near-duplicates), keeps one of each group, and writes a list of "
		"the rows of the others. The order of the files does not matter; they may come from any machine. "
		"Memory does not grow with the number of files, and by 8 to 16 bytes for each document, in mapped "
		"temporary files beside the output.\n\n"
		"apply writes JSONL that dana filter has written, of any schema and compression, or WARC (the name of "
		"the output says which) without the rows of a list; the plugin dedup-near drops them in a second run "
		"over the archives. The documents must be those that signatures were made of, in the same order.\n\n"
		"rows makes the same list of lines of JSON, - is standard input: a program on many machines may join "
		"signatures by their buckets, as doc/DEDUP.md describes, with no table of all documents on one of "
		"them.\n\n"
		"merge makes one file of several of one kind (lists of rows: of different inputs). info says what a "
		"file holds, verify reads it whole and compares its checksums. A file that is cut, damaged, foreign or "
		"of another version is named, and nothing is overwritten.\n\n"
		"Of a DIR all files are taken whose names end with .sig.",
	.write_details = write_verbs,
	.examples = "dana dedup learn -o lines.table crawl/*.warc.gz\n"
		    "dana dedup cluster -o drop.rows signatures/\n"
		    "dana dedup apply -o clean.jsonl.zst --rows drop.rows all.jsonl.zst\n"
		    "dana dedup info drop.rows\n"
		    "dana dedup verify signatures/",
	.options = options,
	.least_positionals = 1,
	.most_positionals = SIZE_MAX,
};

const struct dedup_verb *dedup_find_verb(const char *name)
{
	for (const struct dedup_verb *v = dedup_verbs; v->name; v++) {
		if (strcmp(v->name, name) == 0)
			return v;
	}
	return NULL;
}

bool dedup_takes(const struct dedup_verb *v, const char *option)
{
	char word[32];
	(void)snprintf(word, sizeof(word), " %s ", option);
	return strstr(v->options, word) != NULL;
}

static int run_verb(const struct dedup_verb *v, int argc, char **argv)
{
	struct option own[sizeof(options) / sizeof(*options)] = { { 0 } };
	struct dedup_settings settings = { 0 };
	struct options_rest rest = { 0 };
	char command[32];
	size_t n = 0;
	for (const struct option *o = options; o->name; o++) {
		if (dedup_takes(v, o->name))
			own[n++] = *o;
	}
	(void)snprintf(command, sizeof(command), "dedup %s", v->name);
	const struct option_table table = { .command = command,
					    .summary = v->summary,
					    .synopsis = v->synopsis,
					    .options = own,
					    .least_positionals = v->least,
					    .most_positionals = v->most };
	int code = command_options(&table, &settings, argc, argv, &rest);
	const char *left_out = dedup_takes(v, "output") && !settings.output ? "-o"
			       : dedup_takes(v, "rows") && !settings.rows   ? "--rows"
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

int dedup_run(int argc, char **argv)
{
	const struct dedup_verb *v = argc > 1 ? dedup_find_verb(argv[1]) : NULL;
	if (v)
		return run_verb(v, argc - 1, argv + 1);
	if (argc > 1 && argv[1][0] != '-') {
		struct buf words = { 0 };
		struct error err = { 0 };
		for (const struct dedup_verb *each = dedup_verbs; each->name; each++)
			buf_printf(&words, "%s%s", each == dedup_verbs ? "" : "|", each->name);
		buf_append_byte(&words, 0);
		if (buf_status(&words) == DANA_OK)
			(void)word_refuse((const char *)words.data, slice_from_text(argv[1]), "VERB", &err);
		buf_free(&words);
		return command_usage(dedup_options.command, &err);
	}

	struct dedup_settings settings = { 0 };
	struct options_rest rest = { 0 };
	int code = command_options(&dedup_options, &settings, argc, argv, &rest);
	if (code < 0) {
		command_message(dedup_options.command, "the verb comes first; expected dana dedup %s",
				dedup_options.synopsis);
		code = EXIT_USAGE;
	}
	options_rest_free(&rest);
	return code;
}
