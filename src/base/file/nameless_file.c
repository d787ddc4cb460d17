/* SPDX-License-Identifier: MIT */
/* Where the file system cannot make files without a name, the file has one for a moment. */
#include "config.h"

#include "base/file/nameless_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"

static int open_named(const char *folder, struct error *err)
{
	struct buf name = { 0 };

	buf_printf(&name, "%s/.dana-XXXXXX", folder);
	buf_append_byte(&name, 0);
	int fd = buf_status(&name) < 0 ? -1 : mkostemp((char *)name.data, O_CLOEXEC);
	if (fd >= 0 && unlink((const char *)name.data) < 0) {
		(void)close(fd);
		fd = -1;
	}
	buf_free(&name);
	return fd >= 0 ? fd : error_set(err, DANA_EIO, "%s: %s", folder, system_text(errno));
}

int nameless_file_open(const char *folder, struct error *err)
{
#ifdef O_TMPFILE
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
#endif
	return open_named(folder, err);
}
