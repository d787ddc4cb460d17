/* SPDX-License-Identifier: MIT */
/*
 * A number is read as groups of digits with at most two signs between them: "+49 (30) 1234-567" has the groups 2, 2, 4,
 * 3. Then its form decides. Longer or shorter numbers, such as dates, are skipped as a whole.
 */
#include "base/ascii.h"
#include "plugins/pii/finder.h"

enum { GROUPS = 8, INTERNATIONAL_LEAST = 8, INTERNATIONAL_MOST = 15, NATIONAL_LEAST = 9, NATIONAL_MOST = 11 };

struct number {
	size_t start, end; /* end: after the last digit */
	bool plus, zero;   /* begins with '+'; begins with 0 */
	unsigned groups, digits;
	unsigned group[GROUPS]; /* digits of each group; further groups count in `digits` only */
};

/*
 * Returns the length in bytes of the digit at `at`, 0 if it is not a digit. ASCII, Arabic (U+0660 to 0669), Persian
 * (U+06F0 to 06F9).
 */
static size_t digit_at(struct slice s, size_t at, bool *zero)
{
	if (at >= s.len)
		return 0;
	const uint8_t c = s.data[at], next = at + 1 < s.len ? s.data[at + 1] : 0;
	*zero = c == '0' || next == (c == 0xd9 ? 0xa0 : 0xb0);
	if (ascii_is_digit(c))
		*zero = c == '0';
	return ascii_is_digit(c)                                                                            ? 1
	       : (c == 0xd9 && next >= 0xa0 && next <= 0xa9) || (c == 0xdb && next >= 0xb0 && next <= 0xb9) ? 2
													    : 0;
}

/* Returns the number of bytes between two groups of one number; 0 if the number ends. */
static size_t gap_at(struct slice s, size_t at)
{
	size_t len = 0;
	bool zero;
	while (len < 2 && at + len < s.len && s.data[at + len] != 0 && strchr(" -./()", s.data[at + len]))
		len++;
	return len && digit_at(s, at + len, &zero) ? len : 0;
}

/* Reads all groups from `at` on, where a digit begins. */
static void read_groups(struct slice s, size_t at, struct number *n)
{
	size_t len;
	bool zero;
	n->groups = n->digits = 0;
	(void)digit_at(s, at, &n->zero);
	for (;;) {
		unsigned digits = 0;
		for (; (len = digit_at(s, at, &zero)); at += len)
			digits++;
		if (n->groups < GROUPS)
			n->group[n->groups] = digits;
		n->groups++;
		n->digits += digits;
		n->end = at;
		len = gap_at(s, at);
		if (!len)
			return;
		at += len;
	}
}

static bool is_north_american(const struct number *n)
{
	const unsigned first = n->groups == 4 && n->group[0] == 1;
	return n->groups == 3 + first && n->group[first] == 3 && n->group[first + 1] == 3 && n->group[first + 2] == 4;
}

static bool is_phone(const struct number *n)
{
	if (n->groups > GROUPS)
		return false;
	if (n->plus)
		return n->digits >= INTERNATIONAL_LEAST && n->digits <= INTERNATIONAL_MOST;
	if (is_north_american(n))
		return true;
	return n->zero && n->groups >= 2 && n->group[0] >= 3 && n->digits >= NATIONAL_LEAST &&
	       n->digits <= NATIONAL_MOST;
}

/* A letter, digit or sign right before it makes it a part of something else: "v+12345678", "#0201234567", "1,000". */
static bool stands_alone(struct slice s, const struct number *n)
{
	const uint8_t before = n->start ? s.data[n->start - 1] : ' ', after = n->end < s.len ? s.data[n->end] : ' ';
	return !ascii_is_alpha(before) && !strchr("#$_=&/-.,:%+", before) && !ascii_is_alpha(after) &&
	       !strchr("_=&%/", after);
}

bool phone_find(struct slice text, size_t from, struct found *place)
{
	bool zero;
	for (size_t at = from; at < text.len;) {
		const bool plus = text.data[at] == '+', bracket = text.data[at] == '(';
		const size_t lead = plus || bracket;
		struct number n = { .start = at, .plus = plus };
		if (!digit_at(text, at + lead, &zero)) {
			at++;
			continue;
		}
		read_groups(text, at + lead, &n);
		if (is_phone(&n) && stands_alone(text, &n)) {
			*place = (struct found){ n.start, n.end };
			return true;
		}
		at = n.end;
	}
	return false;
}
