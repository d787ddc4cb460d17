/* SPDX-License-Identifier: MIT */
/* Looks for each '@', and then to both sides of it. */
#include "base/ascii.h"
#include "plugins/pii/finder.h"

static bool is_alnum(uint8_t c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c);
}

static bool is_name(uint8_t c)
{
	return is_alnum(c) || (c != 0 && strchr("!#$%&'*+/=?^_`{|}~-", c));
}

/* Where the name before the '@' at `at` begins, not before `from`; `at`: there is none. A name has no two dots in a row. */
static size_t name_start(struct slice s, size_t from, size_t at)
{
	size_t start = at;
	while (start > from &&
	       (is_name(s.data[start - 1]) || (s.data[start - 1] == '.' && start < at && s.data[start] != '.')))
		start--;
	/* What surrounds an address, as quotes, is no part of it, though it might be. */
	while (start < at && !is_alnum(s.data[start]) && s.data[start] != '_')
		start++;
	return start;
}

/* The end of the label that begins at `at`; `at`: there is none. A label does not end with a hyphen. */
static size_t label_end(struct slice s, size_t at)
{
	size_t end = at, i = at;
	if (at >= s.len || !is_alnum(s.data[at]))
		return at;
	for (; i < s.len && (is_alnum(s.data[i]) || s.data[i] == '-'); i++)
		end = s.data[i] == '-' ? end : i + 1;
	return end;
}

/* The end of the domain that begins at `at`; `at`: there is none. */
static size_t domain_end(struct slice s, size_t at)
{
	size_t end = label_end(s, at), labels = end > at;
	while (labels && end + 1 < s.len && s.data[end] == '.') {
		const size_t next = label_end(s, end + 1);
		if (next == end + 1)
			break;
		end = next;
		labels++;
	}
	return labels >= 2 ? end : at;
}

bool email_find(struct slice text, size_t from, struct found *place)
{
	size_t search = from;
	const uint8_t *sign;
	while (search < text.len && (sign = memchr(text.data + search, '@', text.len - search))) {
		const size_t at = (size_t)(sign - text.data);
		/* Names are looked for between two signs only, so that no byte is looked at for many of them. */
		const size_t start = name_start(text, search, at), end = domain_end(text, at + 1);
		if (start < at && end > at + 1) {
			*place = (struct found){ start, end };
			return true;
		}
		search = at + 1;
	}
	return false;
}
