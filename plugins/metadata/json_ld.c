/* SPDX-License-Identifier: MIT */
/*
 * JSON-LD (schema.org) of a page.
 *
 * A script holds an object, an array of objects, or an object with an array @graph. Facts are taken from objects whose
 * @type is an article, a posting or a page; others, such as breadcrumbs and organisations, count only where an article
 * refers to them.
 *
 * Many scripts are nearly JSON, or JSON that is encoded as text is: if one cannot be read, it is mended and read again.
 */
#include "config.h"

#include <string.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/json.h"
#include "extract/html/entity.h"
#include "plugins/metadata/scan.h"

/* Members of an object that are read; first those that are facts, in the order in which they are offered. */
enum { PUBLISHER = 4, FACT_MEMBERS = 11, AUTHOR = FACT_MEMBERS, CREATOR, TYPE, GRAPH, MAIN_ENTITY, MEMBERS };

static const struct {
	const char *name;
	enum fact fact;
	const char
		*key; /* of the string in an object (or first of an array) in its place; NULL: only a string counts */
} rows[MEMBERS] = {
	{ "datePublished", FACT_PUBLISHED, NULL },
	{ "dateCreated", FACT_PUBLISHED, NULL },
	{ "uploadDate", FACT_PUBLISHED, NULL },
	{ "dateModified", FACT_MODIFIED, NULL },
	[PUBLISHER] = { "publisher", FACT_SITE, "name" },
	{ "description", FACT_DESCRIPTION, NULL },
	{ "keywords", FACT_KEYWORDS, NULL },
	{ "inLanguage", FACT_LANGUAGE, "name" },
	{ "image", FACT_IMAGE, "url" },
	{ "mainEntityOfPage", FACT_CANONICAL, "@id" },
	{ "headline", FACT_TITLE, NULL },
	[AUTHOR] = { "author", FACT_AUTHOR, NULL },
	[CREATOR] = { "creator", FACT_AUTHOR, NULL },
	[TYPE] = { "@type", FACTS, NULL },
	[GRAPH] = { "@graph", FACTS, NULL },
	[MAIN_ENTITY] = { "mainEntity", FACTS, NULL },
};

enum { REFERENCES_MOST = 16 };

struct json_ld_walk {
	struct facts *facts;
	struct json_ld *memory;
	struct json_value root;
	int nodes;
};

/** The authors of an article: their names joined by "; ". */
struct authors {
	struct slice site; /* the publisher's name, which is no author */
	int references;    /* that may still be looked up */
	bool person;       /* one of them is no organisation */
	size_t len;
	char names[FACT_BYTES];
};

/** Returns the text of a string, valid until the next call with the same `space`. */
static struct slice text_of(struct json_ld_walk *w, struct json_value string, struct buf *space)
{
	struct slice text;
	bool repaired;
	buf_clear(space);
	buf_latch(&w->facts->bytes, json_characters(string, space, &text, &repaired));
	return text;
}

static bool names_article(struct slice type)
{
	static const char *const endings[] = { "Article",  "Posting", "Report",       "Page",     "Review",
					       "Recipe",   "Story",   "Event",        "Product",  "VideoObject",
					       "Question", "Book",    "CreativeWork", "Episode",  "Dataset",
					       "Clip",     "Course",  "AudioObject",  "Recording" };
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		const size_t n = strlen(endings[i]);
		if (type.len >= n && memcmp(type.data + type.len - n, endings[i], n) == 0)
			return true;
	}
	return false;
}

/** Returns whether the type, or one of an array of types, names an article. */
static bool is_article(struct json_ld_walk *w, struct json_value type)
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

/** Returns the object of the script's top, or of a @graph there, that has this @id and a name. */
static struct json_value find_id(struct json_ld_walk *w, struct json_value in, struct slice id, int depth)
{
	struct json_walk items = json_walk(in);
	if (json_kind(in) == JSON_IS_ARRAY && depth < 3) {
		while (json_walk_next(&items)) {
			const struct json_value found = find_id(w, items.value, id, depth + 1);
			if (found.reader)
				return found;
		}
	} else if (json_kind(in) == JSON_IS_OBJECT) {
		if (slice_equal(text_of(w, json_member(in, "@id"), &w->memory->text), id) &&
		    json_kind(json_member(in, "name")) == JSON_IS_STRING)
			return in;
		return depth < 3 ? find_id(w, json_member(in, "@graph"), id, depth + 1)
				 : (struct json_value){ NULL, 0 };
	}
	return (struct json_value){ NULL, 0 };
}

