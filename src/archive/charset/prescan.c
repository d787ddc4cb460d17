/* SPDX-License-Identifier: MIT */
#include "archive/charset/prescan.h"

#include "base/ascii.h"

/* What ends a part of a tag, as a set of bits. Nearly all of a page's first bytes are looked up here. */
enum end {
	END_VALUE = 1,     /* of an attribute without quotes, or the name of a tag */
	END_NAME = 2,      /* of an attribute's name */
	END_PARAMETER = 4, /* of a parameter of a media type, without quotes */
	END_ALL = END_VALUE | END_NAME | END_PARAMETER,
};

static const uint8_t ends[256] = {
	[' '] = END_ALL,  ['\t'] = END_ALL, ['\n'] = END_ALL,      ['\f'] = END_ALL,      ['\r'] = END_ALL,
	['/'] = END_NAME, ['='] = END_NAME, [';'] = END_PARAMETER, [','] = END_PARAMETER, ['>'] = END_VALUE | END_NAME,
};

static struct slice skip_spaces(struct slice s)
{
	while (s.len && ascii_is_space(s.data[0]))
		s = slice_skip(s, 1);
	return s;
}

/* Returns the part of `s` before the first byte that is such an end. */
static struct slice until(struct slice s, enum end end)
{
	size_t n = 0;
	while (n < s.len && !(ends[s.data[n]] & end))
		n++;
	return slice_of(s.data, n);
}

static struct slice until_byte(struct slice s, uint8_t byte)
{
	const uint8_t *found = s.len ? memchr(s.data, byte, s.len) : NULL;
	return found ? slice_of(s.data, (size_t)(found - s.data)) : s;
}

static bool begins(struct slice s, const char *text)
{
	size_t n = strlen(text);
	return s.len >= n && slice_is(slice_of(s.data, n), text);
}

/* Returns a value in quotes, or up to a space or semicolon; empty if a quote is not closed. */
static struct slice parameter_value(struct slice s)
{
	if (s.len == 0 || (s.data[0] != '"' && s.data[0] != '\''))
		return until(s, END_PARAMETER);
	struct slice value = until_byte(slice_skip(s, 1), s.data[0]);
	return value.len + 1 < s.len ? value : slice_of(NULL, 0);
}

struct slice prescan_charset_parameter(struct slice text)
{
	while (text.len) {
		if (!begins(text, "charset")) {
			text = slice_skip(text, 1);
			continue;
		}
		text = skip_spaces(slice_skip(text, 7));
		if (text.len && text.data[0] == '=')
			return parameter_value(skip_spaces(slice_skip(text, 1)));
	}
	return slice_of(NULL, 0);
}

struct attribute {
	struct slice name, value;
};

/* Takes an attribute off the front ("get an attribute"). Returns false at the tag's end, before the '>'. */
static bool next_attribute(struct slice *s, struct attribute *a)
{
	while (s->len && (ascii_is_space(s->data[0]) || s->data[0] == '/'))
		*s = slice_skip(*s, 1);
	if (s->len == 0 || s->data[0] == '>')
		return false;
	/* A leading '=' is part of the name. */
	size_t first = s->data[0] == '=';
	a->name = until(slice_skip(*s, first), END_NAME);
	a->name = slice_of(s->data, a->name.len + first);
	*s = slice_skip(*s, a->name.len);
	a->value = slice_of(NULL, 0);
	struct slice rest = skip_spaces(*s);
	if (rest.len == 0 || rest.data[0] != '=')
		return true;
	*s = skip_spaces(slice_skip(rest, 1));
	if (s->len && (s->data[0] == '"' || s->data[0] == '\'')) {
		a->value = until_byte(slice_skip(*s, 1), s->data[0]);
		*s = slice_skip(*s, a->value.len + 2);
	} else {
		a->value = until(*s, END_VALUE);
		*s = slice_skip(*s, a->value.len);
	}
	return true;
}

enum need { NEED_UNKNOWN, NEED_PRAGMA, NEED_NOTHING };

