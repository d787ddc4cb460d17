/* SPDX-License-Identifier: MIT */
/*
 * Reads options of a command line by the table of the command.
 *
 * Values of options in a settings struct. A row of the table has the offset and size of its member, so one function
 * stores numbers of any width; the largest number of that width means that the option was not given.
 */
#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/plugin/plugins.h"
#include "base/arena.h"
#include "base/ascii.h"
#include "base/diagnostics.h"
#include "extract/structure/structure.h"
#include "run/state_file.h"

static void *member(const struct option *o, void *settings)
{
	return (char *)settings + o->offset;
}

/* The bytes of a number in a member of `size` bytes; on big-endian machines these are its last ones. */
static void *number_bytes(uint64_t *number, size_t size)
{
	return (char *)number + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? sizeof(*number) - size : 0);
}

static void store_number(const struct option *o, void *settings, uint64_t number)
{
	memcpy(member(o, settings), number_bytes(&number, o->size), o->size);
}

static uint64_t load_number(const struct option *o, const void *settings)
{
	uint64_t number = 0;
	memcpy(number_bytes(&number, o->size), (const char *)settings + o->offset, o->size);
	return number;
}

/* The value that means unset; no option can be set to it. */
static uint64_t number_unset(const struct option *o)
{
	return UINT64_MAX >> (64 - 8 * o->size);
}

static uint64_t number_most(const struct option *o)
{
	return o->most ? o->most : number_unset(o) - 1;
}

/* The shortest text that decimal_with_unit reads as that number: 65536 is "64K". */
static int put_number(uint64_t number, struct buf *out)
{
	static const char letters[] = "GMK";
	for (unsigned i = 0; i < 3; i++) {
		unsigned shift = 30 - 10 * i;
		if (number && (number & (((uint64_t)1 << shift) - 1)) == 0)
			return buf_printf(out, "%llu%c", (unsigned long long)(number >> shift), letters[i]);
	}
	return buf_printf(out, "%llu", (unsigned long long)number);
}

void option_set_flag(const struct option *o, void *settings, bool on)
{
	memcpy(member(o, settings), &on, sizeof(on));
}

int option_set(const struct option *o, void *settings, const char *value, const char *where, struct error *err)
{
	if (o->type == OPTION_NUMBER) {
		char shown[64];
		uint64_t number;
		if (!decimal_with_unit(slice_from_text(value), &number))
			return error_set(
				err, DANA_ECONFIG,
				"%s: '%s' is not a number; expected a number, optionally followed by K, M or G", where,
				printable(slice_from_text(value), shown, sizeof(shown)));
		if (number >= o->least && number <= number_most(o)) {
			store_number(o, settings, number);
			return DANA_OK;
		}
		struct buf range = { 0 };
		put_number(o->least, &range);
		buf_append_text(&range, " to ");
		int status = put_number(number_most(o), &range);
		if (status == DANA_OK)
			status = error_set(err, DANA_ECONFIG, "%s: %s is out of range; expected %.*s", where,
					   printable(slice_from_text(value), shown, sizeof(shown)), (int)range.len,
					   (const char *)range.data);
		buf_free(&range);
		return status;
	}
	if (o->type == OPTION_CHOICE) {
		int i = word_index(o->argument, slice_from_text(value));
		if (i < 0)
			return word_refuse(o->argument, slice_from_text(value), where, err);
		memcpy(member(o, settings), &i, sizeof(i));
		return DANA_OK;
	}
	if (*value == 0) {
		struct buf argument = { 0 };
		int status = option_argument(o, &argument);
		if (status == DANA_OK)
			status = error_set(err, DANA_ECONFIG, "%s: the value is empty; expected %.*s", where,
					   (int)argument.len, (const char *)argument.data);
		buf_free(&argument);
		return status;
	}
	if (o->type == OPTION_PLUGIN)
		return plugin_rows_parse(member(o, settings), value, where, err);
	if (o->type == OPTION_TEXTS) {
		struct text_list *t = member(o, settings);
		if (t->standard)
			*t = (struct text_list){ .n = 0 };
		if (t->n == TEXT_LIST_MOST)
			return error_set(err, DANA_ECONFIG, "%s: given more than %d times", where, TEXT_LIST_MOST);
		t->at[t->n++] = value;
		return DANA_OK;
	}
	if (o->type == OPTION_LIST && !list_is_good(value))
		return error_set(err, DANA_ECONFIG, "%s: an item of the list is empty; expected item,item,...", where);
	memcpy(member(o, settings), &value, sizeof(value));
	return DANA_OK;
}

