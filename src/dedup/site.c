/* SPDX-License-Identifier: MIT */
#include "dedup/site.h"

#include "base/ascii.h"
#include "base/ondemand/psl_library.h"
#include "base/status.h"
#include "base/url_parts.h"

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
	struct slice host = url_host(url);
	size_t start = site->len;

	if (!psl)
		return (int)err.status;
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
