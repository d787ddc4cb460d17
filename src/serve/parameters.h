/* SPDX-License-Identifier: MIT */
/*
 * The parameters of /extract, in the query or as members of a JSON body. They stand in one list, from which they are
 * read, refused and described (openapi.c). Pure.
 */
#ifndef DANA_SERVE_PARAMETERS_H
#define DANA_SERVE_PARAMETERS_H

#include "base/json.h"
#include "extract/page_options.h"
#include "serve/request_text.h"

/*
 * For PAGE_OPTIONS: the parameter of an option of a page, as the command line calls it, or for a key of the method as
 * the key.
 */
#define PAGE_PARAMETER(name, word, type, ...) PAGE_PARAMETER_##type(name, word)
#define PAGE_PARAMETER_TEXTS(name, word) word,
#define PAGE_PARAMETER_KEYS(name, word) word,
#define PAGE_PARAMETER_WORD(name, word) word,
#define PAGE_PARAMETER_FLAG(name, word) word,
#define PAGE_PARAMETER_SELECTORS(name, word) word,
#define PAGE_PARAMETER_LINES(name, word) word,
#define PAGE_PARAMETER_KEY(name, word) #name,

/** Numbers of page_parameters; from PARAMETER_OPTIONS on they are the rows of page_option_list. */
enum { PARAMETER_URL, PARAMETER_CHARSET, PARAMETER_PLUGIN, PARAMETER_METHOD, PARAMETER_FORMAT, PARAMETER_OPTIONS };

#define PARAMETER_ONE(...) +1
enum { PARAMETERS = PARAMETER_OPTIONS PAGE_OPTIONS(PARAMETER_ONE, ) };

/** NULL ended. */
extern const char *const page_parameters[];

/** Zeroed: none are given. */
struct parameters {
	struct buf value[PARAMETERS]; /* with NUL after it where given */
	bool given[PARAMETERS];
};

/** Forgets all values. */
void parameters_clear(struct parameters *p);
void parameters_free(struct parameters *p);
/** Returns a value; empty where it is not given. */
struct slice parameter_value(const struct parameters *p, unsigned parameter);
/** Reads a query, in which names are known to be good. Returns 0, DANA_ECONFIG or DANA_ENOMEM with a text. */
int parameters_read_query(struct parameters *p, struct slice query, struct error *err);
/**
 * Sets a parameter from a member of a JSON object, which counts more than the query. A list is its items with commas
 * between them, an object "name=value,...", true and false are 1 and 0. `arg`: the parameters. Returns as above.
 */
int parameters_set_json(void *arg, struct slice name, struct json_value value, struct error *err);
/**
 * Appends the methods and the options of a page, "method=danag" and "exclude=nav" with NUL after each. `format`: of the
 * response. Returns as above.
 */
int parameters_options(const struct parameters *p, enum reply_format format, struct buf *options, struct error *err);

#endif
