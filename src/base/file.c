/* SPDX-License-Identifier: MIT */
/* Names of files, and files read as a whole. */
#include "config.h"

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system.h"

const char *path_name(const char *path)
{
	return path ? path + system_name_at(path) : NULL;
}

char *path_folder(const char *path)
{
	/* what separates stays where it is the root: "/", "C:/", "C:" */
	const size_t n = system_name_at(path);
	const bool root = n < 2 || path[n - 1] == ':' || path[n - 2] == ':';
	return n ? strndup(path, root ? n : n - 1) : strdup(".");
}

char *path_with(const char *path, const char *suffix)
{
	const size_t len = strlen(path), size = strlen(suffix) + 1;
	char *name = malloc(len + size);
	if (name) {
		memcpy(name, path, len);
		memcpy(name + len, suffix, size);
	}
	return name;
}

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
	if (status == DANA_OK)
		status = buf_append_byte(&content, '\0');
	if (content.len > FILE_MOST + 1) {
		status = DANA_EIO;
		why = EFBIG;
	}
	if (status < 0) {
		buf_free(&content);
		errno = why;
		return status;
	}
	*data = (char *)content.data; /* from malloc: the library frees it */
	*len = content.len - 1;
	return DANA_OK;
}
