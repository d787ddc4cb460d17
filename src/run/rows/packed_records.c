/* SPDX-License-Identifier: MIT */
/*
 * A record ends with two line ends, so it is some lines of the file: those of its head, then as many as its
 * Content-Length and the line ends after the block fill exactly.
 */
#include "config.h"

#include "run/rows/packed_records.h"

#include "base/ascii.h"
#include "base/decimal.h"

enum { HEAD_MOST = 1 << 20, AFTER = 4 /* two line ends */ };

bool packed_record_begins(struct slice line)
{
	return line.len > 5 && memcmp(line.data, "WARC/", 5) == 0;
}

/* 1: *line was appended, with its line end. */
static int take_line(struct packed_lines *p, struct packed_record *r, struct slice *line, struct error *err)
{
	int status = packed_lines_next(p, line, err);

	if (status == 0)
		return error_set(err, DANA_EFORMAT, "is cut inside of a record");
	if (status == 1 && buf_append(&r->bytes, line->data, line->len) < 0)
		return error_no_memory(err);
	return status;
}

/* The value of a field in the head; empty where it is missing. */
static struct slice field(const struct packed_record *r, size_t head, const char *name)
{
	struct slice rest = slice_of(r->bytes.data, head);
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

static int read_head(struct packed_lines *p, struct packed_record *r, struct error *err)
{
	struct slice line;
	int status;

	do {
		status = take_line(p, r, &line, err);
		if (status == 1 && r->bytes.len > HEAD_MOST)
			status = error_set(err, DANA_EFORMAT, "has a record head of more than %d bytes", HEAD_MOST);
	} while (status == 1 && slice_trim(line).len);
	return status;
}

int packed_record_read(struct packed_lines *p, struct slice line, struct packed_record *r, struct error *err)
{
	uint64_t length;

	buf_clear(&r->bytes);
	if (!packed_record_begins(line))
		return error_set(err, DANA_EFORMAT, "holds what is no record");
	if (buf_append(&r->bytes, line.data, line.len) < 0)
		return error_no_memory(err);
	int status = read_head(p, r, err);
	const size_t head = r->bytes.len;
	if (status >= 0 && !decimal_number(field(r, head, "Content-Length"), UINT32_MAX, &length))
		status = error_set(err, DANA_EFORMAT, "has a record without Content-Length");
	while (status >= 0 && r->bytes.len < head + length + AFTER)
		status = take_line(p, r, &line, err);
	if (status < 0)
		return status;
	if (r->bytes.len != head + length + AFTER)
		return error_set(err, DANA_EFORMAT, "has a record with a wrong Content-Length");
	r->conversion = slice_is(field(r, head, "WARC-Type"), "conversion");
	r->id = without_brackets(field(r, head, "WARC-Refers-To"));
	r->url = field(r, head, "WARC-Target-URI");
	return DANA_OK;
}

void packed_record_free(struct packed_record *r)
{
	buf_free(&r->bytes);
	*r = (struct packed_record){ .conversion = false };
}
