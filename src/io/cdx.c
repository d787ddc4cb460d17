/* SPDX-License-Identifier: MIT */
/*
 * A line of an index of archives: CDX, whose fields are named by letters
 * (https://iipc.github.io/warc-specifications/specifications/cdx-format/) in a header line, or by their number without
 * one; or CDXJ, which ends in JSON; or the name of another index. Pure.
 *
 * Addresses are compared in the form that indexes are sorted by: a host is parted at its dots and written from its end,
 * "www." and "www1." in front of it do not count. Example: http://www.example.org/a is org,example)/a.
 */
#include "config.h"

#include "io/cdx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/url_parts.h"

static void append_lower(struct buf *out, struct slice s)
{
	for (size_t i = 0; i < s.len; i++)
		buf_append_byte(out, ascii_lower(s.data[i]));
}

static struct slice without_www(struct slice host)
{
	size_t i = 3;
	if (!slice_equal_nocase(slice_first(host, 3), slice_from_text("www")))
		return host;
	while (i < host.len && ascii_is_digit(host.data[i]))
		i++;
	return i + 1 < host.len && host.data[i] == '.' ? slice_skip(host, i + 1) : host;
}

static void append_host(struct buf *out, struct slice host)
{
	size_t digits = 0;
	while (digits < host.len && (ascii_is_digit(host.data[digits]) || host.data[digits] == '.'))
		digits++;
	if (digits == host.len) { /* numbers of an address of version 4 keep their order */
		buf_append(out, host.data, host.len);
		return;
	}
	while (host.len) {
		size_t dot = host.len;
		while (dot > 0 && host.data[dot - 1] != '.')
			dot--;
		append_lower(out, slice_skip(host, dot));
		host.len = dot ? dot - 1 : 0;
		if (dot)
			buf_append_byte(out, ',');
	}
}

/* The host, and its port where it is not the usual one. */
static void append_place(struct buf *out, struct slice host, struct slice port)
{
	append_host(out, without_www(host));
	if (port.len && !slice_is(port, "80") && !slice_is(port, "443")) {
		buf_append_byte(out, ':');
		buf_append(out, port.data, port.len);
	}
}

/* What follows the host begins with '/': "?b" is the query of its "/". */
static void append_rest(struct buf *out, struct slice rest)
{
	buf_append_byte(out, ')');
	if (rest.len && rest.data[0] != '/')
		buf_append_byte(out, '/');
	if (rest.len && rest.data[0] == '\\')
		rest = slice_skip(rest, 1);
	append_lower(out, slice_first(rest, slice_until(rest, "#")));
}

int surt_key(struct slice url, struct buf *out)
{
	struct url_parts p = url_parts(url);
	append_place(out, p.host, p.port);
	append_rest(out, p.rest.len ? p.rest : slice_from_text("/"));
	return buf_status(out);
}

int surt_prefix(struct slice pattern, struct buf *out, bool *hosts)
{
	pattern = slice_trim(pattern);
	if (pattern.len && pattern.data[pattern.len - 1] == '*')
		pattern.len--;
	struct url_parts p = url_parts(pattern);
	*hosts = p.place.len >= 2 && memcmp(p.place.data, "*.", 2) == 0;
	append_place(out, *hosts ? slice_skip(p.host, 2) : p.host, p.port);
	if (!*hosts)
		append_rest(out, p.rest);
	return buf_status(out);
}

enum { FIELDS_MOST = 32 };

struct member {
	struct slice name; /* as it is written */
	struct slice text;
};

struct cdx_line {
	char letters[FIELDS_MOST + 1]; /* of the header; empty: there was none */
	char present[FIELDS_MOST + 1]; /* of the line that was read; empty: CDXJ */
	struct slice fields[FIELDS_MOST];
	size_t n_fields;
	struct json_reader *reader;
	struct member *members;
	size_t n_members, cap_members;
	struct buf strings; /* of members, where they have escapes */
};

