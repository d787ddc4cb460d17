/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/pages/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/printable.h"
#include "run/inputs/output_names.h"

enum { SHOWN = 200 };

static const char *const suffixes[] = { ".html", ".htm", ".xhtml" };

static bool is_page(const char *name)
{
	struct slice s = slice_from_text(name);
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		size_t len = strlen(suffixes[i]);
		if (s.len > len && slice_equal_nocase(slice_skip(s, s.len - len), slice_from_text(suffixes[i])))
			return true;
	}
	return false;
}

static void report_skipped(const struct notices *to, const char *path, const char *what)
{
	char shown[SHOWN];
	notice(to, "%s: %s", printable(slice_from_text(path), shown, sizeof(shown)), what);
}

/* `path` is that of an entry of a folder: a page goes to the pages, a folder to the folders. */
static int sort_entry(struct extract_inputs *in, struct name_list *folders, struct slice path, struct error *err)
{
	const char *name = (const char *)path.data;
	struct stat st;
	if (lstat(name, &st) < 0)
		return is_page(name) ? name_list_add(&in->names, path, err)
				     : DANA_OK; /* what is wrong with it is reported when it is read */
	if (S_ISDIR(st.st_mode))
		return name_list_add(folders, path, err);
	return is_page(name) && (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)) ? name_list_add(&in->names, path, err)
									     : DANA_OK;
}

static int search_one(struct extract_inputs *in, struct name_list *folders, const char *folder, struct error *err)
{
	struct buf path = { 0 };
	int status = DANA_OK;
	size_t len = strlen(folder);
	DIR *dir = opendir(folder);
	if (!dir) {
		report_skipped(&in->notices, folder, system_text(errno));
		in->failed = true;
		return DANA_OK;
	}
	for (struct dirent *e = readdir(dir); e && status == DANA_OK; e = readdir(dir)) {
		if (e->d_name[0] == '.')
			continue;
		buf_clear(&path);
		buf_printf(&path, "%s%s%s", folder, len && folder[len - 1] == '/' ? "" : "/", e->d_name);
		size_t end = path.len;
		status = buf_append_byte(&path, 0) < 0 ? error_no_memory(err)
						       : sort_entry(in, folders, slice_of(path.data, end), err);
	}
	(void)closedir(dir);
	buf_free(&path);
	return status;
}

/* Folder after folder from a list, so that no depth of folders needs a deep stack. */
static int search(struct extract_inputs *in, const char *folder, struct error *err)
{
	struct name_list folders = { .memory = in->names.memory };
	size_t first = in->names.n;
	int status = name_list_add(&folders, slice_from_text(folder), err);
	while (status == DANA_OK && folders.n > 0)
		status = search_one(in, &folders, folders.items[--folders.n], err);
	name_list_free(&folders);
	if (status < 0)
		return status;
	if (in->names.n == first && !in->failed)
		report_skipped(&in->notices, folder, "no file in it ends in .html, .htm or .xhtml");
	else if (in->names.n > first)
		qsort(in->names.items + first, in->names.n - first, sizeof(*in->names.items), output_names_compare);
	return DANA_OK;
}

static bool is_folder(const char *given)
{
	struct stat st;
	return strcmp(given, "-") != 0 && stat(given, &st) == 0 && S_ISDIR(st.st_mode);
}

bool extract_inputs_several(const char *const *given, size_t n)
{
	return n > 1 || (n == 1 && is_folder(given[0]));
}

int extract_inputs_gather(struct extract_inputs *in, const char *const *given, size_t n, struct error *err)
{
	size_t standard = n == 0;
	in->names.memory = arena_new();
	int status = in->names.memory ? DANA_OK : error_no_memory(err);
	if (n == 0 && status == DANA_OK)
		status = name_list_add(&in->names, slice_from_text("-"), err);
	for (size_t i = 0; i < n && status == DANA_OK; i++) {
		standard += strcmp(given[i], "-") == 0;
		if (is_folder(given[i]))
			status = search(in, given[i], err);
		else
			status = name_list_add(&in->names, slice_from_text(given[i]), err);
	}
	if (status == DANA_OK && standard > 1)
		return error_set(err, DANA_ECONFIG, "standard input (-) is asked for %zu times; it can be read once",
				 standard);
	return status;
}

static const char *output_name(struct extract_inputs *in, const char *folder, const char *input, const char *suffix,
			       struct error *err)
{
	struct slice base, copy = { NULL, 0 };
	struct buf name = { 0 };
	if (output_names_base(input, &base, err) < 0)
		return NULL;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes) && !output_names_cut(&base, suffixes[i]);)
		i++;
	if (buf_printf(&name, "%s/%.*s%s", folder, (int)base.len, (const char *)base.data, suffix) == DANA_OK)
		copy = arena_copy(in->names.memory, buf_slice(&name));
	buf_free(&name);
	if (!copy.data)
		(void)error_no_memory(err);
	return (const char *)copy.data;
}

int extract_inputs_outputs(struct extract_inputs *in, const char *folder, const char *suffix, struct error *err)
{
	const char **sorted = NULL;
	in->outputs = calloc(in->names.n ? in->names.n : 1, sizeof(*in->outputs));
	if (!in->outputs)
		return error_no_memory(err);
	for (size_t i = 0; i < in->names.n; i++) {
		in->outputs[i] = output_name(in, folder, in->names.items[i], suffix, err);
		if (!in->outputs[i])
			return err->status;
	}
	int status = output_names_sort(in->outputs, in->names.items, in->names.n, &sorted, err);
	free(sorted);
	return status;
}

void extract_inputs_free(struct extract_inputs *in)
{
	name_list_free(&in->names);
	free(in->outputs);
	arena_free(in->names.memory);
}
