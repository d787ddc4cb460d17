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
#include "base/utf8.h"
#include "extract/html/attribute.h"
#include "extract/html/entity.h"
#include "extract/html/tag.h"
#include "plugins/metadata/values.h"

/* A value is appended to the bytes of the page, which are cut back if the value turns out to be unusable. */

const char *const fact_keys[FACTS] = { "title",     "published", "modified",    "author",   "site",
				       "canonical", "language",  "description", "keywords", "image" };

const char *const origin_names[ORIGINS] = { "",     "json-ld", "open-graph", "meta", "microdata", "link",
					    "html", "time",    "text",       "url",  "json-ld" };

void facts_begin(struct facts *f)
{
	memset(f->list, 0, sizeof(f->list));
	f->author_place = NULL;
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

/** Returns whether a text has a letter or a digit; marks, no-break spaces and invisible characters do not count.
 */
static bool has_letter(struct slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		const uint8_t c = s.data[i], next = i + 1 < s.len ? s.data[i + 1] : 0;
		/* U+00D7 and U+00F7 are signs, U+00AA and U+00BA alone no names; U+2000 to U+2FFF, U+3000 to U+303F and
		 * U+FE00 to U+FEFF are no letters */
		const bool sign = (c == 0xc3 && (next == 0x97 || next == 0xb7)) || (c == 0xe3 && next == 0x80) ||
				  (c == 0xef && next >= 0xb8 && next <= 0xbb);
		if (ascii_is_alpha(c) || ascii_is_digit(c) || (c >= 0xc3 && c != 0xe2 && !sign))
			return true;
	}
	return false;
}

/** Returns whether this is no URL, path, e-mail address or account of software in the place of a name. */
static bool may_be_author(struct slice name)
{
	static const char *const nobody[] = { "admin",     "administrator", "wp",       "author", "editor",
					      "unknown",   "anonymous",     "follow",   "by",     "unfollow",
					      "subscribe", "email",         "rss feed", "rss",    "view profile" };
	if (!has_letter(name) || memchr(name.data, '@', name.len) || name.data[name.len - 1] == '/' ||
	    slice_is(slice_first(name, 4), "http") || slice_is(slice_first(name, 4), "www."))
		return false;
	for (size_t i = 0; i < sizeof(nobody) / sizeof(nobody[0]); i++) {
		if (slice_is(name, nobody[i]))
			return false;
	}
	return true;
}

enum { NAME_LEAST = 2, NAME_MOST = 60, NAME_SPACES = 5 };

/* Words that are no part of a name but are written where names are. */
static const char *const no_names[] = {
	"about",     "author",    "authors", "share",   "follow",   "photo",   "image",      "read",     "more",
	"view",      "all",       "posts",   "profile", "articles", "by",      "updated",    "contact",  "comments",
	"subscribe", "published", "edited",  "editor",  "fact",     "checked", "reviewed",   "written",  "posted",
	"medically", "staff",     "min",     "ago",     "on",       "save",    "print",      "the",      "news",
	"ltd",       "sons",      "inc",     "in",      "jump",     "recipe",  "ingredient", "by&nbsp;", NULL
};

static bool is_small(uint8_t c)
{
	return c >= 'a' && c <= 'z';
}

/** Returns whether this can be a person's name: short, few words, no digits or other unusual characters. */
static bool is_name(struct slice s)
{
	static const uint8_t icon = 0xee; /* first byte of the private use characters of fonts */
	size_t spaces = 0, word = 0;
	if (s.len < NAME_LEAST || s.len > NAME_MOST || s.data[0] == icon)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		if (ascii_is_digit(s.data[i]) || strchr(":?!\"[]{}<>=", s.data[i]))
			return false;
		if (s.data[i] == ' ') {
			spaces++;
			word = i + 1;
		}
	}
	/* "Steuerungsanlagen veröffentlicht hat" ends a sentence; pen names are in lower case from the start */
	return spaces <= NAME_SPACES && (is_small(s.data[0]) || word == s.len || !is_small(s.data[word]));
}

/** Returns whether a name that only a class announces is one: no word in it is written of authors without being a name.
 */