static const struct {
	char letter;
	const char *name;
} letters[] = {
	{ 'N', "urlkey" },   { 'A', "urlkey" }, { 'b', "timestamp" }, { 'a', "url" },
	{ 'm', "mime" },     { 's', "status" }, { 'k', "digest" },    { 'r', "redirect" },
	{ 'M', "metatags" }, { 'S', "length" }, { 'V', "offset" },    { 'g', "filename" },
};

struct cdx_line *cdx_line_new(void)
{
	static const struct json_rules rules = { .depth_most = JSON_DEPTH_MOST };
	struct cdx_line *c = calloc(1, sizeof(*c));
	if (c)
		c->reader = json_reader_new(&rules);
	if (c && c->reader)
		return c;
	free(c);
	return NULL;
}

/* ---- CDX ---- */

static size_t split(struct slice line, struct slice *fields)
{
	size_t n = 0;
	while (line.len && n < FIELDS_MOST) {
		const uint8_t *space = memchr(line.data, ' ', line.len);
		fields[n] = slice_first(line, space ? (size_t)(space - line.data) : line.len);
		line = slice_skip(line, fields[n++].len + 1);
	}
	return n;
}

/* " CDX N b a m s k r M S V g" */
static bool take_header(struct cdx_line *c, struct slice line)
{
	static const char word[] = "CDX ";
	const size_t n = sizeof(word) - 1;
	line = slice_trim(line);
	if (line.len < n || memcmp(line.data, word, n) != 0)
		return false;
	size_t count = split(slice_skip(line, n), c->fields);
	for (size_t i = 0; i < count; i++)
		c->letters[i] = c->fields[i].len == 1 ? (char)c->fields[i].data[0] : '?';
	c->letters[count] = '\0';
	return true;
}

/* ---- CDXJ ---- */

/* ---- both ---- */

int cdx_line_read(struct cdx_line *c, struct slice line, struct error *err)
{
	c->n_members = 0;
	buf_clear(&c->strings);
	c->present[0] = '\0';
	if (slice_trim(line).len == 0 || take_header(c, line))
		return CDX_NOTHING;
	if (line.data[0] == '!') /* header lines of CDXJ */
		return CDX_NOTHING;
	c->n_fields = split(line, c->fields);
	if (c->n_fields == 1)
		return CDX_FILE;
	if (c->n_fields > 2 && c->fields[2].len && c->fields[2].data[0] == '{') {
		struct slice json = slice_skip(line, (size_t)(c->fields[2].data - line.data));
		struct error fault = { 0 };
		struct json_value root;
		int status = json_read(c->reader, json, &root, &fault);
		if (status == DANA_EFORMAT)
			return error_set(err, DANA_EFORMAT, "its JSON cannot be read: %s", fault.text);
		if (status == DANA_OK)
			status = buf_reserve(&c->strings, json.len); /* so that they stay where they are */
		struct json_walk w = json_walk(root);
		while (status == DANA_OK && json_walk_next(&w)) {
			/* Some writers give numbers as numbers. Whatever else is not text stays as it is written; null
			 * is as if it were not there. */
			struct member *more = grow_items(c->members, c->n_members, &c->cap_members, sizeof(*more));
			struct slice text;
			bool any;
			if (!more)
				return error_no_memory(err);
			c->members = more;
			status = json_characters(w.value, &c->strings, &text, &any);
			if (json_kind(w.value) != JSON_IS_STRING && json_kind(w.value) != JSON_IS_NULL)
				text = json_written(w.value);
			more[c->n_members++] = (struct member){ w.name, text };
		}
		return status < 0 ? error_no_memory(err) : CDX_RECORD;
	}
	if (c->n_fields == 2 && memchr(line.data, '\t', line.len))
		return error_set(err, DANA_EFORMAT,
				 "this is the index of an index (cluster.idx); expected its parts, cdx-NNNNN.gz");
	static const char *const forms[] = { [9] = "NbamskrVg", [10] = "NbamskrMVg", [11] = "NbamskrMSVg" };
	const char *form = c->letters[0]                                    ? c->letters
			   : c->n_fields < sizeof(forms) / sizeof(forms[0]) ? forms[c->n_fields]
									    : NULL;
	if (!form || strlen(form) > c->n_fields)
		return error_set(err, DANA_EFORMAT, "expected CDXJ, or CDX with 9, 10 or 11 fields");
	(void)snprintf(c->present, sizeof(c->present), "%s", form);
	return CDX_RECORD;
}

