/* SPDX-License-Identifier: MIT */
/* `dana stats merge`: what many runs have counted becomes one object. */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diagnostics.h"
#include "base/file.h"
#include "cli/command.h"
#include "run/stats_file.h"

enum { SHOWN = 200 };

const struct option_table stats_options = {
	.command = "stats",
	.summary = "add up what filter --stats has counted in many runs",
	.synopsis = "merge FILE...",
	.description =
		"Prints one JSON object: the sums of the counters and times in the FILEs, the largest peak_rss_bytes, "
		"and in `done` the list of all inputs, and parts of inputs, that were read to their end. An input, or "
		"a part of one, that two runs have read is exit status 3. So that nothing is missed, every share R/N "
		"(filter --shard) must be there of each N of which one is: if not, the sums are printed with the list "
		"`shards` of those that are, which a later merge takes, and the exit status is 1.\n\n"
		"A FILE holds one object a line, as filter --stats writes it, or as this command does; - is standard "
		"input, so that cat joins what is too much for a command line.",
	.examples = "dana stats merge stats/*.json >all.json\n"
		    "find stats -name '*.json' -exec cat {} + | dana stats merge - | jq .documents",
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

static int merge(const char *const *names, size_t n)
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
		status = stats_merge_json(m, &out, &err);
	int code = status < 0 ? command_failed("stats", &err) : command_print_made("stats", DANA_OK, &out);
	if (status < 0)
		buf_free(&out);
	else if (code == 0) {
		/* where a share is in no file the sums are not those of all */
		struct buf shares = { 0 };
		const uint64_t missing = stats_merge_missing(m, &shares);
		if (missing)
			command_message("stats", "%" PRIu64 " %s missing, so that these are not the sums of all: %.*s",
					missing, missing == 1 ? "share is" : "shares are", (int)shares.len,
					(const char *)shares.data);
		buf_free(&shares);
		code = missing ? EXIT_FAILURE : EXIT_SUCCESS;
	}
	stats_merge_free(m);
	return code;
}

int stats_run(int argc, char **argv)
{
	struct options_rest rest = { 0 };
	int code = command_options(&stats_options, NULL, argc, argv, &rest);
	if (code < 0 && strcmp(rest.positionals[0], "merge") != 0) {
		command_message("stats", "the verb comes first; expected dana stats %s", stats_options.synopsis);
		code = EXIT_USAGE;
	}
	if (code < 0)
		code = merge(rest.positionals + 1, rest.n_positionals - 1);
	options_rest_free(&rest);
	return code;
}
