/* SPDX-License-Identifier: MIT */
/* Completions for zsh: what _arguments takes, see zshcompsys(1). */
#include "config.h"

#include <string.h>

#include "cli/completion.h"
#include "cli/plugins.h"

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
	else if (text.len >= 9 && memcmp(text.data, "@methods ", 9) == 0)
		buf_printf(out, "{_dana_methods %.*s}", (int)(text.len - 9), (const char *)text.data + 9);
	else if (text.len >= 9 && memcmp(text.data, "@plugins ", 9) == 0)
		buf_append_text(out, "_dana_plugins");
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
	const char *equals = o->type == OPTION_FLAG ? "" : "="; /* --method=NAME as well as --method NAME */
	if (o->letter)
		buf_printf(out, "\t\t\t'(-%c --%s)'{-%c,--%s%s}'[", o->letter, o->name, o->letter, o->name, equals);
	else
		buf_printf(out, "\t\t\t'--%s%s[", o->name, equals);
	zsh_help((const char *)text.data, out);
	buf_append_byte(out, ']');
	if (o->type != OPTION_FLAG) {
		buf_clear(&text);
		completion_option_words(o, &text);
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
	zsh_option(&completion_help, out);

	completion_arguments(table, &words);
	if (table->most_positionals) {
		buf_append_text(out, "\t\t\t'*:argument:");
		zsh_action(&words, out);
		buf_append_byte(out, '\'');
	}
	buf_append_text(out, "\n\t\t;;\n");
	buf_free(&words);
}

static void zsh_method(const char *method, const char *keys, struct buf *out)
{
	buf_printf(out, "\t%s '%s'\n", method, keys);
}

/*
 * "dana,danag:gap=40,un": keys of danag, and after a comma other methods again. Words after a method are what else may
 * stand there.
 */
static const char zsh_methods[] = "_dana_methods() {\n"
				  "\tlocal -a found\n"
				  "\tlocal method key\n"
				  "\tif compset -P '*:'; then\n"
				  "\t\tmethod=${${IPREFIX%:}##*[,=]}\n"
				  "\t\tfound=(${=dana_keys[$method]})\n"
				  "\t\tif ! compset -P '*,'; then set --; else set -- ${(k)dana_keys}; fi\n"
				  "\t\tfor key in ${(M)found:#*=@*}; do\n"
				  "\t\t\tif compset -P \"${key%@*}\"; then\n"
				  "\t\t\t\tif [[ $key == *@folders ]]; then _files -/; else _files; fi\n"
				  "\t\t\t\treturn\n"
				  "\t\t\tfi\n"
				  "\t\tdone\n"
				  "\t\tcompadd -S '' -- ${found%@*}\n"
				  "\telse\n"
				  "\t\tcompset -P '*,'\n"
				  "\t\tset -- ${(k)dana_keys} $@\n"
				  "\tfi\n"
				  "\tcompadd -- $@\n"
				  "}\n\n";

/* "url:block=FILE,allow=FILE": the name of a plugin, then its keys. */
static const char zsh_plugins[] = "_dana_plugins() {\n"
				  "\tlocal -a found\n"
				  "\tlocal key\n"
				  "\tif ! compset -P '*:'; then\n"
				  "\t\tcompadd -S '' -- ${(k)dana_plugins}\n"
				  "\t\treturn\n"
				  "\tfi\n"
				  "\tfound=(${=dana_plugins[${${IPREFIX%:}##*=}]})\n"
				  "\tcompset -P '*,'\n"
				  "\tfor key in ${(M)found:#*=@*}; do\n"
				  "\t\tif compset -P \"${key%@*}\"; then _files; return; fi\n"
				  "\tdone\n"
				  "\tcompadd -S '' -- ${found%@*}\n"
				  "}\n\n";

void completion_zsh(struct buf *out)
{
	buf_append_text(out, "#compdef dana\n"
			     "# Completions of dana for zsh, made by dana print-completion zsh; do not edit.\n\n"
			     "local -A dana_keys=(\n");
	completion_methods(zsh_method, out);
	buf_append_text(out, ")\n\n");
	buf_append_text(out, zsh_methods);
	buf_append_text(out, "local -A dana_plugins=(\n");
	plugins_completion(zsh_method, out);
	buf_append_text(out, ")\n\n");
	buf_append_text(out, zsh_plugins);
	buf_append_text(out, "local -a commands=(\n");
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
