/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "dedup/names.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/grow.h"

static int add(struct dedup_names *names, const char *folder, const char *name, struct error *err)
{
	char **items = grow_items(names->items, names->n, &names->cap, sizeof(*items));
	struct buf path = { 0 };

	if (items)
		names->items = items;
	if (folder)
		buf_printf(&path, "%s%s", folder, folder[0] && folder[strlen(folder) - 1] == '/' ? "" : "/");
	buf_append(&path, name, strlen(name) + 1);
	if (!items || buf_status(&path) < 0) {
		buf_free(&path);
		return error_no_memory(err);
	}
	names->items[names->n++] = (char *)path.data;
	return DANA_OK;
}

static bool ends_with(const char *name, const char *suffix)
{
	size_t len = strlen(name), end = strlen(suffix);

	return len > end && strcmp(name + len - end, suffix) == 0;
}

static int by_name(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

static int add_folder(struct dedup_names *names, const char *folder, const char *suffix, struct error *err)
{
	size_t before = names->n;
	DIR *dir = opendir(folder);
	int status = DANA_OK;

	if (!dir)
		return error_set(err, DANA_EIO, "%s: %s", folder, system_text(errno));
	for (struct dirent *entry; status == DANA_OK && (entry = readdir(dir));) {
		if (entry->d_name[0] != '.' && ends_with(entry->d_name, suffix))
			status = add(names, folder, entry->d_name, err);
	}
	(void)closedir(dir);
	if (status == DANA_OK && names->n == before)
		return error_set(err, DANA_EIO, "%s: holds no file that ends with %s", folder, suffix);
	if (names->n)
		qsort(names->items + before, names->n - before, sizeof(*names->items), by_name);
	return status;
}

int dedup_names_gather(struct dedup_names *names, const char *const *given, size_t n, const char *suffix,
		       struct error *err)
{
	int status = DANA_OK;

	for (size_t i = 0; i < n && status == DANA_OK; i++) {
		struct stat st;
		if (stat(given[i], &st) == 0 && S_ISDIR(st.st_mode))
			status = add_folder(names, given[i], suffix, err);
		else
			status = add(names, NULL, given[i], err);
	}
	return status;
}

void dedup_names_free(struct dedup_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->items[i]);
	free(names->items);
	*names = (struct dedup_names){ 0 };
}
