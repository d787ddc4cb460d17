/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "charset/iconv_utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/status.h"

/*
 * glibc also reports EINVAL when it had no descriptor left to read its tables with. So it is tested whether one is
 * left.
 */
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

int iconv_utf8_open(iconv_t *cd, const char *charset)
{
	*cd = iconv_open("UTF-8", charset);
	if (*cd != (iconv_t)-1)
		return DANA_OK;
	int error = errno;

	if (error == ENOMEM)
		return DANA_ENOMEM;
	return descriptors_are_out(error) ? DANA_EFILES : DANA_ECONFIG;
}
