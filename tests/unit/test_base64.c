/* SPDX-License-Identifier: MIT */
/* Base64 and hexadecimal digits to numbers. */
#include "base/ascii.h"
#include "base/digest.h"
#include "base/status.h"
#include "support/unit.h"

TEST(base64)
{
	static const char *const good[][2] = { { "", "" },
					       { "YQ==", "a" },
					       { "YWI=", "ab" },
					       { " Y W\r\nJj\t", "abc" },
					       { "YWJjZGVmZ2g=", "abcdefgh" } };
	static const char *const bad[] = { "Y", "YQ", "YQ=", "YQ===", "Y===", "YQ=a", "YW-j", "YWJj=" };
	AUTO_BUF out = { 0 };
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		buf_clear(&out);
		assert_ok(base64_decode(slice_from_text(good[i][0]), &out));
		assert_true(slice_equal(buf_slice(&out), slice_from_text(good[i][1])));
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(base64_decode(slice_from_text(bad[i]), &out), DANA_EFORMAT);
}

TEST(hexadecimal_digits)
{
	static const char digits[] = "0123456789abcdef", capitals[] = "0123456789ABCDEF";
	int found = 0;
	for (int i = 0; i < 16; i++) {
		assert_int_equal(ascii_hex((uint8_t)digits[i]), i);
		assert_int_equal(ascii_hex((uint8_t)capitals[i]), i);
	}
	for (int c = 0; c < 256; c++)
		found += ascii_hex((uint8_t)c) >= 0;
	assert_int_equal(found, 22);
}
