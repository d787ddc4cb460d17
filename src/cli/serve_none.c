/* SPDX-License-Identifier: MIT */
/* In place of src/serve/ where libmicrohttpd is not built in. */
#include "serve/serve.h"

const char *serve_library(void)
{
	return "not built in";
}

int serve_run(const struct serve_config *config, struct error *err)
{
	(void)config;
	return error_set(err, DANA_ECONFIG,
			 "this build has no HTTP server; build with libmicrohttpd (libmicrohttpd-dev)");
}
