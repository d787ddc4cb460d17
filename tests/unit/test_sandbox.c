/* SPDX-License-Identifier: MIT */
/*
 * What can still be done once the sandbox is entered. It cannot be left, so each case runs in a process of its own; it
 * ends with the number of the line that went wrong, or with 0.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/sandbox.h"
#include "support/unit.h"

extern char **environ;

/* Ends the process where it is not so. A number of a line does not fit into a status, so it is told as well. */
#define MUST(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "line %d: not so: %s (errno: %s)\n", __LINE__, #condition, \
				system_text(errno)); \
			_exit(1); \
		} \
	} while (0)

/* The call fails as `error`. */
#define FAILS_AS(error, call) \
	do { \
		errno = 0; \
		MUST((call) < 0); \
		MUST(errno == (error)); \
	} while (0)

static char folder[] = "test-sandbox-XXXXXX"; /* in the build folder */

static void put_file(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "text", 4), 4);
	assert_int_equal(close(fd), 0);
}

static int setup(void **state)
{
	(void)state;
	if (!mkdtemp(folder) || chdir(folder) < 0 || mkdir("out", 0700) < 0 || mkdir("in", 0700) < 0)
		return -1;
	put_file("in/read");
	put_file("in/other");
	put_file("apart");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	static const char *const made[] = { "in/read", "in/other", "apart", "in", "out" };
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		(void)remove(made[i]);
	return chdir("..") == 0 ? rmdir(folder) : -1;
}

static void in_a_process(void (*act)(struct sandbox *s, int closed))
{
	pid_t child = fork();
	int status;
	assert_true(child >= 0);
	if (child == 0) {
		struct error err = { 0 };
		struct sandbox *s = sandbox_new();
		MUST(s);
		act(s, 0);
		int closed = sandbox_enter(s, &err);
		MUST(closed == DANA_OK || (closed == DANA_ECONFIG && err.text[0]));
		sandbox_free(s);
		act(NULL, 1);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void files(struct sandbox *s, int closed)
{
	if (!closed) {
		MUST(sandbox_path(s, "in/read", SANDBOX_READ) == DANA_OK);
		MUST(sandbox_path(s, "in/not there", SANDBOX_READ) == DANA_OK);
		MUST(sandbox_output(s, "out/pages.jsonl") == DANA_OK);
		return;
	}
	MUST(open("in/read", O_RDONLY) >= 0);
	FAILS_AS(EACCES, open("in/read", O_WRONLY));
	FAILS_AS(EACCES, open("in/other", O_RDONLY));
	FAILS_AS(EACCES, open("/etc/passwd", O_RDONLY));
	FAILS_AS(EACCES, open("apart", O_RDONLY));
	FAILS_AS(EACCES, open("new", O_WRONLY | O_CREAT, 0600));
	FAILS_AS(EACCES, unlink("apart"));
	FAILS_AS(EACCES, rename("in/read", "in/moved"));
	FAILS_AS(EACCES, mkdir("out/folder", 0700));
	FAILS_AS(EPERM, symlink("/etc/passwd", "out/link"));
	FAILS_AS(ENOSYS, truncate("in/read", 0));

	int fd = open("out/pages.jsonl.part", O_RDWR | O_CREAT | O_EXCL, 0600);
	MUST(fd >= 0 && write(fd, "page", 4) == 4 && ftruncate(fd, 2) == 0 && fsync(fd) == 0);
	MUST(rename("out/pages.jsonl.part", "out/pages.jsonl") == 0);
	int directory = open("out", O_RDONLY | O_DIRECTORY);
	MUST(directory >= 0 && fsync(directory) == 0);
	MUST(unlink("out/pages.jsonl") == 0);
}

static void *thread(void *arg)
{
	*(int *)arg = open("apart", O_RDONLY) < 0 ? errno : 0;
	return NULL;
}

static void programs(struct sandbox *s, int closed)
{
	char *const argv[] = { (char *)(uintptr_t) "true", NULL };
	pthread_t other;
	int error = 0;
	(void)s;
	if (!closed)
		return;
	FAILS_AS(EPERM, execve("/bin/true", argv, environ));
	FAILS_AS(EPERM, fork());
	FAILS_AS(EPERM, socket(AF_INET, SOCK_STREAM, 0));
	FAILS_AS(EPERM, socket(AF_UNIX, SOCK_STREAM, 0));
	FAILS_AS(EPERM, ptrace(PTRACE_TRACEME, 0, NULL, NULL));
	FAILS_AS(ENOSYS, kill(getppid(), 0)); /* a signal leads out */
	/* Threads can be started, and are held as well. */
	MUST(pthread_create(&other, NULL, thread, &error) == 0 && pthread_join(other, NULL) == 0);
	MUST(error == EACCES || error == 0);
	MUST(raise(SIGCHLD) == 0);
}

/* No memory is both written and run; a file can be mapped as libraries are. */
static void memory(struct sandbox *s, int closed)
{
	enum { PAGE = 4096, OWN_MEMORY = MAP_PRIVATE | MAP_ANONYMOUS };
	if (!closed) {
		MUST(sandbox_path(s, "in/read", SANDBOX_READ) == DANA_OK);
		return;
	}
	char *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, OWN_MEMORY, -1, 0);
	MUST(page != MAP_FAILED);
	errno = 0;
	MUST(mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, OWN_MEMORY, -1, 0) == MAP_FAILED && errno == EPERM);
	MUST(mmap(NULL, PAGE, PROT_WRITE | PROT_EXEC, OWN_MEMORY, -1, 0) == MAP_FAILED);
	FAILS_AS(EPERM, mprotect(page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC));
	FAILS_AS(EPERM, mprotect(page, PAGE, PROT_READ | PROT_EXEC));
	FAILS_AS(ENOSYS, pkey_mprotect(page, PAGE, PROT_READ | PROT_EXEC, 0));
	MUST(mprotect(page, PAGE, PROT_READ) == 0 && mprotect(page, PAGE, PROT_READ | PROT_WRITE) == 0);
	int fd = open("in/read", O_RDONLY);
	MUST(fd >= 0 && mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) != MAP_FAILED);
}

