/* SPDX-License-Identifier: MIT */
/*
 * glibc reports EINVAL for three causes: it has no converter for the charset, no file descriptor was left to read the
 * converter with, or no memory. Only the first one is a property of the page; the others must end the run, because with
 * more resources the same run would write a different text. So after a failure each cause is checked.
 */
#include "config.h"

#include "archive/charset/iconv_utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/library.h"
#include "base/status.h"

enum { CONVERTER_BYTES = 1 << 20 }; /* more than any converter of glibc takes */

static bool descriptors_are_out(int error)
{
	if (error == EMFILE || error == ENFILE)
		return true;
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return errno == EMFILE || errno == ENFILE;
	(void)close(fd);
	return false;
}

static bool can_allocate(size_t bytes)
{
	void *volatile p = malloc(bytes); /* volatile: compilers leave out pairs of malloc and free */
	bool got = p != NULL;

	free(p);
	return got;
}

/*
 * The second try has another target, because glibc may remember that the first one failed. If it succeeds, the
 * converter exists.
 */
static bool memory_was_out(int error, const char *charset)
{
	if (error == ENOMEM)
		return true;
	iconv_t again = iconv_open("UCS-4LE", charset);

	if (again != (iconv_t)-1)
		(void)iconv_close(again);
	return again != (iconv_t)-1 || errno == ENOMEM || !can_allocate(CONVERTER_BYTES);
}

int iconv_utf8_open(iconv_t *cd, const char *charset)
{
	*cd = iconv_open("UTF-8", charset);
	if (*cd != (iconv_t)-1)
		return DANA_OK;
	int error = errno;

	if (descriptors_are_out(error))
		return DANA_EFILES;
	if (!memory_was_out(error, charset))
		return DANA_ECONFIG;
	library_loader_failed();
	return DANA_ENOMEM;
}
