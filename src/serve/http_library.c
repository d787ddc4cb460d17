/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "serve/http_library.h"

#define ROW(name) LIBRARY_ROW(http_library, name)

struct http_library http_library;

static const struct library_function functions[] = { HTTP_FUNCTIONS(ROW) };
static struct library library = { .file = MICROHTTPD_SONAME,
				  .title = "libmicrohttpd",
				  .package = "libmicrohttpd12",
				  LIBRARY_TABLE(functions, http_library) };

int http_library_load(struct error *err)
{
	return library_load(&library, err);
}