enum { TCP = 6, UDP = 17, ICMP = 1, SCTP = 132, ROUTES = 0, FIREWALL = 12, OWN = 0 };

/* Of the calls that make sockets only those for names and HTTP go on. */
static void kinds_of_sockets(void)
{
	static const struct {
		int family, kind, protocol;
	} open[] = {
		{ AF_INET, SOCK_STREAM, TCP },
		{ AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, OWN },
		{ AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, OWN },
		{ AF_INET6, SOCK_DGRAM, UDP },
		{ AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, OWN },
		{ AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, ROUTES },
	},
	  closed[] = {
		{ AF_PACKET, SOCK_RAW, OWN },      { AF_PACKET, SOCK_DGRAM, OWN },
		{ AF_INET, SOCK_RAW, ICMP },       { AF_INET6, SOCK_RAW, TCP },
		{ AF_INET, SOCK_DGRAM, ICMP },     { AF_INET, SOCK_STREAM, SCTP },
		{ AF_INET, SOCK_STREAM, UDP },     { AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, FIREWALL },
		{ AF_NETLINK, SOCK_DGRAM, ROUTES }, { AF_NETLINK, SOCK_RAW, ROUTES },
		{ AF_UNIX, SOCK_DGRAM, OWN },      { AF_UNIX, SOCK_SEQPACKET, OWN },
		{ AF_VSOCK, SOCK_STREAM, OWN },    { AF_ALG, SOCK_SEQPACKET, OWN },
		{ AF_BLUETOOTH, SOCK_RAW, OWN },
	};
	int pair[2];
	for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++)
		MUST(socket(open[i].family, open[i].kind, open[i].protocol) >= 0 || errno == EAFNOSUPPORT);
#ifdef SYS_socketcall /* hides which kind a program asks for: doc/RELIABILITY.md, "The sandbox" */
	(void)closed;
#else
	for (size_t i = 0; i < sizeof(closed) / sizeof(closed[0]); i++)
		FAILS_AS(ENOSYS, socket(closed[i].family, closed[i].kind, closed[i].protocol));
