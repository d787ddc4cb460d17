/* SPDX-License-Identifier: MIT */
/*
 * What stands before the text of a page in its document: front matter in YAML before Markdown, the head of a document
 * of elements.
 */
#ifndef DANA_EXTRACT_STRUCTURE_HEAD_H
#define DANA_EXTRACT_STRUCTURE_HEAD_H

#include "base/buf.h"

/* X(number, key in front matter, key in what the plugin metadata finds), in the order of front matter. */
#define HEAD_FACTS(X) \
	X(TITLE, "title", NULL) \
	X(AUTHOR, "author", "author") \
	X(PUBLISHED, "published", "published") \
	X(MODIFIED, "modified", "modified") \
	X(LANGUAGE, "language", "language") \
	X(SITE, "site", "site") \
	X(URL, "url", "canonical") \
	X(DESCRIPTION, "description", "description") \
	X(TAGS, "tags", "keywords")

enum head_fact {
#define FACT(number, key, found) HEAD_##number,
	HEAD_FACTS(FACT)
#undef FACT
		HEAD_FACTS_COUNT
};

/** What is known of a page; empty: nothing. Well-formed UTF-8. */
struct head_facts {
	struct slice value[HEAD_FACTS_COUNT];
};

struct markup;

/** Appends front matter with an empty line after it. Keys without a value are left out; without any there is none. */
int head_yaml(struct buf *out, const struct head_facts *facts);
/** Appends the head of a document of elements, up to where its text begins. */
int head_markup(struct buf *out, const struct markup *markup, const struct head_facts *facts);

#endif
