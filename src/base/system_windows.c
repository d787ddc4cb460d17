/* SPDX-License-Identifier: MIT */
/* base/system.h on Windows, as far as the libraries call it. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/system.h"

/* After a drive, too. */
size_t system_name_at(const char *path)
{
	size_t at = strlen(path);
	while (at > 0 && !strchr("/\\:", path[at - 1]))
		at--;
	return at;
}

bool system_random(void *bytes, size_t len)
{
	unsigned value = 0;
	for (size_t i = 0; i < len; i++) {
		if (rand_s(&value) != 0)
			return false;
		((uint8_t *)bytes)[i] = (uint8_t)value;
	}
	return true;
}

int system_sync(int fd)
{
	return fsync(fd);
}

/* NTFS takes the space when the length is set. */
int system_allocate(int fd, off_t bytes)
{
	return ftruncate(fd, bytes) < 0 ? errno : 0;
}
