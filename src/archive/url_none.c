/* SPDX-License-Identifier: MIT */
/* In place of url.c in libraries without the command, which do without libcurl: addresses cannot be resolved. */
#include "archive/url.h"
#include "base/status.h"

int url_base_new(struct url_base **out, struct slice page, struct slice href)
{
	(void)page, (void)href;
	*out = NULL;
	return DANA_ELIBRARY;
}

int url_resolve(const struct url_base *base, struct slice url, struct buf *out)
{
	(void)base, (void)url, (void)out;
	return DANA_ELIBRARY;
}

void url_base_free(struct url_base *base)
{
	(void)base;
}
