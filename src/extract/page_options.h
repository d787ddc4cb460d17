/* SPDX-License-Identifier: MIT */
/*
 * The options of a page: which texts are made of it, and of which parts. They stand in one list. From a row follow the
 * member of struct page_options, which goes through all rooms as a whole; the option of the command line; the option
 * by name of the libraries (`options` of their structs, as "exclude=nav"), which Python, Java and the service use; and
 * the list for programs (dana_page_option_list), which these read.
 *
 * Example of a new option: a row X(quotes, "quotes", WORD, "keep|drop", "keep", "keep or drop quotations", NULL), and
 * `options->quotes == 1` where pages are read.
 */
#ifndef DANA_EXTRACT_PAGE_OPTIONS_H
#define DANA_EXTRACT_PAGE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "dana/dana.h"

/*
 * X(name, "name on the command line", type, "words", "default", "help", "sentences after the help in the manual", ...):
 *
 *	TEXTS      some of the words, joined by commas
 *	KEYS       KEY=VALUE,... of Markdown
 *	WORD       one of the words; the default is the first
 *	FLAG       1 or 0, yes or no, true or false; 0 by default
 *	SELECTORS  a comma list of CSS selectors
 *	LINES      lines of text; on the command line the name of a file that has them
 *	KEY        the value of a key of the first method; on the command line a part of --method
 *
 * What follows X in the macros goes to X after the columns.
 */
/* clang-format off */
#define PAGE_TEXTS(X, ...) \
	X(text, "text", TEXTS, "plain|markdown|blocks", "plain", \
	  "choose the texts to write: plain, markdown, blocks", \
	  "Markdown has headings, lists, tables, code and links. blocks is, in JSON, a list of the blocks of a page, " \
	  "each with type, offset in the page and probability.", __VA_ARGS__) \
	X(markdown, "markdown", KEYS, "", "", \
	  "set how Markdown is written, as links=0,images=1; the manual lists the keys", NULL, __VA_ARGS__) \
	X(text_field, "text-field", WORD, "plain|markdown", "plain", \
	  "choose what the field `text` of JSON holds, for programs that read only this field", NULL, __VA_ARGS__) \
	X(dropped, "dropped", FLAG, "", "", \
	  "write dropped blocks, too, with \"kept\":false; needs --text blocks", NULL, __VA_ARGS__)

#define PAGE_PARTS(X, ...) \
	X(exclude, "exclude", SELECTORS, "", "", \
	  "leave out the parts of pages that match a comma list of CSS selectors", \
	  "Selectors have names, .class, #id and [attribute]; blanks for descendants, > for children.", __VA_ARGS__) \
	X(only, "only", SELECTORS, "", "", "read only the parts of pages that match", NULL, __VA_ARGS__) \
	X(rules, "rules", LINES, "", "", "read lists of selectors by site from FILE", \
	  "Its lines are HOST, a tab, exclude, only or drop, a tab, SELECTORS. HOST includes the hosts below it, " \
	  "unless these have lines of their own. drop leaves out after the method has decided.", __VA_ARGS__) \
	X(comments, "comments", WORD, "keep|drop|apart", "keep", \
	  "keep readers' comments of articles, drop them, or write them to the field `comments`", NULL, __VA_ARGS__) \
	X(tables, "tables", WORD, "keep|drop", "keep", "keep or drop tables of data", NULL, __VA_ARGS__)

#define PAGE_KEYS(X, ...) \
	X(recall, "", KEY, "", "", "set how much the method learned keeps, 0 to 100", NULL, __VA_ARGS__) \
	X(kind, "", KEY, "", "", "set the kind of all pages for the method learned, as article", NULL, __VA_ARGS__)

#define PAGE_OPTIONS(X, ...) PAGE_TEXTS(X, __VA_ARGS__) PAGE_PARTS(X, __VA_ARGS__) PAGE_KEYS(X, __VA_ARGS__)

/* clang-format on */

struct method;

enum page_option_type {
	PAGE_OPTION_TEXTS,
	PAGE_OPTION_KEYS,
	PAGE_OPTION_WORD,
	PAGE_OPTION_FLAG,
	PAGE_OPTION_SELECTORS,
	PAGE_OPTION_LINES,
	PAGE_OPTION_KEY,
};

/** A row of the list. */
struct page_option {
	const char *name;   /* "text_field"; NULL ends the list */
	const char *option; /* of the command line, "text-field"; "": none */
	enum page_option_type type;
	const char *words; /* "keep|drop"; "": others */
	size_t at;         /* in struct page_options */
};

extern const struct page_option page_option_list[];

typedef const char *page_option_TEXTS, *page_option_KEYS, *page_option_SELECTORS, *page_option_LINES;
typedef const char *page_option_KEY; /* KEY=VALUE as a whole */
typedef int page_option_WORD;        /* the number of the word */
typedef bool page_option_FLAG;

/** Texts are borrowed. Zeroed: the defaults. */
struct page_options {
#define PAGE_MEMBER(name, ...) PAGE_MEMBER_OF(name, __VA_ARGS__)
#define PAGE_MEMBER_OF(name, word, type, ...) page_option_##type name;
	PAGE_OPTIONS(PAGE_MEMBER, )
#undef PAGE_MEMBER
#undef PAGE_MEMBER_OF
	/* What follows from them, of page_options_check: */
	unsigned structure; /* as dana_options.structure */
	bool without_plain; /* the plain text is not asked for */
	bool front;         /* `markdown` asks for front matter, for which the plugin metadata is called */
	bool elements;      /* what `markdown` asks for is HTML, XML or TEI in place of Markdown */
};

/** Takes the members that the three public structs have; `from` points to one of them. */
#define PAGE_OPTIONS_OF(from) \
	(struct page_options) \
	{ \
		.structure = (from)->structure, .markdown = (from)->structure ? (from)->markdown : NULL, \
		.exclude = (from)->exclude, .only = (from)->only, .rules = (from)->rules, \
		.comments = (int)(from)->comments, .tables = (int)(from)->tables \
	}

/** Numbers of words. */
enum { TEXT_FIELD_PLAIN, TEXT_FIELD_MARKDOWN };

/** Sets options by their names, "exclude=nav"; a hyphen is as good as an underscore. Returns 0 or DANA_ECONFIG. */
int page_options_set(struct page_options *o, const char *const *named, size_t n, struct error *err);
/**
 * Checks all options together with the first method of the page, and sets what follows from them. `dashes` is put
 * before the names of options in messages: "--" or "". Returns 0, DANA_ECONFIG or DANA_ENOMEM.
 */
int page_options_check(struct page_options *o, const char *method, const char *dashes, struct error *err);
/** Gives a method the keys that are options, after its own. Returns 0, or an error of the method. */
int page_options_configure(const struct page_options *o, const struct method *m, void *state);
/** Returns the options for a method besides the first, whose plain text alone is wanted. */
struct page_options page_options_of_plain(const struct page_options *o);
/**
 * Returns the list as an array of JSON, with `method` and `plugins`, which all programs have as lists, first: objects
 * with name, type ("selectors"), words, default and help. Static.
 */
const char *page_options_json(void);

#endif
