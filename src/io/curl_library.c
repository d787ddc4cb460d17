/* SPDX-License-Identifier: MIT */
/*
 * The functions are looked up by name into a table. What the header of libcurl declares is the type of each member, so
 * the compiler checks calls as it would without the table.
 */
#include "config.h"

#include "io/curl_library.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

/* Its number has not changed since 2006: libcurl adds functions, and takes none away. */
#define SONAME "libcurl.so.4"

static struct {
	struct curl_library functions;
	bool loaded;
	char fault[sizeof(((struct error *)0)->text)];
} library;

static uv_once_t once = UV_ONCE_INIT;

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
#define CURL_ROW(name) { #name, offsetof(struct curl_library, name) },
	CURL_FUNCTIONS(CURL_ROW)
#undef CURL_ROW
};

/* POSIX: a pointer that dlsym returns may be used as one to a function. */
static bool find_functions(uv_lib_t *from)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *found;
		if (uv_dlsym(from, functions[i].name, &found) != 0)
			return false;
		memcpy((char *)&library.functions + functions[i].offset, &found, sizeof(found));
	}
	return true;
}

/* The library stays loaded: its threads may run to the end of the process. */
static void load(void)
{
	static uv_lib_t lib;
	library.loaded = uv_dlopen(SONAME, &lib) == 0 && find_functions(&lib);
	if (!library.loaded)
		(void)snprintf(library.fault, sizeof(library.fault), "libcurl cannot be loaded: %s", uv_dlerror(&lib));
}

const struct curl_library *curl_library(struct error *err)
{
	uv_once(&once, load);
	if (library.loaded)
		return &library.functions;
	(void)error_set(err, DANA_ELIBRARY, "%s", library.fault);
	return NULL;
}
