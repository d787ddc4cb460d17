/* SPDX-License-Identifier: MIT */
/*
 * The fields of CDX are named by letters (https://iipc.github.io/warc-specifications/specifications/cdx-format/): a
 * header line names them, and without one their number does.
 */
#include "config.h"

#include "io/index/cdx_line.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/decimal.h"
#include "base/grow.h"
#include "base/json_reader.h"

enum { FIELDS_MOST = 32 };

/* Of CDXJ. */
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

static const char *letters_of(size_t count)
{
	switch (count) {
	case 9:
		return "NbamskrVg";
	case 10:
		return "NbamskrMVg";
	case 11:
		return "NbamskrMSVg";
	default:
		return NULL;
	}
}

static int read_cdx(struct cdx_line *c, struct error *err)
{
	const char *form = c->letters[0] ? c->letters : letters_of(c->n_fields);

	if (!form || strlen(form) > c->n_fields)
		return error_set(err, DANA_EFORMAT, "expected CDXJ, or CDX with 9, 10 or 11 fields");
	(void)snprintf(c->present, sizeof(c->present), "%s", form);
	return CDX_RECORD;
}

/* ---- CDXJ ---- */

/* Some writers give numbers as numbers. Whatever else is not text stays as it is written; null is as if it were not
 * there. */
static int read_member(struct cdx_line *c, struct slice name, struct json_value value)
{
	struct member *more = grow_items(c->members, c->n_members, &c->cap_members, sizeof(*more));
	struct slice text;
	bool any;

	if (!more)
		return DANA_ENOMEM;
	c->members = more;
	int status = json_characters(value, &c->strings, &text, &any);
	if (json_kind(value) != JSON_IS_STRING && json_kind(value) != JSON_IS_NULL)
		text = json_written(value);
	more[c->n_members++] = (struct member){ name, text };
	return status;
}

static int read_json(struct cdx_line *c, struct slice json, struct error *err)
{
	struct error fault = { 0 };
	struct json_value root;
	int status = json_read(c->reader, json, &root, &fault);
	if (status == DANA_EFORMAT)
		return error_set(err, DANA_EFORMAT, "its JSON cannot be read: %s", fault.text);
	if (status == DANA_OK)
		status = buf_reserve(&c->strings, json.len); /* so that they stay where they are */
	struct json_walk w = json_walk(root);
	while (status == DANA_OK && json_walk_next(&w))
		status = read_member(c, w.name, w.value);
	return status < 0 ? error_no_memory(err) : CDX_RECORD;
}

/* ---- both ---- */

static void forget(struct cdx_line *c)
{
	c->n_members = 0;
	buf_clear(&c->strings);
	c->present[0] = '\0';
}

int cdx_line_read(struct cdx_line *c, struct slice line, struct error *err)
{
	forget(c);
	if (slice_trim(line).len == 0 || take_header(c, line))
		return CDX_NOTHING;
	if (line.data[0] == '!') /* header lines of CDXJ */
		return CDX_NOTHING;
	c->n_fields = split(line, c->fields);
	if (c->n_fields == 1)
		return CDX_FILE;
	if (c->n_fields > 2 && c->fields[2].len && c->fields[2].data[0] == '{')
		return read_json(c, slice_skip(line, (size_t)(c->fields[2].data - line.data)), err);
	if (c->n_fields == 2 && memchr(line.data, '\t', line.len))
		return error_set(err, DANA_EFORMAT,
				 "this is the index of an index (cluster.idx); expected its parts, cdx-NNNNN.gz");
	return read_cdx(c, err);
}

static struct slice of_letters(const struct cdx_line *c, const char *name)
{
	for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++) {
		const char *at = strcmp(letters[i].name, name) == 0 ? strchr(c->present, letters[i].letter) : NULL;
		if (at && !slice_is(c->fields[at - c->present], "-"))
			return c->fields[at - c->present];
	}
	return slice_of(NULL, 0);
}

static struct slice of_members(const struct cdx_line *c, const char *name)
{
	for (size_t i = c->n_members; i-- > 0;) {
		if (json_name_is(c->members[i].name, name))
			return c->members[i].text;
	}
	return slice_of(NULL, 0);
}

struct slice cdx_line_field(const struct cdx_line *c, const char *name)
{
	if (c->present[0])
		return of_letters(c, name);
	if (strcmp(name, "urlkey") == 0)
		return c->fields[0];
	if (strcmp(name, "timestamp") == 0)
		return c->fields[1];
	return of_members(c, name);
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
