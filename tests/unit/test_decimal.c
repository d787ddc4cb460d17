/* SPDX-License-Identifier: MIT */
/* Decimal numbers at their borders: no digits, other bytes, the largest value, one more, many digits. */
#include "base/ascii.h"
#include "support/unit.h"

static void prefix_is(const char *text, size_t len, uint64_t value)
{
	uint64_t n = 77;
	assert_int_equal(decimal_prefix(slice_from_text(text), &n), len);
	assert_true(n == value);
}

TEST(test_prefix)
{
	prefix_is("", 0, 0);
	prefix_is("px", 0, 0);
	prefix_is("-1", 0, 0);
	prefix_is("+1", 0, 0);
	prefix_is(" 1", 0, 0);
	prefix_is("/", 0, 0);
	prefix_is(":", 0, 0);
	prefix_is("0123456789:", 10, 123456789);
	prefix_is("640px", 3, 640);
	prefix_is("3.5", 1, 3);
	prefix_is("000000000000000000000000000000007", 33, 7);
}

/* Beyond 64 bits the value stays the largest, and all digits count. */
TEST(test_prefix_saturates)
{
	prefix_is("18446744073709551615", 20, UINT64_MAX);
	prefix_is("18446744073709551614", 20, UINT64_MAX - 1);
	prefix_is("18446744073709551616", 20, UINT64_MAX);
	prefix_is("18446744073709551620", 20, UINT64_MAX);
	prefix_is("1844674407370955161600001 ", 25, UINT64_MAX);
	prefix_is("99999999999999999999999999999999999999999999;", 44, UINT64_MAX);
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

static void number_is(const char *text, uint64_t most, uint64_t value)
{
	uint64_t n = 77;
	assert_true(decimal_number(slice_from_text(text), most, &n));
	assert_true(n == value);
}

static void is_no_number(const char *text, uint64_t most)
{
	uint64_t n = 77;
	assert_false(decimal_number(slice_from_text(text), most, &n));
	assert_true(n == 77); /* untouched */
}

TEST(test_number)
{
	number_is("0", 0, 0);
	number_is("100", 100, 100);
	number_is("0000000000000000000000099", 100, 99);
	number_is("18446744073709551615", UINT64_MAX, UINT64_MAX);
	is_no_number("", UINT64_MAX);
	is_no_number("1 ", UINT64_MAX);
	is_no_number(" 1", UINT64_MAX);
	is_no_number("-1", UINT64_MAX);
	is_no_number("0x1", UINT64_MAX);
	is_no_number("101", 100);
	is_no_number("18446744073709551616", UINT64_MAX);
	is_no_number("184467440737095516150", UINT64_MAX);
	is_no_number("1", 0);
}
