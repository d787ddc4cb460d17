/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "io/net/network.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "io/net/address.h"
#include "io/net/s3.h"
#include "io/net/session_private.h"

/* libcurl names the file only when the first connection is made, and not what is wrong with it. */
static int check_ca_file(const char *path, struct error *err)
{
	if (path && access(path, R_OK) < 0)
		return error_set(err, DANA_ECONFIG, "--ca-file: %s cannot be read; expected certificates in PEM form",
				 path);
	return DANA_OK;
}

static bool is_proxy_scheme(const char *scheme)
{
	static const char *const schemes[] = { "http", "https", "socks4", "socks4a", "socks5", "socks5h" };

	for (size_t i = 0; i < sizeof(schemes) / sizeof(*schemes); i++)
		if (slice_equal_nocase(slice_from_text(scheme), slice_from_text(schemes[i])))
			return true;
	return false;
}

/* To libcurl an address that cannot be read is a proxy that is not found, for which one may wait. It may hold a
 * password. */
static int check_proxy(const struct curl_library *curl, const char *proxy, struct error *err)
{
	char *scheme = NULL;

	if (!proxy || strcmp(proxy, "env") == 0)
		return DANA_OK;
	CURLU *url = curl->curl_url();
	CURLUcode code =
		!url ? CURLUE_OUT_OF_MEMORY
		     : curl->curl_url_set(url, CURLUPART_URL, proxy, CURLU_NON_SUPPORT_SCHEME | CURLU_GUESS_SCHEME);
	if (code == CURLUE_OK)
		code = curl->curl_url_get(url, CURLUPART_SCHEME, &scheme, 0);
	const bool good = code == CURLUE_OK && is_proxy_scheme(scheme);
	curl->curl_free(scheme);
	curl->curl_url_cleanup(url);
	if (code == CURLUE_OUT_OF_MEMORY)
		return error_no_memory(err);
	return good ? DANA_OK
		    : error_set(err, DANA_ECONFIG,
				"--proxy: this is not the address of a proxy; expected http://HOST:PORT or env");
}

struct network *network_new(const struct network_config *config, struct error *err)
{
	const struct curl_library *curl = curl_library(err);

	if (!curl || check_ca_file(config->ca_file, err) < 0 || check_proxy(curl, config->proxy, err) < 0)
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

static int find_url(const char *address, struct buf *url, struct s3_access *s3, struct error *err)
{
	buf_clear(url);
	*s3 = (struct s3_access){ 0 };
	if (s3_is_address(address)) {
		*s3 = s3_access();
		return s3_url(address, s3, url, err);
	}
	if (address_is_ambiguous(address))
		return error_set(
			err, DANA_ECONFIG,
			"the address has '\\' in front of its path; expected '/', or %%5C in user and password");
	buf_append_text(url, address);
	return buf_append_byte(url, 0) < 0 ? error_no_memory(err) : DANA_OK;
}

int network_host(struct network *n, const char *address, struct buf *url, struct s3_access *s3, struct host **host,
		 struct error *err)
{
	struct buf name = { 0 };
	int status = find_url(address, url, s3, err);

	*host = NULL;
	if (status < 0)
		return status;
	if (address_host((const char *)url->data, &name) == DANA_OK)
		*host = host_gate_find(n->gate, buf_slice(&name));
	buf_free(&name);
	return *host ? DANA_OK : error_no_memory(err);
}

unsigned network_given_up(struct network *n, const char *address)
{
	struct buf url = { 0 };
	struct s3_access s3;
	struct host *host;
	struct error err = { 0 };
	unsigned inputs = 0;

	if (address_is_network(address) && network_host(n, address, &url, &s3, &host, &err) == DANA_OK)
		inputs = host_dead(host, session_now());
	buf_free(&url);
	return inputs;
}

void network_free(struct network *n)
{
	if (n)
		host_gate_free(n->gate);
	free(n);
}