int option_value(const struct option *o, const void *settings, struct buf *out)
{
	const char *at = (const char *)settings + o->offset;
	const char *text;
	bool on;
	int choice;
	switch (o->type) {
	case OPTION_FLAG:
		memcpy(&on, at, sizeof(on));
		return buf_append_text(out, on ? "yes" : "no");
	case OPTION_NUMBER:
		if (load_number(o, settings) == number_unset(o))
			return DANA_OK;
		return put_number(load_number(o, settings), out);
	case OPTION_CHOICE:
		memcpy(&choice, at, sizeof(choice));
		if (choice < 0)
			return DANA_OK;
		text = o->argument;
		while (choice-- > 0)
			text += strcspn(text, "|") + 1;
		return buf_append(out, text, strcspn(text, "|"));
	case OPTION_PLUGIN:
	case OPTION_TEXTS:
		return DANA_OK; /* they are written as sections, and as lines */
	case OPTION_TEXT:
	case OPTION_LIST:
	default:
		memcpy(&text, at, sizeof(text));
		return text ? buf_append_text(out, text) : DANA_OK;
	}
}

/*
 * Lists that have a default in the table are from now on replaced by the next value that they get, as the command line
 * replaces what the file says.
 */
static void options_lists_replaced(const struct option_table *table, void *settings)
{
	for (const struct option *o = table->options; o && o->name; o++) {
		if (o->type == OPTION_TEXTS && o->standard)
			((struct text_list *)member(o, settings))->standard = true;
	}
}

void options_defaults(const struct option_table *table, void *settings)
{
	for (const struct option *o = table->options; o && o->name; o++) {
		const char *nothing = NULL;
		int none = -1;
		switch (o->type) {
		case OPTION_FLAG:
			option_set_flag(o, settings, false);
			break;
		case OPTION_NUMBER:
			store_number(o, settings, number_unset(o));
			break;
		case OPTION_CHOICE:
			memcpy(member(o, settings), &none, sizeof(none));
			break;
		case OPTION_PLUGIN:
			((struct plugin_rows *)member(o, settings))->n = 0;
			break;
		case OPTION_TEXTS:
			memset(member(o, settings), 0, o->size);
			break;
		case OPTION_TEXT:
		case OPTION_LIST:
		default:
			memcpy(member(o, settings), &nothing, sizeof(nothing));
			break;
		}
		if (o->standard)
			(void)option_set(o, settings, o->standard, o->name, NULL);
	}
	options_lists_replaced(table, settings);
}

const struct option *option_find(const struct option_table *table, struct slice name)
{
	for (const struct option *o = table->options; o && o->name; o++) {
		if (slice_equal(slice_from_text(o->name), name))
			return o;
	}
	return NULL;
}

const struct option *option_of_letter(const struct option_table *table, char letter)
{
	for (const struct option *o = table->options; o && o->name; o++) {
		if (o->letter == letter)
			return o;
	}
	return NULL;
}

struct slice option_near(const struct option_table *table, struct slice name)
{
	struct near_name near = near_name_of(name);
	for (const struct option *o = table->options; o && o->name; o++)
		near_name_offer(&near, o->name);
	return near.best;
}

