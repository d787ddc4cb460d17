/* SPDX-License-Identifier: MIT */
/* Finds each '@', then the name before and the domain after it. */
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

/*
 * Returns where the name before the '@' at `at` begins, not before `from`; `at` if there is no name. A name has no two
 * dots in a row.
 */
static size_t name_start(struct slice s, size_t from, size_t at)
{
	size_t start = at;
	while (start > from &&
	       (is_name(s.data[start - 1]) || (s.data[start - 1] == '.' && start < at && s.data[start] != '.')))
		start--;
	/* Characters around an address, such as quotes, are not taken as part of it, though they could be. */
	while (start < at && !is_alnum(s.data[start]) && s.data[start] != '_')
		start++;
	return start;
}

/* Returns the end of the label that begins at `at`; `at` if there is no label. A label does not end with a hyphen. */
static size_t label_end(struct slice s, size_t at)
{
	size_t end = at, i = at;
	if (at >= s.len || !is_alnum(s.data[at]))
		return at;
	for (; i < s.len && (is_alnum(s.data[i]) || s.data[i] == '-'); i++)
		end = s.data[i] == '-' ? end : i + 1;
	return end;
}

/* Returns the end of the domain that begins at `at`; `at` if there is no domain. */
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
		/* A name is searched only back to the previous '@', so that no byte is read many times. */
		const size_t start = name_start(text, search, at), end = domain_end(text, at + 1);
		if (start < at && end > at + 1) {
			*place = (struct found){ start, end };
			return true;
		}
		search = at + 1;
	}
	return false;
}
