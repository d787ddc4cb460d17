/* SPDX-License-Identifier: MIT */
/* `dana stats merge` and `report`: what many runs have counted becomes one object, or one page. */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "archive/report_page.h"
#include "base/diagnostics.h"
#include "base/file.h"
#include "cli/command.h"
#include "run/outputs.h"
#include "run/stats_file.h"

enum { SHOWN = 200 };

struct stats_settings {
	const char *output;
	bool force;
};

static const struct option options[] = {
	{ "output", 'o', OPTION_TEXT, "FILE", NULL, "standard output", "write to FILE", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct stats_settings, output) },
	{ "force", 0, OPTION_FLAG, NULL, NULL, NULL, "overwrite an existing file", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct stats_settings, force) },
	{ 0 },
};

const struct option_table stats_options = {
	.command = "stats",
	.summary = "add up what filter --stats has counted in many runs",
	.synopsis = "merge|report [-o FILE] FILE...",
	.description =
		"merge prints one JSON object: the sums of the counters and times in the FILEs, the largest "
		"peak_rss_bytes, "
		"and in `done` the list of all inputs, and parts of inputs, that were read to their end. An input, or "
		"a part of one, that two runs have read is exit status 3. So that nothing is missed, every share R/N "
		"(filter --shard) must be there of each N of which one is: if not, the sums are printed with the list "
		"`shards` of those that are, which a later merge takes, and the exit status is 1.\n\n"
		"report makes the page of filter --report from the sums, as of one run over all the inputs, without "
		"the section on time and memory. The runs must have had both --stats and --report; then the sums have "
		"`report`, too.\n\n"
		"A FILE holds one object a line, as filter --stats writes it, or as this command does; - is standard "
		"input, so that cat joins what is too much for a command line.",
	.examples = "dana stats merge stats/*.json >all.json\n"
		    "dana stats report -o run.html stats/*.json\n"
		    "find stats -name '*.json' -exec cat {} + | dana stats merge - | jq .documents",
	.options = options,
	.least_positionals = 2,
	.most_positionals = SIZE_MAX,
};

static int read_file(const char *name, struct buf *content)
{
	char *data = NULL;
	size_t len = 0;
	if (strcmp(name, "-") == 0)
		return whole_file_append(stdin, UINT64_MAX, content);
	int status = whole_file_read(NULL, name, &data, &len);
	if (status == DANA_OK)
		status = buf_append(content, data, len);
	free(data);
	return status > 0 ? DANA_EIO : status;
}

/* Appends the sums, or the page that is made of them. */
static int make(struct stats_merge *m, bool page, struct buf *out, struct error *err)
{
	struct buf line = { 0 };
	char shown[SHOWN];
	if (!page)
		return stats_merge_json(m, out, err);
	const char *without = stats_merge_without_report(m);
	if (without)
		return error_set(err, DANA_EFORMAT,
				 "%s: it has no `report`; expected what --stats writes in a run with --report",
				 printable(slice_from_text(without), shown, sizeof(shown)));
	int status = stats_merge_json(m, &line, err);
	if (status == DANA_OK)
		status = report_page(buf_slice(&line), slice_of(NULL, 0), out, err);
	buf_free(&line);
	return status;
}

static int add_up(const struct stats_settings *s, bool page, const char *const *names, size_t n)
{
	struct stats_merge *m = stats_merge_new();
	struct buf out = { 0 };
	struct error err = { 0 };
	int status = m ? DANA_OK : error_no_memory(&err);
	for (size_t i = 0; i < n && status == DANA_OK; i++) {
		const char *name = names[i];
		char shown[SHOWN];
		struct buf content = { 0 };
		status = read_file(name, &content);
		if (status == DANA_OK)
			status = stats_merge_add(m, name, buf_slice(&content), &err);
		else if (status == DANA_EIO)
			(void)error_set(&err, DANA_EIO, "%s: %s",
					printable(slice_from_text(name), shown, sizeof(shown)), system_text(errno));
		else
			(void)error_no_memory(&err);
		buf_free(&content);
	}
	if (status == DANA_OK)
		status = make(m, page, &out, &err);
	int code = status < 0 ? command_failed("stats", &err) : command_write("stats", s->output, buf_slice(&out));
	if (status == DANA_OK && code == EXIT_DONE) {
		/* where a share is in no file the sums are not those of all */
		struct buf shares = { 0 };
		const uint64_t missing = stats_merge_missing(m, &shares);
		if (missing)
			command_message("stats", "%" PRIu64 " %s missing, so that these are not the sums of all: %.*s",
					missing, missing == 1 ? "share is" : "shares are", (int)shares.len,
					(const char *)shares.data);
		buf_free(&shares);
		code = missing ? EXIT_FAULT : EXIT_DONE;
	}
	buf_free(&out);
	stats_merge_free(m);
	return code;
}

/* Nothing is written over that was not meant: neither one of the files, nor without --force another one. */
static int check_output(const struct stats_settings *s, const char *const *names, size_t n, struct error *err)
{
	int status = DANA_OK;
	if (!s->output || strcmp(s->output, "-") == 0)
		return DANA_OK;
	for (size_t i = 0; i < n && status == DANA_OK; i++)
		status = outputs_check_spare(names[i], s->output, err);
	return status < 0 ? status : outputs_check_new(s->output, s->force, err);
}

int stats_run(int argc, char **argv)
{
	struct stats_settings s = { 0 };
	struct options_rest rest = { 0 };
	struct error err = { 0 };
	int code = command_options(&stats_options, &s, argc, argv, &rest);
	const char *verb = code < 0 ? rest.positionals[0] : "";
	const bool page = strcmp(verb, "report") == 0;
	if (code < 0 && !page && strcmp(verb, "merge") != 0) {
		command_message("stats", "the verb comes first; expected dana stats %s", stats_options.synopsis);
		code = EXIT_USAGE;
	}
	if (code < 0 && page && command_check_terminal(s.output, &err) < 0)
		code = command_usage("stats", &err);
	if (code < 0 && check_output(&s, rest.positionals + 1, rest.n_positionals - 1, &err) < 0)
		code = command_usage("stats", &err);
	if (code < 0)
		code = add_up(&s, page, rest.positionals + 1, rest.n_positionals - 1);
	options_rest_free(&rest);
	return code;
}
