/* SPDX-License-Identifier: MIT */
/* The program `dana`: finds the command and runs it. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/library.h"
#include "cli/command.h"
#include "cli/options.h"

/* In the order of `dana --help`. A command is listed when it works. */
static const struct command commands[] = {
	{ "filter", &filter_options, filter_run, false },
	{ "extract", &extract_options, extract_run, false },
	{ "eval", &eval_options, eval_run, false },
	{ "explain", &explain_options, explain_run, false },
	{ "compare", &compare_options, compare_command_run, false },
	{ "serve", &serve_options, serve_command_run, false },
	{ "train", &train_options, train_run, false },
	{ "features", &features_options, features_run, false },
	{ "methods", &methods_options, methods_run, false },
	{ "plugins", &plugins_options, plugins_run, false },
	{ "dedup", &dedup_options, dedup_run, false },
	{ "site", &site_options, site_run, false },
	{ "stats", &stats_options, stats_run, false },
	{ "help", &help_options, help_run, false },
	{ "complete", &complete_options, complete_run, true },
	{ "print-manual", &manual_options, manual_run, true },
	{ "print-sample", &sample_options, sample_run, true },
	{ .name = NULL },
};

const struct option_table help_options = {
	.command = "help",
	.summary = "print the help of a command, or this list",
	.synopsis = "[COMMAND [SUBCOMMAND]]",
	.examples = "dana help\n"
		    "dana help filter\n"
		    "dana help dedup learn",
	.most_positionals = 2,
};

static int print_help(void)
{
	struct buf out = { 0 };
	buf_append_text(&out, "Usage: dana COMMAND [OPTIONS] [ARGUMENTS]\n"
			      "Finds the main content of the pages in web archives.\n\nCommands:\n");
	for (const struct command *c = command_table; c->name; c++) {
		if (!c->hidden)
			buf_printf(&out, "  %-10s %s\n", c->name, c->options->summary);
	}
	buf_append_text(&out, "\n`dana COMMAND --help` (or `dana help COMMAND`) lists the options of a command,\n"
			      "`dana COMMAND --help-all` all of them. `dana --version` (or -V) prints the\n"
			      "version and what is built in.\n");
	return command_print_made(NULL, DANA_OK, &out);
}

int help_run(int argc, char **argv)
{
	struct options_rest rest = { 0 };
	int code = command_options(&help_options, NULL, argc, argv, &rest);
	if (code < 0 && rest.n_positionals == 0) {
		code = print_help();
	} else if (code < 0) {
		const char *const *words = rest.positionals;
		const struct command *command = command_find(words[0]);
		/* the verbs of a command, or those that its synopsis begins with: "merge|report FILE..." */
		const char *verb = rest.n_positionals > 1 ? words[1] : "",
			   *synopsis = command ? command->options->synopsis : "";
		char verbs[64];
		(void)snprintf(verbs, sizeof(verbs), "%.*s", (int)strcspn(synopsis, " "), synopsis);
		if (!command) {
			code = command_unknown(words[0]);
		} else if (!*verb) {
			code = command_help(command->options, false);
		} else if (command->options->verbs || word_index(verbs, slice_from_text(verb)) >= 0) {
			const char *line[] = { words[0], verb, "--help", NULL };
			code = command->run(3, (char **)(void *)line);
		} else {
			command_message("help", "%s has no verb '%s'; expected dana help %s", words[0], verb, words[0]);
			code = EXIT_USAGE;
		}
	}
	options_rest_free(&rest);
	return code;
}

static int run(int argc, char **argv)
{
	command_table = commands;
	/* large blocks go back to the system as they are freed: glibc would learn from them to keep up to 64 MiB */
#ifdef __GLIBC__
	(void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
	/* the number of a closed standard stream would go to the next file that is opened, and data would go there.
	 * The file opened instead refuses to be read, or written, as the closed stream would. */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
	}
	(void)signal(SIGPIPE, SIG_IGN); /* writes fail with EPIPE instead, and the run ends quietly */
	(void)signal(SIGXFSZ, SIG_IGN); /* writes fail with EFBIG instead, and the run says so */
	if (argc < 2) {
		command_message(NULL,
				"a command is missing; expected dana COMMAND, and dana --help lists the commands");
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help-all") == 0)
		return print_help();
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
		return version_run();

	const struct command *command = command_find(argv[1]);
	return command ? command->run(argc - 1, argv + 1) : command_unknown(argv[1]);
}

int main(int argc, char **argv)
{
	library_exit(run(argc, argv));
}