/** Adds an author: a string, an object with a name, or a reference to one. */
static void add_author(struct json_ld_walk *w, struct json_value author, struct authors *a)
{
	if (json_kind(author) == JSON_IS_OBJECT && !json_member(author, "name").reader && a->references-- > 0) {
		const struct slice id = text_of(w, json_member(author, "@id"), &w->memory->id);
		const struct json_value found = id.len ? find_id(w, w->root, id, 0) : (struct json_value){ NULL, 0 };
		author = found.reader ? found : author;
	}
	static const char organisation[] = "Organization";
	const struct slice type = json_kind(author) == JSON_IS_OBJECT
					  ? text_of(w, string_of(json_member(author, "@type"), NULL), &w->memory->text)
					  : slice_of(NULL, 0);
	const size_t n = strlen(organisation);
	const bool person = type.len < n || memcmp(type.data + type.len - n, organisation, n) != 0;
	struct json_value named = string_of(author, "name");
	struct json_walk names = json_walk(named);
	/* a list of names */
	const bool list = json_kind(named) == JSON_IS_ARRAY;
	while (!list || json_walk_next(&names)) {
		const struct slice name = text_of(w, list ? names.value : named, &w->memory->text);
		if (name.len && a->len + name.len + 2 <= sizeof(a->names) &&
		    !(a->site.data && slice_equal(a->site, name))) {
			if (a->len) {
				memcpy(a->names + a->len, "; ", 2);
				a->len += 2;
			}
			memcpy(a->names + a->len, name.data, name.len);
			a->len += name.len;
			a->person |= person;
		}
		if (!list)
			break;
	}
}

static void take_article(struct json_ld_walk *w, const struct json_value *members)
{
	for (int i = 0; i < FACT_MEMBERS; i++) {
		const struct json_value value = rows[i].key ? string_of(members[i], rows[i].key) : members[i];
		const struct slice text = text_of(w, value, &w->memory->text);
		if (rows[i].fact == FACT_CANONICAL && (text.len < 4 || memcmp(text.data, "http", 4) != 0))
			continue;
		fact_offer(w->facts, rows[i].fact, FROM_JSON_LD, text, true);
	}
	if (!fact_wanted(w->facts, FACT_AUTHOR, FROM_JSON_LD))
		return;
	NOT_ZEROED struct authors a;
	a.site = text_of(w, string_of(members[PUBLISHER], "name"), &w->memory->site);
	a.references = REFERENCES_MOST;
	a.person = false;
	a.len = 0;
	const struct json_value authors = members[members[AUTHOR].reader ? AUTHOR : CREATOR];
	struct json_walk items = json_walk(authors);
	if (json_kind(authors) != JSON_IS_ARRAY)
		add_author(w, authors, &a);
	while (json_kind(authors) == JSON_IS_ARRAY && json_walk_next(&items))
		add_author(w, items.value, &a);
	fact_offer(w->facts, FACT_AUTHOR, a.person ? FROM_JSON_LD : FROM_ORGANISATION, slice_of(a.names, a.len), true);
}

/* The recursion ends at JSON_LD_DEPTH. */
static void visit(struct json_ld_walk *w, struct json_value value, int depth)
{
	struct json_value members[MEMBERS];
	struct json_walk items = json_walk(value);
	if (depth > JSON_LD_DEPTH || w->nodes++ > JSON_LD_NODES)
		return;
	if (json_kind(value) == JSON_IS_ARRAY) {
		while (json_walk_next(&items))
			visit(w, items.value, depth + 1);
	} else if (json_kind(value) == JSON_IS_OBJECT) {
		/* if a name occurs several times, the last one counts */
		struct json_walk names = json_walk(value);
		memset(members, 0, sizeof(members));
		while (json_walk_next(&names)) {
			for (int i = 0; i < MEMBERS; i++) {
				if (json_name_is(names.name, rows[i].name))
					members[i] = names.value;
			}
		}
		if (is_article(w, members[TYPE]))
			take_article(w, members);
		visit(w, members[GRAPH], depth + 1);
		visit(w, members[MAIN_ENTITY], depth + 1);
	}
}

