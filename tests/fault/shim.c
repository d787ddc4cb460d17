/* SPDX-License-Identifier: MIT */
/*
 * Faults of a machine, for a program that is started with this library in LD_PRELOAD. Calls of the program and of its
 * libraries that concern files below a folder are counted over all threads. One of them can be the last one before a
 * signal, or fail. Each is written down, and what a rename or unlink takes away is kept, so that what a power cut may
 * leave can be made afterwards (interrupt.py).
 *
 *     FAULT_FOLDER   files below it count (a path without links)
 *     FAULT_CALLS    names of the calls that count, with a blank before and after each
 *     FAULT_KILL     N: SIGKILL before the N-th call (from 1); N:SIGNAL: this signal, by its number
 *     FAULT_FAIL     NAME:N:ERRNO: the N-th call of that name fails; ERRNO 0: of its bytes only half are read or
 *                    written; with :on at the end all calls of the name from there on
 *     FAULT_LOG      file: a line for each call, tabs between its parts: CALL, path, second path, number, "failed" or
 *                    nothing
 *     FAULT_KEEP     folder: before call N renames or removes a file that is there, or renames one, N.old is a link to
 *                    what goes, and N.new to what comes
 *     FAULT_THREADS  no more threads than this, besides the first one, can be had at a time
 *     FAULT_DROP     "file" or "folder": their fsync is left out, and not written down
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long count, kill_at;
static int kill_by = SIGKILL;
static const char *folder, *calls, *keep, *drop;
static int log_fd = -1;
static long threads, most_threads = LONG_MAX; /* besides the first one */

static struct {
	char name[32];
	unsigned long at, seen;
	int error;
	bool on;
} failing;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void read_failing(const char *text)
{
	const char *colon = strchr(text, ':');
	char *end;
	if (!colon || (size_t)(colon - text) >= sizeof(failing.name))
		abort();
	memcpy(failing.name, text, (size_t)(colon - text));
	failing.at = strtoul(colon + 1, &end, 10);
	failing.error = (int)strtol(end + (*end == ':'), &end, 10);
	failing.on = *end == ':';
}

