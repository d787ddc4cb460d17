/* SPDX-License-Identifier: MIT */
/* A command of `dana`: one row of the table in main.c. */
#ifndef DANA_CLI_COMMAND_H
#define DANA_CLI_COMMAND_H

#include "cli/message.h"

struct command {
	const char *name;
	const struct option_table *options; /* its summary stands in `dana --help` */
	int (*run)(int argc, char **argv);  /* argv[0] is the command's name. Returns the exit status. */
	bool hidden;                        /* for developers: not in --help */
};

/** All commands, ended by a NULL name. main.c hands them in before any of them runs. */
extern const struct command *command_table;
/** Returns the command of that name; NULL if it does not exist. */
const struct command *command_find(const char *name);
/** Reports that a command (or an option of dana itself) does not exist, with the nearest name. Returns EXIT_USAGE. */
int command_unknown(const char *name);

extern const struct option_table complete_options, dedup_options, eval_options, explain_options, extract_options,
	help_options, methods_options, manual_options, plugins_options, sample_options, serve_options, stats_options,
	train_options;
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
int stats_run(int argc, char **argv);
int sample_run(int argc, char **argv);
/** Prints what `dana --version` says. Returns the exit status. */
int version_run(void);

#endif
