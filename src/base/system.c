/* SPDX-License-Identifier: MIT */
/* What Linux with glibc, Linux with musl and macOS do in different ways, each difference as one function. */
#include "config.h"

#include "base/system.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cpu.h"
#ifdef __APPLE__
#include <errno.h>
#include <mach-o/dyld.h>
#include <mach/mach.h>
#include <malloc/malloc.h>
#include <sys/event.h>
#include <sys/random.h>
#else
#include <malloc.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#ifdef HAVE_GETRANDOM
#include <sys/random.h>
#else
#include <sys/syscall.h>
#endif
#endif

#ifdef __APPLE__

bool system_program(char *path, size_t size)
{
	char called[PATH_MAX], real[PATH_MAX];
	uint32_t room = sizeof(called);
	if (_NSGetExecutablePath(called, &room) != 0 || !realpath(called, real) || strlen(real) >= size)
		return false;
	memcpy(path, real, strlen(real) + 1);
	return true;
}

const char *system_self(void)
{
	static char path[PATH_MAX];
	return system_program(path, sizeof(path)) ? path : "dana";
}

bool system_set_user_id(void)
{
	return issetugid() != 0;
}

bool system_random(void *bytes, size_t len)
{
	return getentropy(bytes, len) == 0;
}

uint64_t system_resident_bytes(void)
{
	struct mach_task_basic_info info;
	mach_msg_type_number_t n = MACH_TASK_BASIC_INFO_COUNT;
	return task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &n) == KERN_SUCCESS
		       ? info.resident_size
		       : 0;
}

uint64_t system_most_resident_bytes(const struct rusage *usage)
{
	return (uint64_t)usage->ru_maxrss;
}

/* A process may wait for the end of another one in a queue of events of the kernel. */
static void *wait_for_parent(void *queue)
{
	struct kevent event;
	const int fd = (int)(intptr_t)queue;
	int n;
	while ((n = kevent(fd, NULL, 0, &event, 1, NULL)) < 0 && errno == EINTR)
		;
	if (n > 0)
		(void)kill(getpid(), SIGTERM);
	return NULL;
}

bool system_end_with_parent(pid_t parent)
{
	struct kevent end;
	sigset_t all, before;
	pthread_t thread;
	const int queue = kqueue();
	EV_SET(&end, (uintptr_t)parent, EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, NULL);
	if (queue < 0 || kevent(queue, &end, 1, NULL, 0, NULL) < 0 || getppid() != parent)
		return false;
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_BLOCK, &all, &before); /* signals are for other threads */
	const bool good = pthread_create(&thread, NULL, wait_for_parent, (void *)(intptr_t)queue) == 0;
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (good)
		(void)pthread_detach(thread);
	return good;
}

/* fsync leaves bytes in the memory of the disk. Not every file system knows more. */
int system_sync(int fd)
{
	const int result = fcntl(fd, F_FULLFSYNC);
	return result < 0 && errno != EINTR ? fsync(fd) : result;
}

/* File systems without F_PREALLOCATE have no files with holes: their space is taken by the length. */
int system_allocate(int fd, off_t bytes)
{
	fstore_t space = { .fst_flags = F_ALLOCATEALL, .fst_posmode = F_PEOFPOSMODE, .fst_length = bytes };
	const bool full = fcntl(fd, F_PREALLOCATE, &space) < 0 && (errno == ENOSPC || errno == EDQUOT);
	return full || ftruncate(fd, bytes) < 0 ? errno : 0;
}

struct order {
	int (*compare)(const void *a, const void *b, void *arg);
	void *arg;
};

static int compare_by(void *order, const void *a, const void *b)
{
	const struct order *o = order;
	return o->compare(a, b, o->arg);
}

void system_sort(void *items, size_t n, size_t size, int (*compare)(const void *a, const void *b, void *arg), void *arg)
{
	struct order order = { compare, arg };
	qsort_r(items, n, size, &order, compare_by);
}

size_t system_block_size(void *block)
{
	return malloc_size(block);
}

#else

bool system_program(char *path, size_t size)
{
	const ssize_t n = readlink("/proc/self/exe", path, size);
	if (n < 1 || (size_t)n >= size)
		return false;
	path[n] = '\0';
	return true;
}

const char *system_self(void)
{
	return "/proc/self/exe";
}

bool system_set_user_id(void)
{
	return getauxval(AT_SECURE) != 0;
}

bool system_random(void *bytes, size_t len)
{
#ifdef HAVE_GETRANDOM
	return getrandom(bytes, len, GRND_NONBLOCK) == (ssize_t)len;
#else /* glibc before 2.25 */
	enum { NONBLOCK = 1 };
	return syscall(SYS_getrandom, bytes, len, NONBLOCK) == (long)len;
#endif
}

