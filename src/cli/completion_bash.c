/* SPDX-License-Identifier: MIT */
/* Completions for bash: a function that the shell calls with the words of the command line (complete -F). */
#include "config.h"

#include <string.h>

#include "cli/completion.h"
#include "cli/plugins.h"

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
	bash_option_names(&completion_help, out);
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
		completion_option_words(o, out);
		buf_append_text(out, "' ;;\n");
	}
}

static void bash_arguments(const struct option_table *table, struct buf *out)
{
	buf_printf(out, "\t%s) echo '", table->command);
	completion_arguments(table, out);
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

static void bash_method(const char *method, const char *keys, struct buf *out)
{
	buf_printf(out, "\t%s) echo '%s' ;;\n", method, keys);
}

static void bash_method_name(const char *method, const char *keys, struct buf *out)
{
	(void)keys;
	buf_printf(out, "%s ", method);
}

/*
 * A colon or an equals sign is a word of its own to bash: `--format=json` are three. `whole` is what was typed, `word`
 * the part of it that bash replaces. Of "dana,danag:gap=40,un" what is looked for is "un" among the keys of danag,
 * after "dana,danag:gap=40,".
 */
static const char bash_main[] =
	"_dana_offer()\n{\n"
	"\tlocal item front=$1 typed=$2\n"
	"\tfor item in $3; do\n"
	"\t\tif [[ $item == *=@* && $typed == \"${item%@*}\"* ]]; then\n"
	"\t\t\titem=${item#*=}\n"
	"\t\tfi\n"
	"\t\tcase $item in\n"
	"\t\t@files) compopt -o filenames 2>/dev/null; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$word\") ;;\n"
	"\t\t@folders) compopt -o filenames 2>/dev/null; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- \"$word\") ;;\n"
	"\t\t\"$typed\"*)\n"
	"\t\t\titem=$front${item%@*}\n"
	"\t\t\tif [[ $item == *= ]]; then compopt -o nospace 2>/dev/null; fi\n"
	"\t\t\tCOMPREPLY+=(\"${item#\"${whole%\"$word\"}\"}\") ;;\n"
	"\t\tesac\n"
	"\tdone\n"
	"}\n\n"
	"_dana()\n{\n"
	"\tlocal command=${COMP_WORDS[1]} at=$COMP_CWORD whole=${COMP_WORDS[COMP_CWORD]} word before words typed method\n"
	"\tCOMPREPLY=()\n"
	"\twhile ((at > 2)) && [[ ${COMP_WORDS[at]} == [:=]* || ${COMP_WORDS[at - 1]} == *[:=] ]]; do\n"
	"\t\twhole=${COMP_WORDS[--at]}$whole\n"
	"\tdone\n"
	"\tbefore=${COMP_WORDS[at - 1]}\n"
	"\tif [[ $whole == -*=* ]]; then\n"
	"\t\tbefore=${whole%%=*}\n"
	"\t\twhole=${whole#*=}\n"
	"\tfi\n"
	"\tword=${whole##*[:=]}\n"
	"\tif ((COMP_CWORD == 1)); then\n"
	"\t\twords=\"$(_dana_commands) --help --version\"\n"
	"\telif ! words=$(_dana_values \"$command:$before\"); then\n"
	"\t\tif [[ $whole == -* ]]; then\n"
	"\t\t\twords=$(_dana_options \"$command\")\n"
	"\t\telse\n"
	"\t\t\twords=$(_dana_arguments \"$command\")\n"
	"\t\tfi\n"
	"\tfi\n"
	"\ttyped=${whole##*[,:]}\n"
	"\tif [[ $words == *@methods* && $whole == *:* ]]; then\n"
	"\t\tmethod=${whole%:*}\n"
	"\t\t_dana_offer \"${whole%\"$typed\"}\" \"$typed\" \"$(_dana_keys \"${method##*,}\")\"\n"
	"\t\tif [[ ${whole##*:} != *,* ]]; then return; fi\n"
	"\tfi\n"
	"\tif [[ $words == *@plugins* ]]; then\n"
	"\t\twords=$(_dana_plugins)\n"
	"\t\tif [[ $whole == *:* ]]; then words=$(_dana_plugin_keys \"${whole%%:*}\"); fi\n"
	"\tfi\n"
	"\t_dana_offer \"${whole%\"$typed\"}\" \"$typed\" \"${words//@methods/$(_dana_methods)}\"\n"
	"}\n\n"
	"complete -F _dana dana\n";

void completion_bash(struct buf *out)
{
	buf_append_text(out, "# Completions of dana for bash, made by dana print-completion bash; do not edit.\n\n");
	buf_append_text(out, "_dana_commands()\n{\n\techo '");
	completion_commands(out);
	buf_append_text(out, "'\n}\n\n");

	buf_append_text(out, "_dana_methods()\n{\n\techo '");
	completion_methods(bash_method_name, out);
	buf_append_text(out, "'\n}\n\n_dana_keys()\n{\n\tcase $1 in\n");
	completion_methods(bash_method, out);
	buf_append_text(out, "\tesac\n}\n\n");

	buf_append_text(out, "_dana_plugins()\n{\n\techo '");
	plugins_completion(bash_method_name, out);
	buf_append_text(out, "'\n}\n\n_dana_plugin_keys()\n{\n\tcase $1 in\n");
	plugins_completion(bash_method, out);
	buf_append_text(out, "\t*) ;;\n\tesac\n}\n\n");

	bash_function("_dana_options", "$1", "echo --help", bash_options, out);
	buf_append_text(out, "# Fails when the word is not an option that takes a value.\n");
	bash_function("_dana_values", "$1", "return 1", bash_values, out);
	bash_function("_dana_arguments", "$1", "echo", bash_arguments, out);
	buf_append_text(out, bash_main);
}
