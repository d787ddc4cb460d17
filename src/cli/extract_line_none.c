/* SPDX-License-Identifier: MIT */
/* In place of extract_line.c where jansson, which reads JSON, is not built in. */
#include "cli/extract_line.h"

int extract_line_check(struct error *err)
{
	return error_set(err, DANA_ECONFIG,
			 "--jsonl: this build cannot read JSON; build with jansson (libjansson-dev)");
}

int extract_line_new(struct extract_line **out, const struct extract_page_config *config, struct error *err)
{
	(void)config;
	*out = NULL;
	return extract_line_check(err);
}

int extract_line_read(struct extract_line *l, struct slice line, struct buf *out, struct error *err)
{
	(void)l;
	(void)line;
	(void)out;
	return extract_line_check(err);
}

void extract_line_free(struct extract_line *l)
{
	(void)l;
}
