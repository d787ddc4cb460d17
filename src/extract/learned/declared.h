/* SPDX-License-Identifier: MIT */
/*
 * What a page says it is about: values of "@type" in its JSON-LD, one bit for each group of types. Read as it comes, in
 * pieces of any length; JSON is not parsed, nothing is kept but a word of a few bytes.
 *
 * Example: <script type="application/ld+json">{"@type": ["Thing", "Recipe"]}</script> declares a recipe.
 */
#ifndef DANA_LEARNED_DECLARED_H
#define DANA_LEARNED_DECLARED_H

#include <stdbool.h>

#include "base/slice.h"

enum declared_type {
	DECLARED_RECIPE = 1,
	DECLARED_PRODUCT = 2,
	DECLARED_ARTICLE = 4,
	DECLARED_FORUM = 8,
	DECLARED_LIST = 16,
	DECLARED_SERVICE = 32,
	DECLARED_ANY = 128, /* there is JSON-LD */
};

/** What a script holds, by the type in the first DECLARED_HEAD bytes of its tag. */
enum script_kind { SCRIPT_OTHER, SCRIPT_DATA /* JSON-LD */, SCRIPT_TEMPLATE /* HTML */ };

enum { DECLARED_HEAD = 128, DECLARED_WORD = 24 };

struct declared {
	uint8_t types;             /* bits of enum declared_type */
	uint8_t state;             /* enum in declared.c */
	uint8_t script;            /* enum script_kind of the bytes that come */
	uint8_t len;               /* of `bytes` */
	bool list;                 /* inside of [...] */
	char bytes[DECLARED_HEAD]; /* begin of a script's tag, or of a type's name */
};

void declared_reset(struct declared *d);
/**
 * Takes bytes of scripts and comments with their tags; `first`: a tag or comment begins with them. Returns those that
 * are a script's content.
 */
struct slice declared_add(struct declared *d, struct slice bytes, bool first);

#endif
