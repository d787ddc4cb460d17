/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "dedup/store/mapped_array.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file/nameless_file.h"

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
	*a = (struct mapped_array){ .bytes = (n ? n : 1) * sizeof(*a->items) };
	int fd = nameless_file_open(folder, err);
	if (fd < 0)
		return fd;
	int status = map(a, folder, fd, err);
	(void)close(fd);
	return status;
}

void mapped_array_free(struct mapped_array *a)
{
	if (a->items)
		(void)munmap(a->items, a->bytes);
	*a = (struct mapped_array){ 0 };
}
