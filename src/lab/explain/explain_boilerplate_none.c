/* SPDX-License-Identifier: MIT */
/* For a program built without the libraries that find duplicates. */
#include "lab/explain/explain_boilerplate.h"

struct explain_boilerplate *explain_boilerplate_open(const char *path, struct slice url, struct slice text,
						     struct line_pages *lines, struct error *err)
{
	(void)path;
	(void)url;
	(void)text;
	(void)lines;
	(void)error_set(err, DANA_ECONFIG, "--boilerplate: this dana was built without support for duplicates");
	return NULL;
}

void explain_boilerplate_close(struct explain_boilerplate *b)
{
	(void)b;
}