uint64_t system_resident_bytes(void)
{
	unsigned long pages;
	FILE *file = fopen("/proc/self/statm", "re");
	const bool good = file && fscanf(file, "%*u %lu", &pages) == 1;
	if (file)
		(void)fclose(file);
	return good ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

uint64_t system_most_resident_bytes(const struct rusage *usage)
{
	return (uint64_t)usage->ru_maxrss << 10;
}

bool system_end_with_parent(pid_t parent)
{
	return prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && getppid() == parent;
}

int system_sync(int fd)
{
	return fsync(fd);
}

int system_allocate(int fd, off_t bytes)
{
	return posix_fallocate(fd, 0, bytes);
}

void system_sort(void *items, size_t n, size_t size, int (*compare)(const void *a, const void *b, void *arg), void *arg)
{
	qsort_r(items, n, size, compare, arg);
}

size_t system_block_size(void *block)
{
	return malloc_usable_size(block);
}

#endif

size_t system_name_at(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (size_t)(slash - path) + 1 : 0;
}

int system_compare_paths(const char *a, const char *b)
{
	return strcmp(a, b);
}

void system_slashes(char *path)
{
	(void)path;
}

bool system_path_is_whole(const char *path)
{
	return path[0] == '/';
}

int system_pipe_size(int fd)
{
#ifdef F_GETPIPE_SZ
	return fcntl(fd, F_GETPIPE_SZ);
#else
	return fd < 0 ? fd : 0;
#endif
}

int system_socket(int family)
{
#ifdef SOCK_CLOEXEC
	return socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
#else
	const int fd = socket(family, SOCK_STREAM, 0);
	if (fd >= 0)
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
#endif
}

unsigned system_cores(void)
{
#ifdef HAVE_SCHED_GETAFFINITY
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
		return (unsigned)CPU_COUNT(&set);
#endif
	const long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (unsigned)n : 1;
}

size_t system_raise_descriptors(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return 0;
#ifdef __APPLE__
	/* It refuses more than OPEN_MAX, whatever it calls the most. */
	const rlim_t most = limit.rlim_max < OPEN_MAX ? limit.rlim_max : OPEN_MAX;
	limit.rlim_cur = limit.rlim_cur > most ? limit.rlim_cur : most;
#else
	limit.rlim_cur = limit.rlim_max;
#endif
	(void)setrlimit(RLIMIT_NOFILE, &limit);
	return limit.rlim_cur == RLIM_INFINITY ? SIZE_MAX : (size_t)limit.rlim_cur;
}

void system_reads_in_order(int fd)
{
#ifdef HAVE_POSIX_FADVISE
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#else
	(void)fcntl(fd, F_RDAHEAD, 1);
#endif
}

void system_reads_next(int fd, off_t offset, off_t len)
{
#ifdef HAVE_POSIX_FADVISE
	(void)posix_fadvise(fd, offset, len, POSIX_FADV_WILLNEED);
#else
	struct radvisory next = { .ra_offset = offset, .ra_count = len < INT_MAX ? (int)len : INT_MAX };
	(void)fcntl(fd, F_RDADVISE, &next);
#endif
}

/*
 * memchr and memcmp of musl look at a word or a byte at a time, which costs 3 to 5 % of the time of a page. A program
 * or library that is linked with these takes them for its own.
 */
#if defined(__linux__) && !defined(__GLIBC__) && (defined(CPU_PATHS_SSE2) || defined(CPU_PATHS_NEON))

enum { BLOCK = 16 };

#ifdef CPU_PATHS_SSE2
#include <emmintrin.h>

enum { BITS_PER_BYTE = 1 };
typedef __m128i block;
#define BLOCK_OF(byte) _mm_set1_epi8((char)(byte))
#define BLOCK_AT(p) _mm_loadu_si128((const __m128i *)(p))

/* BITS_PER_BYTE bits for each byte that is the same in both, the first lowest. */
BITS_INLINE uint64_t block_same(block a, block b)
{
	return (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(a, b));
}
#else
#include <arm_neon.h>

enum { BITS_PER_BYTE = 4 };
typedef uint8x16_t block;
#define BLOCK_OF(byte) vdupq_n_u8((uint8_t)(byte))
#define BLOCK_AT(p) vld1q_u8(p)

BITS_INLINE uint64_t block_same(block a, block b)
{
	return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(vceqq_u8(a, b)), 4)), 0);
}
#endif

/* Reads whole aligned blocks, and no block crosses the end of a page: so it reads nothing that cannot be read, also
 * where `len` reaches beyond the bytes, as callers may give it if the byte comes before. */
__attribute__((no_sanitize("address"))) void *memchr(const void *bytes, int c, size_t len)
{
	if (len == 0)
		return NULL;
	const uint8_t *at = bytes;
	const size_t before = (uintptr_t)at % BLOCK;
	const block wanted = BLOCK_OF(c);
	uint64_t found = block_same(BLOCK_AT(at - before), wanted) >> (before * BITS_PER_BYTE);
	size_t done = 0, next = BLOCK - before;
	while (found == 0 && next < len) {
		done = next;
		found = block_same(BLOCK_AT(at + done), wanted);
		next += BLOCK;
	}
	if (found == 0 || len - done <= bits_lowest(found) / BITS_PER_BYTE)
		return NULL;
	return (void *)(uintptr_t)(at + done + bits_lowest(found) / BITS_PER_BYTE);
}

int memcmp(const void *a, const void *b, size_t len)
{
	const uint8_t *x = a, *y = b;
	const uint64_t all = bits_below(BLOCK * BITS_PER_BYTE - 1) << 1 | 1;
	size_t i = 0;
	for (; len - i >= BLOCK; i += BLOCK) {
		const uint64_t other = block_same(BLOCK_AT(x + i), BLOCK_AT(y + i)) ^ all;
		if (other != 0) {
			i += bits_lowest(other) / BITS_PER_BYTE;
			return x[i] - y[i];
		}
	}
	while (i < len && x[i] == y[i])
		i++;
	return i < len ? x[i] - y[i] : 0;
}

#endif