__attribute__((constructor)) static void begin(void)
{
	const char *at = getenv("FAULT_KILL"), *log = getenv("FAULT_LOG"), *fail = getenv("FAULT_FAIL");
	const char *most = getenv("FAULT_THREADS");
	char *end = NULL;
	folder = getenv("FAULT_FOLDER");
	calls = getenv("FAULT_CALLS");
	keep = getenv("FAULT_KEEP");
	drop = getenv("FAULT_DROP");
	most_threads = most ? strtol(most, NULL, 10) : LONG_MAX;
	kill_at = at ? strtoul(at, &end, 10) : 0;
	if (end && *end == ':')
		kill_by = (int)strtol(end + 1, NULL, 10);
	if (fail)
		read_failing(fail);
	if (log)
		log_fd = REAL(open)(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* ---- which calls count ---- */

static bool is_ours(const char *path)
{
	char full[PATH_MAX];
	if (!folder)
		return false;
	if (path[0] != '/')
		return getcwd(full, sizeof(full)) && strncmp(full, folder, strlen(folder)) == 0;
	return strncmp(path, folder, strlen(folder)) == 0;
}

static bool path_of(int fd, char path[PATH_MAX])
{
	char link[64];
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, path, PATH_MAX - 1);
	if (n < 0)
		return false;
	path[n] = 0;
	return path[0] == '/' && is_ours(path);
}

static bool counts(const char *name)
{
	char word[40];
	(void)snprintf(word, sizeof(word), " %s ", name);
	return calls && strstr(calls, word);
}

/* ---- what happens at one ---- */

static void keep_link(const char *path, const char *suffix)
{
	char name[PATH_MAX];
	if (!keep || !path)
		return;
	(void)snprintf(name, sizeof(name), "%s/%lu.%s", keep, count, suffix);
	if (link(path, name) < 0 && errno != ENOENT)
		abort();
}

static bool is_failing(const char *name)
{
	if (strcmp(name, failing.name) != 0)
		return false;
	failing.seen++;
	return failing.seen == failing.at || (failing.on && failing.seen > failing.at);
}

enum happens { GOES_ON, FAILS, IS_SHORT };

/* A call is about to be made, of a file or of two; errno is set where it fails. */
static enum happens call(const char *name, const char *path, const char *to, size_t number)
{
	int before = errno;
	if (!counts(name))
		return GOES_ON;
	pthread_mutex_lock(&lock);
	count++;
	if (kill_at && count == kill_at)
		(void)kill(getpid(), kill_by);
	if (strcmp(name, "rename") == 0) {
		keep_link(to, "old");
		keep_link(path, "new");
	} else if (strcmp(name, "unlink") == 0) {
		keep_link(path, "old");
	}
	bool fails = is_failing(name);
	char line[2 * PATH_MAX + 128];
	int n = snprintf(line, sizeof(line), "%s\t%s\t%s\t%zu\t%s\n", name, path, to ? to : "", number,
			 fails ? "failed" : "");
	if (log_fd >= 0 && REAL(write)(log_fd, line, (size_t)n) != n)
		abort();
	pthread_mutex_unlock(&lock);
	errno = fails && failing.error ? failing.error : before;
	if (!fails)
		return GOES_ON;
	return failing.error ? FAILS : IS_SHORT;
}

static enum happens call_path(const char *name, const char *path)
{
	return is_ours(path) ? call(name, path, NULL, 0) : GOES_ON;
}

static enum happens call_fd(const char *name, int fd, size_t number)
{
	char path[PATH_MAX];
	int before = errno;
	bool ours = folder && counts(name) && path_of(fd, path);
	errno = before;
	return ours ? call(name, path, NULL, number) : GOES_ON;
}

/* An fsync that is left out has not happened, and the caller does not know. */
static bool dropped(int fd)
{
	struct stat st;
	if (!drop || fstat(fd, &st) < 0)
		return false;
	return strcmp(drop, S_ISDIR(st.st_mode) ? "folder" : "file") == 0;
}

/* ---- calls on open files ---- */

static size_t bytes_of(enum happens what, size_t len)
{
	return what == IS_SHORT && len > 1 ? len / 2 : len;
}

#define TRANSFER(function, word, bytes) \
	ssize_t function(int fd, bytes *data, size_t len) \
	{ \
		enum happens what = call_fd(word, fd, len); \
		return what == FAILS ? -1 : REAL(function)(fd, data, bytes_of(what, len)); \
	}

#define TRANSFER_AT(function, word, bytes, offset) \
	ssize_t function(int fd, bytes *data, size_t len, offset at) \
	{ \
		enum happens what = call_fd(word, fd, len); \
		return what == FAILS ? -1 : REAL(function)(fd, data, bytes_of(what, len), at); \
	}

TRANSFER(write, "write", const void)
TRANSFER(read, "read", void)
TRANSFER_AT(pwrite, "write", const void, off_t)
TRANSFER_AT(pwrite64, "write", const void, off64_t)
TRANSFER_AT(pread, "read", void, off_t)
TRANSFER_AT(pread64, "read", void, off64_t)

#define SYNC(function) \
	int function(int fd) \
	{ \
		return dropped(fd) ? 0 : call_fd("fsync", fd, 0) == FAILS ? -1 : REAL(function)(fd); \
	}

SYNC(fsync)
SYNC(fdatasync)

#define TRUNCATE(function, offset) \
	int function(int fd, offset size) \
	{ \
		return call_fd("ftruncate", fd, (size_t)size) == FAILS ? -1 : REAL(function)(fd, size); \
	}

TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SEEK(function, offset) \
	offset function(int fd, offset at, int whence) \
	{ \
		return call_fd("lseek", fd, 0) == FAILS ? -1 : REAL(function)(fd, at, whence); \
	}

SEEK(lseek, off_t)
SEEK(lseek64, off64_t)

int fstat(int fd, struct stat *st)
{
	return call_fd("fstat", fd, 0) == FAILS ? -1 : REAL(fstat)(fd, st);
}

/* A failed close has closed the file. */
int close(int fd)
{
	enum happens what = call_fd("close", fd, 0);
	int error = errno, closed = REAL(close)(fd);
	if (what != FAILS)
		return closed;
	errno = error;
	return -1;
}

/* ---- calls on names ---- */

int rename(const char *from, const char *to)
{
	bool fails = is_ours(to) && call("rename", from, to, 0) == FAILS;
	return fails ? -1 : REAL(rename)(from, to);
}

int unlink(const char *path)
{
	return call_path("unlink", path) == FAILS ? -1 : REAL(unlink)(path);
}

int mkdir(const char *path, mode_t mode)
{
	return call_path("mkdir", path) == FAILS ? -1 : REAL(mkdir)(path, mode);
}

DIR *opendir(const char *path)
{
	return call_path("opendir", path) == FAILS ? NULL : REAL(opendir)(path);
}

static bool open_fails(const char *path, int flags)
{
	struct stat st;
	bool creates = (flags & O_CREAT) && lstat(path, &st) < 0;
	return call_path(creates ? "create" : "open", path) == FAILS;
}

#define OPEN(function) \
	int function(const char *path, int flags, ...) \
	{ \
		mode_t mode = 0; \
		va_list args; \
		va_start(args, flags); \
		if (flags & O_CREAT) \
			mode = (mode_t)va_arg(args, int); \
		va_end(args); \
		return open_fails(path, flags) ? -1 : REAL(function)(path, flags, mode); \
	}

OPEN(open)
OPEN(open64)

#define FOPEN(function) \
	FILE *function(const char *path, const char *mode) \
	{ \
		return open_fails(path, strchr(mode, 'w') ? O_CREAT : 0) ? NULL : REAL(function)(path, mode); \
	}

FOPEN(fopen)
FOPEN(fopen64)

/* ---- what a process may have too few of ---- */

struct thread {
	void *(*start)(void *);
	void *arg;
};

static void change_threads(int by)
{
	pthread_mutex_lock(&lock);
	threads += by;
	pthread_mutex_unlock(&lock);
}

static void *run_thread(void *arg)
{
	struct thread t = *(struct thread *)arg;
	free(arg);
	void *result = t.start(t.arg);
	change_threads(-1);
	return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *arg)
{
	struct thread *t = malloc(sizeof(*t));
	if (!t || threads >= most_threads) {
		free(t);
		return EAGAIN;
	}
	*t = (struct thread){ start, arg };
	change_threads(1);
	int error = REAL(pthread_create)(thread, attributes, run_thread, t);
	if (error == 0)
		return 0;
	change_threads(-1);
	free(t);
	return error;
}
