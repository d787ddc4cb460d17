/* SPDX-License-Identifier: MIT */
/*
 * A script holds an object, an array of objects, or an object with an array @graph. Facts are taken from objects whose
 * @type is an article, a posting or a page; others, such as breadcrumbs and organisations, count only where an article
 * refers to them.
 */
#include "plugins/metadata/json_ld.h"

#include <string.h>

#include "base/buf.h"
#include "base/json_reader.h"

/* Members of an object that are read; first those that are facts, in the order in which they are offered. */
enum { PUBLISHER = 3, FACT_MEMBERS = 9, AUTHOR = FACT_MEMBERS, TYPE, GRAPH, MAIN_ENTITY, MEMBERS };

static const struct {
	const char *name;
	enum fact fact;
	const char
		*key; /* of the string in an object (or first of an array) in its place; NULL: only a string counts */
} rows[MEMBERS] = {
	{ "datePublished", FACT_PUBLISHED, NULL },
	{ "dateCreated", FACT_PUBLISHED, NULL },
	{ "dateModified", FACT_MODIFIED, NULL },
	[PUBLISHER] = { "publisher", FACT_SITE, "name" },
	{ "description", FACT_DESCRIPTION, NULL },
	{ "keywords", FACT_KEYWORDS, NULL },
	{ "inLanguage", FACT_LANGUAGE, "name" },
	{ "image", FACT_IMAGE, "url" },
	{ "mainEntityOfPage", FACT_CANONICAL, "@id" },
	[AUTHOR] = { "author", FACT_AUTHOR, NULL },
	[TYPE] = { "@type", FACTS, NULL },
	[GRAPH] = { "@graph", FACTS, NULL },
	[MAIN_ENTITY] = { "mainEntity", FACTS, NULL },
};

struct walk {
	struct facts *facts;
	struct json_ld *memory;
	int nodes;
};

/** Returns the text of a string, valid until the next call with the same `space`. */
static struct slice text_of(struct walk *w, struct json_value string, struct buf *space)
{
	struct slice text;
	bool repaired;

	buf_clear(space);
	buf_latch(&w->facts->bytes, json_characters(string, space, &text, &repaired));
	return text;
}

static bool names_article(struct slice type)
{
	static const char *const endings[] = { "Article",  "Posting", "Report",      "Page",    "Review",
					       "Recipe",   "Story",   "Event",       "Product", "VideoObject",
					       "Question", "Book",    "CreativeWork" };

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		const size_t n = strlen(endings[i]);
		if (type.len >= n && memcmp(type.data + type.len - n, endings[i], n) == 0)
			return true;
	}
	return false;
}

/** Finds the members in one pass over an object. If a name occurs several times, the last one counts. */
static void find_members(struct json_value object, struct json_value *members)
{
	struct json_walk w = json_walk(object);

	memset(members, 0, MEMBERS * sizeof(*members));
	while (json_walk_next(&w)) {
		for (int i = 0; i < MEMBERS; i++) {
			if (json_name_is(w.name, rows[i].name))
				members[i] = w.value;
		}
	}
}

/** Returns whether the type, or one of an array of types, is that of an article. */
static bool is_article(struct walk *w, struct json_value type)
{
	struct json_walk types = json_walk(type);

	if (json_kind(type) == JSON_IS_STRING)
		return names_article(text_of(w, type, &w->memory->text));
	while (json_kind(type) == JSON_IS_ARRAY && json_walk_next(&types)) {
		if (names_article(text_of(w, types.value, &w->memory->text)))
			return true;
	}
	return false;
}

/** Returns the first string of `value`, which is a string, an object with member `key`, or an array of these. */
static struct json_value string_of(struct json_value value, const char *key)
{
	struct json_walk items = json_walk(value);

	if (json_kind(value) == JSON_IS_ARRAY)
		value = json_walk_next(&items) ? items.value : (struct json_value){ NULL, 0 };
	return json_kind(value) == JSON_IS_OBJECT ? json_member(value, key) : value;
}

/** Appends a name to `names`, unless it is the publisher's. */
static void add_author(struct walk *w, struct json_value author, struct slice site, char *names, size_t *len)
{
	const struct slice name = text_of(w, string_of(author, "name"), &w->memory->text);

	if (!name.len || *len + name.len + 2 > FACT_BYTES || (site.data && slice_equal(site, name)))
		return;
	if (*len) {
		memcpy(names + *len, "; ", 2);
		*len += 2;
	}
	memcpy(names + *len, name.data, name.len);
	*len += name.len;
}

/** Names of all authors but the publisher, joined by "; ". */
static void offer_authors(struct walk *w, struct json_value authors, struct json_value publisher)
{
	const struct slice site = text_of(w, string_of(publisher, "name"), &w->memory->site);
	struct json_walk items = json_walk(authors);
	char names[FACT_BYTES];
	size_t len = 0;

	if (json_kind(authors) != JSON_IS_ARRAY)
		add_author(w, authors, site, names, &len);
	while (json_kind(authors) == JSON_IS_ARRAY && json_walk_next(&items))
		add_author(w, items.value, site, names, &len);
	fact_offer(w->facts, FACT_AUTHOR, FROM_JSON_LD, slice_of(names, len), true);
}

static void take_article(struct walk *w, const struct json_value *members)
{
	for (int i = 0; i < FACT_MEMBERS; i++) {
		const struct json_value value = rows[i].key ? string_of(members[i], rows[i].key) : members[i];
		const struct slice text = text_of(w, value, &w->memory->text);
		if (rows[i].fact == FACT_CANONICAL && (text.len < 4 || memcmp(text.data, "http", 4) != 0))
			continue;
		fact_offer(w->facts, rows[i].fact, FROM_JSON_LD, text, true);
	}
	offer_authors(w, members[AUTHOR], members[PUBLISHER]);
}

/* The recursion ends at JSON_LD_DEPTH. */
static void visit(struct walk *w, struct json_value value, int depth)
{
	struct json_value members[MEMBERS];
	struct json_walk items = json_walk(value);

	if (depth > JSON_LD_DEPTH || w->nodes++ > JSON_LD_NODES)
		return;
	if (json_kind(value) == JSON_IS_ARRAY) {
		while (json_walk_next(&items))
			visit(w, items.value, depth + 1);
	} else if (json_kind(value) == JSON_IS_OBJECT) {
		find_members(value, members);
		if (is_article(w, members[TYPE]))
			take_article(w, members);
		visit(w, members[GRAPH], depth + 1);
		visit(w, members[MAIN_ENTITY], depth + 1);
	}
}

void json_ld_read(struct json_ld *j, struct slice script, struct facts *facts)
{
	static const struct json_rules rules = { .depth_most = JSON_DEPTH_MOST, .first_only = true };
	struct walk w = { .facts = facts, .memory = j };
	struct json_value root;

	if (script.len > JSON_LD_BYTES)
		return;
	if (!j->reader)
		j->reader = json_reader_new(&rules);
	const int status = j->reader ? json_read(j->reader, script, &root, NULL) : DANA_ENOMEM;
	if (status == DANA_OK)
		visit(&w, root, 0);
	buf_latch(&facts->bytes, status == DANA_ENOMEM ? status : DANA_OK);
}

void json_ld_free(struct json_ld *j)
{
	json_reader_free(j->reader);
	buf_free(&j->text);
	buf_free(&j->site);
}
