/* SPDX-License-Identifier: MIT */
/* Loads the functions of uchardet_call.cc from their module. */
#include "config.h"

#include "archive/charset/uchardet_call.h"
#include "base/library.h"

#define FUNCTIONS(X) X(uchardet_call) X(uchardet_call_end)
#define ROW(name) LIBRARY_ROW(table, name)

static struct table {
	FUNCTIONS(LIBRARY_MEMBER)
} table;

static const struct library_function functions[] = { FUNCTIONS(ROW) };
static struct library library = { .file = "uchardet.so",
				  .title = "uchardet",
				  .package = "libuchardet0",
				  .module = true,
				  LIBRARY_TABLE(functions, table) };

int uchardet_call(struct uchardet **detector, const char *text, size_t len, const char **name)
{
	int status = library_load(&library, NULL);
	return status == DANA_OK ? table.uchardet_call(detector, text, len, name) : status;
}

void uchardet_call_end(struct uchardet **detector)
{
	if (*detector)
		table.uchardet_call_end(detector);
}
