/* SPDX-License-Identifier: MIT */
#include "base/ascii.h"

/* Like decimal_prefix; *fits is false if the value is larger than UINT64_MAX. */
static size_t read_digits(struct slice s, uint64_t *number, bool *fits)
{
	uint64_t n = 0;
	size_t len = 0;
	*fits = true;
	for (; len < s.len && ascii_is_digit(s.data[len]); len++) {
		if (__builtin_mul_overflow(n, (uint64_t)10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(s.data[len] - '0'), &n))
			*fits = false;
	}
	*number = *fits ? n : UINT64_MAX;
	return len;
}

size_t decimal_prefix(struct slice s, uint64_t *number)
{
	bool fits;
	return read_digits(s, number, &fits);
}

bool decimal_number(struct slice s, uint64_t most, uint64_t *number)
{
	uint64_t n;
	bool fits;
	if (read_digits(s, &n, &fits) != s.len || s.len == 0 || !fits || n > most)
		return false;
	*number = n;
	return true;
}

bool decimal_with_unit(struct slice text, uint64_t *number)
{
	const uint8_t unit = text.len ? ascii_lower(text.data[text.len - 1]) : 0;
	const unsigned shift = unit == 'k' ? 10 : unit == 'm' ? 20 : unit == 'g' ? 30 : 0;
	uint64_t n;
	text.len -= shift > 0;
	if (text.len == 0 || decimal_prefix(text, &n) < text.len)
		return false;
	if (__builtin_mul_overflow(n, (uint64_t)1 << shift, number))
		*number = UINT64_MAX;
	return true;
}
