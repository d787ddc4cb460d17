/* SPDX-License-Identifier: MIT */
/* A command of `dana`: one row of the table in main.c. */
#ifndef DANA_CLI_COMMAND_H
#define DANA_CLI_COMMAND_H

#include "base/buf.h"
#include "cli/options/option.h"

/** Exit statuses, as the README lists them. */
enum command_exit { EXIT_DONE = 0, EXIT_FAULT = 1, EXIT_DAMAGE = 2, EXIT_USAGE = 3 };

struct command {
	const char *name;
	const struct option_table *options; /* its summary stands in `dana --help` */
	int (*run)(int argc, char **argv);  /* argv[0] is the command's name. Returns the exit status. */
	bool hidden;                        /* for developers: not in --help */
};

/**
 * Reads the command line into `settings`. Returns -1: go on; or the exit status to end with at once, after --help was
 * printed or a usage error was reported. The caller frees `rest` with options_rest_free in every case.
 */
int command_options(const struct option_table *table, void *settings, int argc, char **argv, struct options_rest *rest);
/** One line on standard error: "dana COMMAND: text". */
void command_message(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/**
 * From now on messages of any command name this one, which the user has called and which runs the other. Before threads run; the
 * text is borrowed.
 */
void command_called(const char *command);
/** The command of that name; NULL. */
const struct command *command_find(const char *name);
/** Reports that there is no such command (or option of dana itself), with the nearest name. EXIT_USAGE. */
int command_unknown(const char *name);
/** Why the page `path` could not be opened, by errno: of an address, that pages are not fetched. */
const char *command_page_fault(const char *path);
/** The cores that this process may use, at least 1. */
unsigned command_cores(void);
/** Before standard input is read: where it is a terminal, says that it is waited for and what ends it. */
void command_tell_waiting(const char *command);
/** Prints what `dana COMMAND --help` prints. The exit status. */
int command_help(const struct option_table *table);
/** command_message and EXIT_USAGE; EXIT_FAULT where memory was exhausted. */
int command_usage(const char *command, const struct error *err);
/**
 * Writes all to standard output and flushes. EXIT_DONE (also when the reader has gone: EPIPE) or EXIT_FAULT with a
 * message.
 */
int command_print(const char *command, struct slice text);
/** The same with a text that was made with this status and is freed; says so where memory was exhausted. */
int command_print_made(const char *command, int status, struct buf *text);

/** NULL-name ended: all commands. */
extern const struct command command_table[];

extern const struct option_table complete_options, dedup_options, eval_options, explain_options, extract_options,
	help_options, methods_options, manual_options, plugins_options, sample_options, serve_options, train_options;
int complete_run(int argc, char **argv);
int dedup_run(int argc, char **argv);
int eval_run(int argc, char **argv);
int explain_run(int argc, char **argv);
int train_run(int argc, char **argv);
int extract_run(int argc, char **argv);
int help_run(int argc, char **argv);
int methods_run(int argc, char **argv);
int plugins_run(int argc, char **argv);
int filter_run(int argc, char **argv);
int manual_run(int argc, char **argv);
int serve_command_run(int argc, char **argv);
int sample_run(int argc, char **argv);
/** Prints what `dana --version` says. */
int version_run(void);

#endif