struct slice cdx_line_field(const struct cdx_line *c, const char *name)
{
	if (c->present[0]) {
		for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++) {
			const char *at =
				strcmp(letters[i].name, name) == 0 ? strchr(c->present, letters[i].letter) : NULL;
			if (at && !slice_is(c->fields[at - c->present], "-"))
				return c->fields[at - c->present];
		}
		return slice_of(NULL, 0);
	}
	if (strcmp(name, "urlkey") == 0)
		return c->fields[0];
	if (strcmp(name, "timestamp") == 0)
		return c->fields[1];
	for (size_t i = c->n_members; i-- > 0;) {
		if (json_name_is(c->members[i].name, name))
			return c->members[i].text;
	}
	return slice_of(NULL, 0);
}

int cdx_line_place(const struct cdx_line *c, struct slice *file, uint64_t *offset, uint64_t *length, struct error *err)
{
	struct slice size = cdx_line_field(c, "length");
	*file = cdx_line_field(c, "filename");
	*length = 0;
	if (file->len == 0 || memchr(file->data, 0, file->len))
		return error_set(err, DANA_EFORMAT, "it names no file");
	if (!decimal_number(cdx_line_field(c, "offset"), INT64_MAX, offset))
		return error_set(err, DANA_EFORMAT, "its offset is not a number");
	if (size.len && !decimal_number(size, INT64_MAX - *offset, length))
		return error_set(err, DANA_EFORMAT, "its length is not a number, or too large");
	return DANA_OK;
}

void cdx_line_free(struct cdx_line *c)
{
	if (!c)
		return;
	json_reader_free(c->reader);
	free(c->members);
	buf_free(&c->strings);
	free(c);
}

struct prefix {
	struct buf text;
	bool hosts; /* what follows must end the host */
};

struct cdx_condition {
	char *field;             /* the whole text, its '=' replaced by a NUL */
	const char *pattern;     /* in it */
	struct prefix *prefixes; /* of `url` */
	size_t n_prefixes;
};

struct cdx_match {
	struct cdx_condition *conditions;
	size_t n;
	struct buf key; /* of a line whose own is not a SURT key */
};

/* ---- patterns ---- */

/* Linear but for what '*' repeats: after a mismatch only the last one grows. */
static bool glob(struct slice pattern, struct slice value)
{
	size_t p = 0, v = 0, star = SIZE_MAX, from = 0;
	while (v < value.len) {
		if (p < pattern.len && pattern.data[p] == '*') {
			star = p++;
			from = v;
		} else if (p < pattern.len && ascii_lower(pattern.data[p]) == ascii_lower(value.data[v])) {
			p++;
			v++;
		} else if (star != SIZE_MAX) {
			p = star + 1;
			v = ++from;
		} else {
			return false;
		}
	}
	while (p < pattern.len && pattern.data[p] == '*')
		p++;
	return p == pattern.len;
}

/* The next part of a text that `by` divides. Returns false if there was none. */
static bool next_part(struct slice *rest, uint8_t by, struct slice *part)
{
	if (!rest->data)
		return false;
	const uint8_t *end = rest->len ? memchr(rest->data, by, rest->len) : NULL;
	*part = slice_first(*rest, end ? (size_t)(end - rest->data) : rest->len);
	*rest = end ? slice_skip(*rest, part->len + 1) : slice_of(NULL, 0);
	return true;
}

