/* SPDX-License-Identifier: MIT */
/*
 * To parse JSON into objects takes some hundred instructions for each byte, and pages describe much that nobody asks about.
 * So one pass by recursive descent copies the members that matter, and checks the others as strictly as the parser
 * does: what it lets pass, the parser would take.
 */
#include "config.h"

#include "plugins/metadata/json_sift.h"

#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"

enum { DEPTH_MOST = 32, DIGITS_MOST = 18, KEY_MOST = 20 };

/** Which members stay. */
enum level {
	NODE, /* of an object that may be an article, or holds some */
	FACT  /* of one that is the value of a fact, as an author */
};

struct sift {
	const uint8_t *at, *end;
	uint8_t *out; /* has room for all of the input */
	bool kept;    /* what is read is copied */
};

static bool value(struct sift *s, enum level level, int depth);

static inline void put(struct sift *s, const uint8_t *from, size_t len)
{
	if (!s->kept)
		return;
	memcpy(s->out, from, len);
	s->out += len;
}

/** The next byte after white space; 0 at the end. */
static uint8_t next(struct sift *s)
{
	while (s->at < s->end && ascii_is_space(*s->at) && *s->at != '\f')
		s->at++;
	return s->at < s->end ? *s->at : 0;
}

/** Takes the byte, which must come next, and copies it. */
static bool take(struct sift *s, uint8_t byte)
{
	if (next(s) != byte)
		return false;
	put(s, s->at++, 1);
	return true;
}

/** After a backslash: one of the letters, or four digits that are no surrogate. */
static bool escape(struct sift *s)
{
	const uint8_t *at = s->at;

	if (at < s->end && *at && strchr("\"\\/bfnrt", *at)) {
		s->at++;
		return true;
	}
	if (s->end - at < 5 || *at != 'u' || (at[1] | 0x20) == 'd')
		return false;
	s->at += 5;
	return ascii_is_hex(at[1]) && ascii_is_hex(at[2]) && ascii_is_hex(at[3]) && ascii_is_hex(at[4]);
}

/** A string, at its quotation mark. */
static bool string(struct sift *s)
{
	const uint8_t *start = s->at++;

	while (s->at < s->end && *s->at != '"' && *s->at >= ' ') {
		if (*s->at++ == '\\' && !escape(s))
			return false;
	}
	if (s->at == s->end || *s->at != '"')
		return false;
	s->at++;
	put(s, start, (size_t)(s->at - start));
	return true;
}

static size_t digits(struct sift *s)
{
	const uint8_t *start = s->at;

	while (s->at < s->end && ascii_is_digit(*s->at))
		s->at++;
	return (size_t)(s->at - start);
}

static bool number(struct sift *s)
{
	const uint8_t *start = s->at;

	s->at += *s->at == '-';
	const uint8_t *first = s->at;
	size_t n = digits(s);
	if (!n || n > DIGITS_MOST || (n > 1 && *first == '0'))
		return false;
	if (s->at < s->end && *s->at == '.') {
		s->at++;
		n = digits(s);
		if (!n || n > DIGITS_MOST)
			return false;
	}
	put(s, start, (size_t)(s->at - start));
	return true; /* an exponent is not what comes next in JSON */
}

static bool literal(struct sift *s)
{
	static const char *const names[] = { "true", "false", "null" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const size_t n = strlen(names[i]);
		if ((size_t)(s->end - s->at) < n || memcmp(s->at, names[i], n) != 0)
			continue;
		put(s, s->at, n);
		s->at += n;
		return true;
	}
	return false;
}

/** Whether a member stays; *inner: the level of its value. */
static bool is_wanted(struct slice key, enum level level, enum level *inner)
{
	static const char *const keys[] = { "@type",           "@graph",        "mainEntity",   "author",
					    "publisher",       "image",         "keywords",     "description",
					    "dateCreated",     "datePublished", "dateModified", "inLanguage",
					    "mainEntityOfPage" };
	static const char *const fact_keys[] = { "name", "@id", "url" };
	const bool node = level == NODE;
	const size_t n = node ? sizeof(keys) / sizeof(keys[0]) : sizeof(fact_keys) / sizeof(fact_keys[0]);
	size_t i = 0;

	while (i < n && !slice_equal(key, slice_from_text(node ? keys[i] : fact_keys[i])))
		i++;
	*inner = node && (i == 1 || i == 2) ? NODE : FACT;
	return i < n;
}

static bool member(struct sift *s, enum level level, int depth, bool *comma)
{
	const bool outer = s->kept;
	enum level inner;

	s->kept = false;
	if (next(s) != '"')
		return false;
	const uint8_t *key = s->at + 1;
	if (!string(s))
		return false;
	const struct slice name = slice_of(key, (size_t)(s->at - key) - 1);
	if (memchr(name.data, '\\', name.len))
		return false;
	s->kept = outer && is_wanted(name, level, &inner);
	if (!s->kept)
		inner = FACT;
	else if (*comma)
		*s->out++ = ',';
	*comma |= s->kept;
	put(s, key - 1, name.len + 2);
	const bool good = take(s, ':') && value(s, inner, depth);
	s->kept = outer;
	return good;
}

static bool object(struct sift *s, enum level level, int depth)
{
	bool comma = false;

	put(s, s->at++, 1);
	if (next(s) != '}') {
		do {
			if (!member(s, level, depth, &comma))
				return false;
		} while (next(s) == ',' && s->at++);
	}
	return take(s, '}');
}

static bool array(struct sift *s, enum level level, int depth)
{
	put(s, s->at++, 1);
	if (next(s) != ']') {
		do {
			if (!value(s, level, depth))
				return false;
		} while (next(s) == ',' && take(s, ','));
	}
	return take(s, ']');
}

static bool value(struct sift *s, enum level level, int depth)
{
	switch (next(s)) {
	case '"':
		return string(s);
	case '{':
		return depth < DEPTH_MOST && object(s, level, depth + 1);
	case '[':
		return depth < DEPTH_MOST && array(s, level, depth + 1);
	case 't':
	case 'f':
	case 'n':
		return literal(s);
	default:
		return s->at < s->end && number(s);
	}
}

bool json_sift(struct slice json, struct buf *out)
{
	struct sift s = { .at = json.data, .end = json.data + json.len, .kept = true };

	if (utf8_valid_prefix(json) != json.len || buf_reserve(out, json.len) < 0)
		return false;
	s.out = out->data + out->len;
	if ((next(&s) != '{' && next(&s) != '[') || !value(&s, NODE, 0))
		return false;
	out->len = (size_t)(s.out - out->data);
	return true;
}