int option_argument(const struct option *o, struct buf *out)
{
	if (o->write_argument)
		return o->write_argument(out);
	return o->argument ? buf_append_text(out, o->argument) : DANA_OK;
}

int text_rows_markdown_help(struct buf *out)
{
	buf_append_text(out, "Keys, with the default in parentheses: ");
	for (const struct method_key *k = style_method.keys; k->name; k++) {
		buf_printf(out, "%s%s=", k == style_method.keys ? "" : "; ", k->name);
		method_key_values(k, out);
		buf_printf(out, " (%s), %s", k->standard, k->help);
	}
	return buf_append_byte(out, '.');
}

enum { WORD = 32 };

int run_lines_options(const struct filter_settings *s, struct buf *out)
{
	for (const struct option *o = filter_options.options; o->name; o++) {
		if (!o->apart && o->type == OPTION_TEXTS) {
			/* as those of plugins; the first has the option's own word */
			const struct text_list *texts = (const void *)((const char *)s + o->offset);
			for (unsigned i = 0; i < texts->n; i++) {
				char word[WORD];
				(void)snprintf(word, sizeof(word), i ? "%s-%u" : "%s", o->name, i + 1);
				lines_put(out, word, slice_from_text(texts->at[i]));
			}
		} else if (!o->apart) {
			struct buf value = { 0 };
			option_value(o, s, &value);
			buf_latch(out, buf_status(&value));
			if (value.len)
				lines_put(out, o->name, buf_slice(&value));
			buf_free(&value);
		}
	}
	buf_printf(out, "compress %s:%d\n", s->run.outputs.kind.encoder->name, s->run.outputs.kind.level);
	/* their order counts, so each has a word of its own */
	const struct plugin_rows *rows = &s->run.plugins;
	for (size_t i = 0; i < rows->n; i++) {
		const struct plugin_row *row = &rows->at[i];
		char word[WORD];
		struct buf value = { 0 };
		(void)snprintf(word, sizeof(word), "plugin-%zu", i + 1);
		buf_append(&value, row->name.data, row->name.len);
		if (row->key.data) {
			buf_append_byte(&value, ':');
			buf_append(&value, row->key.data, row->key.len);
			buf_append_byte(&value, '=');
			buf_append(&value, row->value.data, row->value.len);
		}
		buf_latch(out, buf_status(&value));
		lines_put(out, word, buf_slice(&value));
		buf_free(&value);
	}
	return buf_status(out);
}

/*
 * Two passes, because what is written on the command line overrides the configuration file, and the file's name is on
 * the command line: first all options of argv are found and listed, then the file named by --config is read, then the
 * list is applied. Example: `-j2 --config=f` with `jobs = 4` in f gives 2.
 */

/* One option as found in argv; applied after the configuration file. */
struct given_option {
	const struct option *option;
	const char *value; /* NULL: a flag */
	bool off;          /* --no-NAME */
	bool by_letter;
};

struct option_scan {
	const struct option_table *table;
	int argc, next;
	char **argv;
	struct given_option *found;
	size_t n_found;
	struct options_rest *rest;
	struct error *err;
};

static int missing_value(struct option_scan *s, const struct option *o, const char *dashes, const char *name)
{
	struct buf argument = { 0 };
	int status = option_argument(o, &argument);
	if (status == DANA_OK)
		status = error_set(s->err, DANA_ECONFIG, "%s%s needs a value; expected %s%s %.*s", dashes, name, dashes,
				   name, (int)argument.len, (const char *)argument.data);
	buf_free(&argument);
	return status;
}

/*
 * An option that the table does not have, as typed: the value of one that stands for an argument, which is what follows
 * it, becomes that. All others are refused.
 */
