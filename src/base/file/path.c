/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/file/path.h"

#include <stdlib.h>
#include <string.h>

const char *path_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	return slash ? slash + 1 : path;
}

char *path_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
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
