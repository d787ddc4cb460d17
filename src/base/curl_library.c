/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/curl_library.h"

#define ROW(name) LIBRARY_ROW(curl_library, name)

static struct curl_library table;
static const struct library_function functions[] = { CURL_FUNCTIONS(ROW) };
static struct library library = {
	.file = CURL_SONAME, .title = "libcurl", .package = "libcurl4", LIBRARY_TABLE(functions, table)
};

const struct curl_library *curl_library(struct error *err)
{
	return library_load(&library, err) == DANA_OK ? &table : NULL;
}
