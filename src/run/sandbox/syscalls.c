/* SPDX-License-Identifier: MIT */
/*
 * The filter is a list of what is allowed. Some calls are allowed with some arguments only: clone for threads (not for
 * processes; clone3, whose arguments a filter cannot see, counts as missing, and libc takes clone instead), ioctl for
 * what terminals, pipes and sockets are asked, signals for this process itself, sockets of the kinds that names and
 * HTTP need, and memory that is not both written and run. A call by the numbers of another machine (x32, i386) ends the
 * process: no libc of ours makes one.
 *
 * Libseccomp crashes where its memory ends while it makes the kernel's form of the list. So a child process has it made
 * and sends it through a pipe; what happens to the child costs this process no more than a message.
 */
#include "config.h"

#include "run/sandbox/syscalls.h"

#ifdef HAVE_SECCOMP

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/sandbox/syscall_list.h"

/* Numbers of the kernel, without its headers, which clash with those of libc. */
enum { THREAD = 0x10000 };
enum { NETLINK = 16, NETLINK_ROUTE = 0, TCP = 6, UDP = 17 }; /* of sockets */
enum { WITH_CALL = 2 };                                      /* of the levels that seccomp_api_get returns */
#ifdef __s390__
#define CLONE_FLAGS SCMP_A1_64
#else
#define CLONE_FLAGS SCMP_A0_64
#endif
static const unsigned ioctls[] = {
	0x5401 /* TCGETS */,   0x5413 /* TIOCGWINSZ */,  0x540F /* TIOCGPGRP */,
	0x541B /* FIONREAD */, 0x5421 /* FIONBIO */,     0x5450 /* FIONCLEX */,
	0x5451 /* FIOCLEX */,  0x802C542A /* TCGETS2 */, 0x5603 /* VT_GETSTATE */,
};

static int rule(scmp_filter_ctx filter, uint32_t action, const char *name)
{
	int number = seccomp_syscall_resolve_name(name);
	int status = number == __NR_SCMP_ERROR ? 0 : seccomp_rule_add(filter, action, number, 0);
	return number < 0 ? 0 : status; /* not on this machine */
}

static int add_rules(scmp_filter_ctx filter, uint32_t action, const char *const *names)
{
	int status = 0;
	for (; *names && status == 0; names++)
		status = rule(filter, action, *names);
	return status;
}

static int allow_by_argument(scmp_filter_ctx filter, pid_t pid)
{
	const struct scmp_arg_cmp thread = CLONE_FLAGS(SCMP_CMP_MASKED_EQ, THREAD, THREAD);
	const struct scmp_arg_cmp process = CLONE_FLAGS(SCMP_CMP_MASKED_EQ, THREAD, 0);
	const struct scmp_arg_cmp self = SCMP_A0_32(SCMP_CMP_EQ, (uint32_t)pid, 0);
	int status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, thread);
	if (status == 0)
		status = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, process);
	if (status == 0)
		status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, self);
	if (status == 0)
		status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(kill), 1, self);
	for (size_t i = 0; i < sizeof(ioctls) / sizeof(ioctls[0]) && status == 0; i++)
		status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
					  SCMP_A1_32(SCMP_CMP_EQ, ioctls[i], 0));
	return status;
}

/* Libraries that are loaded on demand bring code; other memory is never both written and run, nor run later. */
static int allow_memory(scmp_filter_ctx filter)
{
	const struct scmp_arg_cmp not_run = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
	const struct scmp_arg_cmp run = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC);
	const struct scmp_arg_cmp not_written = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_WRITE, 0);
	const struct scmp_arg_cmp both =
		SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC | PROT_WRITE, (scmp_datum_t)(PROT_EXEC | PROT_WRITE));
	/* The arguments of the older mmap of 32-bit machines lie in memory; libc takes mmap2 there. */
	const int map = sizeof(void *) == sizeof(uint32_t) ? SCMP_SYS(mmap2) : SCMP_SYS(mmap);
	int status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, not_run);
	if (status == 0)
		status = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(mprotect), 1, run);
#ifdef __s390__ /* mmap is the older one */
	(void)not_written, (void)both;
	return status == 0 ? seccomp_rule_add(filter, SCMP_ACT_ALLOW, map, 0) : status;
#else
	if (status == 0)
		status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, map, 1, not_run);
	if (status == 0)
		status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, map, 1, not_written);
	return status == 0 ? seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), map, 1, both) : status;
#endif
}

/* Sockets for names and HTTP, those of Unix for services of names (nscd, systemd-resolved) and between threads. */
static int allow_sockets(scmp_filter_ctx filter)
{
	static const struct {
		int family, kind, protocol;
	} sockets[] = {
		{ AF_INET, SOCK_STREAM, 0 },  { AF_INET, SOCK_STREAM, TCP }, { AF_INET, SOCK_DGRAM, 0 },
		{ AF_INET, SOCK_DGRAM, UDP }, { AF_INET6, SOCK_STREAM, 0 },  { AF_INET6, SOCK_STREAM, TCP },
		{ AF_INET6, SOCK_DGRAM, 0 },  { AF_INET6, SOCK_DGRAM, UDP }, { AF_UNIX, SOCK_STREAM, 0 },
	};
	const struct scmp_arg_cmp pair = SCMP_A0_32(SCMP_CMP_EQ, AF_UNIX, 0);
	int status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(socketpair), 1, pair);
	for (size_t i = 0; i < sizeof(sockets) / sizeof(sockets[0]) && status == 0; i++)
		status = seccomp_rule_add(
			filter, SCMP_ACT_ALLOW, SCMP_SYS(socket), 3, SCMP_A0_32(SCMP_CMP_EQ, sockets[i].family, 0),
			SCMP_A1_32(SCMP_CMP_MASKED_EQ, ~(SOCK_CLOEXEC | SOCK_NONBLOCK), sockets[i].kind),
			SCMP_A2_32(SCMP_CMP_EQ, sockets[i].protocol, 0));
	if (status < 0)
		return status;
	/* By which getaddrinfo asks for the machine's own addresses. */
	return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(socket), 3, SCMP_A0_32(SCMP_CMP_EQ, NETLINK, 0),
				SCMP_A1_32(SCMP_CMP_EQ, SOCK_RAW | SOCK_CLOEXEC, 0),
				SCMP_A2_32(SCMP_CMP_EQ, NETLINK_ROUTE, 0));
}

