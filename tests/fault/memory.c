/* SPDX-License-Identifier: MIT */
/*
 * Memory that ends. Linked into a program of its own, beside all of dana: the allocations of dana and its libraries
 * come here, are counted from the beginning of main over all threads, and one of them fails, or all from there on. What
 * does not fail is passed on to the allocator below, which may be the address sanitizer's.
 *
 * main is not called once but as often as is wanted, each time in a process of its own, which saves what it costs to
 * load the program. FAULT_SERVER=IN:OUT names two descriptors. Each line that is read from IN, "N" or "N on", begins a
 * run whose N-th allocation fails (0: none); its standard output and error go to the files `out` and `err` of the
 * current folder. A line on OUT gives its wait status and the number of its allocations when it ended. FAULT_STACKS
 * names a file: of a run with "0" the n-th four bytes are a hash of the calls that led to its n-th allocation.
 * FAULT_AT="N" or "N on", instead of all that, makes one run without redirecting anything: for a debugger, which may
 * stop at `fail_here`.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	IN_TIME = 60,    /* seconds of a run */
	STACKS = 500000, /* allocations whose stack is told */
	FRAMES = 16,     /* calls that tell two stacks apart */
};

static struct shared {
	atomic_ulong seen;
	uint32_t stack[STACKS];
} * shared; /* with the process that waits */
static unsigned long fail_at;
static bool fail_on;
static atomic_bool counting;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* Declares `real`, the allocator's own function. */
#define FIND_REAL(name) \
	static __typeof__(&name) real; \
	real = real ? real : REAL(name)

static uint32_t hash_stack(void)
{
	void *frames[FRAMES];
	int n = backtrace(frames, FRAMES);
	uint32_t hash = 2166136261u;
	for (int i = 0; i < n; i++)
		hash = (hash ^ (uint32_t)((uintptr_t)frames[i] >> 1)) * 16777619u;
	return hash;
}

/* A function of its own so that a debugger can stop here. */
__attribute__((noinline)) static bool fail_here(void)
{
	errno = ENOMEM;
	return true;
}

static bool fails(void)
{
	if (!atomic_load_explicit(&counting, memory_order_relaxed))
		return false;
	const unsigned long n = atomic_fetch_add(&shared->seen, 1) + 1;
	if (fail_at == 0 && n <= STACKS)
		shared->stack[n - 1] = hash_stack();
	if (fail_at == 0 || (n != fail_at && !(fail_on && n > fail_at)))
		return false;
	return fail_here();
}

void *malloc(size_t size)
{
	FIND_REAL(malloc);
	return fails() ? NULL : real(size);
}

void *calloc(size_t n, size_t size)
{
	FIND_REAL(calloc);
	return fails() ? NULL : real(n, size);
}

void *realloc(void *old, size_t size)
{
	FIND_REAL(realloc);
	return fails() ? NULL : real(old, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
	FIND_REAL(posix_memalign);
	return fails() ? ENOMEM : real(out, alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	FIND_REAL(aligned_alloc);
	return fails() ? NULL : real(alignment, size);
}

/* ---- main, again and again ---- */

typedef int main_function(int, char **, char **);

static main_function *real_main;

static void redirect(int to, const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || dup2(fd, to) < 0)
		abort();
	(void)close(fd);
}

static void begin_counting(const char *order)
{
	char *end;
	fail_at = strtoul(order, &end, 10);
	fail_on = strncmp(end, " on", 3) == 0;
	atomic_store(&counting, true);
}

/* Reads a line with read(), because stdio allocates. False: there are no more lines. */
static bool read_order(int in, char *line, size_t size)
{
	size_t n = 0;
	while (n + 1 < size && read(in, line + n, 1) == 1 && line[n] != '\n')
		n++;
	line[n] = 0;
	return n > 0;
}

/* Tells in which library the process crashed: the one of the innermost call that is not libc's. */
static void tell_crash(int number)
{
	void *frames[64];
	Dl_info info = { 0 };
	int n = backtrace(frames, 64), i = 2; /* after this function and the frame of the signal */
	/* An exception that nobody may catch ends in the runtime of C++. */
	while (i < n && dladdr(frames[i], &info) && info.dli_fname &&
	       (strstr(info.dli_fname, "/libc.so") || strstr(info.dli_fname, "/libstdc++.so") ||
		strstr(info.dli_fname, "/libgcc_s.so")))
		i++;
	(void)dprintf(STDERR_FILENO, "signal %d in (%s+0x0)\n", number, i < n && info.dli_fname ? info.dli_fname : "");
	(void)signal(number, SIG_DFL);
	(void)raise(number);
}

/* Memory that a run shares with the process that began it. */
static struct shared *map_shared(void)
{
	const char *name = getenv("FAULT_STACKS");
	int fd = open(name ? name : "", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(*shared)) != 0)
		return MAP_FAILED;
	void *map = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	(void)close(fd);
	return map;
}

static int served_main(int argc, char **argv, char **environment)
{
	const char *server = getenv("FAULT_SERVER"), *at = getenv("FAULT_AT");
	char line[64];
	int in, out, status;
	shared = map_shared();
	if (at && shared != MAP_FAILED) {
		begin_counting(at);
		return real_main(argc, argv, environment);
	}
	if (!server || sscanf(server, "%d:%d", &in, &out) != 2 || shared == MAP_FAILED) {
		(void)fputs("to be started by memory.py: FAULT_SERVER, FAULT_STACKS\n", stderr);
		return 99;
	}
	(void)hash_stack(); /* it loads a library when it is called first */
	while (read_order(in, line, sizeof(line))) {
		atomic_store(&shared->seen, 0);
		pid_t child = fork();
		if (child == 0) {
			(void)close(in);
			(void)close(out);
			redirect(STDOUT_FILENO, "out");
			redirect(STDERR_FILENO, "err");
			(void)alarm(IN_TIME);
			/* the sanitizers tell more */
			if (!dlsym(RTLD_DEFAULT, "__asan_init")) {
				(void)signal(SIGSEGV, tell_crash);
				(void)signal(SIGABRT, tell_crash);
				(void)signal(SIGBUS, tell_crash);
			}
			begin_counting(line);
			return real_main(argc, argv, environment);
		}
		if (child < 0 || waitpid(child, &status, 0) != child)
			abort();
		int n = snprintf(line, sizeof(line), "%d %lu\n", status, atomic_load(&shared->seen));
		if (write(out, line, (size_t)n) != n)
			abort();
	}
	_exit(0);
}

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void), void (*end)(void),
		      void (*loader_end)(void), void *stack_end);

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void), void (*end)(void),
		      void (*loader_end)(void), void *stack_end)
{
	real_main = main;
	return REAL(__libc_start_main)(served_main, argc, argv, init, end, loader_end, stack_end);
}
