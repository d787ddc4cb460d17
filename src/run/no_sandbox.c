/* SPDX-License-Identifier: MIT */
/* Systems other than Linux: nothing restricts a run, and entering the sandbox is an error. */
#include "config.h"

#include <stdlib.h>

#include "run/sandbox.h"

struct sandbox {
	char none;
};

int landlock_abi(void)
{
	return 0;
}

struct sandbox *sandbox_new(void)
{
	return calloc(1, sizeof(struct sandbox));
}

int sandbox_path(struct sandbox *s, const char *path, enum sandbox_use use)
{
	(void)s;
	(void)path;
	(void)use;
	return DANA_OK;
}

int sandbox_output(struct sandbox *s, const char *path)
{
	return sandbox_path(s, path, SANDBOX_WRITE);
}

int sandbox_network(struct sandbox *s)
{
	return s ? DANA_OK : DANA_ENOMEM;
}

int sandbox_enter(struct sandbox *s, struct error *err)
{
	(void)s;
	return error_set(err, DANA_ECONFIG, "this system has no sandbox that dana knows");
}

void sandbox_free(struct sandbox *s)
{
	free(s);
}

void sandbox_describe(struct buf *out)
{
	buf_append_text(out, "none on this system");
}
