/* SPDX-License-Identifier: MIT */
/*
 * A file in a folder of its own, for a group of tests (GROUP(make_folder, remove_folder)). The
 * file that includes this first defines _XOPEN_SOURCE as 700, for mkdtemp.
 */
#ifndef DANA_TESTS_SUPPORT_SCRATCH_FILE_H
#define DANA_TESTS_SUPPORT_SCRATCH_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/unit.h"

static char folder[] = "test_file.XXXXXX"; /* in the working directory */
static char path[64];                      /* folder/file; no test need make it */

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return 1;
	(void)snprintf(path, sizeof(path), "%s/file", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	(void)unlink(path);
	return rmdir(folder); /* fails when anything else is left in it */
}

static inline size_t scratch_read(const char *name, uint8_t *to, size_t room)
{
	FILE *in = fopen(name, "rb");
	assert_non_null(in);
	size_t len = fread(to, 1, room, in);
	assert_int_equal(fclose(in), 0);
	return len;
}

static inline void scratch_write(const char *name, const uint8_t *data, size_t len)
{
	FILE *out = fopen(name, "wb");
	assert_non_null(out);
	assert_int_equal(fwrite(data, 1, len, out), len);
	assert_int_equal(fclose(out), 0);
}

/* Numbers without a pattern. */
static inline uint32_t scratch_random(void)
{
	static uint32_t state = 1;
	state = state * 1664525U + 1013904223U;
	return state >> 8;
}

#endif
