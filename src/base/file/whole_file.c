/* SPDX-License-Identifier: MIT */
#include "base/file/whole_file.h"

#include <errno.h>

#include "base/status.h"

enum { FILE_MOST = 256 << 20 }; /* bytes; models are a few MiB */

int whole_file_append(FILE *file, uint64_t most, struct buf *out)
{
	enum { PIECE = 64 << 10 };
	for (uint64_t left = most; left > 0;) {
		if (buf_reserve(out, PIECE) < 0)
			return DANA_ENOMEM;
		size_t n = fread(out->data + out->len, 1, left < PIECE ? (size_t)left : PIECE, file);
		if (n == 0)
			return ferror(file) ? DANA_EIO : DANA_OK;
		out->len += n;
		left -= n;
	}
	return DANA_OK;
}

int whole_file_read(void *arg, const char *name, char **data, size_t *len)
{
	struct buf content = { 0 };
	(void)arg;
	FILE *f = fopen(name, "rbe");
	if (!f)
		return errno == ENOENT ? 1 : DANA_EIO;
	int status = whole_file_append(f, FILE_MOST + 1, &content), why = errno;
	(void)fclose(f);
	if (content.len > FILE_MOST) {
		status = DANA_EIO;
		why = EFBIG;
	}
	if (status < 0) {
		buf_free(&content);
		errno = why;
		return status;
	}
	*data = (char *)content.data; /* from malloc: the library frees it */
	*len = content.len;
	return DANA_OK;
}