static bool is_sure_name(struct slice s)
{
	if (!is_name(s) || is_small(s.data[0]))
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

/** Returns whether a name has two words or more, and begins with no bracket. */
static bool is_full_name(struct slice s)
{
	static const char *const brackets[] = { "(", "[", "\u3010", "\uff08" };
	for (size_t i = 0; i < sizeof(brackets) / sizeof(brackets[0]); i++) {
		if (slice_equal(slice_first(s, strlen(brackets[i])), slice_from_text(brackets[i])))
			return false;
	}
	return memchr(s.data, ' ', s.len);
}

/** Returns the length of a word for "and", with its blanks, with which the text begins; 0 if there is none. */
static size_t and_length(struct slice s)
{
	static const char *const ands[] = { " and ", " & ", " &amp; ", " und ", " et ",
					    " y ",   " e ", " och ",   " og ",  " en " };
	for (size_t i = 0; i < sizeof(ands) / sizeof(ands[0]); i++) {
		const size_t n = strlen(ands[i]);
		if (s.len > n && slice_equal_nocase(slice_first(s, n), slice_of(ands[i], n)))
			return n;
	}
	return 0;
}

/**
 * Reads a list of names, "Ann Lee, Bo Ek and Cy Day", of two words or more each. Returns its length, 0 if the text does
 * not begin with one; `out` gets the names, joined by "; ". After the last name there may be a comma and something
 * else.
 */
static size_t names_read(struct slice s, char out[FACT_BYTES])
{
	bool last = false; /* after "and" */
	size_t at = 0, len = 0;
	for (;;) {
		size_t end = at, gap = 0;
		while (end < s.len && s.data[end] != ',' && !(gap = last ? 0 : and_length(slice_skip(s, end))))
			end++;
		const struct slice name = slice_trim(slice_of(s.data + at, end - at));
		if (!is_sure_name(name) || !memchr(name.data, ' ', name.len) || len + name.len + 2 > FACT_BYTES)
			return 0;
		if (len) {
			memcpy(out + len, "; ", 2);
			len += 2;
		}
		memcpy(out + len, name.data, name.len);
		len += name.len;
		out[len] = '\0';
		if (last)
			return end;
		if (end == s.len)
			return 0;
		last = gap > 0;
		at = end + (gap ? gap : 1);
		if (!gap) { /* ", and" */
			gap = and_length(slice_skip(s, at));
			last = gap > 0;
			at += gap;
		}
	}
}

/**
 * Writes a list of names with the commas of Arabic or of East Asia as names joined by "; ", which is not longer.
 * Returns its length; 0: it has no such comma.
 */
static size_t commas_read(struct slice s, char *out)
{
	static const char *const commas[] = { "،", "、", "；" };
	size_t len = 0;
	bool any = false;
	for (size_t i = 0; i < s.len;) {
		size_t taken = 0;
		for (size_t k = 0; k < sizeof(commas) / sizeof(commas[0]) && i && !taken; k++) {
			const size_t n = strlen(commas[k]);
			taken = s.len - i > n && memcmp(s.data + i, commas[k], n) == 0 ? n : 0;
		}
		out[len++] = taken ? ';' : (char)s.data[i];
		if (taken)
			out[len++] = ' ';
		any |= taken > 0;
		i += taken ? taken : 1;
		while (taken && i < s.len && ascii_is_space(s.data[i]))
			i++;
	}
	return any ? len : 0;
}

/** Reads the authors at `at`: "By Ann Lee and Bo Ek" are "Ann Lee; Bo Ek". Returns their length; 0 if it is no name. */
static size_t as_authors(struct facts *f, size_t at, size_t len)
{
	struct slice name = slice_of(f->bytes.data + at, len);
	char names[FACT_BYTES];
	if (len > 3 && slice_equal_nocase(slice_first(name, 3), slice_from_text("by ")))
		name = slice_skip(name, 3);
	if (!may_be_author(name))
		return 0;
	if (len < FACT_BYTES && names_read(name, names) == name.len) {
		name = slice_from_text(names);
	} else if (len < FACT_BYTES) {
		const size_t read = commas_read(name, names);
		name = read ? slice_of((const uint8_t *)names, read) : name;
	}
	memmove(f->bytes.data + at, name.data, name.len);
	return name.len;
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
		const bool no_break =
			fact == FACT_AUTHOR && bytes[i] == 0xc2 && i + 1 < f->bytes.len && bytes[i + 1] == 0xa0;
		if (no_break || ascii_is_space(bytes[i])) {
			space = end > at;
			i += no_break;
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
	if (fact == FACT_AUTHOR)
		len = as_authors(f, at, len);
	f->bytes.len = at + len;
	if (len) {
		f->list[fact].from = from;
		f->list[fact].at = at;
		f->list[fact].len = len;
	}
}

static bool has_name(struct slice names, struct slice name)
{
	for (size_t i = 0; i + name.len <= names.len; i++) {
		if (slice_equal_nocase(slice_of(names.data + i, name.len), name))
			return true;
	}
	return false;
}

void author_offer(struct facts *f, enum origin from, const void *place, struct slice value)
{
	const size_t before = f->list[FACT_AUTHOR].at, len = f->list[FACT_AUTHOR].len;
	if (fact_wanted(f, FACT_AUTHOR, from)) {
		fact_offer(f, FACT_AUTHOR, from, value, true);
		f->author_place = f->list[FACT_AUTHOR].from == from ? place : NULL;
		return;
	}
	if (f->list[FACT_AUTHOR].from != from || f->author_place != place || !place || len > FACT_BYTES / 2)
		return;
	char old[FACT_BYTES];
	memcpy(old, f->bytes.data + before, len);
	const size_t end = f->bytes.len;
	f->list[FACT_AUTHOR].from = FROM_NOWHERE;
	fact_offer(f, FACT_AUTHOR, from, value, true);
	const struct slice added = fact_value(f, FACT_AUTHOR);
	const bool same = f->list[FACT_AUTHOR].from != FROM_NOWHERE && has_name(slice_of(old, len), added);
	const bool good = f->list[FACT_AUTHOR].from != FROM_NOWHERE && !same && is_name(added) &&
			  len + added.len + 2 <= FACT_BYTES;
	f->list[FACT_AUTHOR].from = from;
	f->list[FACT_AUTHOR].at = before;
	f->list[FACT_AUTHOR].len = len;
	if (!good) {
		f->bytes.len = end;
		return;
	}
	char next[FACT_BYTES];
	memcpy(next, added.data, added.len);
	f->bytes.len = before + len == end ? before : end;
	f->list[FACT_AUTHOR].at = f->bytes.len;
	f->list[FACT_AUTHOR].len = len + 2 + added.len;
	buf_append(&f->bytes, old, len);
	buf_append_text(&f->bytes, "; ");
	buf_append(&f->bytes, next, added.len);
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

void facts_cut_site_from_title(struct facts *f)
{
	static const char *const parts[] = { " | ", " - ", " \u2013 ", " \u2014 ", " :: ", " \u00b7 ", " \u2022 " };
	const struct slice site = fact_value(f, FACT_SITE), title = fact_value(f, FACT_TITLE);
	if (!site.len || title.len <= site.len || !slice_equal_nocase(slice_skip(title, title.len - site.len), site))
		return;
	const struct slice rest = slice_first(title, title.len - site.len);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		const size_t n = strlen(parts[i]);
		if (rest.len > n && memcmp(rest.data + rest.len - n, parts[i], n) == 0) {
			f->list[FACT_TITLE].len = slice_trim(slice_first(rest, rest.len - n)).len;
			return;
		}
	}
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
 * The HTML is read as lines of text between tags. A byline begins with a word for "by"; the name is in the same line
 * ("By Ann Lee, Paris") or, as it often is a link, alone in the next ("By" and "Ann Lee"). The class of an element may
 * show that its text, or the next one, is a date or a name.
 */

enum { DATE_LEAST = 8, LINE_MOST = 120, DATE_LINES = 2, LABEL_MOST = 40 };

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

/* An element after the heading with one of these in its class or id has dates and names of something else. */
static const char *const others_classes[] = { "related", "recommend", "comment",  "more-",    "-more",      "also",
					      "sidebar", "teaser",    "popular",  "trending", "upcoming",   "events",
					      "similar", "most-",     "verwandt", "recirc",   "relacionad", "disqus",
					      "next-",   "copyright", NULL };

/* With one of these it is the layout around the page's own text, or a count. */
static const char *const layout_classes[] = { "has-", "with-",  "no-",     "layout",          "icon", "count",
					      "date", "byline", "by-line", "article-sidebar", NULL };

enum word_list { DATE_WORDS, DATE_CLASSES, AUTHOR_CLASSES, OTHER_CLASSES, OTHERS_CLASSES, LAYOUT_CLASSES, WORD_LISTS };

static const char *const *const word_lists[WORD_LISTS] = {
	[DATE_WORDS] = date_words,       [DATE_CLASSES] = date_classes,     [AUTHOR_CLASSES] = author_classes,
	[OTHER_CLASSES] = other_classes, [OTHERS_CLASSES] = others_classes, [LAYOUT_CLASSES] = layout_classes,
};

/* By the number of two bytes, which lists have a word that begins with them, as bits: most have none. */
struct list_begins {
	uint8_t lists[32 * 32];
};

struct near_heading {
	struct facts *facts;
	const uint8_t *end;        /* of the text */
	const uint8_t *close;      /* where what is not marked ceases to count; before the heading, where it begins */
	enum origin name_follows;  /* source of the author's name in the next line; FROM_NOWHERE: no name is expected */
	bool name_marked;          /* by a class: it may be something else */
	unsigned date_follows;     /* lines in which the date of publication is expected */
	enum origin listed;        /* source of the names that were just read; FROM_NOWHERE: others do not follow */
	bool joined, marked_again; /* the next one follows: after "and", or in an element like the first one's */
	struct slice class;        /* of the last element whose class is of authors */
	struct slice first_class;  /* ... of the first name */
	bool role;                 /* a byline began with what is no name: a link in it may be one */
	bool before;               /* the text before the heading */
	bool full;                 /* a name has two words or more */
	bool settled;              /* the author is no longer searched: there is one, and a date */
	bool button;               /* inside a button */
	bool dated;                /* a line after the heading that is named a date was one */
	const uint8_t *date_line;  /* the line after the heading that was a date; NULL: none was */
	bool in_time;              /* the next text is a time's */
	enum html_tag others;      /* the element around that shows others; HTML_TAG_OTHER: no such element */
	unsigned others_depth;     /* elements of that name that are open, from it on */
	struct slice led;          /* the text before, in the same block */
	struct slice date, author; /* there: the last ones */
	const struct list_begins *begins;
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
static inline unsigned number_of_two(const uint8_t *word)
{
	return (word[0] & 31U) * 32 + (word[1] & 31U);
}

static void find_begins(struct list_begins *begins)
{
	_Static_assert(WORD_LISTS <= 8, "a byte has a bit for each");
	memset(begins, 0, sizeof(*begins));
	for (size_t list = 0; list < WORD_LISTS; list++) {
		for (const char *const *w = word_lists[list]; *w; w++)
			begins->lists[number_of_two((const uint8_t *)*w)] |= (uint8_t)(1U << list);
	}
}

/** Returns whether the text begins with one of the words, in any case of ASCII. */
static bool begins_word(struct slice text, enum word_list list)
{
	const uint8_t first = ascii_lower(*text.data);
	for (const char *const *w = word_lists[list]; *w; w++) {
		if ((uint8_t) * *w == first && slice_equal_nocase(slice_first(text, strlen(*w)), slice_from_text(*w)))
			return true;
	}
	return false;
}

/** Returns which of the lists, bits, have a word of two bytes or more, in lower case, that occurs in the text. */
static unsigned lists_in(const struct near_heading *n, struct slice text, unsigned lists)
{
	unsigned left = lists;
	for (size_t i = 0; i + 1 < text.len; i++) {
		unsigned begun = n->begins->lists[number_of_two(text.data + i)] & left;
		if (!begun)
			continue;
		for (; begun; begun &= begun - 1) {
			const unsigned list = (unsigned)__builtin_ctz(begun);
			if (begins_word(slice_skip(text, i), (enum word_list)list))
				left &= ~(1U << list);
		}
		if (!left)
			break;
	}
	return lists & ~left;
}

static bool has_word(const struct near_heading *n, struct slice text, enum word_list list)
{
	return lists_in(n, text, 1U << list) != 0;
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
		if (text.len <= LABEL_MOST && has_word(n, text, DATE_WORDS))
			n->date_follows = DATE_LINES;
		return;
	}
	if (text.len < DATE_LEAST || !(close || follows || has_word(n, text, DATE_WORDS)))
		return;
	char read[DATE_BYTES];
	if (!n->before) {
		fact_offer(n->facts, FACT_PUBLISHED, FROM_TEXT, text, true);
		const bool taken = !fact_wanted(n->facts, FACT_PUBLISHED, FROM_TEXT);
		n->dated = (follows || has_word(n, text, DATE_WORDS)) && taken;
		n->date_line = taken ? text.data : NULL;
	}
	if (n->before && date_read(text, false, read))
		n->date = text;
}

/** Returns whether a place of the text ends a character reference. */
static bool ends_reference(struct slice text, size_t at)
{
	enum { MOST = 8 };
	size_t i = at;
	while (i > 0 && at - i < MOST && (ascii_is_alpha(text.data[i - 1]) || ascii_is_digit(text.data[i - 1])))
		i--;
	return text.data[at] == ';' && i > 0 && i < at && text.data[i - 1] == '&';
}

/** Returns whether a text begins with a blank and a dash or a dot that parts words. */
static bool begins_dash(struct slice s)
{
	static const char *const dashes[] = { " &ndash;", " &mdash;", " &bull;", " &middot;", " \u2013",
					      " \u2014",  " \u2022",  " \u00b7", " - " };
	for (size_t i = 0; i < sizeof(dashes) / sizeof(dashes[0]); i++) {
		const size_t n = strlen(dashes[i]);
		if (s.len >= n && memcmp(s.data, dashes[i], n) == 0)
			return true;
	}
	return false;
}

/** Returns whether a text between two names of a byline joins them. */
static bool joins_names(struct slice line)
{
	char spaced[16] = " ";
	if (line.data[0] == ',')
		line = slice_trim(slice_skip(line, 1));
	if (line.len > sizeof(spaced) - 3)
		return false;
	memcpy(spaced + 1, line.data, line.len);
	memcpy(spaced + 1 + line.len, " .", 2);
	return line.len == 0 || and_length(slice_of((const uint8_t *)spaced, line.len + 3)) == line.len + 2;
}

/** Takes the text after a name of a byline: the next name, if it is joined to it or marked as the first one is. */
static void offer_next_author(struct near_heading *n, struct slice line)
{
	const bool expected = n->joined || n->marked_again;
	if (line.len && joins_names(line)) {
		n->joined = true;
		return;
	}
	n->joined = n->marked_again = false;
	if (!expected || !is_sure_name(line) || !memchr(line.data, ' ', line.len)) {
		n->listed = FROM_NOWHERE;
		return;
	}
	author_offer(n->facts, n->listed, by_words, line);
}

/** Returns whether the line ends at a link. */
static bool link_follows(const struct near_heading *n, struct slice line)
{
	const uint8_t *at = line.data + line.len;
	while (at < n->end && ascii_is_space(*at))
		at++;
	return at < n->end && *at == '<' && tag_is(at, n->end, "a");
}

static void offer_author(struct near_heading *n, struct slice line)
{
	enum origin from = n->name_follows;
	const bool alone = from != FROM_NOWHERE, marked = alone && n->name_marked;
	const struct slice whole = line;
	n->name_follows = FROM_NOWHERE;
	n->name_marked = n->role = false;
	const bool by = take_by(&line);
	if (by || alone) {
		from = alone ? from : FROM_TEXT;
		if (!line.len) {
			n->name_follows = from;
			return;
		}
		/* a list of names, or one that ends at a comma, a bar, or a place or time: " on 8 March", " at 9:30", "
		 * in News" */
		char names[FACT_BYTES];
		size_t list = 0, end = line.len;
		for (size_t i = 0; i < line.len; i++) {
			const struct slice s = slice_skip(line, i);
			if ((strchr("|/;", s.data[0]) && !ends_reference(line, i)) || begins_dash(s) ||
			    (s.len >= 3 && s.data[0] == ' ' && (s.len == 3 || s.data[3] == ' ') &&
			     (memcmp(s.data + 1, "on", 2) == 0 || memcmp(s.data + 1, "at", 2) == 0 ||
			      memcmp(s.data + 1, "in", 2) == 0))) {
				end = i;
				break;
			}
		}
		line = slice_trim(slice_first(line, end));
		list = names_read(line, names);
		line = slice_trim(slice_first(line, list ? list : slice_until(line, ",")));
		/* "By using this site" is not a byline; a name in a line of its own may be a pen name in lower case. */
		const bool small = line.len && is_small(line.data[0]);
		const bool role = by && small && memchr(line.data, ' ', line.len) && link_follows(n, whole);
		const bool good = list || (marked && !by ? is_sure_name(line) && !has_digit(whole)
							 : is_name(line) && (!small || (alone && !role)));
		n->role = role && is_name(line);
		if (n->full && from == FROM_TEXT && line.len && !is_full_name(line))
			return;
		if (good && n->before)
			n->author = line;
		else if (good)
			fact_offer(n->facts, FACT_AUTHOR, from, line, true);
		if (good && !n->before && !fact_wanted(n->facts, FACT_AUTHOR, from)) {
			n->facts->author_place = by_words;
			n->listed = from;
			n->first_class = n->class;
		}
	} else if (line.len > 3 && line.len < NAME_MOST && slice_is(slice_skip(line, line.len - 3), " by")) {
		n->name_follows = FROM_TEXT;
	}
}

/** Returns whether the text before leads to a date within a sentence: "The concert is on". */
static bool leads_into_date(const struct near_heading *n)
{
	const struct slice led = n->led;
	struct slice line = led;
	size_t spaces = 0;
	for (size_t i = 0; i < led.len; i++)
		spaces += led.data[i] == ' ';
	const uint8_t last = led.len ? led.data[led.len - 1] : 0;
	return led.len > LINE_MOST ||
	       (spaces >= 2 && last >= 'a' && last <= 'z' && !has_word(n, led, DATE_WORDS) && !take_by(&line));
}

/** Reads the text between two tags. */
static void read_line(struct near_heading *n, struct slice text)
{
	const struct slice line = slice_trim(text);
	if (line.len && !n->in_time)
		n->led = line;
	if (!line.len || line.len > LINE_MOST || n->others)
		return;
	if (!n->in_time || !leads_into_date(n))
		offer_date(n, line);
	if (n->listed != FROM_NOWHERE && !n->button)
		offer_next_author(n, line);
	else if (!n->button && !n->settled && fact_wanted(n->facts, FACT_AUTHOR, FROM_LINK) &&
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
	n->marked_again |= n->listed != FROM_NOWHERE && value.len && slice_equal(value, n->first_class);
	const unsigned lists = (fact_wanted(n->facts, FACT_AUTHOR, FROM_TEXT) ? 1U << AUTHOR_CLASSES : 0) |
			       (fact_wanted(n->facts, FACT_PUBLISHED, FROM_TEXT) ? 1U << DATE_CLASSES : 0);
	const unsigned found = lists_in(n, value, lists);
	if (n->listed == FROM_NOWHERE && found & 1U << AUTHOR_CLASSES)
		n->class = value;
	const bool author = n->name_follows == FROM_NOWHERE && found & 1U << AUTHOR_CLASSES;
	const bool date = found & 1U << DATE_CLASSES;
	static const char person[] = "vcard"; /* of microformats; "card" is a box */
	if (!(author || date) ||
	    (has_word(n, value, OTHER_CLASSES) && !memmem(value.data, value.len, person, strlen(person))))
		return;
	if (author) {
		n->name_follows = FROM_TEXT;
		n->name_marked = true;
	}
	if (date)
		n->date_follows = DATE_LINES;
}

/** Offers a time that is neither in a sentence nor of something else. */
static void read_time(struct near_heading *n, const uint8_t *at, const uint8_t *close)
{
	enum { DAY = sizeof("2024-05-31") - 1, TIME_APART = 512 };
	NOT_ZEROED struct tag tag;
	if (n->before || n->others || !fact_wanted(n->facts, FACT_PUBLISHED, FROM_TIME) || leads_into_date(n) ||
	    !tag_read(at, close + 1, strlen("time"), &tag))
		return;
	struct slice when = tag_attr(&tag, "datetime");
	const uint8_t *open = memchr(close, '<', (size_t)(n->end - close));
	if (!when.len && open)
		when = slice_of(close + 1, (size_t)(open - close - 1));
	/* a line that is named a date, or is much nearer to the heading, is only made more precise */
	const struct slice dated = slice_first(fact_value(n->facts, FACT_PUBLISHED), DAY);
	const bool far = n->date_line && at - n->date_line > TIME_APART;
	if ((n->dated || far) && !(when.len >= DAY && slice_equal(slice_first(when, DAY), dated)))
		return;
	fact_offer(n->facts, FACT_PUBLISHED, FROM_TIME, when, true);
}

/** Returns the tag whose name begins at `name`. */
static enum html_tag tag_at(const uint8_t *name, const uint8_t *end)
{
	size_t len = 0;
	if (end - name > HTML_TAG_NAME_MOST)
		return html_tag_read(name).tag;
	while (name + len < end && !html_ends_name(name[len]))
		len++;
	return html_tag_find(slice_of(name, len));
}

/** Returns whether a tag begins or ends a block: elements of its name do not occur inside a line. */
static bool is_block(enum html_tag tag)
{
	switch ((int)tag) {
	case HTML_TAG_A:
	case HTML_TAG_ABBR:
	case HTML_TAG_B:
	case HTML_TAG_EM:
	case HTML_TAG_I:
	case HTML_TAG_SPAN:
	case HTML_TAG_STRONG:
	case HTML_TAG_TIME:
		return false;
	default:
		return true;
	}
}

static bool may_show_others(enum html_tag tag)
{
	switch ((int)tag) {
	case HTML_TAG_ARTICLE:
	case HTML_TAG_ASIDE:
	case HTML_TAG_DIV:
	case HTML_TAG_FOOTER:
	case HTML_TAG_LI:
	case HTML_TAG_NAV:
	case HTML_TAG_OL:
	case HTML_TAG_SECTION:
	case HTML_TAG_UL:
		return true;
	default:
		return false;
	}
}

static bool names_others(const struct near_heading *n, struct slice value)
{
	return has_word(n, value, OTHERS_CLASSES) && !has_word(n, value, LAYOUT_CLASSES);
}

/** Follows where an element begins and ends that shows others. */
static void follow_others(struct near_heading *n, enum html_tag name, const uint8_t *at, const uint8_t *close)
{
	const bool end_tag = at[1] == '/';
	if (n->others) {
		if (name != n->others)
			return;
		n->others_depth += end_tag ? -1U : 1U;
		if (!n->others_depth)
			n->others = HTML_TAG_OTHER;
		return;
	}
	NOT_ZEROED struct tag tag;
	if (!end_tag && !n->before && may_show_others(name) &&
	    has_word(n, slice_of(at, (size_t)(close - at)), OTHERS_CLASSES) &&
	    tag_read(at, close + 1, strlen(html_tag_name(name)), &tag) &&
	    (names_others(n, tag_attr(&tag, "class")) || names_others(n, tag_attr(&tag, "id")))) {
		n->others = name;
		n->others_depth = 1;
	}
}

/**
 * Returns the byte after the tag at `at`, or after the script or style that begins there; NULL if the text ends inside.
 */
static const uint8_t *read_tag(struct near_heading *n, const uint8_t *at)
{
	const uint8_t first = at + 1 < n->end ? ascii_lower(at[1]) : 0;
	const bool end_tag = first == '/';
	const enum html_tag name = first ? tag_at(at + 1 + end_tag, n->end) : HTML_TAG_OTHER;
	if (!end_tag && (name == HTML_TAG_SCRIPT || name == HTML_TAG_STYLE))
		return tag_raw_end(at + 1, n->end, html_tag_name(name));
	const uint8_t *close = memchr(at, '>', (size_t)(n->end - at));
	NOT_ZEROED struct tag tag;
	if (!close)
		return NULL;
	const bool link = name == HTML_TAG_A && !end_tag;
	if (link && (fact_wanted(n->facts, FACT_AUTHOR, FROM_LINK) || n->listed == FROM_LINK) &&
	    memmem(at, (size_t)(close - at), "author", strlen("author")) &&
	    tag_read(at, close + 1, strlen("a"), &tag) && slice_is(tag_attr(&tag, "rel"), "author")) {
		n->marked_again = n->listed == FROM_LINK;
		n->listed = n->marked_again ? FROM_LINK : FROM_NOWHERE;
		n->name_follows = n->marked_again ? FROM_NOWHERE : FROM_LINK;
		n->name_marked = false;
	}
	follow_others(n, name, at, close);
	if (name == HTML_TAG_H1 && !end_tag && !n->before) /* the one before may be the site's name */
		n->close = n->end - at < CLOSE_TO_HEADING ? n->end : at + CLOSE_TO_HEADING;
	n->in_time = name == HTML_TAG_TIME && !end_tag;
	if (n->in_time)
		read_time(n, at, close);
	else if (is_block(name))
		n->led = slice_of(NULL, 0);
	if (link && n->role) {
		n->name_follows = FROM_TEXT;
		n->name_marked = true;
	}
	if (name == HTML_TAG_BUTTON)
		n->button = !end_tag;
	if (ascii_is_alpha(first))
		read_class(n, at, close);
	return close + 1;
}

static void read_lines(struct near_heading *n, const uint8_t *at)
{
	while (at && at < n->end) {
		const bool date = fact_wanted(n->facts, FACT_PUBLISHED, FROM_TEXT);
		n->settled |= !date && !fact_wanted(n->facts, FACT_AUTHOR, FROM_TEXT);
		if (n->settled && !fact_wanted(n->facts, FACT_PUBLISHED, FROM_TIME))
			return;
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

static void read_around(struct slice before, struct slice near, struct facts *facts, bool full)
{
	const size_t left = before.len > BEFORE_HEADING ? before.len - BEFORE_HEADING : 0;
	NOT_ZEROED struct list_begins begins;
	struct near_heading n = { .facts = facts, .end = near.data + near.len, .begins = &begins, .full = full };
	n.close = near.data + (near.len < CLOSE_TO_HEADING ? near.len : CLOSE_TO_HEADING);
	if (near.len == 0)
		return;
	find_begins(&begins);
	read_lines(&n, near.data);
	before = slice_skip(before, left);
	n = (struct near_heading){ .facts = facts,
				   .end = before.data + before.len,
				   .begins = &begins,
				   .before = true,
				   .full = full };
	n.close = n.end - (before.len < CLOSE_BEFORE ? before.len : CLOSE_BEFORE);
	if (before.len)
		read_lines(&n, before.data);
	fact_offer(facts, FACT_PUBLISHED, FROM_TEXT, n.date, true);
	fact_offer(facts, FACT_AUTHOR, FROM_TEXT, n.author, true);
}

void near_heading_read(struct slice before, struct slice near, struct facts *facts)
{
	read_heading(near, facts);
	read_around(before, near, facts, false);
}

void near_line_read(struct slice before, struct slice near, struct facts *facts)
{
	read_around(before, near, facts, true);
}

/** Writes the ASCII letters and digits of a text, in lower case, and all other bytes of words. Returns their number. */
static size_t letters_of(struct slice text, uint8_t *out, size_t most)
{
	size_t n = 0;
	for (size_t i = 0; i < text.len && n < most; i++) {
		const uint8_t c = ascii_lower(text.data[i]);
		if (c == '&') /* a reference, which is a mark in most titles */
			i += slice_until(slice_skip(text, i), "; ");
		else if (c >= 0x80 || ascii_is_alpha(c) || ascii_is_digit(c))
			out[n++] = c;
	}
	return n;
}

size_t title_line_end(struct slice page, struct slice title)
{
	enum { LETTERS = 12, MOST = 300 };
	uint8_t wanted[MOST], line[MOST];
	const size_t all = letters_of(title, wanted, MOST);
	const uint8_t *const end = page.data + page.len;
	for (const uint8_t *at = page.data; all >= LETTERS && at && at < end;) {
		const uint8_t *const lt = memchr(at, '<', (size_t)(end - at));
		if (!lt)
			break;
		const struct slice text = slice_of(at, (size_t)(lt - at));
		const size_t n = text.len >= LETTERS && text.len < 2 * MOST ? letters_of(text, line, MOST) : 0;
		const bool part = n >= LETTERS && n <= all && 3 * n >= all &&
				  (memcmp(wanted, line, n) == 0 || memcmp(wanted + all - n, line, n) == 0);
		if (part && !tag_is(lt, end, "/title"))
			return (size_t)(lt - page.data);
		const bool script = tag_is(lt, end, "script"), style = tag_is(lt, end, "style");
		if (script || style)
			at = tag_raw_end(lt + 1, end, script ? "script" : "style");
		else
			at = memchr(lt, '>', (size_t)(end - lt));
		at = at && *at == '>' ? at + 1 : at;
	}
	return 0;
}

struct page_scan {
	struct facts *facts;
	struct json_ld *json;
	const uint8_t *end;
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
	ROW("citation_online_date", FACT_PUBLISHED, FROM_META),
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
	ROW("og:article:author", FACT_AUTHOR, FROM_OPEN_GRAPH),
	ROW("author", FACT_AUTHOR, FROM_META),
	ROW("authors", FACT_AUTHOR, FROM_META),
	ROW("byl", FACT_AUTHOR, FROM_META),
	ROW("byline", FACT_AUTHOR, FROM_META),
	ROW("dc.creator", FACT_AUTHOR, FROM_META),
	ROW("dcterms.creator", FACT_AUTHOR, FROM_META),
	ROW("citation_author", FACT_AUTHOR, FROM_META),
	ROW("citation_authors", FACT_AUTHOR, FROM_META),
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
		if (meta_rows[i].fact == FACT_AUTHOR)
			author_offer(s->facts, meta_rows[i].from, meta_rows[i].name, content);
		else
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
		author_offer(s->facts, FROM_MICRODATA, "itemprop", value);
}

/** Returns whether this is the type of JSON-LD, perhaps with parameters or character references. */
static bool is_json_ld(struct facts *f, struct slice type)
{
	enum { TYPE_MOST = 128 };
	const size_t at = f->bytes.len;
	bool is = false;
	if (html_entity_append(&f->bytes, slice_first(slice_trim(type), TYPE_MOST)) == DANA_OK) {
		const struct slice read = slice_of(f->bytes.data + at, f->bytes.len - at);
		is = slice_is(slice_trim(slice_first(read, slice_until(read, ";"))), "application/ld+json");
	}
	f->bytes.len = at;
	return is;
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
			offer_itemprop(s, &tag, after);
		}
		break;
	case 'h':
		if (tag_is(at, s->end, "html") && (after = tag_read(at, s->end, strlen("html"), &tag)))
			fact_offer(s->facts, FACT_LANGUAGE, FROM_HTML, tag_attr(&tag, "lang"), true);
		break;
	case 's':
		if (tag_is(at, s->end, "script")) {
			after = tag_read(at, s->end, strlen("script"), &tag);
			const uint8_t *close = after ? tag_raw_end(after, s->end, "script") : NULL;

			if (close && is_json_ld(s->facts, tag_attr(&tag, "type")))
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