/* Takes a meta element's attributes off the front. Returns the charset it names, or NULL. */
static const struct charset *read_meta(struct slice *s)
{
	bool pragma = false, seen_content = false, seen_charset = false;
	enum need need = NEED_UNKNOWN;
	const struct charset *found = NULL;
	struct attribute a;
	while (next_attribute(s, &a)) {
		if (slice_is(a.name, "http-equiv")) {
			pragma = pragma || slice_is(slice_trim(a.value), "content-type");
		} else if (slice_is(a.name, "content") && !seen_content) {
			seen_content = true;
			const struct charset *named = charset_find(prescan_charset_parameter(a.value));
			if (named && need == NEED_UNKNOWN) {
				found = named;
				need = NEED_PRAGMA;
			}
		} else if (slice_is(a.name, "charset") && !seen_charset) {
			seen_charset = true;
			found = charset_find(a.value);
			need = NEED_NOTHING;
		}
	}
	if (need == NEED_PRAGMA && !pragma)
		return NULL;
	return found;
}

/* Corrects a claim of UTF-16, which is wrong for bytes that can be read as ASCII. */
static const struct charset *plausible(const struct charset *found)
{
	if (found && found->kind == CHARSET_UTF16)
		return charset_utf8();
	if (found && strcmp(found->name, "x-user-defined") == 0)
		return charset_windows_1252();
	return found;
}

static struct slice skip_to(struct slice s, const char *end)
{
	const size_t n = strlen(end);
	for (;;) {
		s = slice_skip(s, until_byte(s, (uint8_t)end[0]).len);
		if (s.len < n)
			return slice_of(NULL, 0);
		if (memcmp(s.data, end, n) == 0)
			return slice_skip(s, n);
		s = slice_skip(s, 1);
	}
}

static const struct charset *xml_declaration(struct slice page)
{
	if (!begins(page, "<?xml"))
		return NULL;
	struct slice s = until_byte(page, '>');
	while (s.len && !begins(s, "encoding"))
		s = slice_skip(s, 1);
	s = skip_spaces(slice_skip(s, 8));
	if (s.len == 0 || s.data[0] != '=')
		return NULL;
	s = skip_spaces(slice_skip(s, 1));
	return s.len && (s.data[0] == '"' || s.data[0] == '\'') ? charset_find(parameter_value(s)) : NULL;
}

/* Skips a tag other than meta, with its attributes, whose values may contain anything. */
static struct slice skip_tag(struct slice s)
{
	struct attribute a;
	struct slice name = until(s, END_VALUE);
	s = slice_skip(s, name.len);
	while (next_attribute(&s, &a))
		continue;
	return s;
}

static bool is_meta(struct slice s)
{
	return begins(s, "<meta") && s.len > 5 && (ascii_is_space(s.data[5]) || s.data[5] == '/');
}

const struct charset *prescan_page(struct slice page)
{
	struct slice s = page;
	while (s.len) {
		const uint8_t *open = memchr(s.data, '<', s.len);
		if (!open)
			break;
		s = slice_skip(s, (size_t)(open - s.data));
		if (begins(s, "<!--")) {
			s = skip_to(slice_skip(s, 2), "-->"); /* "<!-->" is a comment */
		} else if (is_meta(s)) {
			s = slice_skip(s, 6);
			const struct charset *found = plausible(read_meta(&s));
			if (found)
				return found;
		} else if (s.len > 1 && ascii_is_alpha(s.data[1])) {
			s = skip_tag(slice_skip(s, 1));
		} else if (s.len > 2 && s.data[1] == '/' && ascii_is_alpha(s.data[2])) {
			s = skip_tag(slice_skip(s, 2));
		} else if (s.len > 1 && strchr("!/?", s.data[1]) && s.data[1]) {
			s = skip_to(s, ">");
		} else {
			s = slice_skip(s, 1);
		}
	}
	return plausible(xml_declaration(page));
}
