/* SPDX-License-Identifier: MIT */
/* zlib's files read plain ones too, and lines of both; a gzip file may have many members. */
#include "plugins/url/list_file.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/ascii.h"
#include "base/printable.h"

enum { BLOCK = 256 << 10, SHOWN = 256 };

/** The decoded file, block by block; a line that begins in one block and ends in the next is moved to the start. */
struct reader {
	gzFile file;
	struct list_place place;
	uint8_t data[LIST_LINE_MOST + BLOCK];
	size_t at, len;
	bool comments, zeros; /* there may be some in what was read */
};

/** Reads the next block after what is left of the last one. False: the file ends. */
static bool next_block(struct reader *r)
{
	const size_t left = r->len - r->at;
	memmove(r->data, r->data + r->at, left);
	r->at = 0;
	r->len = left;
	const int n = gzread(r->file, r->data + left, BLOCK);
	if (n <= 0)
		return false;
	r->len += (size_t)n;
	r->comments = memchr(r->data, '#', r->len);
	r->zeros = memchr(r->data, 0, r->len);
	return true;
}

/** The next line without its end, or what follows the last line end of the file. False: the file is over, or the line too long. */
static bool next_line(struct reader *r, struct slice *line)
{
	const uint8_t *end;
	while (!(end = memchr(r->data + r->at, '\n', r->len - r->at))) {
		const bool more = r->len - r->at < LIST_LINE_MOST && next_block(r);
		if (more)
			continue;
		*line = slice_of(r->data + r->at, r->len - r->at);
		r->at = r->len;
		return line->len > 0;
	}
	*line = slice_of(r->data + r->at, (size_t)(end - r->data) - r->at);
	r->at += line->len + 1;
	return true;
}

/** The line without a comment and white space at its ends. A zero byte ends an entry, which the next check of it refuses or takes. */
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
	return status;
}

static int fault_of(gzFile f, const char *file, struct error *err)
{
	int error = Z_OK;
	(void)gzerror(f, &error);
	if (error == Z_OK || error == Z_STREAM_END)
		return DANA_OK;
	if (error == Z_MEM_ERROR)
		return error_no_memory(err);
	return error_set(err, DANA_EIO, "%s: %s", file,
			 error == Z_ERRNO ? system_text(errno) : "compressed data that is damaged or cut off");
}

int list_file_read(const char *file,
		   int (*entry)(void *arg, struct slice text, const struct list_place *place, struct error *err),
		   void *arg, struct error *err)
{
	char shown[SHOWN];
	struct reader *r = malloc(sizeof(*r));
	if (!r)
		return error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	r->at = r->len = 0;
	r->place = (struct list_place){ .file = printable(slice_from_text(file), shown, sizeof(shown)) };
	errno = 0;
	r->file = gzopen(file, "rbe");
	if (!r->file) {
		int status = error_set(err, DANA_EIO, "%s: %s", r->place.file,
				       errno ? system_text(errno) : status_text(DANA_ENOMEM));
		free(r);
		return status;
	}
	(void)gzbuffer(r->file, BLOCK);
	int status = read_lines(r, entry, arg, err);
	if (status == DANA_OK)
		status = fault_of(r->file, r->place.file, err);
	(void)gzclose(r->file);
	free(r);
	return status;
}
