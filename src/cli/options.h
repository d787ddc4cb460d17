/* SPDX-License-Identifier: MIT */
/*
 * One table of options for each command. From it come the command line parser, the configuration file, --help, the
 * manual page and the sample configuration. Values go into a plain settings struct of the command. Ownership: text
 * values are borrowed from argv or from the arena in struct options_rest. Errors: DANA_ECONFIG with one line.
 */
#ifndef DANA_CLI_OPTIONS_H
#define DANA_CLI_OPTIONS_H

#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"
#include "run/methods.h"
#include "run/settings.h"

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
	const char *help;    /* a phrase that begins with a verb, small; at most two lines of --help with the default */
	const char *section; /* heading in help and manual; options of one section are together */
	enum option_place place;
	uint64_t least, most; /* OPTION_NUMBER; most 0 = what fits the member */
	size_t offset, size;  /* of the member: OPTION_MEMBER */
	/** Instead of `argument` and `more`, where words come from the tables of another room; NULL: not so. */
	int (*write_argument)(struct buf *out);
	int (*write_more)(struct buf *out);
	const char *more; /* sentences after `help` in the manual and the sample; NULL: nothing */
	bool first;       /* in --help of a command with many options; --help-all lists the others too */
	bool apart; /* changes no byte of the outputs: a run may be resumed with another value (run_lines_options) */
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
	const struct dedup_verb
		*verbs; /* of a command that has them (cli/command.h), ended by one without a name; else NULL */
	bool shortened; /* --help shows the options that are `first` only */
	size_t least_positionals, most_positionals;
};

struct arena;

/** What is left of a command line besides the settings. Zeroed before use; options_rest_free gives all back. */
struct options_rest {
	const char **positionals;
	size_t n_positionals;
	bool help; /* --help or --help-all was there: print it and do nothing else */
	bool help_all;
	struct arena *memory; /* of texts from the configuration file */
};

void options_defaults(const struct option_table *table, void *settings);
/**
 * Defaults, then the file that --config names (if the table has that option), then the command line: the later wins.
 * argv[0] is the command's name and is passed over. With rest->help nothing else counts.
 */
int options_parse(const struct option_table *table, void *settings, int argc, char **argv, struct options_rest *rest,
		  struct error *err);
void options_rest_free(struct options_rest *rest);
const struct option *option_find(const struct option_table *table, struct slice name);
const struct option *option_of_letter(const struct option_table *table, char letter);
/** Returns the name of the table nearest to a mistyped one; empty if no name is near. */
struct slice option_near(const struct option_table *table, struct slice name);
/**
 * Finds what an option of another program is in this command, which has no such one: "--json", or "-f md" for a value
 * of -f. Sets *here to the advice (for a value: what is right); NULL: its value is an argument. Returns false if
 * nothing is known of it.
 */
bool foreign_find(const char *command, struct slice typed, const char **here);
/** Sets one option from text (not for flags). `where` begins the message: "--jobs", "dana.conf:3: jobs". */
int option_set(const struct option *o, void *settings, const char *value, const char *where, struct error *err);
void option_set_flag(const struct option *o, void *settings, bool on);
/** Appends the present value as it would be written; nothing if it is not set. */
int option_value(const struct option *o, const void *settings, struct buf *out);
/** Appends what follows the option's name ("FILE", "a|b"; nothing for a flag). */
int option_argument(const struct option *o, struct buf *out);

/* The rows of the options that say which texts of a page are written, for the tables of several commands. */

/** Appends the keys of --markdown with their values and defaults. */
int text_rows_markdown_help(struct buf *out);

/*
 * For PAGE_TEXTS and PAGE_PARTS (extract/page_options.h). `settings`: the struct of the command; `member`: its struct
 * page_options; `heading`: section of the rows; `plain`, `shown`: the default of --text.
 */
/* clang-format off */
#define PAGE_OPTION_ROW(name, word, type, words, standard, help, more, settings, member, heading, plain, shown) \
	PAGE_ROW_##type(word, words, standard, help, more, heading, OPTION_MEMBER(settings, member.name), plain, shown),
