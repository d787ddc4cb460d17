/* SPDX-License-Identifier: MIT */
/* What both modules export: memory, the version, and why an object was not made. */
#ifndef DANATEXT_MODULE_H
#define DANATEXT_MODULE_H

#include <dana/dana.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"

#define EXPORT(name) __attribute__((export_name(#name)))

enum { LIST_MOST = 64 };

/** Of the last object that could not be made. */
static int last_status;

EXPORT(status) int js_status(void)
{
	return last_status;
}

EXPORT(take) void *js_take(size_t size)
{
	return malloc(size);
}

EXPORT(give) void js_give(void *block)
{
	free(block);
}

EXPORT(version) const char *js_version(void)
{
	return dana_version();
}

EXPORT(method_name) const char *js_method_name(unsigned i)
{
	return i < dana_method_count() ? dana_method_name(i) : NULL;
}

/** For tests: whether the instructions for vectors are used, which give the same as plain C. */
EXPORT(vectors) void js_vectors(int on)
{
	cpu_level_set(on ? CPU_SSE2 : CPU_PLAIN);
}

/** The texts of a list that an empty one ends; JavaScript sees to it that they are fewer than LIST_MOST. */
static size_t list_of(const char *texts, const char **to)
{
	size_t n = 0;
	for (; texts && *texts && n < LIST_MOST; texts += strlen(texts) + 1)
		to[n++] = texts;
	return n;
}

#endif
