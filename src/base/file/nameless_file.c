/* SPDX-License-Identifier: MIT */
/* Where the file system cannot make files without a name, the file has one for a moment. */
#include "config.h"

#include "base/file/nameless_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file/durable.h"
#include "base/file/path.h"

static int open_named(const char *folder, struct error *err)
{
	char *name = path_with(folder, "/.dana-XXXXXX");
	int fd = name ? mkostemp(name, O_CLOEXEC) : -1;
	if (fd >= 0 && unlink(name) < 0) {
		(void)close(fd);
		fd = -1;
	}
	free(name);
	return fd >= 0 ? fd : error_set(err, DANA_EIO, "%s: %s", folder, system_text(errno));
}

int nameless_file_open(const char *folder, struct error *err)
{
#ifdef O_TMPFILE
	int fd = durable_open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
#endif
	return open_named(folder, err);
}