static int scan_foreign(struct option_scan *s, struct slice typed, const char *value)
{
	const char *here = NULL;
	char shown[64];
	printable(typed, shown, sizeof(shown));
	if (!foreign_find(s->table->command, typed, &here)) {
		struct slice near =
			typed.data[1] == '-' ? option_near(s->table, slice_skip(typed, 2)) : slice_of(NULL, 0);
		if (near.len)
			return error_set(s->err, DANA_ECONFIG, "unknown option %s; did you mean --%.*s?", shown,
					 (int)near.len, (const char *)near.data);
		return error_set(s->err, DANA_ECONFIG, "unknown option %s; dana %s --help-all lists the options", shown,
				 s->table->command);
	}
	if (here)
		return error_set(s->err, DANA_ECONFIG, "unknown option %s; %s", shown, here);
	if (!value && s->next < s->argc)
		value = s->argv[s->next++];
	if (!value)
		return error_set(s->err, DANA_ECONFIG, "%s needs a value; expected %s URL", shown, shown);
	s->rest->positionals[s->rest->n_positionals++] = value;
	return DANA_OK;
}

/* "--name", "--name=value", "--name value", "--no-name" */
static int scan_long(struct option_scan *s, const char *text)
{
	struct slice name = slice_of(text, strcspn(text, "="));
	const char *value = text[name.len] ? text + name.len + 1 : NULL;
	for (size_t i = 0; i < sizeof(help_rows) / sizeof(*help_rows); i++) {
		if (slice_equal(name, slice_from_text(help_rows[i].name))) {
			s->rest->help = true;
			s->rest->help_all = i > 0;
			return DANA_OK;
		}
	}
	struct given_option f = { .option = option_find(s->table, name) };
	if (!f.option && name.len > 3 && memcmp(name.data, "no-", 3) == 0) {
		f.option = option_find(s->table, slice_skip(name, 3));
		f.off = true;
		if (f.option && f.option->type != OPTION_FLAG)
			f.option = NULL;
	}
	if (!f.option)
		return scan_foreign(s, slice_of(text - 2, name.len + 2), value);
	if (f.option->type == OPTION_FLAG) {
		if (value)
			return error_set(s->err, DANA_ECONFIG, "--%s takes no value; expected --%s or --no-%s",
					 f.option->name, f.option->name, f.option->name);
	} else if (value) {
		f.value = value;
	} else if (s->next < s->argc) {
		f.value = s->argv[s->next++];
	} else {
		return missing_value(s, f.option, "--", f.option->name);
	}
	s->found[s->n_found++] = f;
	return DANA_OK;
}

/* "-q", "-j2", "-j 2", "-qj2" */
static int scan_letters(struct option_scan *s, const char *text)
{
	for (; *text; text++) {
		if (*text == 'h') {
			s->rest->help = true;
			return DANA_OK;
		}
		struct given_option f = { .option = option_of_letter(s->table, *text), .by_letter = true };
		if (!f.option) {
			const char typed[] = { '-', *text };
			return scan_foreign(s, slice_of(typed, sizeof(typed)), text[1] ? text + 1 : NULL);
		}
		if (f.option->type != OPTION_FLAG) {
			if (text[1])
				f.value = text + 1;
			else if (s->next < s->argc)
				f.value = s->argv[s->next++];
			else
				return missing_value(s, f.option, "-", (char[]){ *text, 0 });
			s->found[s->n_found++] = f;
			return DANA_OK;
		}
		s->found[s->n_found++] = f;
	}
	return DANA_OK;
}

static int scan(struct option_scan *s)
{
	bool only_positionals = false;
	int status = DANA_OK;
	while (status == DANA_OK && !s->rest->help && s->next < s->argc) {
		const char *arg = s->argv[s->next++];
		if (only_positionals || arg[0] != '-' || arg[1] == 0)
			s->rest->positionals[s->rest->n_positionals++] = arg;
		else if (arg[1] != '-')
			status = scan_letters(s, arg + 1);
		else if (arg[2])
			status = scan_long(s, arg + 2);
		else
			only_positionals = true;
	}
	return status;
}