static bool any_alternative(const char *pattern, struct slice value)
{
	struct slice rest = slice_from_text(pattern), part;
	while (next_part(&rest, '|', &part)) {
		if (glob(part, value))
			return true;
	}
	return false;
}

/* ---- url ---- */

/* ---- conditions ---- */

static int match(struct cdx_match *m, const struct cdx_condition *c, const struct cdx_line *line)
{
	if (c->prefixes) {
		/* the key of the line when it is a SURT key, else the key of its URL */
		struct slice key = cdx_line_field(line, "urlkey");
		int status = DANA_OK;
		if (key.len == 0 || !memchr(key.data, ')', key.len)) {
			buf_clear(&m->key);
			status = surt_key(cdx_line_field(line, "url"), &m->key);
			key = buf_slice(&m->key);
		}
		for (size_t i = 0; status == DANA_OK && i < c->n_prefixes; i++) {
			const struct prefix *p = &c->prefixes[i];
			const size_t len = p->text.len;
			const uint8_t next = key.len > len ? key.data[len] : ')';
			status = key.len >= len && memcmp(key.data, p->text.data, len) == 0 &&
				 (!p->hosts || next == ',' || next == ')' || next == ':');
		}
		return status;
	}
	if (strcmp(c->field, "languages") == 0 || strcmp(c->field, "language") == 0) {
		const char *pattern = c->pattern;
		struct slice list = cdx_line_field(line, "languages");
		struct slice item;
		while (list.len && next_part(&list, ',', &item)) {
			if (any_alternative(pattern, slice_trim(item)))
				return true;
		}
		return false;
	}
	struct slice value = cdx_line_field(line, c->field);
	return value.len && any_alternative(c->pattern, value);
}

int cdx_match_line(struct cdx_match *m, const struct cdx_line *line)
{
	int status = 1;
	for (size_t i = 0; i < m->n && status == 1; i++)
		status = match(m, &m->conditions[i], line);
	return status;
}

static int add(struct cdx_match *m, const char *text, struct error *err)
{
	const char *equals = strchr(text, '=');
	struct cdx_condition *c = &m->conditions[m->n];
	if (!equals || equals == text || !equals[1])
		return error_set(err, DANA_ECONFIG,
				 "--cdx-match: expected FIELD=PATTERN, as mime=text/html or languages=ara|fas");
	c->field = strdup(text);
	if (!c->field)
		return error_no_memory(err);
	m->n++;
	c->field[equals - text] = '\0';
	c->pattern = c->field + (equals - text) + 1;
	if (strcmp(c->field, "url") == 0) {
		struct slice rest = slice_from_text(c->pattern), part;
		size_t n = 1;
		for (const char *p = c->pattern; *p; p++)
			n += *p == '|';
		c->prefixes = calloc(n, sizeof(*c->prefixes));
		if (!c->prefixes)
			return error_no_memory(err);
		while (next_part(&rest, '|', &part)) {
			struct prefix *p = &c->prefixes[c->n_prefixes++];
			if (surt_prefix(part, &p->text, &p->hosts) < 0)
				return error_no_memory(err);
		}
	}
	return DANA_OK;
}

struct cdx_match *cdx_match_new(const char *const *texts, size_t n, struct error *err)
{
	struct cdx_match *m = calloc(1, sizeof(*m));
	int status = DANA_OK;
	if (m)
		m->conditions = calloc(n ? n : 1, sizeof(*m->conditions));
	if (!m || !m->conditions)
		status = error_no_memory(err);
	for (size_t i = 0; i < n && status == DANA_OK; i++)
		status = add(m, texts[i], err);
	if (status == DANA_OK)
		return m;
	cdx_match_free(m);
	return NULL;
}

void cdx_match_free(struct cdx_match *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->n; i++) {
		struct cdx_condition *c = &m->conditions[i];
		for (size_t k = 0; k < c->n_prefixes; k++)
			buf_free(&c->prefixes[k].text);
		free(c->prefixes);
		free(c->field);
	}
	free(m->conditions);
	buf_free(&m->key);
	free(m);
}
