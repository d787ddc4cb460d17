/* SPDX-License-Identifier: MIT */
/* The options that say which texts of a page are written, and what is wrong with them. */
#ifndef DANA_RUN_TEXTS_CHECK_H
#define DANA_RUN_TEXTS_CHECK_H

#include "archive/texts.h"
#include "base/text_list.h"

enum text_field { TEXT_FIELD_PLAIN, TEXT_FIELD_MARKDOWN };

/** As given on the command line; NULL: not given. */
struct text_options {
	const char *list;     /* --text: "plain,markdown" */
	const char *markdown; /* --markdown: "images=1,links=0" */
	int field;            /* enum text_field */
	bool dropped;         /* --dropped */
};

/**
 * Fills `texts` from the options, for these methods. Returns 0 or DANA_ECONFIG: an unknown text or key, or a first
 * method that has no structure. `texts` borrows the keys and the methods.
 */
int texts_check(const struct text_options *options, const struct text_list *methods, struct texts *texts,
		struct error *err);

/** Returns 0, or DANA_ECONFIG for an unknown key or value of --markdown; NULL: none. */
int texts_check_keys(const char *markdown, struct error *err);
/** Returns whether a method, which is known, says which parts of the page it keeps, so that it has Markdown. */
bool texts_of_method(const char *spec);

/** Returns whether a text is asked for that only JSON has a place for. */
bool texts_are_json(const struct texts *texts);

#endif
