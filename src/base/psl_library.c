/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/psl_library.h"

#define ROW(name) LIBRARY_ROW(psl_library, name)

static struct psl_library table;
static const struct library_function functions[] = { PSL_FUNCTIONS(ROW) };
static struct library library = {
	.file = PSL_SONAME, .title = "libpsl", .package = "libpsl5", LIBRARY_TABLE(functions, table)
};

const struct psl_library *psl_library(struct error *err)
{
	return library_load(&library, err) == DANA_OK ? &table : NULL;
}
