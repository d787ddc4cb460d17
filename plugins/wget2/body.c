/* SPDX-License-Identifier: MIT */
/*
 * wget_downloaded_file_get_contents returns the length that the server sent, even if that is the length of a coded body
 * and the bytes come from the file on disk. So it is called only for bodies that wget2 has in memory, where the length
 * is right: such a file opens as a stream without a descriptor.
 */
#include "config.h"

#include "plugins/wget2/body.h"

#include <stdio.h>

#include "base/status.h"

static bool read_file(FILE *stream, size_t most, struct buf *copy, bool *cut)
{
	enum { PIECE = 64 << 10 };
	size_t n = 1;
	while (n > 0 && copy->len <= most) {
		if (buf_reserve(copy, PIECE) < 0)
			return false;
		n = fread(copy->data + copy->len, 1, PIECE, stream);
		copy->len += n;
	}
	*cut = copy->len > most;
	if (*cut)
		copy->len = most;
	return !ferror(stream);
}

static bool read_memory(host_file *file, size_t most, struct slice *body, bool *cut)
{
	const void *data;
	size_t size;
	if (wget_downloaded_file_get_contents(file, &data, &size) != 0 || (!data && size))
		return false;
	*body = slice_of(data, size < most ? size : most);
	*cut = size > most;
	return true;
}

bool body_read(host_file *file, size_t most, struct buf *copy, struct slice *body, bool *cut)
{
	FILE *stream = wget_downloaded_file_open_stream(file);
	bool good;
	if (!stream)
		return false;
	if (fileno(stream) < 0) {
		good = read_memory(file, most, body, cut);
	} else {
		good = read_file(stream, most, copy, cut);
		*body = buf_slice(copy);
	}
	(void)fclose(stream);
	return good;
}
