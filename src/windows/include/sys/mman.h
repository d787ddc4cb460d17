/* SPDX-License-Identifier: MIT */
/* Files as memory. */
#ifndef DANA_WINDOWS_INCLUDE_SYS_MMAN_H
#define DANA_WINDOWS_INCLUDE_SYS_MMAN_H

#include <sys/types.h>

enum { PROT_READ = 1, PROT_WRITE = 2 };
enum { MAP_SHARED = 1 };
#define MAP_FAILED ((void *)-1)

/** Of a file that is open for reading and writing, from its start, shared. */
void *mmap(void *at, size_t len, int protection, int flags, int fd, off_t offset);
int munmap(void *at, size_t len);

#endif
