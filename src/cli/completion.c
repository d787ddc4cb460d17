/*
 * `dana print-completion SHELL`: what bash or zsh loads to complete the command line of dana. Commands, options and the words
 * of choices come from the option tables, methods from the table of methods.
 *
 * What may stand after an option, or as an argument, is read from what help shows in its place: "FILE" and "INPUT" are files,
 * "DIR" and "FOLDER" folders, "METHOD" and "NAME[:KEY=VALUE,...]" methods, "COMMAND" commands, "a|b[:LEVEL]" the words a and b.
 * Anything else is free text, which no shell can complete.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/near_name.h"
#include "cli/command.h"
#include "extract/dana.h"

static const char shells[] = "bash|zsh";

const struct option_table completion_options = {
	.command = "print-completion",
	.summary = "print the completions for a shell",
	.synopsis = shells,
	.least_positionals = 1,
	.most_positionals = 1,
};

/* ---- what can be completed ---- */

static void put_commands(struct buf *out)
{
	for (const struct command *c = command_table; c->name; c++) {
		if (!c->hidden)
			buf_printf(out, "%s ", c->name);
	}
}

static void put_methods(struct buf *out)
{
	for (size_t i = 0; i < dana_method_count(); i++)
		buf_printf(out, "%s ", dana_method_name(i));
}

/* One of the words that help separates by '|'. */
static void put_word(struct slice word, struct buf *out)
{
	if (slice_equal(word, slice_from_text("FILE")) || slice_equal(word, slice_from_text("INPUT")))
		buf_append_text(out, "@files ");
	else if (slice_equal(word, slice_from_text("DIR")) || slice_equal(word, slice_from_text("FOLDER")))
		buf_append_text(out, "@folders ");
	else if (slice_equal(word, slice_from_text("COMMAND")))
		put_commands(out);
	else if (slice_equal(word, slice_from_text("METHOD")))
		put_methods(out);
	else if (word.len && (word.data[0] < 'A' || word.data[0] > 'Z'))
		buf_printf(out, "%.*s ", (int)word.len, (const char *)word.data);
}

/* Appends each word that can stand in place of `argument` ("a|b[:LEVEL]"), with a space after it; nothing for free text. */
static void put_words(const char *argument, struct buf *out)
{
	if (strncmp(argument, "NAME[:KEY=", 10) == 0)
		put_methods(out);
	while (*argument) {
		size_t len = strcspn(argument, "|");
		put_word(slice_of(argument, strcspn(argument, "|[")), out);
		argument += len + (argument[len] == '|');
	}
}

static void put_option_words(const struct option *o, struct buf *out)
{
	struct buf argument = { 0 };

	if (option_argument(o, &argument) == DANA_OK && buf_append_byte(&argument, 0) == DANA_OK)
		put_words((const char *)argument.data, out);
	else
		out->failed = true;
	buf_free(&argument);
}

/* The words that the arguments of a command can be: of "-o FOLDER [OPTIONS] DIR" those of DIR. */
static void put_arguments(const struct option_table *table, struct buf *out)
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

static const struct option help_option = { .name = "help", .letter = 'h', .help = "print this help and end" };

/* ---- bash ---- */

static void bash_option_names(const struct option *o, struct buf *out)
{
	buf_printf(out, "--%s ", o->name);
	if (o->letter)
		buf_printf(out, "-%c ", o->letter);
}

static void bash_options(const struct option_table *table, struct buf *out)
{
	buf_printf(out, "\t%s) echo '", table->command);
	for (const struct option *o = table->options; o && o->name; o++)
		bash_option_names(o, out);
	bash_option_names(&help_option, out);
	buf_append_text(out, "' ;;\n");
}

/* A line of `case` for each option with a value. */
static void bash_values(const struct option_table *table, struct buf *out)
{
	for (const struct option *o = table->options; o && o->name; o++) {
		if (o->type == OPTION_FLAG)
			continue;
		buf_printf(out, "\t%s:--%s", table->command, o->name);
		if (o->letter)
			buf_printf(out, " | %s:-%c", table->command, o->letter);
		buf_append_text(out, ") echo '");
		put_option_words(o, out);
		buf_append_text(out, "' ;;\n");
	}
}

static void bash_arguments(const struct option_table *table, struct buf *out)
{
	buf_printf(out, "\t%s) echo '", table->command);
	put_arguments(table, out);
	buf_append_text(out, "' ;;\n");
}

/* A shell function with a line of `case` for each command, or for each of its options. */
static void bash_function(const char *name, const char *subject, const char *other,
			  void (*lines)(const struct option_table *table, struct buf *out), struct buf *out)
{
	buf_printf(out, "%s()\n{\n\tcase %s in\n", name, subject);
	for (const struct command *c = command_table; c->name; c++) {
		if (!c->hidden)
			lines(c->options, out);
	}
	buf_printf(out, "\t*) %s ;;\n\tesac\n}\n\n", other);
}

