/* SPDX-License-Identifier: MIT */
/*
 * `dana complete WORD...`: what the last word of a command line can become. The completions of the shells
 * (completions/) ask it, so that they know what this program knows.
 *
 * It prints a line for each word that can stand there: the whole word, and where there is one a tab and a description.
 * A line that begins with a tab asks the shell for names: a tab, "files" or "folders", a tab, and what stands before
 * the name in the word, as "--output=".
 *
 * What may stand after an option, or as an argument, is read from what help shows in its place: "FILE" and "INPUT" are
 * files, "DIR" and "FOLDER" folders, "METHOD" and "NAME[:KEY=VALUE,...]" methods with their keys, "COMMAND" commands,
 * "a|b[:LEVEL]" the words a and b. Anything else is free text, which nothing can complete.
 */
#include "config.h"

#include <stdarg.h>

#include "archive/plugin/plugins.h"
#include "cli/command.h"
#include "cli/options.h"
#include "extract/method.h"

const struct option_table complete_options = {
	.command = "complete",
	.summary = "print what the last word of a command line can become",
	.synopsis = "WORD...",
	.examples = "dana complete filter --plugin=pii:em\n"
		    "dana complete extract -m ''",
};

/* Where something can stand: at the end of the word under the cursor. Passed by value. */
struct word_place {
	const char *word;
	const char *typed; /* the part of it that is completed */
	struct buf *out;
};

/* A line for the formatted text, if it begins with what is typed; of the help what stands before a semicolon. */
__attribute__((format(printf, 3, 4))) static void offer(struct word_place p, const char *help, const char *format, ...)
{
	const size_t front = (size_t)(p.typed - p.word), start = p.out->len;
	va_list args;
	va_start(args, format);
	buf_append(p.out, p.word, front);
	(void)buf_vprintf(p.out, format, args);
	va_end(args);
	buf_printf(p.out, "%s%.*s\n", *help ? "\t" : "", (int)strcspn(help, ";\n\t"), help);
	/* The line ends before or with a byte that no word has: nothing beyond it is compared. */
	if (!p.out->failed && strncmp((const char *)p.out->data + start, p.word, strlen(p.word)) != 0)
		p.out->len = start;
}

/* ---- values ---- */

/* Takes the next word off "FILE|DIR...", "METHOD[,METHOD...]|all" or "none|gzip[:LEVEL]"; empty after the last. */
static struct slice next_word(const char **rest)
{
	struct slice word = slice_of(*rest, strcspn(*rest, "|[], "));
	*rest += strcspn(*rest, "| ");
	*rest += **rest == '|';
	while (word.len && word.data[word.len - 1] == '.')
		word.len--;
	return word;
}

static void put_words(struct word_place p, const char *argument);

/* A key of a method or a plugin. One whose values are words stands with each of them. */
static void put_key(struct word_place p, const struct method_key *k)
{
	const char *words = k->words;
	size_t len = strlen(k->name);
	for (struct slice word; words && (word = next_word(&words)).len;)
		offer(p, k->help, "%s=%.*s", k->name, (int)word.len, (const char *)word.data);
	if (!k->words && (strncmp(p.typed, k->name, len) != 0 || p.typed[len] != '=')) {
		offer(p, k->help, "%s=", k->name);
	} else if (!k->words && k->argument) {
		p.typed += len + 1;
		put_words(p, k->argument);
	}
}

static void put_commands(struct word_place p)
{
	for (const struct command *c = command_table; c->name; c++) {
		if (!c->hidden)
			offer(p, c->options->summary, "%s", c->name);
	}
}

static bool is(struct slice word, const char *text)
{
	return slice_equal(word, slice_from_text(text));
}

/* What stands for `argument` in help. Files are offered with the folders that they are in. */
static void put_words(struct word_place p, const char *argument)
{
	const char *names = NULL, *rest = argument;
	for (struct slice word; (word = next_word(&rest)).len;) {
		if (is(word, "FILE") || is(word, "INPUT"))
			names = "files";
		else if (is(word, "DIR") || is(word, "FOLDER"))
			names = names ? names : "folders";
		else if (is(word, "METHOD") || (is(word, "NAME") && word.data[word.len] == '[')) {
			/* "dana,danag:gap=40,": after the comma there can be a key of danag, and in a list another
			 * method */
			const bool list = strstr(argument, "[,METHOD") != NULL;
			const struct method *m = NULL;
			bool begins = true; /* a method can stand here */
			for (const char *comma;; p.typed = comma + 1) {
				size_t len = strcspn(p.typed, ":=,");
				struct slice keys;
				if (p.typed[len] == ':') {
					m = method_find(slice_of(p.typed, len), &keys);
					p.typed += len + 1;
					begins = false;
				} else if (p.typed[len] == ',') {
					m = NULL;
				}
				if (!(comma = strchr(p.typed, ',')))
					break;
				begins = list;
			}
			for (const struct method_key *k = m ? m->keys : NULL; k && k->name; k++)
				put_key(p, k);
			for (size_t i = 0; begins && (m = method_at(i)); i++)
				offer(p, m->summary, "%s", m->name);
		} else if (is(word, "COMMAND"))
			put_commands(p);
		else if (word.data[0] < 'A' || word.data[0] > 'Z')
			offer(p, "", "%.*s", (int)word.len, (const char *)word.data);
	}
	if (names)
		buf_printf(p.out, "\t%s\t%.*s\n", names, (int)(p.typed - p.word), p.word);
}

