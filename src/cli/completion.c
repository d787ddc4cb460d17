/* SPDX-License-Identifier: MIT */
/*
 * `dana print-completion SHELL`: what bash or zsh loads to complete the command line of dana. Commands, options and
 * the words of choices come from the option tables, methods from the table of methods.
 *
 * What may stand after an option, or as an argument, is read from what help shows in its place: "FILE" and "INPUT" are
 * files, "DIR" and "FOLDER" folders, "METHOD" and "NAME[:KEY=VALUE,...]" methods with their keys (of --plugin: plugins), "COMMAND" commands,
 * "a|b[:LEVEL]" the words a and b. Anything else is free text, which no shell can complete.
 */
#include "config.h"

#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

#include "base/near_name.h"
#include "cli/command.h"
#include "extract/table.h"

static const char shells[] = "bash|zsh";

const struct option_table completion_options = {
	.command = "print-completion",
	.summary = "print the completions for a shell",
	.synopsis = shells,
	.least_positionals = 1,
	.most_positionals = 1,
};

void completion_commands(struct buf *out)
{
	for (const struct command *c = command_table; c->name; c++) {
		if (!c->hidden)
			buf_printf(out, "%s ", c->name);
	}
}

/* One of the words that help separates by '|'. */
static void put_word(struct slice word, struct buf *out)
{
	if (slice_equal(word, slice_from_text("FILE")) || slice_equal(word, slice_from_text("INPUT")))
		buf_append_text(out, "@files ");
	else if (slice_equal(word, slice_from_text("DIR")) || slice_equal(word, slice_from_text("FOLDER")))
		buf_append_text(out, "@folders ");
	else if (slice_equal(word, slice_from_text("COMMAND")))
		completion_commands(out);
	else if (slice_equal(word, slice_from_text("METHOD")))
		buf_append_text(out, "@methods ");
	else if (word.len && (word.data[0] < 'A' || word.data[0] > 'Z'))
		buf_printf(out, "%.*s ", (int)word.len, (const char *)word.data);
}

/*
 * Appends each word that can stand in place of `argument` ("a|b[:LEVEL]"), with a space after it; nothing for free
 * text.
 */
static void put_words(const char *argument, struct buf *out)
{
	if (strncmp(argument, "NAME[:KEY=", 10) == 0)
		buf_append_text(out, "@methods ");
	while (*argument) {
		size_t len = strcspn(argument, "|");
		put_word(slice_of(argument, strcspn(argument, "|[")), out);
		argument += len + (argument[len] == '|');
	}
}

void completion_option_words(const struct option *o, struct buf *out)
{
	struct buf argument = { 0 };

	if (o->type == OPTION_PLUGIN)
		buf_append_text(out, "@plugins ");
	else if (option_argument(o, &argument) == DANA_OK && buf_append_byte(&argument, 0) == DANA_OK)
		put_words((const char *)argument.data, out);
	else
		out->failed = true;
	buf_free(&argument);
}

void completion_arguments(const struct option_table *table, struct buf *out)
{
	const char *rest = table->synopsis;

	while (*(rest += strspn(rest, " []"))) {
		char word[64];
		size_t len = strcspn(rest, " ]");
		bool option = rest[0] == '-';

		(void)snprintf(word, sizeof(word), "%.*s", (int)strcspn(rest, " .]"), rest); /* "INPUT..." */
		rest += len;
		if (option)
			rest += strcspn(rest + strspn(rest, " "), " ") + strspn(rest, " "); /* its value */
		else if (strcmp(word, "OPTIONS") != 0)
			put_words(word, out);
	}
}

/* One word of a key for each value that it can have. */
static void put_key(const struct method_key *k, struct buf *out)
{
	const char *words = k->words;

	if (!words && k->argument)
		buf_printf(out, "%s=%s ", k->name, strcmp(k->argument, "FOLDER") == 0 ? "@folders" : "@files");
	else if (!words)
		buf_printf(out, "%s= ", k->name);
	while (words && *words) {
		size_t len = strcspn(words, "|");
		buf_printf(out, "%s=%.*s ", k->name, (int)len, words);
		words += len + (words[len] == '|');
	}
}

void completion_methods(void (*write)(const char *method, const char *keys, struct buf *out), struct buf *out)
{
	const struct method *m;

	for (size_t i = 0; (m = method_at(i)); i++) {
		struct buf keys = { 0 };
		for (const struct method_key *k = m->keys; k && k->name; k++)
			put_key(k, &keys);
		if (buf_append_byte(&keys, 0) == DANA_OK)
			write(m->name, (const char *)keys.data, out);
		else
			out->failed = true;
		buf_free(&keys);
	}
}

const struct option completion_help = {
	.name = "help", .letter = 'h', .type = OPTION_FLAG, .help = "print this help and end"
};

static int unknown_shell(const char *name)
{
	struct near_name near = near_name_of(slice_from_text(name));
	struct error err = { 0 };

	near_name_offer_words(&near, shells);
	(void)near_name_refuse(&near, "SHELL", shells, &err);
	return command_usage(completion_options.command, &err);
}

static int print(const char *shell)
{
	struct buf out = { 0 };
	if (strcmp(shell, "zsh") == 0)
		completion_zsh(&out);
	else if (strcmp(shell, "bash") == 0)
		completion_bash(&out);
	else
		return unknown_shell(shell);

	return command_print_made(completion_options.command, DANA_OK, &out);
}

int completion_run(int argc, char **argv)
{
	struct options_rest rest = { 0 };
	int exit_status = command_options(&completion_options, NULL, argc, argv, &rest);

	if (exit_status < 0)
		exit_status = print(rest.positionals[0]);
	options_rest_free(&rest);
	return exit_status;
}
