/* SPDX-License-Identifier: MIT */
#include "base/file/whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/status.h"

enum { FILE_MOST = 256 << 20 }; /* bytes; models are a few MiB */

int whole_file_read(void *arg, const char *name, char **data, size_t *len)
{
	struct buf content = { 0 };
	(void)arg;
	FILE *f = fopen(name, "rbe");
	if (!f)
		return errno == ENOENT ? 1 : DANA_EIO;
	int status = DANA_OK;
	size_t n = 1;
	while (status == DANA_OK && n > 0) {
		status = buf_reserve(&content, 64 << 10);
		if (status < 0)
			break;
		n = fread(content.data + content.len, 1, 64 << 10, f);
		content.len += n;
		if (ferror(f) || content.len > FILE_MOST)
			status = DANA_EIO;
	}
	int why = content.len > FILE_MOST ? EFBIG : errno;
	(void)fclose(f);
	if (status < 0) {
		buf_free(&content);
		errno = why;
		return status;
	}
	*data = (char *)content.data; /* from malloc: the library frees it */
	*len = content.len;
	return DANA_OK;
}
