/* SPDX-License-Identifier: MIT */
/*
 * The commands of `dana`, each a row of the table in main.c; what they share (command_): options, messages, statuses,
 * output; and the verbs of `dana dedup` and `dana site`, each a row of the table in dedup.c.
 */
#ifndef DANA_CLI_COMMAND_H
#define DANA_CLI_COMMAND_H

#include "base/buf.h"
#include "base/diagnostics.h"
#include "cli/options.h"

struct command {
	const char *name;
	const struct option_table *options; /* its summary is in `dana --help` */
	int (*run)(int argc, char **argv);  /* argv[0] is the command's name. Returns the exit status. */
	bool hidden;                        /* for developers: not in --help */
};

/** All commands, ended by a NULL name. main.c hands them in before any of them runs. */
extern const struct command *command_table;

const struct command *command_find(const char *name);
/** Reports that a command (or an option of dana itself) does not exist, with the nearest name. Returns EXIT_USAGE. */
int command_unknown(const char *name);

extern const struct option_table compare_options, complete_options, dedup_options, eval_options, explain_options,
	extract_options, help_options, methods_options, manual_options, plugins_options, sample_options, serve_options,
	site_options, stats_options, train_options;

int compare_command_run(int argc, char **argv);
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
struct site_sources;
/** The same with sources that learn (dedup/site_table.h), and write that file, in place of a table of sites. */
int filter_run_teaching(int argc, char **argv, const struct site_sources *learner, const char *file);
int manual_run(int argc, char **argv);
int serve_command_run(int argc, char **argv);
int site_run(int argc, char **argv);
int stats_run(int argc, char **argv);
int sample_run(int argc, char **argv);
int version_run(void);

/* What commands print: data on standard output, messages on standard error. Below the table of commands. */

/** Exit statuses, as doc/FORMATS.md lists them. */
enum command_exit { EXIT_DONE = 0, EXIT_FAULT = 1, EXIT_DAMAGE = 2, EXIT_USAGE = 3 };

enum { MESSAGE_MOST = NOTICE_MOST + 64 };

/**
 * Reads the command line into `settings`. Returns -1: continue; or the exit status to end with at once, after --help
 * was printed or a usage error was reported. The caller frees `rest` with options_rest_free in every case.
 */
int command_options(const struct option_table *table, void *settings, int argc, char **argv, struct options_rest *rest);
/** Makes the line "dana COMMAND: text", printable. Returns `line`. */
const char *command_line(const char *command, const char *text, char line[MESSAGE_MOST]);
void command_message(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** The same as the `line` of struct notices; its `arg` points to the name of the command: a const char *. */
void command_notice(void *command, const char *text);
/**
 * From now on messages of any command name this one, which the user has called and which runs the other. Before threads
 * run; the text is borrowed.
 */
void command_called(const char *command);
/** Before standard input is read: where it is a terminal, says that it is waited for and what ends it. */
void command_tell_waiting(const char *command);
int command_help(const struct option_table *table, bool all);
/** Prints the error as command_message does. Returns EXIT_USAGE; EXIT_FAULT if memory was exhausted. */
int command_usage(const char *command, const struct error *err);
/**
 * Prints the error as command_message does. Returns EXIT_USAGE for a wrong setting of the method or a plugin; else
 * EXIT_FAULT.
 */
int command_failed(const char *command, const struct error *err);
/**
 * Writes all to standard output and flushes. Returns EXIT_DONE (also if the reader has gone: EPIPE), or EXIT_FAULT
 * after a message.
 */
int command_print(const char *command, struct slice text);
/** The same into the file `path`, where that is neither NULL nor "-". */
int command_write(const char *command, const char *path, struct slice text);
/** Refuses a terminal as the place of a report, where no --output says so: DANA_ECONFIG. */
int command_check_terminal(const char *output, struct error *err);
/**
 * Prints and frees a text that was made with this status. Returns as command_print; EXIT_FAULT after a message if
 * memory was exhausted.
 */
int command_print_made(const char *command, int status, struct buf *text);

/* What `dana features` needs of the method. */

extern const struct option_table features_options;

int features_run(int argc, char **argv);

/* What people read about plugins, made from their tables. All append to a buffer. */

struct dana_plugin;

/** Appends the sections of the sample configuration: every plugin that is built in, with its options. */
int plugins_sample(struct buf *out);
/**
 * Calls `each` for each plugin that can be asked for by its name: those that are built in, and those of the folder of
 * plugins that can be loaded, which are there during the call.
 */
void plugins_each(void (*each)(const struct dana_plugin *p, void *arg), void *arg);

/* What the verbs of `dana dedup` and `dana site` share. */

struct dedup_settings {
	const char *output, *similarity, *method, *rows;
	int keep;  /* enum cluster_keep */
	int scope; /* 0: host, 1: all */
	bool force, rejects;
	unsigned jobs; /* all bits 1: not given */
	uint64_t least, size, memory, documents, chars, lines, repeated, duplicates;
};

struct dedup_arguments {
	const char *command; /* "dedup cluster", for messages */
	const char *const *names;
	size_t n;
};

struct dedup_verb {
	const char *name, *summary, *synopsis;
	const char *options; /* names of those that it takes, a space before and after each */
	size_t least, most;  /* arguments */
	int (*run)(const struct dedup_settings *s, const struct dedup_arguments *a); /* the exit status */
};

/** Returns the verb of a command; NULL if it has none of this name. */
const struct dedup_verb *verb_find(const struct option_table *table, const char *name);
bool verb_takes(const struct dedup_verb *v, const char *option);

/* The verbs. Each returns the exit status. */

int dedup_apply(const struct dedup_settings *s, const struct dedup_arguments *a);
int dedup_cluster(const struct dedup_settings *s, const struct dedup_arguments *a);
int dedup_estimate(const struct dedup_settings *s, const struct dedup_arguments *a);
int dedup_info(const struct dedup_settings *s, const struct dedup_arguments *a);
int dedup_learn(const struct dedup_settings *s, const struct dedup_arguments *a);
int site_learn(const struct dedup_settings *s, const struct dedup_arguments *a);
int dedup_merge(const struct dedup_settings *s, const struct dedup_arguments *a);
int dedup_rows(const struct dedup_settings *s, const struct dedup_arguments *a);
int dedup_verify(const struct dedup_settings *s, const struct dedup_arguments *a);
int site_merge(const struct dedup_settings *s, const struct dedup_arguments *a);

#endif
