/* SPDX-License-Identifier: MIT */
/*
 * Collects the facts that a page states about itself from <meta>, <link>, <time>, JSON-LD and the heading, and keeps
 * the best source of each.
 *
 * memchr() finds each '<'; the letter after it excludes most tags but html, meta, link, time, script and h1.
 */
#include "config.h"

#include "plugins/metadata/scan.h"

#include <string.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/cpu.h"
#include "base/json.h"
#include "base/utf8.h"
#include "extract/html/attribute.h"
#include "extract/html/entity.h"
#include "plugins/metadata/values.h"

/* A value is appended to the bytes of the page, which are cut back if the value turns out to be unusable. */

const char *const fact_keys[FACTS] = { "title",     "published", "modified",    "author",   "site",
				       "canonical", "language",  "description", "keywords", "image" };

const char *const origin_names[ORIGINS] = { "",     "json-ld", "open-graph", "meta", "microdata",
					    "link", "html",    "time",       "text", "url" };

void facts_begin(struct facts *f)
{
	memset(f->list, 0, sizeof(f->list));
	buf_clear(&f->bytes);
	f->latest[0] = '\0';
}

/** Normalises the date at `at`. Returns its length; 0 if it is not a date, or later than the page can be. */
static size_t as_date(struct facts *f, size_t at, size_t len)
{
	/* 5/6/2024 is in May in English, except in these countries */
	static const char *const day_first[] = { "en-gb", "en-au", "en-nz", "en-ie", "en-in", "en-za" };
	struct slice language = fact_value(f, FACT_LANGUAGE);
	bool month_first = slice_is(slice_first(language, 2), "en");
	for (size_t i = 0; i < sizeof(day_first) / sizeof(day_first[0]); i++)
		month_first &= !slice_is(language, day_first[i]);
	char out[DATE_BYTES];
	size_t n = date_read(slice_of(f->bytes.data + at, len), month_first, out);
	if (!n || (f->latest[0] && strncmp(out, f->latest, 10) > 0))
		return 0;
	f->bytes.len = at;
	buf_append(&f->bytes, out, n);
	return n;
}

/** Returns whether this is no URL, path, e-mail address or account of software in the place of a name. */
static bool may_be_author(struct slice name)
{
	static const char *const nobody[] = {
		"admin", "administrator", "wp", "author", "editor", "unknown", "anonymous"
	};
	if (name.len == 0 || memchr(name.data, '@', name.len) || name.data[name.len - 1] == '/' ||
	    slice_is(slice_first(name, 4), "http") || slice_is(slice_first(name, 4), "www."))
		return false;
	for (size_t i = 0; i < sizeof(nobody) / sizeof(nobody[0]); i++) {
		if (slice_is(name, nobody[i]))
			return false;
	}
	return true;
}

void fact_offer(struct facts *f, enum fact fact, enum origin from, struct slice value, bool coded)
{
	size_t at = f->bytes.len;

	if (!fact_wanted(f, fact, from))
		return;
	value = slice_first(slice_trim(value), 8 * FACT_BYTES);
	if (coded)
		(void)html_entity_append(&f->bytes, value);
	else
		buf_append(&f->bytes, value.data, value.len);
	if (buf_status(&f->bytes) < 0)
		return;
	/* white space is collapsed, and a long value cut between two characters */
	uint8_t *bytes = f->bytes.data;
	size_t end = at;
	bool space = false;
	for (size_t i = at; i < f->bytes.len; i++) {
		if (ascii_is_space(bytes[i])) {
			space = end > at;
			continue;
		}
		if (space)
			bytes[end++] = ' ';
		space = false;
		bytes[end++] = bytes[i];
	}
	size_t len = end - at;
	if (len > FACT_BYTES) {
		len = FACT_BYTES;
		while (len && (bytes[at + len] & 0xc0) == 0x80)
			len--;
		len -= len && bytes[at + len - 1] == ' ';
	}
	if (fact == FACT_PUBLISHED || fact == FACT_MODIFIED)
		len = as_date(f, at, len);
	if (fact == FACT_AUTHOR && !may_be_author(slice_of(bytes + at, len)))
		len = 0;
	f->bytes.len = at + len;
	if (len) {
		f->list[fact].from = from;
		f->list[fact].at = at;
		f->list[fact].len = len;
	}
}

