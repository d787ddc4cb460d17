/* SPDX-License-Identifier: MIT */
/* What Linux with glibc or musl, macOS and Windows do in different ways. Other files use POSIX, and what is here. */
#ifndef DANA_BASE_SYSTEM_H
#define DANA_BASE_SYSTEM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>

/** The path of the running program, with a zero at its end; false where the system does not give it. */
bool system_program(char *path, size_t size);
/** Returns the offset in a path at which the name of the file begins: after the last separator, or 0. */
size_t system_name_at(const char *path);
/** Compares paths as strcmp does; returns 0 also if both name one file on this system (Windows: "A" and "a"). */
int system_compare_paths(const char *a, const char *b);
/** Makes the separators of names in a path slashes, by which the program takes paths apart. */
void system_slashes(char *path);
/** The path does not begin in the folder where the program runs. */
bool system_path_is_whole(const char *path);
/** What starts the running program once more, also after its file was replaced where the system can. */
const char *system_self(void);
/** The program has rights that its user has not. */
bool system_set_user_id(void);
/** Fills `bytes` with what nobody can foresee; false if the system has none yet. */
bool system_random(void *bytes, size_t len);
/** Bytes of memory that this process has in use; 0 where the system does not tell. */
uint64_t system_resident_bytes(void);
/** The most bytes of memory that it had in use, by what getrusage has filled in. */
uint64_t system_most_resident_bytes(const struct rusage *usage);
/** Processors that this process may use; at least 1. */
unsigned system_cores(void);
/** Allows this process as many descriptors as the system lets it have, and returns their number; 0 if it is unknown. */
size_t system_raise_descriptors(void);
/**
 * Starts a thread with a stack of 8 MiB, where macOS would give 512 KiB. Returns false if it cannot be started. In the
 * header, because system.c is part of the libraries, which start no threads.
 */
static inline bool system_thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
	enum { STACK = 8 << 20 };
	pthread_attr_t attributes;
	if (pthread_attr_init(&attributes) != 0)
		return false;
	const bool good = pthread_attr_setstacksize(&attributes, STACK) == 0 &&
			  pthread_create(thread, &attributes, run, arg) == 0;
	(void)pthread_attr_destroy(&attributes);
	return good;
}
/** From now on this process, a child of `parent`, gets SIGTERM when that ends; false if it has ended already. */
bool system_end_with_parent(pid_t parent);
/** As fsync, down to the disk itself. */
int system_sync(int fd);
/** Takes space on the disk for the file, which is empty: 0 or an errno number. */
int system_allocate(int fd, off_t bytes);
/** Hints that the file is read in order, and that `len` bytes at `offset` are read next. */
void system_reads_in_order(int fd);
void system_reads_next(int fd, off_t offset, off_t len);
/** Bytes that a pipe holds; below 1 where that is not known. */
int system_pipe_size(int fd);
/** A stream socket that programs which are started do not get; -1 with errno. */
int system_socket(int family);
/** As qsort_r of POSIX. */
void system_sort(void *items, size_t n, size_t size, int (*compare)(const void *a, const void *b, void *arg),
		 void *arg);
/** Bytes that a block of malloc has. */
size_t system_block_size(void *block);

#ifndef HAVE_MEMRCHR
static inline void *memrchr(const void *bytes, int c, size_t len)
{
	const unsigned char *at = (const unsigned char *)bytes + len;
	while (len-- > 0) {
		if (*--at == (unsigned char)c)
			return (void *)(uintptr_t)at;
	}
	return NULL;
}
#endif

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

#endif