static int apply(struct option_scan *s, void *settings)
{
	const char *path = NULL;
	int status = DANA_OK;
	for (size_t i = 0; i < s->n_found; i++) {
		if (strcmp(s->found[i].option->name, "config") == 0)
			path = s->found[i].value;
	}
	if (path && path[0] == 0)
		return error_set(s->err, DANA_ECONFIG, "--config: the value is empty; expected FILE");
	if (path) {
		s->rest->memory = arena_new();
		status = s->rest->memory ? config_file_read(s->table, settings, path, s->rest->memory, s->err)
					 : DANA_ENOMEM;
	}
	options_lists_replaced(s->table, settings);
	for (size_t i = 0; i < s->n_found && status == DANA_OK; i++) {
		const struct given_option *f = &s->found[i];
		char where[48];
		if (f->by_letter)
			(void)snprintf(where, sizeof(where), "-%c", f->option->letter);
		else
			(void)snprintf(where, sizeof(where), "--%s", f->option->name);
		const char *here = NULL;
		char typed[16], shown[16];
		if (f->option->letter && f->value) /* what is too long is cut off, and not found */
			(void)snprintf(typed, sizeof(typed), "-%c %s", f->option->letter, f->value);
		if (f->option->letter && f->value && foreign_find(s->table->command, slice_from_text(typed), &here))
			return error_set(s->err, DANA_ECONFIG, "%s: '%s' is unknown; did you mean %s?", where,
					 printable(slice_from_text(f->value), shown, sizeof(shown)), here);
		if (f->option->type == OPTION_FLAG)
			option_set_flag(f->option, settings, !f->off);
		else
			status = option_set(f->option, settings, f->value, where, s->err);
	}
	return status;
}

static int check_positionals(const struct option_scan *s)
{
	char shown[64];
	const struct option_table *t = s->table;
	if (s->rest->n_positionals > t->most_positionals) {
		struct slice extra = slice_from_text(s->rest->positionals[t->most_positionals]);
		return error_set(s->err, DANA_ECONFIG, "'%s' is one argument too many; expected dana %s%s%s",
				 printable(extra, shown, sizeof(shown)), t->command, t->synopsis[0] ? " " : "",
				 t->synopsis);
	}
	for (size_t i = 0; i < s->rest->n_positionals; i++) {
		if (s->rest->positionals[i][0] == 0)
			return error_set(s->err, DANA_ECONFIG, "an argument is empty; expected dana %s %s", t->command,
					 t->synopsis);
	}
	if (s->rest->n_positionals < t->least_positionals)
		return error_set(s->err, DANA_ECONFIG, "an argument is missing; expected dana %s %s", t->command,
				 t->synopsis);
	return DANA_OK;
}

int options_parse(const struct option_table *table, void *settings, int argc, char **argv, struct options_rest *rest,
		  struct error *err)
{
	size_t most = 0; /* options: one for each letter at most */
	for (int i = 1; i < argc; i++)
		most += strlen(argv[i]) + 1;
	struct option_scan s = { .table = table, .argc = argc, .next = 1, .argv = argv, .rest = rest, .err = err };
	options_defaults(table, settings);
	rest->positionals = calloc((size_t)argc + 1, sizeof(*rest->positionals));
	s.found = calloc(most + 1, sizeof(*s.found));
	int status = rest->positionals && s.found ? scan(&s) : DANA_ENOMEM;
	if (status == DANA_OK && !rest->help)
		status = apply(&s, settings);
	if (status == DANA_OK && !rest->help)
		status = check_positionals(&s);
	free(s.found);
	return status == DANA_ENOMEM ? error_set(err, DANA_ENOMEM, "out of memory") : status;
}

void options_rest_free(struct options_rest *rest)
{
	free(rest->positionals);
	arena_free(rest->memory);
	*rest = (struct options_rest){ 0 };
}
