/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plugins/url/host.h"

#include <idn2.h>

#include "base/little_endian.h"
#include "base/ondemand/library.h"

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

enum { PART = 8 };

#define ONES UINT64_C(0x0101010101010101)

/* Sets bit 7 of each byte that is in the range `first` to `last`; all bytes are ASCII. */
static inline uint64_t between(uint64_t bytes, uint8_t first, uint8_t last)
{
	return (bytes + (uint64_t)(0x80 - first) * ONES) & ~(bytes + (uint64_t)(0x7f - last) * ONES) & 0x80 * ONES;
}

/*
 * Writes PART bytes of a name in lower case. Returns false if a character does not occur in host names, or a dot
 * follows another one. `dot`: the byte before these is a dot.
 */
static inline bool lower_part(const char *name, bool dot, char *out)
{
	uint64_t bytes = little_endian_64((const uint8_t *)name);
	if (bytes & 0x80 * ONES)
		return false;
	bytes |= between(bytes, 'A', 'Z') >> 2;
	little_endian_put_64((uint8_t *)out, bytes);
	const uint64_t good = between(bytes, 'a', 'z') | between(bytes, '0', ':') | between(bytes, '-', '.') |
			      between(bytes, '_', '_');
	const uint64_t dots = between(bytes, '.', '.');
	return good == 0x80 * ONES && !(dots & (dots << 8 | (uint64_t)dot << 7));
}

/*
 * Writes the name in lower case. Returns its length; 0 if a label is empty or a character is not allowed. Lists have
 * millions of names, so eight bytes are read at a time; the last eight may overlap those before.
 */
static size_t lower_name(const char *name, size_t len, char out[HOST_MOST + 1])
{
	char padded[PART];
	out[len] = '\0';
	if (!len || name[len - 1] == '.')
		return 0;
	bool good = true;
	if (len < PART) {
		memset(padded, 'x', sizeof(padded));
		memcpy(padded, name, len);
		good = lower_part(padded, true, padded);
		memcpy(out, padded, len);
		return good ? len : 0;
	}
	for (size_t i = 0; i + PART < len && good; i += PART)
		good = lower_part(name + i, i == 0 || name[i - 1] == '.', out + i);
	const size_t last = len - PART;
	return good && lower_part(name + last, last == 0 || name[last - 1] == '.', out + last) ? len : 0;
}

static bool is_ascii(struct slice name)
{
	uint8_t bits = 0;
	for (size_t i = 0; i < name.len; i++)
		bits |= name.data[i];
	return bits < 0x80;
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
	if (name.len && name.data[0] == '[' && name.data[name.len - 1] == ']')
		name = slice_of(name.data + 1, name.len - (name.len > 1) - 1);
	if (name.len && name.data[name.len - 1] == '.')
		name.len--;
	size_t len = name.len;
	len = len <= HOST_MOST ? lower_name((const char *)name.data, len, out) : 0;
	if (len || is_ascii(name))
		return len;
	len = to_ascii(name, out);
	return lower_name(out, len, out);
}
