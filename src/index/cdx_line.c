/* SPDX-License-Identifier: MIT */
/*
 * The fields of CDX are told by letters (https://iipc.github.io/warc-specifications/specifications/cdx-format/): a
 * header line names them, and without one their number does.
 */
#include "config.h"

#include "index/cdx_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef HAVE_JANSSON
#include <jansson.h>
#endif

#include "base/ascii.h"
#include "base/decimal.h"

enum { FIELDS_MOST = 32, NUMBER_SIZE = 24 };

struct cdx_line {
	char letters[FIELDS_MOST + 1]; /* of the header; empty: there was none */
	char present[FIELDS_MOST + 1]; /* of the line that was read; empty: CDXJ */
	struct slice fields[FIELDS_MOST];
	size_t n_fields;
#ifdef HAVE_JANSSON
	json_t *object;
#endif
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
	return calloc(1, sizeof(struct cdx_line));
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

#ifdef HAVE_JANSSON
/* Some writers give numbers as numbers. */
static int numbers_to_texts(json_t *object)
{
	const char *key;
	json_t *value;
	void *next;

	json_object_foreach_safe(object, next, key, value)
	{
		char text[NUMBER_SIZE];
		if (!json_is_integer(value))
			continue;
		(void)snprintf(text, sizeof(text), "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		if (json_object_set_new(object, key, json_string(text)) != 0)
			return DANA_ENOMEM;
	}
	return CDX_RECORD;
}

static int read_json(struct cdx_line *c, struct slice json, struct error *err)
{
	json_error_t fault;

	c->object = json_loadb((const char *)json.data, json.len, 0, &fault);
	if (json_is_object(c->object))
		return numbers_to_texts(c->object);
	return error_set(err, DANA_EFORMAT, "its JSON cannot be read: %s", c->object ? "it is no object" : fault.text);
}
#else
static int read_json(struct cdx_line *c, struct slice json, struct error *err)
{
	(void)c, (void)json;
	return error_set(err, DANA_EFORMAT, "CDXJ cannot be read: dana was built without jansson");
}
#endif

/* ---- both ---- */

static void forget(struct cdx_line *c)
{
#ifdef HAVE_JANSSON
	json_decref(c->object);
	c->object = NULL;
#endif
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

struct slice cdx_line_field(const struct cdx_line *c, const char *name)
{
#ifdef HAVE_JANSSON
	if (c->object) {
		if (strcmp(name, "urlkey") == 0)
			return c->fields[0];
		if (strcmp(name, "timestamp") == 0)
			return c->fields[1];
		const json_t *value = json_object_get(c->object, name);
		return slice_of(json_string_value(value), json_string_length(value));
	}
#endif
	return of_letters(c, name);
}

/* CDXJ has a value of this name that is neither text nor a whole number. */
static bool is_strange(const struct cdx_line *c, const char *name)
{
#ifdef HAVE_JANSSON
	const json_t *value = c->object ? json_object_get(c->object, name) : NULL;
	return value && !json_is_string(value) && !json_is_null(value);
#else
	(void)c, (void)name;
	return false;
#endif
}

int cdx_line_place(const struct cdx_line *c, struct slice *file, uint64_t *offset, uint64_t *length, struct error *err)
{
	struct slice size = cdx_line_field(c, "length");

	*file = cdx_line_field(c, "filename");
	*length = 0;
	if (file->len == 0 || memchr(file->data, 0, file->len))
		return error_set(err, DANA_EFORMAT, "it names no file");
	if (!decimal_number(cdx_line_field(c, "offset"), INT64_MAX, offset))
		return error_set(err, DANA_EFORMAT, "its offset is no number");
	if (is_strange(c, "length") || (size.len && !decimal_number(size, INT64_MAX - *offset, length)))
		return error_set(err, DANA_EFORMAT, "its length is no number, or too large");
	return DANA_OK;
}

void cdx_line_free(struct cdx_line *c)
{
	if (c)
		forget(c);
	free(c);
}