#endif
	MUST(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
}

static void network(struct sandbox *s, int closed)
{
	char *const argv[] = { (char *)(uintptr_t) "true", NULL };
	if (!closed) {
		MUST(sandbox_network(s) == DANA_OK);
		return;
	}
	kinds_of_sockets();
	FAILS_AS(EPERM, execve("/bin/true", argv, environ));
	int fd = open("/etc/hosts", O_RDONLY);
	MUST(fd >= 0 || errno == ENOENT);
}

#ifdef __x86_64__
/* As x32, and as i386, where the kernel has that. */
static void *call_of_x32(void *arg)
{
	enum { GETPID_OF_X32 = 0x40000000 + 39 };
	*(long *)arg = syscall(GETPID_OF_X32);
	return NULL;
}

static void *call_of_i386(void *arg)
{
	enum { GETPID_OF_I386 = 20 };
	long number = GETPID_OF_I386;
	__asm__ volatile("int $0x80" : "+a"(number) : : "memory", "r8", "r9", "r10", "r11");
	*(long *)arg = number;
	return NULL;
}

/* The whole process ends, not only the thread that made the call. */
static void ends_process(void *(*act)(void *), int other_signal)
{
	pid_t child = fork();
	int status;
	assert_true(child >= 0);
	if (child == 0) {
		const struct rlimit none = { 0, 0 };
		struct error err = { 0 };
		struct sandbox *s = sandbox_new();
		pthread_t other;
		long result;
		MUST(s && setrlimit(RLIMIT_CORE, &none) == 0);
		MUST(sandbox_enter(s, &err) != DANA_ENOMEM);
		MUST(pthread_create(&other, NULL, act, &result) == 0 && pthread_join(other, NULL) == 0);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_true(WTERMSIG(status) == SIGSYS || WTERMSIG(status) == other_signal);
}
#endif

TEST(a_call_of_another_machine_ends_the_process)
{
#ifdef __x86_64__
	ends_process(call_of_x32, SIGSYS);
	ends_process(call_of_i386, SIGSEGV); /* a kernel without i386 */
#else
	skip();
#endif
}

/* Emulators of processors pass no filter of calls on to the kernel. */
TEST(calls_of_programs_memory_and_sockets_are_filtered)
{
	if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) < 0)
		skip();
	in_a_process(programs);
	in_a_process(memory);
	in_a_process(network);
}

/* Devices are outputs by themselves: /dev is not opened as a whole. */
static void devices(struct sandbox *s, int closed)
{
	if (!closed) {
		MUST(sandbox_output(s, "/dev/full") == DANA_OK);
		return;
	}
	MUST(open("/dev/full", O_WRONLY) >= 0);
	FAILS_AS(EACCES, open("/dev/zero", O_RDONLY));
}

/* Folders of libraries and files of certificates that the environment names. */
static void variables(struct sandbox *s, int closed)
{
	if (!closed) {
		MUST(sandbox_network(s) == DANA_OK);
		return;
	}
	MUST(open("in/other", O_RDONLY) >= 0);
	MUST(open("apart", O_RDONLY) >= 0);
	FAILS_AS(EACCES, open("out", O_RDONLY | O_DIRECTORY));
}

TEST(only_listed_files_devices_and_what_the_environment_names_are_opened)
{
	if (landlock_abi() == 0)
		skip();
	in_a_process(files);
	if (access("/dev/full", W_OK) == 0)
		in_a_process(devices);
	assert_ok(setenv("LD_LIBRARY_PATH", "nowhere::in", 1));
	assert_ok(setenv("SSL_CERT_FILE", "apart", 1));
	in_a_process(variables);
	assert_int_equal(unsetenv("LD_LIBRARY_PATH"), 0);
	assert_int_equal(unsetenv("SSL_CERT_FILE"), 0);
}

TEST(tells_what_there_is)
{
	AUTO_BUF text = { 0 };
	sandbox_describe(&text);
	assert_non_null(strstr(text_of(&text), "Landlock"));
	assert_non_null(strstr(text_of(&text), "seccomp"));
}

GROUP(setup, teardown)
