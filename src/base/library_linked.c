/* SPDX-License-Identifier: MIT */
/*
 * base/library.h on systems that load nothing at run time: a library is linked as a whole, or missing. Threads that
 * meet here write the same.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/library.h"

enum { NEW, LOADED, MISSING };

static const struct library *first_missing;

int library_load(struct library *l, struct error *err)
{
	if (l->state == NEW) {
		bool linked = l->n > 0;
		for (size_t i = 0; i < l->n; i++) {
			linked &= l->functions[i].linked != NULL;
			memcpy((char *)l->table + l->functions[i].offset, &l->functions[i].linked, sizeof(void *));
		}
		if (!linked) {
			(void)snprintf(l->fault, sizeof(l->fault), "%s is not in this build", l->title);
			first_missing = first_missing ? first_missing : l;
		}
		l->state = linked ? LOADED : MISSING;
	}
	return l->state == LOADED ? DANA_OK : error_set(err, DANA_ELIBRARY, "%s", l->fault);
}

const char *library_status_text(int status)
{
	return status == DANA_ELIBRARY && first_missing ? first_missing->fault : status_text(status);
}

void library_loader_failed(void)
{
}

/* Nothing of a loader is in the way. */
void library_exit(int status)
{
	exit(status);
}
