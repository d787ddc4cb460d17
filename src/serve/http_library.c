/* SPDX-License-Identifier: MIT */
/* What the header of libmicrohttpd declares is the type of each member, so the compiler checks calls as it would otherwise. */
#include "config.h"

#include "serve/http_library.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <uv.h>

#define SONAME "libmicrohttpd.so.12"

struct http_library http_library;

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
#define HTTP_ROW(name) { #name, offsetof(struct http_library, name) },
	HTTP_FUNCTIONS(HTTP_ROW)
#undef HTTP_ROW
};

/* POSIX: a pointer that dlsym returns may be used as one to a function. */
static bool find_functions(uv_lib_t *from)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *found;
		if (uv_dlsym(from, functions[i].name, &found) != 0)
			return false;
		memcpy((char *)&http_library + functions[i].offset, &found, sizeof(found));
	}
	return true;
}

int http_library_load(struct error *err)
{
	static uv_lib_t lib;
	if (uv_dlopen(SONAME, &lib) == 0 && find_functions(&lib))
		return DANA_OK;
	return error_set(err, DANA_ELIBRARY, "libmicrohttpd cannot be loaded: %s", uv_dlerror(&lib));
}