static void put_plugin(const struct dana_plugin *plugin, void *arg)
{
	struct word_place p = *(const struct word_place *)arg;
	size_t len = strlen(plugin->name);
	if (strncmp(p.typed, plugin->name, len) != 0 || p.typed[len] != ':') {
		offer(p, plugin->help, "%s", plugin->name);
		return;
	}
	const char *comma = strrchr(p.typed + len, ',');
	p.typed = comma ? comma + 1 : p.typed + len + 1;
	for (const struct dana_option *o = plugin->options; o && o->name; o++) {
		const char *argument = settings_argument(o);
		bool words = o->type == DANA_CHOICE || o->type == DANA_BOOLEAN;
		put_key(p, &(struct method_key){ .name = o->name,
						 .words = words ? argument : NULL,
						 .argument = argument,
						 .help = o->help });
	}
}

/* A plugin that is named by its path is not loaded for its keys: a Tab runs no code of a file that is only named. */
static void put_value(struct word_place p, const struct option *o)
{
	struct buf argument = { 0 };
	if (o->type == OPTION_PLUGIN && *p.typed != '/')
		plugins_each(put_plugin, &p);
	else if (o->type == OPTION_PLUGIN)
		put_words(p, "FILE");
	else if (option_argument(o, &argument) == DANA_OK && buf_append_byte(&argument, 0) == DANA_OK)
		put_words(p, (const char *)argument.data);
	buf_latch(p.out, buf_status(&argument));
	buf_free(&argument);
}

/* ---- the command line ---- */

static void put_option(struct word_place p, const struct option *o)
{
	struct buf help = { 0 };
	if (buf_append_text(&help, o->help) == DANA_OK && buf_append_byte(&help, 0) == DANA_OK) {
		offer(p, (const char *)help.data, "--%s", o->name);
		if (o->letter)
			offer(p, (const char *)help.data, "-%c", o->letter);
	}
	buf_latch(p.out, buf_status(&help));
	buf_free(&help);
}

/* The option in `word` that takes a value, and where that begins; NULL: in the next word. No such option: NULL. */
static const struct option *find_value(const struct option_table *table, const char *word, const char **value)
{
	const struct option *o = NULL;
	size_t len = strcspn(word, "=");
	*value = NULL;
	if (strncmp(word, "--", 2) == 0) {
		o = option_find(table, slice_of(word + 2, len - 2));
		*value = word[len] ? word + len + 1 : NULL;
	} else if (word[0] == '-') {
		while (*++word && (o = option_of_letter(table, *word)) && o->type == OPTION_FLAG)
			;
		*value = *word && word[1] ? word + 1 : NULL;
	}
	return o && o->type != OPTION_FLAG ? o : NULL;
}

/* `words`: those after the command, ended by NULL. The last one is completed. */
static void put_of_command(struct word_place p, const struct command *command, char **words)
{
	const struct option_table *table = command->options;
	const bool has_verbs = table->verbs != NULL;
	const struct dedup_verb *verb = has_verbs && words[1] ? verb_find(table, words[0]) : NULL;
	const struct option *o = NULL; /* whose value stands in the word, from `value`, or in the next one */
	const char *value = NULL;
	bool only_arguments = false; /* after "--" */
	size_t n = 0;                /* arguments */

	for (words += verb != NULL; words[1]; words++) {
		if (o && !value) {
			o = NULL;
			continue;
		}
		o = only_arguments ? NULL : find_value(table, *words, &value);
		n += only_arguments || words[0][0] != '-' || !words[0][1];
		only_arguments = only_arguments || strcmp(*words, "--") == 0;
	}
	if (o && !value) {
		put_value(p, o);
	} else if (!only_arguments && (o = find_value(table, *words, &value)) && value) {
		p.typed = value;
		put_value(p, o);
	} else if (!only_arguments && *p.word == '-') {
		for (o = table->options; o && o->name; o++) {
			if (!verb || verb_takes(verb, o->name)) /* without a verb, all of the table */
				put_option(p, o);
		}
		for (size_t i = 0; i < 1u + table->shortened; i++)
			put_option(p, &help_rows[i]);
	} else if (has_verbs && !verb) {
		for (const struct dedup_verb *v = table->verbs; v->name; v++)
			offer(p, v->summary, "%s", v->name);
	} else if (n < (verb ? verb->most : table->most_positionals)) {
		/* argument number `index` of "-o FOLDER [OPTIONS] DIR", which has one; the last one stands for those
		 * that follow */
		const char *synopsis = verb ? verb->synopsis : table->synopsis;
		size_t index = n;
		static const char options[] = "[OPTIONS] ";
		const char *at = strstr(synopsis, options), *next;
		at = at ? at + strlen(options) : synopsis;
		while (index-- && (next = strchr(at, ' ')))
			at = next + 1;
		put_words(p, at + (*at == '['));
	}
}

int complete_run(int argc, char **argv)
{
	struct buf out = { 0 };
	const struct word_place p = { argv[argc - 1], argv[argc - 1], &out };
	const struct command *command = argc > 2 ? command_find(argv[1]) : NULL;
	if (argc == 1) {
		command_message("complete", "an argument is missing; expected dana complete %s",
				complete_options.synopsis);
		return EXIT_USAGE;
	}
	if (strpbrk(p.word, "\n\t"))
		return EXIT_DONE; /* no line could hold its completion */
	if (argc == 2) {
		put_commands(p);
		offer(p, help_rows[0].help, "--help");
		offer(p, "print the version and what is built in, and exit", "--version");
	} else if (command) {
		put_of_command(p, command, argv + 2);
	}
	return command_print_made("complete", DANA_OK, &out);
}
