/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/console.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/command.h"

#define CLEAR_LINE "\r\033[K"

void console_init(struct console *c, const char *command)
{
	*c = (struct console){ .command = command };
	(void)pthread_mutex_init(&c->lock, NULL);
}

void console_line(void *console, const char *text)
{
	struct console *c = console;
	pthread_mutex_lock(&c->lock);
	(void)fprintf(stderr, "%s%s\n", c->drawn ? CLEAR_LINE : "", text);
	c->drawn = false;
	pthread_mutex_unlock(&c->lock);
}

void console_message(void *console, const char *text)
{
	const struct console *c = console;
	char line[MESSAGE_MOST];
	console_line(console, command_line(c->command, text, line));
}

void console_progress(void *console, const char *text)
{
	struct console *c = console;
	pthread_mutex_lock(&c->lock);
	(void)fprintf(stderr, CLEAR_LINE "%s", text);
	(void)fflush(stderr);
	c->drawn = true;
	pthread_mutex_unlock(&c->lock);
}

unsigned console_columns(void *console)
{
	enum { USUAL = 80, LEAST = 2 };
	struct winsize size;
	(void)console;
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
		return USUAL;
	return size.ws_col < LEAST ? LEAST : size.ws_col;
}

void console_clear(struct console *c)
{
	if (c->drawn)
		(void)fputs(CLEAR_LINE, stderr);
	c->drawn = false;
}

void console_end(struct console *c)
{
	console_clear(c);
	(void)pthread_mutex_destroy(&c->lock);
}
