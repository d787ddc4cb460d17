/* SPDX-License-Identifier: MIT */
/* Blocks are split into lines, most of which are an entry. */
#include "plugins/url/list_file.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/printable.h"
#include "plugins/url/list_bytes.h"

enum { SHOWN = 256 };

/** The decoded file, block by block; a line that begins in one block and ends in the next is moved to the start. */
struct reader {
	struct list_bytes bytes;
	struct list_place place;
	int fault; /* of reading: 0, or DANA_EIO or DANA_ENOMEM, with a text in *err */
	struct error *err;
	uint8_t data[LIST_LINE_MOST + LIST_BLOCK];
	size_t at, len;
	bool comments, zeros; /* the block may contain '#'; zero bytes */
};

/** Reads the next block after the rest of the last one. Returns false at the end of the file. */
static bool next_block(struct reader *r)
{
	const size_t left = r->len - r->at;
	memmove(r->data, r->data + r->at, left);
	r->at = 0;
	r->len = left;
	const int n = list_bytes_read(&r->bytes, r->data + left, LIST_BLOCK, r->place.file, r->err);
	r->fault = n < 0 ? n : DANA_OK;
	if (n <= 0)
		return false;
	r->len += (size_t)n;
	r->comments = memchr(r->data, '#', r->len);
	r->zeros = memchr(r->data, 0, r->len);
	return true;
}

/**
 * Finds the next line, without its line end; the last line may lack one. Returns false at the end of the file, or if
 * the line is too long.
 */
static bool next_line(struct reader *r, struct slice *line)
{
	const uint8_t *end;
	while (!(end = memchr(r->data + r->at, '\n', r->len - r->at))) {
		const bool more = r->len - r->at < LIST_LINE_MOST && next_block(r);
		if (more)
			continue;
		if (r->fault < 0)
			return false;
		*line = slice_of(r->data + r->at, r->len - r->at);
		r->at = r->len;
		return line->len > 0;
	}
	*line = slice_of(r->data + r->at, (size_t)(end - r->data) - r->at);
	r->at += line->len + 1;
	return true;
}

/**
 * Returns the line without its comment, and without white space at its ends. A zero byte ends an entry; the caller's
 * check accepts or refuses it.
 */
static struct slice entry_of(const struct reader *r, struct slice line)
{
	const uint8_t *zero = r->zeros ? memchr(line.data, 0, line.len) : NULL;
	if (zero)
		line.len = (size_t)(zero - line.data);
	for (size_t i = 0; r->comments && i < line.len; i++) {
		if (line.data[i] == '#' && (i == 0 || ascii_is_space(line.data[i - 1])))
			line.len = i;
	}
	return slice_trim(line);
}

static int read_lines(struct reader *r,
		      int (*entry)(void *arg, struct slice text, const struct list_place *place, struct error *err),
		      void *arg, struct error *err)
{
	struct slice line;
	int status = DANA_OK;
	while (status == DANA_OK && next_line(r, &line)) {
		r->place.line++;
		if (line.len >= LIST_LINE_MOST - 1)
			return error_set(err, DANA_EIO, "%s:%lu: a line of more than 64K", r->place.file,
					 r->place.line);
		const struct slice text = entry_of(r, line);
		if (text.len)
			status = entry(arg, text, &r->place, err);
	}
	return status == DANA_OK ? r->fault : status;
}

int list_file_read(const char *file,
		   int (*entry)(void *arg, struct slice text, const struct list_place *place, struct error *err),
		   void *arg, struct error *err)
{
	char shown[SHOWN];
	struct reader *r = malloc(sizeof(*r));
	if (!r)
		return error_no_memory(err);
	r->at = r->len = 0;
	r->fault = DANA_OK;
	r->place = (struct list_place){ .file = printable(slice_from_text(file), shown, sizeof(shown)) };
	r->err = err;
	int status = list_bytes_open(&r->bytes, file, r->place.file, err);
	if (status == DANA_OK) {
		status = read_lines(r, entry, arg, err);
		list_bytes_close(&r->bytes);
	}
	free(r);
	return status;
}
