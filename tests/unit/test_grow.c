/* SPDX-License-Identifier: MIT */
/* Arrays that grow together, and bytes whose first failure latches. */
#include "base/buf.h"
#include "base/status.h"
#include "support/unit.h"

TEST(arrays_grow_together_and_keep_what_they_hold)
{
	uint32_t *words = NULL;
	uint8_t(*rows)[3] = NULL;
	const struct grow_array arrays[] = { GROW_ARRAY(words), GROW_ARRAY(rows) };
	size_t cap = 0;
	for (uint32_t n = 1; n < 1000; n++) {
		assert_ok(grow_arrays(arrays, 2, n, &cap));
		assert_true(cap >= n && cap % GROW_FIRST == 0 && (cap < 2 * n || cap == GROW_FIRST));
		words[n - 1] = n;
		rows[n - 1][2] = (uint8_t)n;
	}
	for (uint32_t n = 1; n < 1000; n++) {
		assert_int_equal(words[n - 1], n);
		assert_int_equal(rows[n - 1][2], (uint8_t)n);
	}
	free(words);
	free(rows);
}

TEST(what_no_memory_can_hold_is_refused)
{
	uint32_t *words = NULL;
	const struct grow_array array = GROW_ARRAY(words);
	size_t cap = 0;
	assert_ok(grow_arrays(&array, 1, 1, &cap));
	words[0] = 7;
	assert_int_equal(grow_arrays(&array, 1, SIZE_MAX, &cap), DANA_ENOMEM);
	assert_int_equal(grow_arrays(&array, 1, SIZE_MAX / 2, &cap), DANA_ENOMEM);
	assert_int_equal(cap, GROW_FIRST);
	assert_int_equal(words[0], 7);
	assert_int_equal(renew_arrays(&array, 1, SIZE_MAX, &cap), DANA_ENOMEM);
	assert_int_equal(cap, GROW_FIRST);
	assert_int_equal(renew_arrays(&array, 1, SIZE_MAX / 8, &cap), DANA_ENOMEM);
	assert_null(words);
	assert_int_equal(cap, 0);
	assert_ok(renew_arrays(&array, 1, GROW_FIRST + 1, &cap));
	assert_true(words && cap == 2 * GROW_FIRST);
	free(words);
}

TEST(nothing_is_appended_after_a_failure)
{
	AUTO_BUF b = { 0 };
	assert_ok(buf_append_text(&b, "before"));
	assert_ok(buf_status(&b));
	assert_int_equal(buf_reserve(&b, SIZE_MAX / 2), DANA_ENOMEM);
	assert_int_equal(buf_append_text(&b, "x"), DANA_ENOMEM);
	assert_int_equal(buf_append_byte(&b, 'x'), DANA_ENOMEM);
	assert_int_equal(buf_printf(&b, "%d", 1), DANA_ENOMEM);
	assert_int_equal(buf_status(&b), DANA_ENOMEM);
	assert_true(slice_equal(buf_slice(&b), slice_from_text("before")));
	buf_clear(&b);
	assert_ok(buf_append_text(&b, "after"));
	assert_int_equal(buf_reserve(&b, SIZE_MAX), DANA_ENOMEM);
	buf_shrink(&b, 100);
	assert_ok(buf_append_byte(&b, 'y'));
	assert_ok(buf_status(&b));
	buf_latch(&b, DANA_OK); /* of a part */
	assert_ok(buf_append_text(&b, "."));
	buf_latch(&b, DANA_ENOMEM);
	assert_int_equal(buf_append(&b, NULL, 0), DANA_ENOMEM);
	assert_int_equal(buf_append_byte(&b, 'x'), DANA_ENOMEM);
	assert_int_equal(buf_status(&b), DANA_ENOMEM);
	assert_true(slice_equal(buf_slice(&b), slice_from_text("y.")));
}
