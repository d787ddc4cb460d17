/* SPDX-License-Identifier: MIT */
/* What a folder holds, and the whole path of a file. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "windows/inside.h"

struct folder_walk {
	HANDLE search;
	WIN32_FIND_DATAW found;
	bool fresh; /* `found` has not been given */
	struct dirent entry;
};

DIR *opendir(const char *path)
{
	static const wchar_t all[] = L"\\*";
	wchar_t *folder = windows_name(path), *wanted = NULL;
	DIR *d = calloc(1, sizeof(*d));
	const size_t len = folder ? wcslen(folder) : 0;
	if (d && folder)
		wanted = malloc((len + sizeof(all)) * sizeof(*wanted));
	if (wanted) {
		wmemcpy(wanted, folder, len);
		wmemcpy(wanted + len, all, sizeof(all) / sizeof(*all));
		d->fresh = true;
		d->search = FindFirstFileExW(wanted, FindExInfoBasic, &d->found, FindExSearchNameMatch, NULL, 0);
	}
	const bool good = wanted && d->search != INVALID_HANDLE_VALUE;
	if (wanted && !good) {
		(void)windows_failed();
		const DWORD is = GetFileAttributesW(folder);
		if (is != INVALID_FILE_ATTRIBUTES && !(is & FILE_ATTRIBUTE_DIRECTORY))
			errno = ENOTDIR;
	}
	const int error = errno;
	free(wanted);
	free(folder);
	if (good)
		return d;
	free(d);
	errno = error;
	return NULL;
}

struct dirent *readdir(DIR *d)
{
	if (!d->fresh && !FindNextFileW(d->search, &d->found)) {
		if (GetLastError() != ERROR_NO_MORE_FILES)
			(void)windows_failed();
		return NULL;
	}
	d->fresh = false;
	char *name = windows_text(d->found.cFileName);
	if (!name)
		return NULL;
	memcpy(d->entry.d_name, name, strlen(name) + 1);
	free(name);
	return &d->entry;
}

int closedir(DIR *d)
{
	const bool good = FindClose(d->search);
	free(d);
	return good ? 0 : windows_failed();
}

int alphasort(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int compare_entries(const void *a, const void *b)
{
	return alphasort((const struct dirent **)(uintptr_t)a, (const struct dirent **)(uintptr_t)b);
}

/* In the order of alphasort, whatever `compare` is. */
int scandir(const char *path, struct dirent ***entries, int (*wanted)(const struct dirent *entry),
	    int (*compare)(const struct dirent **a, const struct dirent **b))
{
	struct dirent **list = NULL;
	size_t n = 0;
	DIR *d = opendir(path);
	(void)compare;
	if (!d)
		return -1;
	bool good = true;
	for (struct dirent *e; good && (e = readdir(d));) {
		if (!wanted(e))
			continue;
		struct dirent **more = realloc(list, (n + 1) * sizeof(*more)), *copy = malloc(sizeof(*copy));
		list = more ? more : list;
		good = more && copy;
		if (good) {
			*copy = *e;
			list[n++] = copy;
		} else {
			free(copy);
		}
	}
	(void)closedir(d);
	if (!good) {
		while (n > 0)
			free(list[--n]);
		free(list);
		errno = ENOMEM;
		return -1;
	}
	if (n)
		qsort(list, n, sizeof(*list), compare_entries);
	*entries = list;
	return (int)n;
}

/* With slashes, and without the prefix for long names. */
char *realpath(const char *path, char *to)
{
	wchar_t *name = windows_name(path), *full = name ? malloc(WINDOWS_NAME_MOST * sizeof(*full)) : NULL;
	HANDLE file = full ? CreateFileW(name, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
					 OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL)
			   : INVALID_HANDLE_VALUE;
	const DWORD n = file == INVALID_HANDLE_VALUE ? 0 : GetFinalPathNameByHandleW(file, full, WINDOWS_NAME_MOST, 0);
	char *text = NULL;
	if (full && (n == 0 || n >= WINDOWS_NAME_MOST)) {
		(void)windows_failed();
	} else if (full) {
		static const wchar_t device[] = L"\\\\?\\", share[] = L"\\\\?\\UNC\\";
		wchar_t *begin = full;
		if (wcsncmp(full, share, 8) == 0) {
			begin = full + 6;
			*begin = '\\';
		} else if (wcsncmp(full, device, 4) == 0) {
			begin = full + 4;
		}
		text = windows_text(begin);
		for (char *at = text; at && (at = strchr(at, '\\'));)
			*at = '/';
	}
	const int error = errno;
	if (file != INVALID_HANDLE_VALUE)
		(void)CloseHandle(file);
	free(full);
	free(name);
	errno = error;
	if (!to || !text)
		return text;
	const size_t len = strlen(text);
	if (len >= PATH_MAX)
		errno = ENAMETOOLONG;
	else
		memcpy(to, text, len + 1);
	free(text);
	return len < PATH_MAX ? to : NULL;
}
