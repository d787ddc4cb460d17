/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "cli/options.h"
#include "run/outputs.h"

static const char *called;

void command_called(const char *command)
{
	called = command;
}

static const char *name_of(const char *command)
{
	return called ? called : command;
}

const char *command_line(const char *command, const char *text, char line[MESSAGE_MOST])
{
	char safe[NOTICE_MOST];
	(void)snprintf(line, MESSAGE_MOST, "dana%s%s: %s", command ? " " : "", command ? name_of(command) : "",
		       printable_message(slice_from_text(text), safe, sizeof(safe)));
	return line;
}

void command_message(const char *command, const char *format, ...)
{
	char text[NOTICE_MOST], line[MESSAGE_MOST];
	va_list args;
	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	(void)fprintf(stderr, "%s\n", command_line(command, text, line));
}

void command_notice(void *command, const char *text)
{
	command_message(*(const char *const *)command, "%s", text);
}

int command_usage(const char *command, const struct error *err)
{
	command_message(command, "%s", err->text);
	return err->status == DANA_ENOMEM ? EXIT_FAULT : EXIT_USAGE;
}

int command_failed(const char *command, const struct error *err)
{
	command_message(command, "%s",
			err->text[0] ? err->text : status_text(err->status < 0 ? (int)err->status : DANA_ENOMEM));
	return err->status == DANA_ECONFIG || err->status == DANA_EPLUGIN ? EXIT_USAGE : EXIT_FAULT;
}

int command_print(const char *command, struct slice text)
{
	errno = 0;
	bool good = text.len == 0 || fwrite(text.data, 1, text.len, stdout) == text.len;
	if (fflush(stdout) == 0 && good)
		return EXIT_DONE;
	if (errno == EPIPE)
		return EXIT_DONE;
	command_message(command, "standard output: %s", system_text(errno));
	return EXIT_FAULT;
}

int command_write(const char *command, const char *path, struct slice text)
{
	if (!path || strcmp(path, "-") == 0)
		return command_print(command, text);
	FILE *file = fopen(path, "wb");
	bool good = file && fwrite(text.data, 1, text.len, file) == text.len;
	if (file && fclose(file) != 0)
		good = false;
	if (!good)
		command_message(command, "%s: %s", path, system_text(errno));
	return good ? EXIT_DONE : EXIT_FAULT;
}

int command_print_made(const char *command, int status, struct buf *text)
{
	int code = EXIT_FAULT;
	if (status == DANA_OK)
		status = buf_status(text);
	if (status == DANA_OK)
		code = command_print(command, buf_slice(text));
	else
		command_message(command, "%s", status_text(status));
	buf_free(text);
	return code;
}

void command_tell_waiting(const char *command)
{
	if (isatty(STDIN_FILENO))
		command_message(
			command,
			"waits for standard input, which is this terminal: Ctrl-D ends it, Ctrl-C ends the run; "
			"to read a file: dana %s FILE",
			name_of(command));
}

int command_check_terminal(const char *output, struct error *err)
{
	if (output || !isatty(STDOUT_FILENO))
		return DANA_OK;
	return error_set(
		err, DANA_ECONFIG,
		"a report is HTML for a browser, not for a terminal: -o report.html writes it to a file, -o - here");
}

int command_help(const struct option_table *table, bool all)
{
	struct buf text = { 0 };
	int status = help_text(table, all, &text);
	return command_print_made(table->command, status, &text);
}

int command_options(const struct option_table *table, void *settings, int argc, char **argv, struct options_rest *rest)
{
	struct error err = { 0 };
	int status = options_parse(table, settings, argc, argv, rest, &err);
	if (status < 0) {
		command_message(table->command, "%s", err.text);
		return status == DANA_ENOMEM ? EXIT_FAULT : EXIT_USAGE;
	}
	return rest->help ? command_help(table, rest->help_all) : -1;
}

const struct command *command_table;

const struct command *command_find(const char *name)
{
	for (const struct command *c = command_table; c->name; c++) {
		if (strcmp(name, c->name) == 0)
			return c;
	}
	return NULL;
}

int command_unknown(const char *name)
{
	char shown[64];
	struct near_name near = near_name_of(slice_from_text(name));
	bool option = name[0] == '-';
	printable(slice_from_text(name), shown, sizeof(shown));
	if (!option && strpbrk(name, "./")) { /* a file, a folder or a URL */
		const size_t len = strstr(name, "://") ? strcspn(name, "?#") : strlen(name);
		struct stat st;
		command_message(NULL, "a command is missing before '%s'; expected dana %s %s", shown,
				output_is_archive_name(slice_of(name, len))   ? "filter"
				: stat(name, &st) == 0 && S_ISDIR(st.st_mode) ? "extract -O DIR"
									      : "extract",
				shown);
		return EXIT_USAGE;
	}
	static const char *const foreign[][2] = { /* of other programs */
						  { "fetch", "extract" },    { "parse", "extract" },
						  { "convert", "extract" },  { "markdown", "extract -f markdown" },
						  { "diff", "compare" },     { "report", "stats report" },
						  { "version", "--version" }
	};
	for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++) {
		if (strcmp(name, foreign[i][0]) == 0) {
			command_message(NULL, "unknown command '%s'; here it is dana %s", shown, foreign[i][1]);
			return EXIT_USAGE;
		}
	}
	for (const struct command *c = command_table; c->name && !option; c++) {
		if (!c->hidden)
			near_name_offer(&near, c->name);
	}
	if (near.best.len)
		command_message(NULL, "unknown command '%s'; did you mean '%.*s'?", shown, (int)near.best.len,
				(const char *)near.best.data);
	else if (option)
		command_message(NULL,
				"unknown option '%s'; options come after a command, as in dana extract OPTIONS "
				"page.html, and dana --help lists the commands",
				shown);
	else
		command_message(NULL, "unknown command '%s'; dana --help lists the commands", shown);
	return EXIT_USAGE;
}
