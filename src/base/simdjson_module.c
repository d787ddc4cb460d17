/* SPDX-License-Identifier: MIT */
/* The functions of simdjson_call.cc, from the module that holds them. */
#include "config.h"

#include "base/library.h"
#include "base/simdjson_call.h"

#define FUNCTIONS(X) X(simdjson_find) X(simdjson_end)
#define ROW(name) LIBRARY_ROW(table, name)

static struct table {
	FUNCTIONS(LIBRARY_MEMBER)
} table;

static const struct library_function functions[] = { FUNCTIONS(ROW) };
static struct library library = { .file = "simdjson.so",
				  .title = "simdjson",
				  .package = "libsimdjson14",
				  .module = true,
				  LIBRARY_TABLE(functions, table) };

int simdjson_find(void **state, const uint8_t *text, size_t len, const uint32_t **parts, size_t *n)
{
	const int status = library_load(&library, NULL);
	return status == DANA_OK ? table.simdjson_find(state, text, len, parts, n) : status;
}

void simdjson_end(void **state)
{
	table.simdjson_end(state);
}
