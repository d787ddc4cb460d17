/* SPDX-License-Identifier: MIT */
/*
 * A file of unit tests is a group of its room's test program, named after the file; its tests enter themselves:
 *
 *     TEST(joins_names)
 *     {
 *             assert_string_equal(join("a", "b"), "a/b");
 *     }
 *
 * They run in the order of the file. GROUP(setup, teardown) gives the group functions that run before and after all of
 * them, TEST_WITH(setup, teardown, name) a test its own; both pass on `state`, as cmocka does.
 */
#ifndef DANA_TESTS_SUPPORT_UNIT_H
#define DANA_TESTS_SUPPORT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/status.h"

struct unit_entry {
	const char *file;
	struct CMUnitTest test; /* without test_func: the set-up of the group */
	struct unit_entry *next;
};

/** Adds an entry to those that unit_main.c runs, before main. Borrows it. */
void unit_add(struct unit_entry *entry);

#define UNIT_ADD(name, ...) \
	__attribute__((constructor)) static void unit_add_##name(void) \
	{ \
		static struct unit_entry self = { __FILE__, { #name, __VA_ARGS__, NULL }, NULL }; \
		unit_add(&self); \
	}

#define TEST_WITH(setup, teardown, name) \
	static void name(void **state); \
	UNIT_ADD(name, name, setup, teardown) \
	static void name(__attribute__((unused)) void **state)

/* A table whose short rows share lines: static const struct row rows[] = ROWS({ 1, "a" }, { 2, "b" }); */
#define ROWS(...) \
	{ \
		__VA_ARGS__ \
	}

/* A call returns 0, which is DANA_OK. */
#define assert_ok(call) assert_int_equal(call, 0)

/* A buffer that is freed where its block ends: AUTO_BUF page = { 0 }; */
#define AUTO_BUF __attribute__((cleanup(buf_free))) struct buf

/* A call fails as `code`, and its message has the words. `err` is cleared before it. */
#define assert_refused(err, code, words, call) \
	do { \
		(err) = (struct error){ 0 }; \
		assert_int_equal(call, code); \
		assert_non_null(strstr((err).text, words)); \
	} while (0)

/* Its bytes as a string. */
static inline const char *text_of(struct buf *b)
{
	assert_ok(buf_append_byte(b, 0));
	b->len--;
	return (const char *)b->data;
}
/* An array of texts that ends with NULL. */
#define TEXTS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* A buffer holds this text. */
#define assert_holds(buffer, text) \
	do { \
		assert_ok(buf_append_byte(buffer, 0)); \
		assert_string_equal((const char *)(buffer)->data, text); \
		(buffer)->len--; \
	} while (0)

#define TEST(name) TEST_WITH(NULL, NULL, name)
#define GROUP(setup, teardown) UNIT_ADD(group, NULL, setup, teardown)

#endif