#define PAGE_ROW_TEXTS(word, words, standard, help, sentences, heading, at, plain, shown) \
	{ word, 0, OPTION_LIST, "LIST", plain, shown, help, heading, 0, 0, 0, at, .more = sentences, .first = true }
#define PAGE_ROW_KEYS(word, words, standard, help, sentences, heading, at, ...) \
	{ word, 0, OPTION_TEXT, "KEY=VALUE,...", NULL, NULL, help, heading, 0, 0, 0, at, \
	  .write_more = text_rows_markdown_help }
#define PAGE_ROW_WORD(word, words, standard, help, sentences, heading, at, ...) \
	{ word, 0, OPTION_CHOICE, words, standard, NULL, help, heading, 0, 0, 0, at, .more = sentences }
#define PAGE_ROW_FLAG(word, words, standard, help, sentences, heading, at, ...) \
	{ word, 0, OPTION_FLAG, NULL, NULL, NULL, help, heading, 0, 0, 0, at, .more = sentences }
#define PAGE_ROW_SELECTORS(word, words, standard, help, sentences, heading, at, ...) \
	{ word, 0, OPTION_TEXT, "SELECTORS", NULL, NULL, help, heading, 0, 0, 0, at, .more = sentences }
#define PAGE_ROW_LINES(word, words, standard, help, sentences, heading, at, ...) \
	{ word, 0, OPTION_TEXT, "FILE", NULL, NULL, help, heading, 0, 0, 0, at, .more = sentences }

#define PLUGIN_ROW(settings, member, heading, sentences) \
	{ "plugin", 0, OPTION_PLUGIN, "NAME[:KEY=VALUE,...]", NULL, NULL, \
	  "run a plugin (a name, or an absolute path) on each page; repeatable; dana plugins lists them", \
	  heading, 0, 0, 0, \
	  OPTION_MEMBER(settings, member), .more = sentences }

#define METHOD_ROW(settings, member, heading) \
	{ "method", 'm', OPTION_TEXTS, "NAME[:KEY=VALUE,...]", DANA_DEFAULT_METHOD, NULL, \
	  "choose the extraction method; dana methods lists them; repeatable", \
	  heading, 0, 0, 0, OPTION_MEMBER(settings, member), .first = true, \
	  .more = "With several, each page is read once: the first method fills `text` and all fields that depend on " \
		  "a text; in JSON the texts of the others are in `texts`, in WARC each has its own record." }

#define NETWORK_ROWS(settings, member, heading, standard, shown) \
	{ "user-agent", 0, OPTION_TEXT, "TEXT", NULL, PACKAGE_NAME "/" PACKAGE_VERSION, \
	  "send TEXT as User-Agent; name your project and a contact", heading, 0, 0, 0, \
	  OPTION_MEMBER(settings, member.user_agent), .apart = true }, \
	{ "ca-file", 0, OPTION_TEXT, "FILE", NULL, "the system's", "trust the certificates in FILE (PEM)", heading, 0, \
	  0, 0, OPTION_MEMBER(settings, member.ca_file), .apart = true }, \
	{ "proxy", 0, OPTION_TEXT, "URL|env", standard, shown, \
	  "send all requests through a proxy; env reads http_proxy, https_proxy, no_proxy", heading, 0, 0, 0, \
	  OPTION_MEMBER(settings, member.proxy), .apart = true }, \
	{ "insecure", 0, OPTION_FLAG, NULL, NULL, NULL, \
	  "do not verify certificates of servers; anyone on the path can change the data", heading, \
	  OPTION_COMMAND_LINE, 0, 0, OPTION_MEMBER(settings, member.insecure), .apart = true }

#define FIELDS_ROW(settings, member, heading) \
	{ "fields", 0, OPTION_LIST, "LIST", NULL, "all", \
	  "write these fields, in this order, as url,title,text; for JSON, csv and tsv", heading, 0, 0, 0, \
	  OPTION_MEMBER(settings, member), \
	  .more = "What a plugin adds is PLUGIN, or PLUGIN.KEY for one of its values, as quality.words. author, " \
		  "published, modified, site, canonical, description, keywords and image are what the plugin " \
		  "metadata finds. A table begins with a line of the names; null is an empty field there." }