/** Returns the length of a comment, or of a mark that hides a script from old browsers, with which the text begins. */
static size_t comment_length(struct slice s)
{
	static const char *const marks[] = { "<![CDATA[", "]]>", "<!--", "-->" };
	if (s.len >= 2 && s.data[0] == '/' && s.data[1] == '*') {
		const uint8_t *end = memmem(s.data + 2, s.len - 2, "*/", 2);
		return end ? (size_t)(end + 2 - s.data) : s.len;
	}
	if (s.len >= 2 && s.data[0] == '/' && s.data[1] == '/')
		return slice_until(s, "\r\n");
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		const size_t n = strlen(marks[i]);
		if (s.len >= n && memcmp(s.data, marks[i], n) == 0)
			return n;
	}
	return 0;
}

/** Returns whether what follows a quote ends the string before it: a quote inside is followed by other characters. */
static bool ends_string(struct slice after)
{
	while (after.len && ascii_is_space(after.data[0]))
		after = slice_skip(after, 1);
	return !after.len || memchr(",:}]/", after.data[0], 5);
}

/**
 * Writes the script to `out` as the JSON that it was meant to be: controls in strings are blanks, quotes in them are
 * escaped, a backslash before what needs none is dropped, so are comments, marks of CDATA and of the byte order, and
 * commas without a value after them. What is open at the end is closed.
 */
static void mend(struct slice script, struct buf *out)
{
	static const char undefined[] = "undefined";
	char closing[JSON_LD_DEPTH];
	size_t depth = 0;
	bool string = false;
	size_t comma = 0; /* where it is in `out`, plus 1; 0: something followed it */
	buf_clear(out);
	if (script.len >= 3 && memcmp(script.data, "\xEF\xBB\xBF", 3) == 0)
		script = slice_skip(script, 3);
	for (size_t i = 0; i < script.len; i++) {
		const uint8_t c = script.data[i];
		if (string) {
			if (c == '\\' && i + 1 < script.len) {
				if (memchr("\"\\/bfnrtu", script.data[i + 1], 9))
					buf_append_byte(out, c);
				i++;
			}
			string = c != '"' || !ends_string(slice_skip(script, i + 1));
			if (string && c == '"')
				buf_append_byte(out, '\\');
			buf_append_byte(out, script.data[i] < ' ' ? ' ' : script.data[i]);
			continue;
		}
		const size_t comment = comment_length(slice_skip(script, i));
		if (comment) {
			i += comment - 1;
			continue;
		}
		if (comma && (c == '}' || c == ']' || c == ','))
			out->data[comma - 1] = ' ';
		if (c == 'u' && slice_is(slice_first(slice_skip(script, i), strlen(undefined)), undefined)) {
			buf_append_text(out, "null");
			i += strlen(undefined) - 1;
			comma = 0;
			continue;
		}
		if ((c == '{' || c == '[') && depth < sizeof(closing))
			closing[depth++] = c == '{' ? '}' : ']';
		else if ((c == '}' || c == ']') && depth)
			depth--;
		buf_append_byte(out, c);
		comma = c == ',' ? out->len : ascii_is_space(c) ? comma : 0;
		string = c == '"';
	}
	if (string)
		buf_append_byte(out, '"');
	while (depth)
		buf_append_byte(out, (uint8_t)closing[--depth]);
}

void json_ld_read(struct json_ld *j, struct slice script, struct facts *facts)
{
	static const struct json_rules rules = { .depth_most = JSON_DEPTH_MOST, .first_only = true };
	struct json_ld_walk w = { .facts = facts, .memory = j };
	if (script.len > JSON_LD_BYTES)
		return;
	if (!j->reader)
		j->reader = json_reader_new(&rules);
	int status = j->reader ? json_read(j->reader, script, &w.root, NULL) : DANA_ENOMEM;
	if (status == DANA_EFORMAT) {
		buf_clear(&j->text);
		if (script.len && memmem(script.data, script.len, "{&quot;", strlen("{&quot;")) &&
		    html_entity_append(&j->text, script) == DANA_OK)
			script = buf_slice(&j->text); /* it is encoded as text is */
		mend(script, &j->mended);
		status = buf_status(&j->mended);
		status = status ? status : json_read(j->reader, buf_slice(&j->mended), &w.root, NULL);
	}
	if (status == DANA_OK)
		visit(&w, w.root, 0);
	buf_latch(&facts->bytes, status == DANA_ENOMEM ? status : DANA_OK);
}

void json_ld_free(struct json_ld *j)
{
	json_reader_free(j->reader);
	buf_free(&j->text);
	buf_free(&j->site);
	buf_free(&j->id);
	buf_free(&j->mended);
}
