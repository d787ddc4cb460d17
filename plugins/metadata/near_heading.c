/* SPDX-License-Identifier: MIT */
/*
 * The HTML is read as lines of text between tags. A byline begins with a word for "by"; the name is in the same line
 * ("By Ann Lee, Paris") or, as it often is a link, alone in the next ("By" and "Ann Lee").
 */
#include "config.h"

#include "plugins/metadata/near_heading.h"

#include <string.h>

#include "base/ascii.h"
#include "plugins/metadata/tags.h"

enum { DATE_LEAST = 8, LINE_MOST = 120, NAME_LEAST = 2, NAME_MOST = 60, NAME_SPACES = 5 };

static const char *const by_words[] = { "by",   "posted by", "written by", "von",   "par",    "por",    "door",
					"av",   "af",        "author",     "autor", "autore", "auteur", "كتب",
					"كتبت", "بقلم",      "автор",      "作者",  "撰文",   "文" };

struct near {
	struct facts *facts;
	const uint8_t *end;
	enum origin name_follows; /* source of the author's name in the next line; FROM_NOWHERE: no name is expected */
};

/** Returns the length of a colon (also a fullwidth one) and white space at the start. */
static size_t colon(struct slice s)
{
	static const char wide[] = "\uff1a";
	size_t n = 0;

	while (n < s.len && (ascii_is_space(s.data[n]) || s.data[n] == ':'))
		n++;
	return n || s.len < strlen(wide) || memcmp(s.data, wide, strlen(wide)) != 0 ? n : strlen(wide);
}

/** Removes a word for "by" from the start of the line. Returns false if there is no such word. */
static bool take_by(struct slice *line)
{
	const uint8_t first = line->len ? ascii_lower(line->data[0]) : 0;

	for (size_t i = 0; i < sizeof(by_words) / sizeof(by_words[0]); i++) {
		if ((uint8_t)by_words[i][0] != first) /* this excludes most words */
			continue;
		const size_t n = strlen(by_words[i]);
		const struct slice rest = slice_skip(*line, n);
		if (line->len < n || !slice_equal_nocase(slice_first(*line, n), slice_of(by_words[i], n)))
			continue;
		const size_t gap = colon(rest);
		if (rest.len && !gap)
			continue;
		*line = slice_skip(rest, gap);
		return true;
	}
	return false;
}

/** Returns whether the line ends with "by" after something short: "July 27, 2020 by". */
static bool ends_with_by(struct slice line)
{
	return line.len > 3 && line.len < NAME_MOST && slice_is(slice_skip(line, line.len - 3), " by");
}

/** Returns whether a place or time begins here: " on 8 March", " at 9:30", " in News". */
static bool ends_name(struct slice s)
{
	return s.len >= 3 && s.data[0] == ' ' && (s.len == 3 || s.data[3] == ' ') &&
	       (memcmp(s.data + 1, "on", 2) == 0 || memcmp(s.data + 1, "at", 2) == 0 ||
		memcmp(s.data + 1, "in", 2) == 0);
}

/** Returns the line up to a comma, a bar or a date: "Ann Lee" of "Ann Lee, Paris" or "Ann Lee on 8 March". */
static struct slice first_part(struct slice line)
{
	for (size_t i = 0; i < line.len; i++)
		if (strchr(",|/;", line.data[i]) || ends_name(slice_skip(line, i)))
			return slice_trim(slice_first(line, i));
	return line;
}

/** Returns whether this can be a person's name: short, few words, no digits or other unusual characters. */
static bool is_name(struct slice s)
{
	size_t spaces = 0;

	if (s.len < NAME_LEAST || s.len > NAME_MOST)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		if (ascii_is_digit(s.data[i]) || strchr(":?!\"[]{}<>=", s.data[i]))
			return false;
		spaces += s.data[i] == ' ';
	}
	return spaces <= NAME_SPACES;
}

static void read_author(struct near *n, struct slice line)
{
	enum origin from = n->name_follows;
	const bool alone = from != FROM_NOWHERE;

	if (!line.len)
		return;
	n->name_follows = FROM_NOWHERE;
	if (take_by(&line) || alone) {
		from = alone ? from : FROM_TEXT;
		if (!line.len) {
			n->name_follows = from;
			return;
		}
		line = first_part(line);
		/* "By using this site" is not a byline; a name in a line of its own may be a pen name in lower case. */
		if (is_name(line) && (alone || (line.data[0] < 'a' || line.data[0] > 'z')))
			fact_offer(n->facts, FACT_AUTHOR, from, line, true);
	} else if (ends_with_by(line)) {
		n->name_follows = FROM_TEXT;
	}
}

static bool has_digit(struct slice s)
{
	size_t i = 0;

	while (i < s.len && !ascii_is_digit(s.data[i]))
		i++;
	return i < s.len;
}

/** Reads the text between two tags. */
static void read_line(struct near *n, struct slice text)
{
	if (!text.len || text.len > LINE_MOST)
		return;
	if (text.len >= DATE_LEAST && fact_wanted(n->facts, FACT_PUBLISHED, FROM_TEXT) && has_digit(text))
		fact_offer(n->facts, FACT_PUBLISHED, FROM_TEXT, text, true);
	if (fact_wanted(n->facts, FACT_AUTHOR, FROM_LINK))
		read_author(n, slice_trim(text));
}

/** Returns whether the tag from `at` to its '>' at `close` is a link to the author. */
static bool is_author_link(const uint8_t *at, const uint8_t *close)
{
	struct tag tag;

	return memmem(at, (size_t)(close - at), "author", strlen("author")) && tag_is(at, close + 1, "a") &&
	       tag_read(at, close + 1, strlen("a"), &tag) && slice_is(tag_attr(&tag, "rel"), "author");
}

/**
 * Returns the byte after the tag at `at`, or after the script or style that begins there; NULL if the text ends inside.
 */
static const uint8_t *read_tag(struct near *n, const uint8_t *at)
{
	const uint8_t first = at + 1 < n->end ? at[1] | 0x20 : 0;

	if (first == 's' && tag_is(at, n->end, "script"))
		return tag_raw_end(at + 1, n->end, "script");
	if (first == 's' && tag_is(at, n->end, "style"))
		return tag_raw_end(at + 1, n->end, "style");
	const uint8_t *close = memchr(at, '>', (size_t)(n->end - at));
	if (close && first == 'a' && is_author_link(at, close))
		n->name_follows = FROM_LINK;
	return close ? close + 1 : NULL;
}

void near_heading_read(struct slice near, struct facts *facts)
{
	struct near n = { .facts = facts, .end = near.data + near.len };
	const uint8_t *at = near.data;

	while (at && at < n.end &&
	       (fact_wanted(facts, FACT_PUBLISHED, FROM_TEXT) || fact_wanted(facts, FACT_AUTHOR, FROM_TEXT))) {
		const uint8_t *open = memchr(at, '<', (size_t)(n.end - at));
		read_line(&n, slice_of(at, (size_t)((open ? open : n.end) - at)));
		at = open ? read_tag(&n, open) : NULL;
	}
}
