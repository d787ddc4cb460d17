/* SPDX-License-Identifier: MIT */
/* Standard error of `dana filter`, which lines of messages and the progress line share. Any thread. */
#ifndef DANA_CLI_FILTER_CONSOLE_H
#define DANA_CLI_FILTER_CONSOLE_H

#include <pthread.h>
#include <stdbool.h>

struct filter_console {
	pthread_mutex_t lock;
	bool drawn; /* a progress line stands there */
};

void filter_console_init(struct filter_console *c);
/** Prints a line of its own; `console` is the console. */
void filter_console_line(void *console, const char *text);
/** Prints a message of `dana filter`. */
void filter_console_message(void *console, const char *text);
/** Draws the progress line anew. */
void filter_console_progress(void *console, const char *text);
/** Returns the columns of the terminal; 80 if they are not known. */
unsigned filter_console_columns(void *console);
/** The last progress line is taken away: no other one is drawn after it. */
void filter_console_clear(struct filter_console *c);
void filter_console_free(struct filter_console *c);

#endif
