/* SPDX-License-Identifier: MIT */
/*
 * A script holds an object, an array of objects, or an object with an array @graph. Facts are taken from objects whose @type
 * is an article, a posting or a page; of others, as breadcrumbs and organisations, only what an article refers to counts.
 * json_sift.c names each member that is asked for here.
 */
#include "plugins/metadata/json_ld.h"

#include <jansson.h>
#include <string.h>

#include "base/buf.h"
#include "plugins/metadata/json_sift.h"

struct walk {
	struct facts *facts;
	int nodes;
};

static bool names_article(const char *type)
{
	static const char *const endings[] = { "Article",  "Posting", "Report",      "Page",    "Review",
					       "Recipe",   "Story",   "Event",       "Product", "VideoObject",
					       "Question", "Book",    "CreativeWork" };
	size_t len = strlen(type);

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t n = strlen(endings[i]);
		if (len >= n && !strcmp(type + len - n, endings[i]))
			return true;
	}
	return false;
}

static bool is_article(const json_t *object)
{
	const json_t *type = json_object_get(object, "@type"), *item;
	size_t i;

	if (json_is_string(type))
		return names_article(json_string_value(type));
	json_array_foreach(type, i,
			   item) if (json_is_string(item) && names_article(json_string_value(item))) return true;
	return false;
}

static void offer(struct walk *w, enum fact fact, const json_t *value)
{
	if (json_is_string(value))
		fact_offer(w->facts, fact, FROM_JSON_LD, slice_of(json_string_value(value), json_string_length(value)),
			   true);
}

/** A string, an object with `key`, or an array of these: the first that is a string. */
static const json_t *string_of(const json_t *value, const char *key)
{
	if (json_is_array(value))
		value = json_array_get(value, 0);
	return json_is_object(value) ? json_object_get(value, key) : value;
}

/** Names of all authors but the publisher, joined by "; ". */
static void offer_authors(struct walk *w, const json_t *authors, const json_t *publisher)
{
	const char *site = json_string_value(string_of(publisher, "name"));
	char names[FACT_BYTES];
	size_t len = 0;

	for (size_t i = 0; i < (json_is_array(authors) ? json_array_size(authors) : 1); i++) {
		const json_t *author = json_is_array(authors) ? json_array_get(authors, i) : authors;
		const json_t *name = string_of(author, "name");
		size_t n = json_string_length(name);
		if (!json_is_string(name) || !n || len + n + 2 > sizeof(names) ||
		    (site && !strcmp(site, json_string_value(name))))
			continue;
		if (len)
			memcpy(names + len, "; ", 2);
		len += len ? 2 : 0;
		memcpy(names + len, json_string_value(name), n);
		len += n;
	}
	fact_offer(w->facts, FACT_AUTHOR, FROM_JSON_LD, slice_of(names, len), true);
}

static void take_article(struct walk *w, const json_t *a)
{
	const json_t *main_page = string_of(json_object_get(a, "mainEntityOfPage"), "@id");
	const json_t *keywords = json_object_get(a, "keywords");

	offer(w, FACT_PUBLISHED, json_object_get(a, "datePublished"));
	offer(w, FACT_PUBLISHED, json_object_get(a, "dateCreated"));
	offer(w, FACT_MODIFIED, json_object_get(a, "dateModified"));
	offer_authors(w, json_object_get(a, "author"), json_object_get(a, "publisher"));
	offer(w, FACT_SITE, string_of(json_object_get(a, "publisher"), "name"));
	offer(w, FACT_DESCRIPTION, json_object_get(a, "description"));
	offer(w, FACT_KEYWORDS, json_is_array(keywords) ? NULL : keywords);
	offer(w, FACT_LANGUAGE, string_of(json_object_get(a, "inLanguage"), "name"));
	offer(w, FACT_IMAGE, string_of(json_object_get(a, "image"), "url"));
	if (json_is_string(main_page) && !strncmp(json_string_value(main_page), "http", 4))
		offer(w, FACT_CANONICAL, main_page);
}

/* The depth is that of the text, which json_loadb() bounds; JSON_LD_DEPTH is far below. */
static void visit(struct walk *w, const json_t *value, int depth)
{
	const json_t *item;
	size_t i;

	if (depth > JSON_LD_DEPTH || w->nodes++ > JSON_LD_NODES)
		return;
	if (json_is_array(value)) {
		json_array_foreach(value, i, item) visit(w, item, depth + 1);
	} else if (json_is_object(value)) {
		if (is_article(value))
			take_article(w, value);
		visit(w, json_object_get(value, "@graph"), depth + 1);
		visit(w, json_object_get(value, "mainEntity"), depth + 1);
	}
}

void json_ld_read(struct slice script, struct facts *facts)
{
	struct walk w = { .facts = facts };

	if (script.len > JSON_LD_BYTES)
		return;
	struct buf sifted = { 0 };
	if (json_sift(script, &sifted))
		script = buf_slice(&sifted);
	json_t *root = json_loadb((const char *)script.data, script.len, JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL, NULL);
	buf_free(&sifted);
	if (root)
		visit(&w, root, 0);
	json_decref(root);
}
