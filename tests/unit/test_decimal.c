/* SPDX-License-Identifier: MIT */
/* Decimal numbers at their borders: no digits, other bytes, the largest value, one more, many digits. */
#include "base/ascii.h"
#include "support/unit.h"

TEST(test_prefix)
{
	static const struct {
		const char *text;
		size_t len;
		uint64_t value;
	} rows[] = {
		{ "", 0, 0 },
		{ "px", 0, 0 },
		{ "-1", 0, 0 },
		{ "+1", 0, 0 },
		{ " 1", 0, 0 },
		{ "/", 0, 0 },
		{ ":", 0, 0 },
		{ "0123456789:", 10, 123456789 },
		{ "640px", 3, 640 },
		{ "3.5", 1, 3 },
		{ "000000000000000000000000000000007", 33, 7 },
		/* Beyond 64 bits the value stays the largest, and all digits count. */
		{ "18446744073709551615", 20, UINT64_MAX },
		{ "18446744073709551614", 20, UINT64_MAX - 1 },
		{ "18446744073709551616", 20, UINT64_MAX },
		{ "18446744073709551620", 20, UINT64_MAX },
		{ "1844674407370955161600001 ", 25, UINT64_MAX },
		{ "99999999999999999999999999999999999999999999;", 44, UINT64_MAX },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t n = 77;
		assert_int_equal(decimal_prefix(slice_from_text(rows[i].text), &n), rows[i].len);
		assert_true(n == rows[i].value);
	}
}

/* Only the bytes of the slice are read. */
TEST(test_length)
{
	uint64_t n;
	assert_int_equal(decimal_prefix(slice_of("1234", 2), &n), 2);
	assert_true(n == 12);
	assert_true(decimal_number(slice_of("12x", 2), 100, &n));
	assert_true(n == 12);
}

TEST(test_number)
{
	enum { NONE = 77 }; /* what stays untouched */
	static const struct {
		const char *text;
		uint64_t most, value;
	} rows[] = {
		{ "0", 0, 0 },
		{ "100", 100, 100 },
		{ "0000000000000000000000099", 100, 99 },
		{ "18446744073709551615", UINT64_MAX, UINT64_MAX },
		{ "", UINT64_MAX, NONE },
		{ "1 ", UINT64_MAX, NONE },
		{ " 1", UINT64_MAX, NONE },
		{ "-1", UINT64_MAX, NONE },
		{ "0x1", UINT64_MAX, NONE },
		{ "101", 100, NONE },
		{ "18446744073709551616", UINT64_MAX, NONE },
		{ "184467440737095516150", UINT64_MAX, NONE },
		{ "1", 0, NONE },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t n = NONE;
		assert_int_equal(decimal_number(slice_from_text(rows[i].text), rows[i].most, &n),
				 rows[i].value != NONE);
		assert_true(n == rows[i].value);
	}
}
