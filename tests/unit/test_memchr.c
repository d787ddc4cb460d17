/* SPDX-License-Identifier: MIT */
/* memchr and memcmp, which are the project's own where the C library is musl: beside a page that nobody may read. */
#include "config.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/unit.h"

/* Called by their address: no compiler puts an own form in their place. */
static void *(*volatile find)(const void *bytes, int c, size_t len) = memchr;
static int (*volatile compare)(const void *a, const void *b, size_t len) = memcmp;

enum { ROOM = 100 };

/* ROOM zeroes, of which the last are a page's. */
static uint8_t *before_the_end(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(pages, MAP_FAILED);
	assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
	return pages + page - ROOM;
}

TEST(a_byte_is_found_at_every_place_and_never_outside)
{
	uint8_t *room = before_the_end();
	for (size_t from = 0; from <= ROOM; from++) {
		for (size_t place = 0; place < ROOM; place++) {
			room[place] = 0xC3;
			const bool ahead = place >= from;
			for (size_t len = 0; len <= ROOM - from; len++) {
				void *expected = ahead && place - from < len ? room + place : NULL;
				assert_ptr_equal(find(room + from, 0xC3, len), expected);
			}
			if (ahead)
				assert_ptr_equal(find(room + from, 0xC3 - 256, SIZE_MAX), room + place);
			room[place] = 0;
		}
	}
	for (size_t place = 1; place < ROOM; place++) {
		memset(room + place - 1, '<', ROOM - place + 1);
		assert_ptr_equal(find(room, '<', ROOM), room + place - 1);
		memset(room, 0, ROOM);
	}
	assert_null(find(room + ROOM, 0, 0));
}

TEST(bytes_are_compared_as_numbers_up_to_the_first_difference)
{
	uint8_t *room = before_the_end(), *other = before_the_end();
	memset(room, 'a', ROOM);
	memset(other, 'a', ROOM);
	for (size_t len = 0; len <= ROOM; len++) {
		uint8_t *x = room + ROOM - len, *y = other + ROOM - len;
		assert_int_equal(compare(x, y, len), 0);
		for (size_t place = 0; place < len; place++) {
			x[place] = 0xFF;
			y[len - 1] = 'b'; /* a later difference counts for nothing */
			assert_true(compare(x, y, len) > 0);
			assert_true(compare(y, x, len) < 0);
			assert_int_equal(compare(x, y, place), 0);
			x[place] = y[len - 1] = 'a';
		}
	}
}
