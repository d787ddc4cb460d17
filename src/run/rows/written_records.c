/* SPDX-License-Identifier: MIT */
/*
 * A record ends with two line ends, so it is some lines of the file: those of its head, then as many as its
 * Content-Length and the line ends after the block fill exactly.
 */
#include "config.h"

#include "run/rows/written_records.h"

#include "base/ascii.h"
#include "base/decimal.h"

enum { HEAD_MOST = 1 << 20, AFTER = 4 /* two line ends */ };

bool written_record_begins(struct slice line)
{
	return line.len > 5 && memcmp(line.data, "WARC/", 5) == 0;
}

/* The value of a field in the head; empty where it is missing. */
static struct slice field(const struct written_record *r, const char *name)
{
	struct slice rest = slice_of(r->bytes.data, r->head);
	const size_t len = strlen(name);

	while (rest.len) {
		const uint8_t *end = memchr(rest.data, '\n', rest.len);
		const size_t n = end ? (size_t)(end - rest.data) + 1 : rest.len;
		if (n > len && rest.data[len] == ':' && slice_is(slice_first(rest, len), name))
			return slice_trim(slice_of(rest.data + len + 1, n - len - 1));
		rest = slice_skip(rest, n);
	}
	return slice_of(NULL, 0);
}

static struct slice without_brackets(struct slice id)
{
	bool has = id.len >= 2 && id.data[0] == '<' && id.data[id.len - 1] == '>';

	return has ? slice_of(id.data + 1, id.len - 2) : id;
}

/* Reads the head, which is all that there is of the record so far. */
static int read_head(struct written_record *r, struct error *err)
{
	uint64_t length;

	r->head = r->bytes.len;
	if (!decimal_number(field(r, "Content-Length"), UINT32_MAX, &length))
		return error_set(err, DANA_EFORMAT, "has a record without Content-Length");
	r->whole = r->head + length + AFTER;
	return DANA_OK;
}

/* Names what is in the head once no more bytes come that could move it. */
static void read_fields(struct written_record *r)
{
	r->conversion = slice_is(field(r, "WARC-Type"), "conversion");
	r->id = without_brackets(field(r, "WARC-Refers-To"));
	r->url = field(r, "WARC-Target-URI");
}

bool written_record_is_over(const struct written_record *r)
{
	return r->bytes.len == 0 || r->bytes.len == r->whole;
}

int written_record_take(struct written_record *r, struct slice line, struct error *err)
{
	if (written_record_is_over(r)) {
		buf_clear(&r->bytes);
		r->whole = 0;
		if (!written_record_begins(line))
			return error_set(err, DANA_EFORMAT, "holds what is not a record");
	}
	if (buf_append(&r->bytes, line.data, line.len) < 0)
		return error_no_memory(err);
	if (r->whole == 0) {
		if (r->bytes.len > HEAD_MOST)
			return error_set(err, DANA_EFORMAT, "has a record head of more than %d bytes", HEAD_MOST);
		return slice_trim(line).len ? DANA_OK : read_head(r, err);
	}
	if (r->bytes.len > r->whole)
		return error_set(err, DANA_EFORMAT, "has a record with a wrong Content-Length");
	if (r->bytes.len < r->whole)
		return DANA_OK;
	read_fields(r);
	return 1;
}

void written_record_free(struct written_record *r)
{
	buf_free(&r->bytes);
	*r = (struct written_record){ .conversion = false };
}
