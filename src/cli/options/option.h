/* SPDX-License-Identifier: MIT */
/*
 * One table of options for each command. From it come the command line parser, the configuration file, --help, the
 * manual page and the sample configuration. Values go into a plain settings struct of the command. Ownership: text
 * values are borrowed from argv or from the arena in struct options_rest. Errors: DANA_ECONFIG with one line.
 */
#ifndef DANA_CONFIG_OPTION_H
#define DANA_CONFIG_OPTION_H

#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"
#include "base/text_list.h"

/** Type of an option, and of the member of the settings struct that takes it. */
enum option_type {
	OPTION_FLAG,   /* bool; --no-NAME takes it back */
	OPTION_TEXT,   /* const char *; NULL when unset */
	OPTION_LIST,   /* const char *: items joined by commas, none empty; NULL when unset */
	OPTION_NUMBER, /* any unsigned integer type; K, M, G are powers of 1024; all bits 1 when unset */
	OPTION_PLUGIN, /* struct plugin_rows: repeatable; sections of the configuration file add to it */
	OPTION_TEXTS,  /* struct text_list: each time one more; the first replaces the default */
	OPTION_CHOICE, /* int: number of the word in `argument` ("auto|always|never"); -1 when unset */
};

enum option_place {
	OPTION_ANYWHERE,
	OPTION_COMMAND_LINE, /* not in a configuration file */
};

struct option {
	const char *name; /* long name without dashes; NULL ends a table */
	char letter;      /* 0: none */
	enum option_type type;
	const char *argument; /* "FILE", or the words of a choice; NULL for flags. Shells complete it: cli/complete.c */
	const char *standard; /* default as it would be written; NULL: unset (flags: off) */
	const char *shown;    /* what help shows as the default where `standard` is NULL; NULL: nothing */
	const char *help;     /* one sentence or more, begins small, no full stop at its end */
	const char *section;  /* heading in help and manual; options of one section stand together */
	enum option_place place;
	uint64_t least, most; /* OPTION_NUMBER; most 0 = what fits the member */
	size_t offset, size;  /* of the member: OPTION_MEMBER */
	/**
	 * Where words and help come from the tables of another room (formats), instead of `argument` and `help`; NULL
	 * = those.
	 */
	int (*write_argument)(struct buf *out);
	int (*write_help)(struct buf *out);
	bool apart; /* changes no byte of the outputs: a run may be resumed with another value (run_lines.h) */
};

/** The initialiser of offset and size: { .name = "jobs", ..., OPTION_MEMBER(struct filter_settings, jobs) } */
#define OPTION_MEMBER(type, member) .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)

struct option_table {
	const char *command;     /* "filter" */
	const char *summary;     /* one line without a full stop */
	const char *synopsis;    /* "[OPTIONS] [INPUT...]" */
	const char *description; /* for the manual page: paragraphs with an empty line between; may be NULL */
	int (*write_details)(struct buf *out); /* for the manual page: lines after the description, printed as they are;
						  may be NULL */
	const char *examples;                  /* at the end of help and manual: lines of shell; may be NULL */
	const struct option *options;          /* NULL: none but --help, which every command has */
	size_t least_positionals, most_positionals;
};

struct arena;

/** What is left of a command line besides the settings. Zeroed before use; options_rest_free gives all back. */
struct options_rest {
	const char **positionals;
	size_t n_positionals;
	bool help;            /* --help was there: print it and do nothing else */
	struct arena *memory; /* of texts from the configuration file */
};

/** Puts every default of the table into `settings`. */
void options_defaults(const struct option_table *table, void *settings);
/**
 * Lists that have a default in the table are from now on replaced by the next value that they get, as the command line
 * replaces what the file says.
 */
void options_lists_replaced(const struct option_table *table, void *settings);
/**
 * Defaults, then the file that --config names (if the table has that option), then the command line: the later wins.
 * argv[0] is the command's name and is passed over. Returns 0, DANA_ECONFIG or DANA_ENOMEM. With rest->help nothing
 * else counts.
 */
int options_parse(const struct option_table *table, void *settings, int argc, char **argv, struct options_rest *rest,
		  struct error *err);
void options_rest_free(struct options_rest *rest);

/** Returns the option of that name; NULL if it does not exist. */
const struct option *option_find(const struct option_table *table, struct slice name);
/** Returns the option of that letter; NULL if it does not exist. */
const struct option *option_of_letter(const struct option_table *table, char letter);
/** Returns the name of the table nearest to a mistyped one; empty if no name is near. */
struct slice option_near(const struct option_table *table, struct slice name);
/**
 * Sets one option from text (not for flags). `where` begins the message: "--jobs", "dana.conf:3: jobs". Returns 0 or
 * DANA_ECONFIG.
 */
int option_set(const struct option *o, void *settings, const char *value, const char *where, struct error *err);
void option_set_flag(const struct option *o, void *settings, bool on);
/** Appends the present value as it would be written; nothing if it is not set. Returns 0 or DANA_ENOMEM. */
int option_value(const struct option *o, const void *settings, struct buf *out);
/**
 * Appends what stands after the option's name ("FILE", "a|b"; nothing for a flag), and its help. Returns 0 or
 * DANA_ENOMEM.
 */
int option_argument(const struct option *o, struct buf *out);
int option_help(const struct option *o, struct buf *out);

#endif