static int build(scmp_filter_ctx filter, bool network, pid_t pid)
{
#define NAME(name) name,
	static const char *const allowed[] = { CALLS(NAME) NULL };
	static const char *const of_network[] = { CALLS_OF_THE_NETWORK(NAME) NULL };
	static const char *const that_make_sockets[] = { CALLS_THAT_MAKE_SOCKETS(NAME) NULL };
	static const char *const refused[] = { CALLS_REFUSED(NAME) NULL };
#undef NAME
	int status = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	if (status == 0)
		status = add_rules(filter, SCMP_ACT_ALLOW, allowed);
	if (status == 0)
		status = add_rules(filter, network ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EPERM), of_network);
	if (status == 0)
		status = network ? allow_sockets(filter) : add_rules(filter, SCMP_ACT_ERRNO(EPERM), that_make_sockets);
	if (status == 0)
		status = allow_memory(filter);
	if (status == 0)
		status = add_rules(filter, SCMP_ACT_ERRNO(EPERM), refused);
	if (status == 0)
		status = allow_by_argument(filter, pid);
	/* A search by number instead of a walk down the list; libseccomp before 2.5 has none. */
	(void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	return status;
}

/*
 * In the child: sends the kernel's form of the filter for process `pid`, and 0 or a negated errno number after it.
 * Libseccomp also goes on, with rules missing, where it had no memory for them; errno still says so.
 */
__attribute__((noreturn)) static void send_filter(int fd, bool network, pid_t pid)
{
	enum { SECONDS = 2 }; /* it takes a thousandth of one */
	/* Without memory libseccomp may also run in a circle, and libc may want to say that the heap is damaged. */
	(void)setrlimit(RLIMIT_CPU, &(struct rlimit){ SECONDS, SECONDS });
	(void)setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	(void)close(STDERR_FILENO);
	errno = 0;
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
	int status = filter ? build(filter, network, pid) : -ENOMEM;
	if (status == 0)
		status = seccomp_export_bpf(filter, fd);
	if (status == 0 && errno == ENOMEM)
		status = -ENOMEM;
	_exit(write(fd, &status, sizeof(status)) == sizeof(status) ? 0 : 1);
}

static int read_all(int fd, struct buf *out)
{
	char part[4096];
	ssize_t n;
	while ((n = read(fd, part, sizeof(part))) != 0) {
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0 && buf_append(out, part, (size_t)n) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* What the child has sent: 0 and the filter alone in `out`, or a negated errno number. */
static int receive_filter(int fd, pid_t child, struct buf *out)
{
	int sent, status = read_all(fd, out);
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	if (status < 0)
		return status;
	if (out->len % sizeof(struct sock_filter) != sizeof(sent))
		return -ENOMEM; /* it crashed */
	out->len -= sizeof(sent);
	memcpy(&sent, out->data + out->len, sizeof(sent));
	return sent == 0 && out->len == 0 ? -ENOMEM : sent;
}

/* The kernel's form of the filter. 0 or a negated errno number. */
static int make_filter(bool network, struct buf *out)
{
	int ends[2];
	const pid_t pid = getpid();
	if (pipe(ends) < 0)
		return -errno;
	pid_t child = fork();
	if (child == 0) {
		(void)close(ends[0]);
		send_filter(ends[1], network, pid);
	}
	int status = -errno;
	(void)close(ends[1]);
	if (child > 0)
		status = receive_filter(ends[0], child, out);
	(void)close(ends[0]);
	return status;
}

static int load(const struct buf *made)
{
	struct sock_fprog program = { (unsigned short)(made->len / sizeof(struct sock_filter)), (void *)made->data };
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0 ? -errno : 0;
}

int syscalls_enter(bool network, struct error *err)
{
	/* Without this call there is an older one, which also works for programs that watch over this one from the
	 * inside, as valgrind does: their own calls would be closed too. */
	if (seccomp_api_get() < WITH_CALL)
		return error_set(err, DANA_ECONFIG, "seccomp: the kernel lacks it; Linux 3.17 and later have it");
	struct buf made = { 0 };
	int status = make_filter(network, &made);
	if (status == 0)
		status = load(&made);
	buf_free(&made);
	if (status == -ENOMEM)
		return error_no_memory(err);
	return status < 0 ? error_set(err, DANA_ECONFIG, "seccomp: %s", system_text(-status)) : DANA_OK;
}

void syscalls_describe(struct buf *out)
{
	const struct scmp_version *v = seccomp_version();
	if (seccomp_api_get() < WITH_CALL)
		buf_append_text(out, "no seccomp");
	else
		buf_printf(out, "seccomp %u.%u.%u", v->major, v->minor, v->micro);
}

#else

int syscalls_enter(bool network, struct error *err)
{
	(void)network;
	return error_set(err, DANA_ECONFIG, "seccomp: this program was built without libseccomp");
}

void syscalls_describe(struct buf *out)
{
	buf_append_text(out, "seccomp not built in");
}

#endif
