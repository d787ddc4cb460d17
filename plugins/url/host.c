/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plugins/url/host.h"

#include <idn2.h>

#include "base/ascii.h"
#include "ondemand/library.h"

#define FUNCTIONS(X) X(idn2_to_ascii_8z) X(idn2_free)
#define ROW(name) LIBRARY_ROW(idn2, name)

static struct idn2 {
	FUNCTIONS(LIBRARY_MEMBER)
} idn2;

static const struct library_function functions[] = { FUNCTIONS(ROW) };
static struct library library = {
	.file = IDN2_SONAME, .title = "libidn2", .package = "libidn2-0", LIBRARY_TABLE(functions, idn2)
};

int host_ready(struct error *err)
{
	return library_load(&library, err);
}

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

/*
 * Writes the name in lower case. 0: a part is empty, or a character may not stand in names of hosts as they are in use. Lists have
 * millions of names, so that each byte is looked at once.
 */
static size_t lower_name(const char *name, size_t len, char out[HOST_MOST + 1])
{
	bool begins = true; /* a part of the name */
	for (size_t i = 0; i < len; i++) {
		const uint8_t c = (uint8_t)name[i], small = c | 0x20;
		const bool letter = (uint8_t)(small - 'a') < 26;
		if (!letter && !ascii_is_digit(c) && c != '-' && c != '_' && c != ':' && (c != '.' || begins))
			return 0;
		begins = c == '.';
		out[i] = (char)(letter ? small : c);
	}
	out[len] = '\0';
	return begins ? 0 : len;
}

static size_t to_ascii(struct slice name, char out[HOST_MOST + 1])
{
	enum { LONGEST = 1024 };
	char text[LONGEST];
	char *ascii = NULL;
	size_t len = 0;
	if (library_load(&library, NULL) < 0 || name.len >= sizeof(text) || memchr(name.data, 0, name.len))
		return 0;
	memcpy(text, name.data, name.len);
	text[name.len] = '\0';
	if (idn2.idn2_to_ascii_8z(text, &ascii, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL) == IDN2_OK &&
	    strlen(ascii) <= HOST_MOST) {
		len = strlen(ascii);
		memcpy(out, ascii, len + 1);
	}
	idn2.idn2_free(ascii);
	return len;
}

size_t host_normal(struct slice name, char out[HOST_MOST + 1])
{
	uint8_t bits = 0;
	size_t len = name.len;
	if (len && name.data[len - 1] == '.')
		name.len = --len;
	for (size_t i = 0; i < len; i++)
		bits |= name.data[i];
	if (bits & 0x80) {
		len = to_ascii(name, out);
		return lower_name(out, len, out);
	}
	return len <= HOST_MOST ? lower_name((const char *)name.data, len, out) : 0;
}