/* A colon or an equals sign is a word of its own to bash: `--format=json` are three. */
static const char bash_main[] =
	"_dana()\n{\n"
	"\tlocal command=${COMP_WORDS[1]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words item\n"
	"\tCOMPREPLY=()\n"
	"\tif [[ $before == '=' ]]; then\n"
	"\t\tbefore=${COMP_WORDS[COMP_CWORD - 2]}\n"
	"\telif [[ $word == '=' ]]; then\n"
	"\t\tword=\n"
	"\tfi\n"
	"\tif ((COMP_CWORD == 1)); then\n"
	"\t\twords=\"$(_dana_commands) --help --version\"\n"
	"\telif ! words=$(_dana_values \"$command:$before\"); then\n"
	"\t\tif [[ $word == -* ]]; then\n"
	"\t\t\twords=$(_dana_options \"$command\")\n"
	"\t\telse\n"
	"\t\t\twords=$(_dana_arguments \"$command\")\n"
	"\t\tfi\n"
	"\tfi\n"
	"\tfor item in $words; do\n"
	"\t\tcase $item in\n"
	"\t\t@files) compopt -o filenames 2>/dev/null; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$word\") ;;\n"
	"\t\t@folders) compopt -o filenames 2>/dev/null; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- \"$word\") ;;\n"
	"\t\t\"${word##*,}\"*)\n"
	"\t\t\tif [[ $word == *,* ]]; then item=${word%,*},$item; fi\n"
	"\t\t\tCOMPREPLY+=(\"$item\") ;;\n"
	"\t\tesac\n"
	"\tdone\n"
	"}\n\n"
	"complete -F _dana dana\n";

static void put_bash(struct buf *out)
{
	buf_append_text(out, "# Completions of dana for bash, made by dana print-completion bash; do not edit.\n\n");
	buf_append_text(out, "_dana_commands()\n{\n\techo '");
	put_commands(out);
	buf_append_text(out, "'\n}\n\n");

	bash_function("_dana_options", "$1", "echo --help", bash_options, out);
	buf_append_text(out, "# Fails when the word is not an option that takes a value.\n");
	bash_function("_dana_values", "$1", "return 1", bash_values, out);
	bash_function("_dana_arguments", "$1", "echo", bash_arguments, out);
	buf_append_text(out, bash_main);
}

/* ---- zsh: the arguments of _arguments, see zshcompsys(1) ---- */

/* Inside single quotes and brackets, up to the first semicolon: the list of completions has little room. */
static void zsh_help(const char *text, struct buf *out)
{
	for (; *text && *text != ';'; text++) {
		if (*text == '\'')
			buf_append_text(out, "'\\''");
		else if (strchr("[]:\\", *text))
			buf_printf(out, "\\%c", *text);
		else
			buf_append_byte(out, (uint8_t)*text);
	}
}

/* What _arguments does for a value: words, or a function of zsh. */
static void zsh_action(const struct buf *words, struct buf *out)
{
	struct slice text = buf_slice(words);

	if (words->failed)
		out->failed = true;
	else if (text.len >= 7 && memcmp(text.data, "@files ", 7) == 0)
		buf_append_text(out, "_files");
	else if (text.len >= 9 && memcmp(text.data, "@folders ", 9) == 0)
		buf_append_text(out, "_files -/");
	else if (text.len)
		buf_printf(out, "(%.*s)", (int)(text.len - 1), (const char *)text.data);
	else
		buf_append_byte(out, ' ');
}

static void zsh_option(const struct option *o, struct buf *out)
{
	struct buf text = { 0 };

	if (option_help(o, &text) < 0 || buf_append_byte(&text, 0) < 0) {
		out->failed = true;
		buf_free(&text);
		return;
	}
	if (o->letter)
		buf_printf(out, "\t\t\t'(-%c --%s)'{-%c,--%s}'[", o->letter, o->name, o->letter, o->name);
	else
		buf_printf(out, "\t\t\t'--%s[", o->name);
	zsh_help((const char *)text.data, out);
	buf_append_byte(out, ']');
	if (o != &help_option && o->type != OPTION_FLAG) {
		buf_clear(&text);
		put_option_words(o, &text);
		buf_append_text(out, ":value:");
		zsh_action(&text, out);
	}
	buf_append_text(out, "' \\\n");
	buf_free(&text);
}

static void zsh_command(const struct option_table *table, struct buf *out)
{
	struct buf words = { 0 };

	buf_printf(out, "\t%s)\n\t\t_arguments -s \\\n", table->command);
	for (const struct option *o = table->options; o && o->name; o++)
		zsh_option(o, out);
	zsh_option(&help_option, out);

	put_arguments(table, &words);
	if (table->most_positionals) {
		buf_append_text(out, "\t\t\t'*:argument:");
		zsh_action(&words, out);
		buf_append_byte(out, '\'');
	}
	buf_append_text(out, "\n\t\t;;\n");
	buf_free(&words);
}

static void put_zsh(struct buf *out)
{
	buf_append_text(out, "#compdef dana\n"
			     "# Completions of dana for zsh, made by dana print-completion zsh; do not edit.\n\n"
			     "local -a commands=(\n");
	for (const struct command *c = command_table; c->name; c++) {
		if (!c->hidden) {
			buf_printf(out, "\t'%s:", c->name);
			zsh_help(c->options->summary, out);
			buf_append_text(out, "'\n");
		}
	}
	buf_append_text(out, ")\n\n"
			     "if ((CURRENT == 2)); then\n"
			     "\t_describe command commands\n"
			     "\treturn\n"
			     "fi\n"
			     "shift words\n"
			     "((CURRENT--))\n"
			     "case $words[1] in\n");
	for (const struct command *c = command_table; c->name; c++) {
		if (!c->hidden)
			zsh_command(c->options, out);
	}
	buf_append_text(out, "esac\n");
}

/* ---- the command ---- */

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
	int exit_status = EXIT_FAULT;

	if (strcmp(shell, "zsh") == 0)
		put_zsh(&out);
	else if (strcmp(shell, "bash") == 0)
		put_bash(&out);
	else
		return unknown_shell(shell);

	if (buf_status(&out) == DANA_OK)
		exit_status = command_print(completion_options.command, buf_slice(&out));
	else
		command_message(completion_options.command, "%s", status_text(DANA_ENOMEM));
	buf_free(&out);
	return exit_status;
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
