/* SPDX-License-Identifier: MIT */
/* base/system.h on Windows, without what only a service needs. */
#include "config.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "base/slice.h"
#include "base/system.h"
#include "base/utf8.h"
#include "windows/inside.h"

/* After a drive, too. */
size_t system_name_at(const char *path)
{
	size_t at = strlen(path);
	while (at > 0 && !strchr("/\\:", path[at - 1]))
		at--;
	return at;
}

static uint32_t next_capital(struct slice *text)
{
	enum { ALONE = 0x10000 }; /* those above have no pairs in names */
	uint32_t c = 0;
	*text = slice_skip(*text, utf8_decode(*text, &c));
	return c < ALONE ? windows_capital((wchar_t)c) : c;
}

int system_compare_paths(const char *a, const char *b)
{
	struct slice x = slice_from_text(a), y = slice_from_text(b);
	while (x.len && y.len) {
		const uint32_t c = next_capital(&x), d = next_capital(&y);
		if (c != d)
			return c < d ? -1 : 1;
	}
	return x.len ? 1 : y.len ? -1 : 0;
}

void system_slashes(char *path)
{
	while ((path = strchr(path, '\\')))
		*path = '/';
}

/* "C:" is the folder of that drive where the program runs, which is another one than `base` of a list. */
bool system_path_is_whole(const char *path)
{
	return path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
}

bool system_random(void *bytes, size_t len)
{
	unsigned value = 0;
	for (size_t i = 0; i < len; i++) {
		if (rand_s(&value) != 0)
			return false;
		((uint8_t *)bytes)[i] = (uint8_t)value;
	}
	return true;
}

int system_sync(int fd)
{
	return fsync(fd);
}

/* NTFS takes the space when the length is set. */
int system_allocate(int fd, off_t bytes)
{
	return ftruncate(fd, bytes) < 0 ? errno : 0;
}

bool system_program(char *path, size_t size)
{
	wchar_t *wide = malloc(WINDOWS_NAME_MOST * sizeof(*wide));
	const DWORD n = wide ? GetModuleFileNameW(NULL, wide, WINDOWS_NAME_MOST) : 0;
	char *text = n > 0 && n < WINDOWS_NAME_MOST ? windows_text(wide) : NULL;
	const bool good = text && strlen(text) < size;
	if (good)
		memcpy(path, text, strlen(text) + 1);
	free(text);
	free(wide);
	return good;
}

uint64_t system_most_resident_bytes(const struct rusage *usage)
{
	return (uint64_t)usage->ru_maxrss;
}

unsigned system_cores(void)
{
	DWORD_PTR own, all;
	if (!GetProcessAffinityMask(GetCurrentProcess(), &own, &all) || own == 0)
		return 1;
	return (unsigned)__builtin_popcountll(own);
}

/* The C library has a table of this size. */
size_t system_raise_descriptors(void)
{
	enum { DESCRIPTORS = 8192 };
	return DESCRIPTORS;
}

/* The system reads ahead by itself. */
void system_reads_in_order(int fd)
{
	(void)fd;
}

void system_reads_next(int fd, off_t offset, off_t len)
{
	(void)fd;
	(void)offset;
	(void)len;
}

int system_pipe_size(int fd)
{
	(void)fd;
	return 0;
}

struct sorting {
	int (*compare)(const void *a, const void *b, void *arg);
	void *arg;
};

static int compare_by(void *sorting, const void *a, const void *b)
{
	const struct sorting *o = sorting;
	return o->compare(a, b, o->arg);
}

void system_sort(void *items, size_t n, size_t size, int (*compare)(const void *a, const void *b, void *arg), void *arg)
{
	struct sorting sorting = { compare, arg };
	qsort_s(items, n, size, compare_by, &sorting);
}

size_t system_block_size(void *block)
{
	return _msize(block);
}
