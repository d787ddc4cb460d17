/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "dedup/mapped_array.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"

static int map(struct mapped_array *a, const char *name, int fd, struct error *err)
{
	int error = posix_fallocate(fd, 0, (off_t)a->bytes);

	if (error)
		return error_set(err, DANA_EIO, "%s: %s", name, system_text(error));
	void *items = mmap(NULL, a->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (items == MAP_FAILED)
		return error_set(err, DANA_EIO, "%s: %s", name, system_text(errno));
	a->items = items;
	return DANA_OK;
}

int mapped_array_make(struct mapped_array *a, const char *folder, size_t n, struct error *err)
{
	struct buf name = { 0 };
	int status = DANA_ENOMEM;

	*a = (struct mapped_array){ .bytes = (n ? n : 1) * sizeof(*a->items) };
	buf_printf(&name, "%s/.dana-XXXXXX", folder);
	buf_append_byte(&name, 0);
	if (buf_status(&name) < 0) {
		(void)error_set(err, status, "%s", status_text(status));
	} else {
		int fd = mkostemp((char *)name.data, O_CLOEXEC);
		status = fd >= 0 && unlink((const char *)name.data) == 0
				 ? map(a, folder, fd, err)
				 : error_set(err, DANA_EIO, "%s: %s", (const char *)name.data, system_text(errno));
		if (fd >= 0)
			(void)close(fd);
	}
	buf_free(&name);
	return status;
}

void mapped_array_free(struct mapped_array *a)
{
	if (a->items)
		(void)munmap(a->items, a->bytes);
	*a = (struct mapped_array){ 0 };
}