struct slice fact_value(const struct facts *f, enum fact fact)
{
	if (!f->list[fact].len)
		return slice_of(NULL, 0);
	return slice_of(f->bytes.data + f->list[fact].at, f->list[fact].len);
}

void facts_drop_site_as_author(struct facts *f)
{
	const struct slice site = fact_value(f, FACT_SITE);
	if (site.len && slice_equal_nocase(site, fact_value(f, FACT_AUTHOR)))
		f->list[FACT_AUTHOR].from = FROM_NOWHERE;
}

/* Quotes hide a '>' only directly after '=', as in most tags that people write; the tokeniser reads the attributes. */

const uint8_t *tag_close(struct tag_place *p, const uint8_t *at, const uint8_t *end)
{
	static const bool decides[256] = { ['>'] = true, ['"'] = true, ['\''] = true };
	const uint8_t *start = at;
	uint8_t quote = p->quote;
	while (!quote || (at = memchr(at, quote, (size_t)(end - at)))) {
		at += quote != 0;
		while (at < end && !decides[*at])
			at++;
		quote = 0;
		if (at == end)
			break;
		if (*at == '>')
			return at;
		if ((at > start ? at[-1] : p->last) == '=')
			quote = *at;
		at++;
	}
	*p = (struct tag_place){ quote, end > start ? end[-1] : p->last };
	return NULL;
}

bool tag_is(const uint8_t *at, const uint8_t *end, const char *name)
{
	size_t n = strlen(name);
	if ((size_t)(end - at) < n + 2)
		return false;
	return slice_equal_nocase(slice_of(at + 1, n), slice_of(name, n)) && !ascii_is_alpha(at[n + 1]) &&
	       !ascii_is_digit(at[n + 1]) && at[n + 1] != '-';
}

const uint8_t *tag_read(const uint8_t *at, const uint8_t *end, size_t name, struct tag *tag)
{
	const uint8_t *close = tag_close(&(struct tag_place){ 0 }, at + 1 + name, end);
	tag->n = 0;
	if (!close)
		return NULL;
	const struct html_tag_event event = {
		.name = slice_of(at + 1, name),
		.source = slice_first(slice_of(at, (size_t)(close + 1 - at)), HTML_TAG_BYTES),
	};
	struct html_attr_reader reader = html_attr_begin(&event);
	while (tag->n < TAG_ATTRS_MOST && html_attr_next(&reader, &tag->attrs[tag->n]))
		tag->n++;
	return close + 1;
}

const uint8_t *tag_raw_end(const uint8_t *at, const uint8_t *end, const char *name)
{
	while ((at = memchr(at, '<', (size_t)(end - at)))) {
		if (at + 1 < end && at[1] == '/' && tag_is(at + 1, end, name))
			return at;
		at++;
	}
	return NULL;
}

/*
 * A script holds an object, an array of objects, or an object with an array @graph. Facts are taken from objects whose
 * @type is an article, a posting or a page; others, such as breadcrumbs and organisations, count only where an article
 * refers to them.
 */

/* Members of an object that are read; first those that are facts, in the order in which they are offered. */
enum { PUBLISHER = 3, FACT_MEMBERS = 10, AUTHOR = FACT_MEMBERS, TYPE, GRAPH, MAIN_ENTITY, MEMBERS };

static const struct {
	const char *name;
	enum fact fact;
	const char
		*key; /* of the string in an object (or first of an array) in its place; NULL: only a string counts */
} rows[MEMBERS] = {
	{ "datePublished", FACT_PUBLISHED, NULL },     { "dateCreated", FACT_PUBLISHED, NULL },
	{ "dateModified", FACT_MODIFIED, NULL },       [PUBLISHER] = { "publisher", FACT_SITE, "name" },
	{ "description", FACT_DESCRIPTION, NULL },     { "keywords", FACT_KEYWORDS, NULL },
	{ "inLanguage", FACT_LANGUAGE, "name" },       { "image", FACT_IMAGE, "url" },
	{ "mainEntityOfPage", FACT_CANONICAL, "@id" }, { "headline", FACT_TITLE, NULL },
	[AUTHOR] = { "author", FACT_AUTHOR, NULL },    [TYPE] = { "@type", FACTS, NULL },
	[GRAPH] = { "@graph", FACTS, NULL },           [MAIN_ENTITY] = { "mainEntity", FACTS, NULL },
};

