/* SPDX-License-Identifier: MIT */
/*
 * A file in a folder of its own, for a group of tests (GROUP(make_folder, remove_folder)). The
 * file that includes this first defines _XOPEN_SOURCE as 700, for mkdtemp.
 */
#ifndef TESTS_SUPPORT_SCRATCH_FILE_H
#define TESTS_SUPPORT_SCRATCH_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

#endif
