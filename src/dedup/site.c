/* SPDX-License-Identifier: MIT */
#include "dedup/site.h"

#include "base/ascii.h"
#include "base/ondemand/psl_library.h"
#include "base/status.h"

/* The bytes between "://" and the path, without user and port. */
static struct slice host_of(struct slice url)
{
	size_t start = 0, end;

	while (start + 3 <= url.len && memcmp(url.data + start, "://", 3) != 0)
		start++;
	if (start + 3 > url.len)
		return slice_of(NULL, 0);
	struct slice host = slice_skip(url, start + 3);
	for (end = 0; end < host.len && !strchr("/?#", host.data[end]); end++)
		;
	host = slice_first(host, end);
	for (size_t i = host.len; i-- > 0;) {
		if (host.data[i] == '@') {
			host = slice_skip(host, i + 1);
			break;
		}
	}
	if (host.len && host.data[0] == '[') {
		const uint8_t *close = memchr(host.data, ']', host.len);
		return close ? slice_first(host, (size_t)(close - host.data) + 1) : host;
	}
	const uint8_t *colon = host.len ? memchr(host.data, ':', host.len) : NULL;
	return colon ? slice_first(host, (size_t)(colon - host.data)) : host;
}

/* An IPv6 address in brackets, or nothing but digits and dots. */
static bool is_address(struct slice host)
{
	for (size_t i = 0; i < host.len; i++) {
		if (!ascii_is_digit(host.data[i]) && host.data[i] != '.')
			return host.data[0] == '[';
	}
	return true;
}

int site_of_url(struct slice url, struct buf *site)
{
	struct error err = { 0 };
	const struct psl_library *psl = psl_library(&err);
	struct slice host = host_of(url);
	size_t start = site->len;

	if (!psl)
		return (int)err.status;
	while (host.len && host.data[host.len - 1] == '.')
		host.len--;
	for (size_t i = 0; i < host.len; i++)
		buf_append_byte(site, host.data[i] ? ascii_lower(host.data[i]) : '_');
	buf_append_byte(site, 0);
	if (buf_status(site) < 0)
		return DANA_ENOMEM;
	const char *name = (const char *)site->data + start;
	const char *registered = is_address(host) ? NULL : psl->psl_registrable_domain(psl->psl_builtin(), name);
	site->len--;      /* without the NUL */
	if (registered) { /* an end of the name */
		size_t len = strlen(registered);
		memmove(site->data + start, registered, len);
		site->len = start + len;
	}
	return DANA_OK;
}
