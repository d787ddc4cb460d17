/* SPDX-License-Identifier: MIT */
#include "cli/filter_console.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/message.h"

#define CLEAR_LINE "\r\033[K"

void filter_console_init(struct filter_console *c)
{
	c->drawn = false;
	(void)pthread_mutex_init(&c->lock, NULL);
}

void filter_console_line(void *console, const char *text)
{
	struct filter_console *c = console;
	pthread_mutex_lock(&c->lock);
	(void)fprintf(stderr, "%s%s\n", c->drawn ? CLEAR_LINE : "", text);
	c->drawn = false;
	pthread_mutex_unlock(&c->lock);
}

void filter_console_message(void *console, const char *text)
{
	char line[MESSAGE_MOST];
	filter_console_line(console, command_line("filter", text, line));
}

void filter_console_progress(void *console, const char *text)
{
	struct filter_console *c = console;
	pthread_mutex_lock(&c->lock);
	(void)fprintf(stderr, CLEAR_LINE "%s", text);
	(void)fflush(stderr);
	c->drawn = true;
	pthread_mutex_unlock(&c->lock);
}

unsigned filter_console_columns(void *console)
{
	enum { USUAL = 80, LEAST = 2 };
	struct winsize size;
	(void)console;
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
		return USUAL;
	return size.ws_col < LEAST ? LEAST : size.ws_col;
}

void filter_console_clear(struct filter_console *c)
{
	if (c->drawn)
		(void)fputs(CLEAR_LINE, stderr);
	c->drawn = false;
}

void filter_console_free(struct filter_console *c)
{
	(void)pthread_mutex_destroy(&c->lock);
}
