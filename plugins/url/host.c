/* SPDX-License-Identifier: MIT */
#include "plugins/url/host.h"

#include <idn2.h>

#include "base/ascii.h"

/* Where the first of `ends` stands, or the end. */
static size_t until(struct slice s, const char *ends)
{
	size_t i = 0;
	while (i < s.len && (s.data[i] == 0 || !strchr(ends, s.data[i])))
		i++;
	return i;
}

struct slice host_of_url(struct slice url)
{
	const size_t colon = until(url, ":/?#");
	struct slice rest = slice_skip(url, colon + 1);
	if (rest.len < 2 || colon == url.len || url.data[colon] != ':' || memcmp(rest.data, "//", 2) != 0)
		return slice_of(NULL, 0);
	rest = slice_skip(rest, 2);
	rest.len = until(rest, "/?#\\");
	for (size_t i = rest.len; i-- > 0;) { /* "user:password@" */
		if (rest.data[i] == '@') {
			rest = slice_skip(rest, i + 1);
			break;
		}
	}
	if (rest.len && rest.data[0] == '[') { /* an address of IPv6 */
		rest.len = until(rest, "]");
		return slice_skip(rest, 1);
	}
	rest.len = until(rest, ":");
	return rest;
}

/* Whether no part is empty and all characters may stand in names of hosts as they are in use. */
static bool is_name(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const uint8_t c = (uint8_t)name[i];
		const bool edge = i == 0 || i + 1 == len || name[i - 1] == '.';
		if (!ascii_is_alpha(c) && !ascii_is_digit(c) && c != '-' && c != '_' && c != ':' && (c != '.' || edge))
			return false;
	}
	return len > 0;
}

static size_t to_ascii(struct slice name, char out[HOST_MOST + 1])
{
	enum { LONGEST = 1024 };
	char text[LONGEST];
	char *ascii = NULL;
	size_t len = 0;
	if (name.len >= sizeof(text) || memchr(name.data, 0, name.len))
		return 0;
	memcpy(text, name.data, name.len);
	text[name.len] = '\0';
	if (idn2_to_ascii_8z(text, &ascii, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL) == IDN2_OK &&
	    strlen(ascii) <= HOST_MOST) {
		len = strlen(ascii);
		memcpy(out, ascii, len + 1);
	}
	idn2_free(ascii);
	return len;
}

size_t host_normal(struct slice name, char out[HOST_MOST + 1])
{
	bool ascii = true;
	size_t len = name.len;
	if (len && name.data[len - 1] == '.')
		name.len = --len;
	for (size_t i = 0; i < len; i++)
		ascii &= name.data[i] < 0x80;
	if (!ascii) {
		len = to_ascii(name, out);
	} else if (len <= HOST_MOST) {
		for (size_t i = 0; i < len; i++)
			out[i] = (char)ascii_lower(name.data[i]);
		out[len] = '\0';
	}
	return len <= HOST_MOST && is_name(out, len) ? len : 0;
}
