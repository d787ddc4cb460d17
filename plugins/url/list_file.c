/* SPDX-License-Identifier: MIT */
/* zlib's files read plain ones too, and lines of both; a gzip file may have many members. */
#include "plugins/url/list_file.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/ascii.h"
#include "base/printable.h"

enum { BUFFER = 256 << 10, SHOWN = 256 };

static struct slice without_comment(struct slice line)
{
	for (size_t i = memchr(line.data, '#', line.len) ? 0 : line.len; i < line.len; i++) {
		if (line.data[i] == '#' && (i == 0 || ascii_is_space(line.data[i - 1])))
			line.len = i;
	}
	return slice_trim(line);
}

static int read_lines(gzFile f, struct list_place *place, char *line,
		      int (*entry)(void *arg, struct slice text, const struct list_place *place, struct error *err),
		      void *arg, struct error *err)
{
	int status = DANA_OK;
	while (status == DANA_OK && gzgets(f, line, LIST_LINE_MOST)) {
		const size_t len =
			strlen(line); /* a zero byte ends an entry, which the next check of it refuses or takes */
		place->line++;
		if (len == LIST_LINE_MOST - 1)
			return error_set(err, DANA_EIO, "%s:%lu: a line of more than 64K", place->file, place->line);
		const struct slice text = without_comment(slice_of(line, len));
		if (text.len)
			status = entry(arg, text, place, err);
	}
	return status;
}

static int fault_of(gzFile f, const char *file, struct error *err)
{
	int error = Z_OK;
	(void)gzerror(f, &error);
	if (error == Z_OK || error == Z_STREAM_END)
		return DANA_OK;
	return error_set(err, DANA_EIO, "%s: %s", file,
			 error == Z_ERRNO ? system_text(errno) : "compressed data that is damaged or cut off");
}

int list_file_read(const char *file,
		   int (*entry)(void *arg, struct slice text, const struct list_place *place, struct error *err),
		   void *arg, struct error *err)
{
	char shown[SHOWN];
	struct list_place place = { .file = printable(slice_from_text(file), shown, sizeof(shown)) };
	errno = 0;
	gzFile f = gzopen(file, "rbe");
	if (!f)
		return error_set(err, DANA_EIO, "%s: %s", place.file,
				 errno ? system_text(errno) : status_text(DANA_ENOMEM));
	(void)gzbuffer(f, BUFFER);
	char *line = malloc(LIST_LINE_MOST);
	int status = line ? read_lines(f, &place, line, entry, arg, err)
			  : error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	if (status == DANA_OK)
		status = fault_of(f, place.file, err);
	free(line);
	(void)gzclose(f);
	return status;
}
