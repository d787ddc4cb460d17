/* SPDX-License-Identifier: MIT */
/* The calls of sites.c in builds without CRoaring, and where a process cannot be doubled. */
#include "config.h"

#include <stddef.h>

#include "base/diagnostics.h"
#include "run/sites.h"

#ifdef HAVE_ROARING
#define WHY "not on this system; make a table with dana site learn, or run dana in WSL"
#else
#define WHY "this dana was built without CRoaring, which it needs for this" BUILD_REMEDY
#endif

static int missing(struct error *err)
{
	return error_set(err, DANA_ECONFIG, "--site auto: " WHY);
}

int sites_check(const struct run_settings *s, struct error *err)
{
	(void)s;
	return missing(err);
}

int sites_learn(const struct run_settings *s, const struct inputs *inputs, struct site_table **table, struct error *err)
{
	(void)s, (void)inputs;
	*table = NULL;
	return missing(err);
}
