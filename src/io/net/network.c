/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "io/net/network.h"

#include <stdlib.h>
#include <unistd.h>

#include "io/net/session_private.h"

/* libcurl names the file only when the first connection is made, and not what is wrong with it. */
static int check_ca_file(const char *path, struct error *err)
{
	if (path && access(path, R_OK) < 0)
		return error_set(err, DANA_ECONFIG, "--ca-file: %s cannot be read; expected certificates in PEM form",
				 path);
	return DANA_OK;
}

struct network *network_new(const struct network_config *config, struct error *err)
{
	const struct curl_library *curl = curl_library(err);

	if (!curl || check_ca_file(config->ca_file, err) < 0)
		return NULL;
	struct network *n = calloc(1, sizeof(*n));
	if (n)
		n->gate = host_gate_new(config->connections);
	if (!n || !n->gate || curl->curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
		(void)error_no_memory(err);
		network_free(n);
		return NULL;
	}
	n->config = *config;
	n->curl = curl;
	return n;
}

void network_free(struct network *n)
{
	if (n)
		host_gate_free(n->gate);
	free(n);
}
