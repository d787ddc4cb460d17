/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "io/index/cdx_match.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "io/index/surt.h"

struct prefix {
	struct buf text;
	bool hosts; /* what follows must end the host */
};

struct condition {
	char *field;             /* the whole text, its '=' replaced by a NUL */
	const char *pattern;     /* in it */
	struct prefix *prefixes; /* of `url` */
	size_t n_prefixes;
};

struct cdx_match {
	struct condition *conditions;
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

static bool any_item(const char *pattern, struct slice list)
{
	struct slice item;

	while (list.len && next_part(&list, ',', &item)) {
		if (any_alternative(pattern, slice_trim(item)))
			return true;
	}
	return false;
}

/* ---- url ---- */

static bool has_prefix(const struct prefix *p, struct slice key)
{
	if (key.len < p->text.len || memcmp(key.data, p->text.data, p->text.len) != 0)
		return false;
	if (!p->hosts)
		return true;
	uint8_t next = key.len > p->text.len ? key.data[p->text.len] : ')';
	return next == ',' || next == ')' || next == ':';
}

/* The key of the line when it is a SURT key, else that of its URL. */
static int key_of(struct cdx_match *m, const struct cdx_line *line, struct slice *key)
{
	*key = cdx_line_field(line, "urlkey");
	if (key->len && memchr(key->data, ')', key->len))
		return DANA_OK;
	buf_clear(&m->key);
	int status = surt_key(cdx_line_field(line, "url"), &m->key);
	*key = buf_slice(&m->key);
	return status;
}

static int match_url(struct cdx_match *m, const struct condition *c, const struct cdx_line *line)
{
	struct slice key;
	int status = key_of(m, line, &key);

	for (size_t i = 0; status == DANA_OK && i < c->n_prefixes; i++)
		status = has_prefix(&c->prefixes[i], key);
	return status;
}

/* ---- conditions ---- */

static bool is_languages(const char *field)
{
	return strcmp(field, "languages") == 0 || strcmp(field, "language") == 0;
}

static int match(struct cdx_match *m, const struct condition *c, const struct cdx_line *line)
{
	if (c->prefixes)
		return match_url(m, c, line);
	if (is_languages(c->field))
		return any_item(c->pattern, cdx_line_field(line, "languages"));
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

static int add_prefixes(struct condition *c)
{
	struct slice rest = slice_from_text(c->pattern), part;
	size_t n = 1;

	for (const char *p = c->pattern; *p; p++)
		n += *p == '|';
	c->prefixes = calloc(n, sizeof(*c->prefixes));
	if (!c->prefixes)
		return DANA_ENOMEM;
	while (next_part(&rest, '|', &part)) {
		struct prefix *p = &c->prefixes[c->n_prefixes++];
		if (surt_prefix(part, &p->text, &p->hosts) < 0)
			return DANA_ENOMEM;
	}
	return DANA_OK;
}

static int add(struct cdx_match *m, const char *text, struct error *err)
{
	const char *equals = strchr(text, '=');
	struct condition *c = &m->conditions[m->n];

	if (!equals || equals == text || !equals[1])
		return error_set(err, DANA_ECONFIG,
				 "--cdx-match: expected FIELD=PATTERN, as mime=text/html or languages=ara|fas");
	c->field = strdup(text);
	if (!c->field)
		return error_no_memory(err);
	m->n++;
	c->field[equals - text] = '\0';
	c->pattern = c->field + (equals - text) + 1;
	if (strcmp(c->field, "url") == 0 && add_prefixes(c) < 0)
		return error_no_memory(err);
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
		struct condition *c = &m->conditions[i];
		for (size_t k = 0; k < c->n_prefixes; k++)
			buf_free(&c->prefixes[k].text);
		free(c->prefixes);
		free(c->field);
	}
	free(m->conditions);
	buf_free(&m->key);
	free(m);
}
