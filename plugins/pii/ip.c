/* SPDX-License-Identifier: MIT */
/* Finds each dot between two digits, which is rare, and reads the row of numbers around it. */
#include "base/ascii.h"
#include "plugins/pii/finder.h"

/*
 * Ranges outside of the public network (IANA's registry of special addresses): addresses whose first `bits` bits equal
 * those of `address`.
 */
static const struct range {
	uint32_t address;
	unsigned bits;
} special[] = {
	{ 0x00000000, 8 },  /* this network */
	{ 0x0a000000, 8 },  /* private */
	{ 0x64400000, 10 }, /* shared by the customers of a provider */
	{ 0x7f000000, 8 },  /* this machine */
	{ 0xa9fe0000, 16 }, /* link */
	{ 0xac100000, 12 }, /* private */
	{ 0xc0000000, 24 }, /* protocols */
	{ 0xc0000200, 24 }, /* documentation */
	{ 0xc0a80000, 16 }, /* private */
	{ 0xc6120000, 15 }, /* measurements */
	{ 0xc6336400, 24 }, /* documentation */
	{ 0xcb007100, 24 }, /* documentation */
	{ 0xf0000000, 4 },  /* future use, and broadcast */
};

static bool is_public(uint32_t address)
{
	for (size_t i = 0; i < sizeof(special) / sizeof(*special); i++) {
		if ((address ^ special[i].address) >> (32 - special[i].bits) == 0)
			return false;
	}
	return true;
}

/*
 * Reads a number of 0 to 255 without leading zeros at *at, and moves *at to its end. Returns false if there is no such
 * number.
 */
static bool take_number(struct slice s, size_t *at, uint32_t *address)
{
	uint32_t n = 0;
	const size_t start = *at;
	while (*at < s.len && *at - start < 4 && ascii_is_digit(s.data[*at]))
		n = n * 10 + s.data[(*at)++] - '0';
	*address = *address << 8 | n;
	return *at > start && n <= 255 && (s.data[start] != '0' || *at == start + 1);
}

/* Returns the end of an address at `at` that no further number follows; 0 if there is no address. */
static size_t address_end(struct slice s, size_t at, bool public_only)
{
	uint32_t address = 0;
	for (int i = 0; i < 4; i++) {
		if (i && (at >= s.len || s.data[at++] != '.'))
			return 0;
		if (!take_number(s, &at, &address))
			return 0;
	}
	const bool goes_on = (at < s.len && ascii_is_digit(s.data[at])) ||
			     (at + 1 < s.len && s.data[at] == '.' && ascii_is_digit(s.data[at + 1]));
	return goes_on || (public_only && !is_public(address)) ? 0 : at;
}

/* Returns the end of the row of digits and dots around `at`. */
static size_t row_end(struct slice s, size_t at)
{
	while (at < s.len && (ascii_is_digit(s.data[at]) || s.data[at] == '.'))
		at++;
	return at;
}

bool ip_find(struct slice text, size_t from, bool public_only, struct found *place)
{
	size_t search = from;
	const uint8_t *dot;
	while (search < text.len && (dot = memchr(text.data + search, '.', text.len - search))) {
		const size_t at = (size_t)(dot - text.data);
		size_t start = at;
		while (start > search && ascii_is_digit(text.data[start - 1]))
			start--;
		const bool begins = start < at && (start == from || !ascii_is_digit(text.data[start - 1]));
		const size_t end = begins ? address_end(text, start, public_only) : 0;
		if (end) {
			*place = (struct found){ start, end };
			return true;
		}
		search = begins ? row_end(text, at) : at + 1;
	}
	return false;
}