struct json_ld_walk {
	struct facts *facts;
	struct json_ld *memory;
	int nodes;
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

/** Appends a name to `names`, unless it is the publisher's. */
static void add_author(struct json_ld_walk *w, struct json_value author, struct slice site, char *names, size_t *len)
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

static void take_article(struct json_ld_walk *w, const struct json_value *members)
{
	for (int i = 0; i < FACT_MEMBERS; i++) {
		const struct json_value value = rows[i].key ? string_of(members[i], rows[i].key) : members[i];
		const struct slice text = text_of(w, value, &w->memory->text);
		if (rows[i].fact == FACT_CANONICAL && (text.len < 4 || memcmp(text.data, "http", 4) != 0))
			continue;
		fact_offer(w->facts, rows[i].fact, FROM_JSON_LD, text, true);
	}
	/* names of all authors but the publisher, joined by "; " */
	const struct json_value authors = members[AUTHOR];
	const struct json_value publisher = members[PUBLISHER];
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

void json_ld_read(struct json_ld *j, struct slice script, struct facts *facts)
{
	static const struct json_rules rules = { .depth_most = JSON_DEPTH_MOST, .first_only = true };
	struct json_ld_walk w = { .facts = facts, .memory = j };
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

/*
 * The HTML is read as lines of text between tags. A byline begins with a word for "by"; the name is in the same line
 * ("By Ann Lee, Paris") or, as it often is a link, alone in the next ("By" and "Ann Lee"). The class of an element may
 * show that its text, or the next one, is a date or a name.
 */

enum {
	DATE_LEAST = 8,
	LINE_MOST = 120,
	NAME_LEAST = 2,
	NAME_MOST = 60,
	NAME_SPACES = 5,
	DATE_LINES = 2,
	LABEL_MOST = 40
};

static const char *const by_words[] = { "by",   "posted by", "written by", "von",   "par",    "por",    "door",
					"av",   "af",        "author",     "autor", "autore", "auteur", "كتب",
					"كتبت", "بقلم",      "автор",      "作者",  "撰文",   "文",     "di" };

/* What is written before a date of publication, in lower case. */
static const char *const date_words[] = { "posted",      "publi",   "pubbl",    "veröffentlicht", "erstellt",
					  "date",        "datum",   "fecha",    "gepost",         "gepubliceerd",
					  "опублик",     "дата",    "نشر",      "انتشار",         "发布",
					  "發佈",        "公開",    "입력",     "등록",           "게시",
					  "opublikowan", "yayın",   "julkaist", "dodano",         "zveřejněno",
					  "közzé",       "udgivet", NULL };

static const char *const date_classes[] = { "date", "time", "publish", "posted", "datum", "fecha", NULL };

static const char *const author_classes[] = { "author", "byline", NULL };

/* An element with one of these in its class has something else of the author, or an author of something else. */
static const char *const other_classes[] = { "avatar",  "image", "img",    "photo", "bio",      "social",   "comment",
					     "related", "count", "widget", "card",  "authoriz", "authoris", NULL };

/* Words that are no part of a name but are written where names are. */
static const char *const no_names[] = { "about",     "author",    "authors", "share",      "follow",   "photo",
					"image",     "read",      "more",    "view",       "all",      "posts",
					"profile",   "articles",  "by",      "updated",    "contact",  "comments",
					"subscribe", "published", "edited",  "editor",     "fact",     "checked",
					"reviewed",  "written",   "posted",  "medically",  "staff",    "min",
					"ago",       "on",        "save",    "print",      "the",      "news",
					"in",        "jump",      "recipe",  "ingredient", "by&nbsp;", NULL };

struct near_heading {
	struct facts *facts;
	const uint8_t *end;        /* of the text */
	const uint8_t *close;      /* where what is not marked ceases to count; before the heading, where it begins */
	enum origin name_follows;  /* source of the author's name in the next line; FROM_NOWHERE: no name is expected */
	bool name_marked;          /* by a class: it may be something else */
	unsigned date_follows;     /* lines in which the date of publication is expected */
	bool before;               /* the text before the heading */
	struct slice date, author; /* there: the last ones */
};

/** Removes a word for "by" from the start of the line. Returns false if there is no such word. */
static bool take_by(struct slice *line)
{
	static const char wide[] = "\uff1a";
	const uint8_t first = line->len ? ascii_lower(line->data[0]) : 0;
	for (size_t i = 0; i < sizeof(by_words) / sizeof(by_words[0]); i++) {
		if ((uint8_t)by_words[i][0] != first) /* this excludes most words */
			continue;
		const size_t n = strlen(by_words[i]);
		const struct slice rest = slice_skip(*line, n);
		if (line->len < n || !slice_equal_nocase(slice_first(*line, n), slice_of(by_words[i], n)))
			continue;
		/* a colon (also a fullwidth one) and white space */
		size_t gap = 0;
		while (gap < rest.len && (ascii_is_space(rest.data[gap]) || rest.data[gap] == ':'))
			gap++;
		if (!gap && rest.len >= strlen(wide) && memcmp(rest.data, wide, strlen(wide)) == 0)
			gap = strlen(wide);
		if (rest.len && !gap)
			continue;
		*line = slice_skip(rest, gap);
		return true;
	}
	return false;
}

/** Returns a number for the first two bytes of a word; the same one in any case of ASCII. */
static inline uint8_t number_of_two(const uint8_t *word)
{
	return (uint8_t)((word[0] | 0x20) + 11 * (word[1] | 0x20));
}

/** Returns whether one of the words, of two bytes or more, in lower case, occurs in the text, in any case of ASCII. */
static bool has_word(struct slice text, const char *const *words)
{
	uint64_t begins[4] = { 0 }; /* which numbers words begin with: most places in a text are no such two bytes */
	for (const char *const *w = words; *w; w++) {
		const uint8_t two = number_of_two((const uint8_t *)*w);
		begins[two / 64] |= (uint64_t)1 << two % 64;
	}
	const uint8_t *const end = text.data + text.len;
	for (const uint8_t *at = text.data; text.len && at < end - 1; at++) {
		const uint8_t two = number_of_two(at);
		if (!(begins[two / 64] >> two % 64 & 1))
			continue;
		const struct slice rest = slice_of(at, (size_t)(end - at));
		for (const char *const *w = words; *w; w++) {
			if ((uint8_t) * *w == ascii_lower(*at) &&
			    slice_equal_nocase(slice_first(rest, strlen(*w)), slice_from_text(*w)))
				return true;
		}
	}
	return false;
}

/** Returns whether this can be a person's name: short, few words, no digits or other unusual characters. */
static bool is_name(struct slice s)
{
	static const uint8_t icon = 0xee; /* first byte of the private use characters of fonts */
	size_t spaces = 0;
	if (s.len < NAME_LEAST || s.len > NAME_MOST || s.data[0] == icon)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		if (ascii_is_digit(s.data[i]) || strchr(":?!\"[]{}<>=", s.data[i]))
			return false;
		spaces += s.data[i] == ' ';
	}
	return spaces <= NAME_SPACES;
}

/** Returns whether a name that only a class announces is one: no word in it is written of authors without being a name.
 */
static bool is_sure_name(struct slice s)
{
	if (!is_name(s) || (s.data[0] >= 'a' && s.data[0] <= 'z'))
		return false;
	while (s.len) {
		const struct slice word = slice_first(s, slice_until(s, " \t\r\n"));
		for (const char *const *no = no_names; *no; no++) {
			if (slice_is(word, *no))
				return false;
		}
		s = slice_skip(s, word.len + 1);
	}
	return true;
}

static bool has_digit(struct slice s)
{
	size_t i = 0;
	while (i < s.len && !ascii_is_digit(s.data[i]))
		i++;
	return i < s.len;
}

static void offer_date(struct near_heading *n, struct slice text)
{
	const bool follows = n->date_follows > 0, close = n->before == (text.data >= n->close);
	if (!fact_wanted(n->facts, FACT_PUBLISHED, FROM_TEXT))
		return;
	n->date_follows -= follows;
	if (!has_digit(text)) {
		if (text.len <= LABEL_MOST && has_word(text, date_words))
			n->date_follows = DATE_LINES;
		return;
	}
	if (text.len < DATE_LEAST || !(close || follows || has_word(text, date_words)))
		return;
	char read[DATE_BYTES];
	if (!n->before)
		fact_offer(n->facts, FACT_PUBLISHED, FROM_TEXT, text, true);
	else if (date_read(text, false, read))
		n->date = text;
}

static void offer_author(struct near_heading *n, struct slice line)
{
	enum origin from = n->name_follows;
	const bool alone = from != FROM_NOWHERE, marked = alone && n->name_marked;
	const struct slice whole = line;
	n->name_follows = FROM_NOWHERE;
	n->name_marked = false;
	const bool by = take_by(&line);
	if (by || alone) {
		from = alone ? from : FROM_TEXT;
		if (!line.len) {
			n->name_follows = from;
			return;
		}
		/* the name ends at a comma, a bar, or a place or time: " on 8 March", " at 9:30", " in News" */
		for (size_t i = 0; i < line.len; i++) {
			const struct slice s = slice_skip(line, i);
			if (strchr(",|/;", s.data[0]) ||
			    (s.len >= 3 && s.data[0] == ' ' && (s.len == 3 || s.data[3] == ' ') &&
			     (memcmp(s.data + 1, "on", 2) == 0 || memcmp(s.data + 1, "at", 2) == 0 ||
			      memcmp(s.data + 1, "in", 2) == 0))) {
				line = slice_trim(slice_first(line, i));
				break;
			}
		}
		/* "By using this site" is not a byline; a name in a line of its own may be a pen name in lower case. */
		const bool good = marked && !by ? is_sure_name(line) && !has_digit(whole)
						: is_name(line) && (alone || line.data[0] < 'a' || line.data[0] > 'z');
		if (good && n->before)
			n->author = line;
		else if (good)
			fact_offer(n->facts, FACT_AUTHOR, from, line, true);
	} else if (line.len > 3 && line.len < NAME_MOST && slice_is(slice_skip(line, line.len - 3), " by")) {
		n->name_follows = FROM_TEXT;
	}
}

/** Reads the text between two tags. */
static void read_line(struct near_heading *n, struct slice text)
{
	const struct slice line = slice_trim(text);
	if (!line.len || text.len > LINE_MOST)
		return;
	offer_date(n, line);
	if (fact_wanted(n->facts, FACT_AUTHOR, FROM_LINK) &&
	    (n->before ? line.data >= n->close : line.data < n->close || n->name_follows != FROM_NOWHERE))
		offer_author(n, line);
}

/** Reads from the class of the element that the tag begins what its text is. */
static void read_class(struct near_heading *n, const uint8_t *at, const uint8_t *close)
{
	enum { LEN = sizeof("class=") - 1 };
	const uint8_t *class = at;
	do
		class = memchr(class + 1, '=', (size_t)(close - class - 1));
	while (class && (class - at < LEN || memcmp(class - LEN + 1, "class", LEN - 1) != 0));
	if (!class)
		return;
	class ++;
	const char quote[2] = { *class == '\'' || *class == '"' ? (char)*class : ' ', 0 };
	class += quote[0] != ' ';
	struct slice value = slice_of(class, (size_t)(close > class ? close - class : 0));
	value = slice_first(value, slice_until(value, quote));
	const bool author = n->name_follows == FROM_NOWHERE && fact_wanted(n->facts, FACT_AUTHOR, FROM_TEXT) &&
			    has_word(value, author_classes);
	const bool date = fact_wanted(n->facts, FACT_PUBLISHED, FROM_TEXT) && has_word(value, date_classes);
	if (!(author || date) || has_word(value, other_classes))
		return;
	if (author) {
		n->name_follows = FROM_TEXT;
		n->name_marked = true;
	}
	if (date)
		n->date_follows = DATE_LINES;
}

/**
 * Returns the byte after the tag at `at`, or after the script or style that begins there; NULL if the text ends inside.
 */
static const uint8_t *read_tag(struct near_heading *n, const uint8_t *at)
{
	const uint8_t first = at + 1 < n->end ? at[1] | 0x20 : 0;
	if (first == 's' && tag_is(at, n->end, "script"))
		return tag_raw_end(at + 1, n->end, "script");
	if (first == 's' && tag_is(at, n->end, "style"))
		return tag_raw_end(at + 1, n->end, "style");
	const uint8_t *close = memchr(at, '>', (size_t)(n->end - at));
	NOT_ZEROED struct tag tag;
	if (!close)
		return NULL;
	if (first == 'a' && fact_wanted(n->facts, FACT_AUTHOR, FROM_LINK) &&
	    memmem(at, (size_t)(close - at), "author", strlen("author")) && tag_is(at, close + 1, "a") &&
	    tag_read(at, close + 1, strlen("a"), &tag) && slice_is(tag_attr(&tag, "rel"), "author")) {
		n->name_follows = FROM_LINK;
		n->name_marked = false;
	}
	if (ascii_is_alpha(first))
		read_class(n, at, close);
	return close + 1;
}

static void read_lines(struct near_heading *n, const uint8_t *at)
{
	while (at && at < n->end &&
	       (fact_wanted(n->facts, FACT_PUBLISHED, FROM_TEXT) || fact_wanted(n->facts, FACT_AUTHOR, FROM_TEXT))) {
		const uint8_t *open = memchr(at, '<', (size_t)(n->end - at));
		read_line(n, slice_of(at, (size_t)((open ? open : n->end) - at)));
		at = open ? read_tag(n, open) : NULL;
	}
}

/** Offers the text of the heading with which `near` begins, without its tags. */
static void read_heading(struct slice near, struct facts *facts)
{
	const uint8_t *end = near.len ? memmem(near.data, near.len, "</h1", 4) : NULL;
	uint8_t text[FACT_BYTES];
	size_t len = 0;
	bool in_tag = false;
	if (!end || !fact_wanted(facts, FACT_TITLE, FROM_TEXT))
		return;
	for (const uint8_t *at = near.data; at < end && len < sizeof(text); at++) {
		in_tag |= *at == '<';
		if (!in_tag)
			text[len++] = *at;
		in_tag &= *at != '>';
	}
	fact_offer(facts, FACT_TITLE, FROM_TEXT, slice_of(text, len), true);
}

void near_heading_read(struct slice before, struct slice near, struct facts *facts)
{
	const size_t left = before.len > BEFORE_HEADING ? before.len - BEFORE_HEADING : 0;
	struct near_heading n = { .facts = facts, .end = near.data + near.len };
	read_heading(near, facts);
	n.close = near.data + (near.len < CLOSE_TO_HEADING ? near.len : CLOSE_TO_HEADING);
	if (near.len == 0)
		return;
	read_lines(&n, near.data);
	before = slice_skip(before, left);
	n = (struct near_heading){ .facts = facts, .end = before.data + before.len, .before = true };
	n.close = n.end - (before.len < CLOSE_BEFORE ? before.len : CLOSE_BEFORE);
	if (before.len)
		read_lines(&n, before.data);
	fact_offer(facts, FACT_PUBLISHED, FROM_TEXT, n.date, true);
	fact_offer(facts, FACT_AUTHOR, FROM_TEXT, n.author, true);
}

struct page_scan {
	struct facts *facts;
	struct json_ld *json;
	const uint8_t *end;
	bool heading; /* an h1 has been seen */
};

/** The facts in meta elements, by name, property or itemprop. */
#define ROW(name, fact, from) \
	{ \
		name, sizeof(name) - 1, fact, from \
	}

static const struct {
	const char *name;
	size_t len;
	enum fact fact;
	enum origin from;
} meta_rows[] = {
	ROW("og:title", FACT_TITLE, FROM_OPEN_GRAPH),
	ROW("citation_title", FACT_TITLE, FROM_META),
	ROW("dc.title", FACT_TITLE, FROM_META),
	ROW("twitter:title", FACT_TITLE, FROM_META),
	ROW("article:published_time", FACT_PUBLISHED, FROM_OPEN_GRAPH),
	ROW("og:article:published_time", FACT_PUBLISHED, FROM_OPEN_GRAPH),
	ROW("og:published_time", FACT_PUBLISHED, FROM_OPEN_GRAPH),
	ROW("datepublished", FACT_PUBLISHED, FROM_META),
	ROW("pubdate", FACT_PUBLISHED, FROM_META),
	ROW("publishdate", FACT_PUBLISHED, FROM_META),
	ROW("publish-date", FACT_PUBLISHED, FROM_META),
	ROW("publish_date", FACT_PUBLISHED, FROM_META),
	ROW("published-date", FACT_PUBLISHED, FROM_META),
	ROW("parsely-pub-date", FACT_PUBLISHED, FROM_META),
	ROW("sailthru.date", FACT_PUBLISHED, FROM_META),
	ROW("citation_publication_date", FACT_PUBLISHED, FROM_META),
	ROW("citation_date", FACT_PUBLISHED, FROM_META),
	ROW("dc.date.issued", FACT_PUBLISHED, FROM_META),
	ROW("dc.date", FACT_PUBLISHED, FROM_META),
	ROW("dcterms.created", FACT_PUBLISHED, FROM_META),
	ROW("dcterms.issued", FACT_PUBLISHED, FROM_META),
	ROW("dcterms.date", FACT_PUBLISHED, FROM_META),
	ROW("date", FACT_PUBLISHED, FROM_META),
	ROW("created", FACT_PUBLISHED, FROM_META),
	ROW("article:modified_time", FACT_MODIFIED, FROM_OPEN_GRAPH),
	ROW("og:updated_time", FACT_MODIFIED, FROM_OPEN_GRAPH),
	ROW("datemodified", FACT_MODIFIED, FROM_META),
	ROW("last-modified", FACT_MODIFIED, FROM_META),
	ROW("lastmod", FACT_MODIFIED, FROM_META),
	ROW("dcterms.modified", FACT_MODIFIED, FROM_META),
	ROW("dc.date.modified", FACT_MODIFIED, FROM_META),
	ROW("article:author", FACT_AUTHOR, FROM_OPEN_GRAPH),
	ROW("author", FACT_AUTHOR, FROM_META),
	ROW("dc.creator", FACT_AUTHOR, FROM_META),
	ROW("dcterms.creator", FACT_AUTHOR, FROM_META),
	ROW("citation_author", FACT_AUTHOR, FROM_META),
	ROW("sailthru.author", FACT_AUTHOR, FROM_META),
	ROW("parsely-author", FACT_AUTHOR, FROM_META),
	ROW("cxenseparse:author", FACT_AUTHOR, FROM_META),
	ROW("og:site_name", FACT_SITE, FROM_OPEN_GRAPH),
	ROW("application-name", FACT_SITE, FROM_META),
	ROW("og:url", FACT_CANONICAL, FROM_OPEN_GRAPH),
	ROW("og:locale", FACT_LANGUAGE, FROM_OPEN_GRAPH),
	ROW("content-language", FACT_LANGUAGE, FROM_META),
	ROW("og:description", FACT_DESCRIPTION, FROM_OPEN_GRAPH),
	ROW("description", FACT_DESCRIPTION, FROM_META),
	ROW("dc.description", FACT_DESCRIPTION, FROM_META),
	ROW("keywords", FACT_KEYWORDS, FROM_META),
	ROW("news_keywords", FACT_KEYWORDS, FROM_META),
	ROW("og:image", FACT_IMAGE, FROM_OPEN_GRAPH),
	ROW("twitter:image", FACT_IMAGE, FROM_META),
};

#undef ROW

static void offer_meta(struct page_scan *s, struct slice name, struct slice content)
{
	for (size_t i = 0; name.len && i < sizeof(meta_rows) / sizeof(meta_rows[0]); i++) {
		if (name.len != meta_rows[i].len || !slice_is(name, meta_rows[i].name))
			continue;
		fact_offer(s->facts, meta_rows[i].fact, meta_rows[i].from, content, true);
		return;
	}
}

static void offer_itemprop(struct page_scan *s, const struct tag *tag, const uint8_t *text)
{
	struct slice name = tag_attr(tag, "itemprop"), value = tag_attr(tag, "content");
	const uint8_t *close = value.len ? NULL : memchr(text, '<', (size_t)(s->end - text));
	if (!name.len)
		return;
	if (!value.len)
		value = tag_attr(tag, "datetime");
	if (!value.len && close)
		value = slice_of(text, (size_t)(close - text));
	if (slice_is(name, "datepublished"))
		fact_offer(s->facts, FACT_PUBLISHED, FROM_MICRODATA, value, true);
	else if (slice_is(name, "datemodified"))
		fact_offer(s->facts, FACT_MODIFIED, FROM_MICRODATA, value, true);
	else if (slice_is(name, "author"))
		fact_offer(s->facts, FACT_AUTHOR, FROM_MICRODATA, value, true);
}

/** Reads the tag at `at`. Returns where to continue; NULL at the end of the page. */
static const uint8_t *look_at(struct page_scan *s, const uint8_t *at)
{
	NOT_ZEROED struct tag tag;
	const uint8_t *after = NULL;

	switch (at[1] | 0x20) {
	case 'm':
		if (tag_is(at, s->end, "meta") && (after = tag_read(at, s->end, strlen("meta"), &tag))) {
			struct slice content = tag_attr(&tag, "content");

			offer_meta(s, tag_attr(&tag, "property"), content);
			offer_meta(s, tag_attr(&tag, "name"), content);
			offer_meta(s, tag_attr(&tag, "http-equiv"), content);
			offer_itemprop(s, &tag, after);
		}
		break;
	case 'l':
		if (tag_is(at, s->end, "link") && (after = tag_read(at, s->end, strlen("link"), &tag))) {
			if (slice_is(tag_attr(&tag, "rel"), "canonical"))
				fact_offer(s->facts, FACT_CANONICAL, FROM_LINK, tag_attr(&tag, "href"), true);
		}
		break;
	case 't':
		if (tag_is(at, s->end, "time") && (after = tag_read(at, s->end, strlen("time"), &tag))) {
			struct slice when = tag_attr(&tag, "datetime");
			const uint8_t *close = memchr(after, '<', (size_t)(s->end - after));

			offer_itemprop(s, &tag, after);
			if (!when.len && close)
				when = slice_of(after, (size_t)(close - after));
			/* Times before the heading belong to other pages, as in a list of news, or are today's. */
			if (s->heading || !fact_wanted(s->facts, FACT_PUBLISHED, FROM_URL))
				fact_offer(s->facts, FACT_PUBLISHED, FROM_TIME, when, true);
		}
		break;
	case 'h':
		if (tag_is(at, s->end, "html") && (after = tag_read(at, s->end, strlen("html"), &tag)))
			fact_offer(s->facts, FACT_LANGUAGE, FROM_HTML, tag_attr(&tag, "lang"), true);
		else if (tag_is(at, s->end, "h1"))
			s->heading = true;
		break;
	case 's':
		if (tag_is(at, s->end, "script")) {
			after = tag_read(at, s->end, strlen("script"), &tag);
			const uint8_t *close = after ? tag_raw_end(after, s->end, "script") : NULL;

			if (close && slice_is(tag_attr(&tag, "type"), "application/ld+json"))
				json_ld_read(s->json, slice_of(after, (size_t)(close - after)), s->facts);
			return close;
		}
		break;
	default:
		break;
	}
	return after ? after : at + 1;
}

void scan_tags(struct slice kept, struct json_ld *json, struct facts *facts)
{
	struct page_scan s = { .facts = facts, .json = json, .end = kept.data + kept.len };
	for (const uint8_t *at = kept.data; at && (at = memchr(at, '<', (size_t)(s.end - at))) && at + 2 < s.end;)
		at = look_at(&s, at);
}
