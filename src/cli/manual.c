/* SPDX-License-Identifier: MIT */
/* Commands for developers: what is made from the option tables and kept in the tree (doc/dana-*.1, conf/dana.conf). */
#include "config.h"

#include <string.h>

#include "cli/command.h"
#include "cli/options.h"

const struct option_table manual_options = {
	.command = "print-manual",
	.summary = "print the manual page of a command, or of dana",
	.synopsis = "[COMMAND]",
	.most_positionals = 1,
};

const struct option_table sample_options = {
	.command = "print-sample",
	.summary = "print the sample configuration",
	.synopsis = "",
};

/* The page of the program itself: the commands and what holds for all. */
static int program_manual(struct buf *out)
{
	buf_append_text(
		out,
		".\\\" Made from the option table of the program; do not edit.\n"
		".TH DANA 1 \"\" \"dana " PACKAGE_VERSION "\" \"User commands\"\n"
		".SH NAME\ndana \\- main content of the pages in web archives\n"
		".SH SYNOPSIS\n.B dana\n.I COMMAND\n[OPTIONS] [ARGUMENTS]\n.br\n.B dana help\n[\n.I COMMAND\n]\n.br\n"
		".B dana \\-h\n|\n.B \\-\\-help\n.br\n.B dana \\-V\n|\n.B \\-\\-version\n"
		".SH DESCRIPTION\n"
		"Streams web archives (WARC, ARC), finds the main content of every HTML page in one pass, and writes "
		"clean "
		"text as JSONL or WARC.\n"
		"Data goes to standard output, messages to standard error.\n"
		".SH COMMANDS\n");
	for (const struct command *c = command_table; c->name; c++) {
		if (!c->hidden) {
			buf_append_text(out, ".TP\n.BR dana\\-");
			help_roff(out, c->name);
			buf_append_text(out, " (1)\n");
			help_roff(out, c->options->summary);
			buf_append_text(out, "\n");
		}
	}
	return buf_append_text(out,
			       ".SH EXIT STATUS\n"
			       ".TP\n0\ndone; records that were skipped and problems of pages are normal\n"
			       ".TP\n1\nan input could not be read, an output not be written, or memory is exhausted\n"
			       ".TP\n2\ndone, and some input was damaged or no archive\n"
			       ".TP\n3\nwrong usage or configuration, or an output that exists without \\-\\-force\n"
			       ".TP\n130, 143\nended by SIGINT or SIGTERM, after what was begun was written\n");
}

int manual_run(int argc, char **argv)
{
	struct options_rest rest = { 0 };
	struct buf out = { 0 };
	int code = command_options(&manual_options, NULL, argc, argv, &rest);
	if (code < 0 && rest.n_positionals == 0) {
		code = command_print_made(argv[0], program_manual(&out), &out);
	} else if (code < 0) {
		const struct command *c = command_find(rest.positionals[0]);
		code = c ? command_print_made(argv[0], help_manual(c->options, PACKAGE_VERSION, &out), &out)
			 : command_unknown(rest.positionals[0]);
	}
	options_rest_free(&rest);
	return code;
}

int sample_run(int argc, char **argv)
{
	struct options_rest rest = { 0 };
	struct buf out = { 0 };
	int code = command_options(&sample_options, NULL, argc, argv, &rest);
	if (code < 0) {
		const int status = help_sample(&filter_options, &out);
		code = command_print_made(argv[0], status == DANA_OK ? plugins_sample(&out) : status, &out);
	}
	options_rest_free(&rest);
	return code;
}