#define PAGE_NETWORK "Pages from the network"

#define PAGE_NETWORK_ROWS(settings, member) \
	{ "header", 0, OPTION_TEXTS, "'NAME: VALUE'", NULL, NULL, \
	  "send a header with each request; repeatable", PAGE_NETWORK, 0, 0, 0, \
	  OPTION_MEMBER(settings, member.headers), \
	  .more = "Servers that a redirect leads to get it, too, but for Authorization and Cookie." }, \
	{ "max-time", 0, OPTION_NUMBER, "SECONDS", "60", NULL, "give a page up that has not come after SECONDS", \
	  PAGE_NETWORK, 0, 1, 86400, OPTION_MEMBER(settings, member.seconds) }, \
	NETWORK_ROWS(settings, member.network, PAGE_NETWORK, "env", NULL)

/* clang-format on */

/*
 * The configuration file: lines of `key = value`, where the keys are the long names of options; `#` begins a comment
 * line; flags are `yes` or `no`. At its end sections of plugins, `[plugin NAME]`, with lines of `key = value` of that
 * plugin.
 */

/**
 * Reads `path` into `settings`; texts live in `memory`. Returns 0, DANA_ECONFIG (also: cannot be read, or could have
 * been written by anyone) or DANA_ENOMEM.
 */
int config_file_read(const struct option_table *table, void *settings, const char *path, struct arena *memory,
		     struct error *err);
/** The same from memory; `path` is for messages. Returns as config_file_read. */
int config_file_parse(const struct option_table *table, void *settings, struct slice text, const char *path,
		      struct arena *memory, struct error *err);
/** Appends all settings as a file that config_file_parse reads back; unset ones as comments. */
int config_file_write(const struct option_table *table, const void *settings, struct buf *out);

/* What people read about options, made from the table. All append to a buffer. */

/** --help and --help-all, which every command takes. The second is listed where it shows more (table->shortened). */
extern const struct option help_rows[2];

/** Appends the text of `dana COMMAND --help`, or of --help-all; lines of at most 80 columns. */
int help_text(const struct option_table *table, bool all, struct buf *out);
/** Appends the manual page in the language of man(7). `version` as "1.0.0". */
int help_manual(const struct option_table *table, const char *version, struct buf *out);
/** Appends the sample configuration file: every option of a file with its default, as comments. */
int help_sample(const struct option_table *table, struct buf *out);
/** A line of that file with its comment, as for an option; `standard` NULL: `argument` is shown. */
void help_sample_line(const char *key, const char *standard, const char *argument, const char *help, struct buf *out);
/** Appends `text` as man(7) takes it: dashes, backslashes, leading dots. */
int help_roff(struct buf *out, const char *text);

/*
 * What the outputs of a run depend on, as lines "word value" (run/state_file.h): a run may be resumed only
 * where they are the same.
 */

struct filter_settings;

/** Appends the options that change outputs (those that are not option.apart). */
int run_lines_options(const struct filter_settings *s, struct buf *out);

/* Settings of `dana filter`. */

enum filter_progress { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };

struct filter_settings {
	struct run_settings run;
	const char *site;              /* --site as written: a file, auto, window, off */
	const char *format, *compress; /* as written; NULL: see run.outputs.kind, which filter_options_resolve sets */
	int progress;                  /* enum filter_progress */
	const char *config;
	bool damaged_ok, print_config, print_limits;
};

extern const struct option_table filter_options;

/**
 * After options_parse: checks what excludes each other and fills what depends on other options (format and compression
 * from the name of the output, jobs from the number of cores).
 */
int filter_options_resolve(struct filter_settings *s, unsigned cores, struct error *err);
/** Appends what --print-limits prints: every limit with its option, and the memory they add up to. */
int filter_print_limits(const struct filter_settings *s, struct buf *out);

#endif
