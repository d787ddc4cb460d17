/* SPDX-License-Identifier: MIT */
/*
 * Two passes, because what is written on the command line overrides the configuration file, and the file's name is on
 * the command line: first all options of argv are found and listed, then the file named by --config is read, then the
 * list is applied. Example: `-j2 --config=f` with `jobs = 4` in f gives 2.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/printable.h"
#include "cli/options/config_file.h"
#include "cli/options/option.h"

/* One option as found in argv; applied after the configuration file. */
struct found {
	const struct option *option;
	const char *value; /* NULL: a flag */
	bool off;          /* --no-NAME */
	bool by_letter;
};

struct scan {
	const struct option_table *table;
	int argc, next;
	char **argv;
	struct found *found;
	size_t n_found;
	struct options_rest *rest;
	struct error *err;
};

static int unknown_long(struct scan *s, struct slice name)
{
	char shown[64];
	printable(name, shown, sizeof(shown));
	struct slice near = option_near(s->table, name);
	if (near.len)
		return error_set(s->err, DANA_ECONFIG, "unknown option --%s; did you mean --%.*s?", shown,
				 (int)near.len, (const char *)near.data);
	return error_set(s->err, DANA_ECONFIG, "unknown option --%s; dana %s --help lists the options", shown,
			 s->table->command);
}

static int missing_value(struct scan *s, const struct option *o, const char *dashes, const char *name)
{
	struct buf argument = { 0 };
	int status = option_argument(o, &argument);

	if (status == DANA_OK)
		status = error_set(s->err, DANA_ECONFIG, "%s%s needs a value; expected %s%s %.*s", dashes, name, dashes,
				   name, (int)argument.len, (const char *)argument.data);
	buf_free(&argument);
	return status;
}

/* "--name", "--name=value", "--name value", "--no-name" */
static int scan_long(struct scan *s, const char *text)
{
	struct slice name = slice_of(text, strcspn(text, "="));
	const char *value = text[name.len] ? text + name.len + 1 : NULL;
	if (slice_equal(name, slice_from_text("help"))) {
		s->rest->help = true;
		return DANA_OK;
	}
	struct found f = { .option = option_find(s->table, name) };
	if (!f.option && name.len > 3 && memcmp(name.data, "no-", 3) == 0) {
		f.option = option_find(s->table, slice_skip(name, 3));
		f.off = true;
		if (f.option && f.option->type != OPTION_FLAG)
			f.option = NULL;
	}
	if (!f.option)
		return unknown_long(s, name);
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
static int scan_letters(struct scan *s, const char *text)
{
	for (; *text; text++) {
		if (*text == 'h') {
			s->rest->help = true;
			return DANA_OK;
		}
		struct found f = { .option = option_of_letter(s->table, *text), .by_letter = true };
		if (!f.option) {
			char shown[8];
			return error_set(s->err, DANA_ECONFIG, "unknown option -%s; dana %s --help lists the options",
					 printable(slice_of(text, 1), shown, sizeof(shown)), s->table->command);
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

static int scan(struct scan *s)
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

static int read_config_file(struct scan *s, void *settings)
{
	const char *path = NULL;
	for (size_t i = 0; i < s->n_found; i++) {
		if (strcmp(s->found[i].option->name, "config") == 0)
			path = s->found[i].value;
	}
	if (!path)
		return DANA_OK;
	if (path[0] == 0)
		return error_set(s->err, DANA_ECONFIG, "--config: the value is empty; expected FILE");
	s->rest->memory = arena_new();
	if (!s->rest->memory)
		return DANA_ENOMEM;
	return config_file_read(s->table, settings, path, s->rest->memory, s->err);
}

static int apply(struct scan *s, void *settings)
{
	int status = read_config_file(s, settings);
	options_lists_replaced(s->table, settings);
	for (size_t i = 0; i < s->n_found && status == DANA_OK; i++) {
		const struct found *f = &s->found[i];
		char where[48];
		if (f->by_letter)
			(void)snprintf(where, sizeof(where), "-%c", f->option->letter);
		else
			(void)snprintf(where, sizeof(where), "--%s", f->option->name);
		if (f->option->type == OPTION_FLAG)
			option_set_flag(f->option, settings, !f->off);
		else
			status = option_set(f->option, settings, f->value, where, s->err);
	}
	return status;
}

static int check_positionals(const struct scan *s)
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
	struct scan s = { .table = table, .argc = argc, .next = 1, .argv = argv, .rest = rest, .err = err };
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
