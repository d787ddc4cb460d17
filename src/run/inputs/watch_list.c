/* SPDX-License-Identifier: MIT */
/* Each look into the folder gives sorted names, with which the list, sorted too, is merged: no table is needed. */
#include "config.h"

#include "run/inputs/watch_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "run/inputs/output_names.h"
#include "run/output_kind.h"

enum { SHOWN = 200 };

static int add_names(struct name_list *names, DIR *dir, const char *folder, struct error *err)
{
	char shown[SHOWN];
	struct dirent *entry;
	int status = DANA_OK;
	errno = 0;
	while (status == DANA_OK && (entry = readdir(dir))) {
		struct slice name = slice_from_text(entry->d_name);
		if (name.data[0] != '.' && output_is_archive_name(name))
			status = name_list_add(names, name, err);
		errno = 0;
	}
	if (status == DANA_OK && errno)
		status = error_set(err, DANA_EIO, "--watch: %s: %s",
				   printable(slice_from_text(folder), shown, sizeof(shown)), system_text(errno));
	return status;
}

int watch_list_read(struct name_list *names, const char *folder, struct error *err)
{
	char shown[SHOWN];
	DIR *dir = opendir(folder);
	if (!dir)
		return error_set(err, DANA_EIO, "--watch: %s: %s",
				 printable(slice_from_text(folder), shown, sizeof(shown)), system_text(errno));
	int status = add_names(names, dir, folder, err);
	(void)closedir(dir);
	if (names->n)
		qsort(names->items, names->n, sizeof(*names->items), output_names_compare);
	return status;
}

static void file_free(struct watch_file *file)
{
	if (!file)
		return;
	free(file->input);
	free(file->output);
	free(file);
}

static struct watch_file *file_new(const char *folder, const char *name)
{
	struct watch_file *file = calloc(1, sizeof(*file));
	const size_t len = strlen(folder);
	const char *slash = len && folder[len - 1] == '/' ? "" : "/";
	if (file && asprintf(&file->input, "%s%s%s", folder, slash, name) < 0) {
		free(file);
		return NULL;
	}
	if (file)
		file->name = len + strlen(slash);
	return file;
}

static const char *name_of(const struct watch_file *file)
{
	return file->input + file->name;
}

/* Where a new one finds no memory, the list is still whole without it. */
int watch_list_update(struct watch_list *list, const struct name_list *names, const char *folder, struct error *err)
{
	struct watch_file **merged = calloc(list->n + names->n + 1, sizeof(*merged));
	size_t n = 0, old = 0, i = 0;
	int status = DANA_OK;
	if (!merged)
		return error_no_memory(err);
	while (old < list->n || i < names->n) {
		int order = old == list->n  ? 1
			    : i == names->n ? -1
					    : strcmp(name_of(list->files[old]), names->items[i]);
		if (order < 0 && list->files[old]->state != WATCH_BUSY)
			file_free(list->files[old++]);
		else if (order <= 0)
			merged[n++] = list->files[old++];
		else if ((merged[n] = file_new(folder, names->items[i])))
			n++;
		else
			status = error_no_memory(err);
		i += order >= 0;
	}
	free(list->files);
	*list = (struct watch_list){ merged, n };
	return status;
}

static bool is_rival(const struct watch_file *a, const struct watch_file *b)
{
	return (a->state == WATCH_BUSY || a->state == WATCH_OVER) && a->output && strcmp(a->output, b->output) == 0;
}

/* Names that begin with the same letters stand together. */
const struct watch_file *watch_list_rival(const struct watch_list *list, size_t i)
{
	const struct watch_file *file = list->files[i];
	const size_t base = output_base_name(slice_from_text(name_of(file))).len;
	for (size_t k = i; k-- > 0 && strncmp(name_of(list->files[k]), name_of(file), base) == 0;) {
		if (is_rival(list->files[k], file))
			return list->files[k];
	}
	for (size_t k = i + 1; k < list->n && strncmp(name_of(list->files[k]), name_of(file), base) == 0; k++) {
		if (is_rival(list->files[k], file))
			return list->files[k];
	}
	return NULL;
}

void watch_list_free(struct watch_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		file_free(list->files[i]);
	free(list->files);
}
