/* SPDX-License-Identifier: MIT */
/*
 * Standard error of a command that takes long: a line of progress, which other lines replace. On a terminal it is drawn
 * anew in place. Threads: any.
 */
#ifndef DANA_CLI_CONSOLE_H
#define DANA_CLI_CONSOLE_H

#include <pthread.h>
#include <stdbool.h>

struct console {
	const char *command;
	pthread_mutex_t lock;
	bool drawn; /* a line of progress is there */
};

/** `command` is borrowed. */
void console_init(struct console *c, const char *command);

/* Each is the `line` of a struct notices whose `arg` is the console. */

/** Prints a line. */
void console_line(void *console, const char *text);
/** Prints "dana COMMAND: text". */
void console_message(void *console, const char *text);
/** Draws the line of progress. */
void console_progress(void *console, const char *text);

/** Columns of the terminal; at least 2. */
unsigned console_columns(void *console);
/** Takes the line of progress away: no other one is drawn after it. */
void console_clear(struct console *c);
/** The same; and nothing is printed by it any more. */
void console_end(struct console *c);

#endif
