/* SPDX-License-Identifier: MIT */
/*
 * Three parts: which files can be opened (Landlock, a security module of Linux from 5.13 on, by its system calls),
 * which system calls can be made (seccomp), and what libc and other libraries open
 * by themselves during a run.
 *
 * The interface is the kernel's (Documentation/userspace-api/landlock.rst), written out here, because the headers
 * of a system may be older than its kernel. A right that the running kernel does not know may not be named: so each
 * is listed with the version that brought it, and for an older kernel it is left out.
 *
 * The filter is a list of what is allowed. Some calls are allowed with some arguments only: clone for threads (not for
 * processes; clone3, whose arguments a filter cannot see, counts as missing, and libc takes clone instead), ioctl for
 * what terminals, pipes and sockets are asked, signals for this process itself, sockets of the kinds that names and
 * HTTP need, and memory that is not both written and run.
 *
 * A call by the numbers of another machine (x32, i386) ends the process: no libc of ours makes one.
 *
 * Libseccomp crashes where its memory ends while it makes the kernel's form of the list. So a child process has it made
 * and sends it through a pipe; what happens to the child costs this process no more than a message.
 *
 * Libraries are loaded on demand (libcurl, modules of the name service, libcrypto, which reads its configuration then).
 * They are files that anybody may read, so their folders are allowed as a whole. Besides the usual ones these are the
 * folders of the libraries that are loaded already: some systems (Nix, Guix) keep them elsewhere.
 *
 * Landlock comes first, because closing the system calls would close its own ones too. Example, for
 * "dana filter -O out a.warc.gz": a.warc.gz may be read, files in out may be made, /usr/lib may be read for libraries;
 * the system calls for sockets and programs fail.
 */
#include "config.h"

#include "run/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/library.h"
#include "base/status.h"

struct sandbox_rule {
	const char *path;
	bool write; /* else it is read only */
};

struct sandbox {
	struct arena *texts;
	struct sandbox_rule *rules;
	size_t n, cap;
	bool network;
};

int sandbox_path(struct sandbox *s, const char *path, enum sandbox_use use)
{
	struct sandbox_rule *rules = grow_items(s->rules, s->n, &s->cap, sizeof(*rules));
	if (!rules)
		return DANA_ENOMEM;
	s->rules = rules;
	struct slice copy = arena_copy(s->texts, slice_from_text(path));
	if (!copy.data)
		return DANA_ENOMEM;
	s->rules[s->n++] = (struct sandbox_rule){ (const char *)copy.data, use == SANDBOX_WRITE };
	return DANA_OK;
}

/* Alpha apart, which dana is not built for, these have one number on all machines. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };

enum { ASK_VERSION = 1, RULE_PATH_BENEATH = 1 };

struct ruleset {
	uint64_t files, network, scoped;
};

struct path_beneath {
	uint64_t allowed;
	int32_t parent;
} __attribute__((packed));

enum {
	EXECUTE = 1 << 0,
	WRITE_FILE = 1 << 1,
	READ_FILE = 1 << 2,
	READ_DIR = 1 << 3,
	REMOVE_FILE = 1 << 5,
	MAKE_REG = 1 << 8,
	FIRST_VERSION = (1 << 13) - 1, /* all of version 1 */
	REFER = 1 << 13,
	TRUNCATE = 1 << 14,
	IOCTL_DEV = 1 << 15,
	OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV, /* a rule for a file may name only these */
	TO_READ = READ_FILE | READ_DIR,
	TO_WRITE = TO_READ | WRITE_FILE | REMOVE_FILE | MAKE_REG | TRUNCATE,
	TCP = 3,    /* bind, connect */
	SCOPED = 3, /* abstract unix sockets and signals that lead out */
};

static const struct {
	int version;
	struct ruleset brought;
} versions[] = {
	{ 1, { FIRST_VERSION, 0, 0 } }, { 2, { REFER, 0, 0 } },     { 3, { TRUNCATE, 0, 0 } },
	{ 4, { 0, TCP, 0 } },           { 5, { IOCTL_DEV, 0, 0 } }, { 6, { 0, 0, SCOPED } },
};

int landlock_abi(void)
{
	long version = syscall(CREATE_RULESET, NULL, (size_t)0, (unsigned)ASK_VERSION);
	return version > 0 ? (int)version : 0;
}

/*
 * Any other fault is the machine's, and may be over when the file is opened: a rule that is missing then would look
 * as if the file may not be read. What lies in no folder (a pipe at /dev/fd/3) needs no rule: Landlock leaves it alone.
 */
static int add(int ruleset, const struct sandbox_rule *rule, uint64_t known)
{
	struct stat st;
	struct path_beneath beneath = { .allowed = rule->write ? TO_WRITE : TO_READ,
					.parent = open(rule->path, O_PATH | O_CLOEXEC) };
	if (beneath.parent < 0)
		/* what is not there, or may not be read, cannot be opened later either */
		return errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP || errno == ENAMETOOLONG
			       ? 0
			       : -errno;
	int error = fstat(beneath.parent, &st) < 0 ? -errno : 0;
	if (error == 0 && !S_ISDIR(st.st_mode))
		beneath.allowed &= OF_FILES;
	beneath.allowed &= known;
	if (error == 0 && syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, &beneath, 0U) < 0 && errno != EBADFD)
		error = -errno;
	(void)close(beneath.parent);
	return error;
}

/* Opens only what the rules allow from now on, and without `network` no TCP connection. */
static int landlock_enter(const struct sandbox_rule *rules, size_t n, bool network, struct error *err)
{
	int abi = landlock_abi();
	struct ruleset all = { 0 };
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]) && versions[i].version <= abi; i++) {
		all.files |= versions[i].brought.files;
		all.network |= versions[i].brought.network;
		all.scoped |= versions[i].brought.scoped;
	}
	struct ruleset known = all;
	if (abi == 0)
		return error_set(err, DANA_ECONFIG,
				 "the kernel has no Landlock: it needs Linux 5.13 or later, or is switched off");
	if (network)
		known.network = 0;
	/* Kernels take a shorter struct from callers that know less, and refuse a longer one. */
	const size_t size = abi >= 6 ? sizeof(struct ruleset) : abi >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
	int ruleset = (int)syscall(CREATE_RULESET, &known, size, 0U);
	int error = ruleset < 0 ? -errno : 0;
	for (size_t i = 0; i < n && error == 0; i++)
		error = add(ruleset, &rules[i], known.files);
	if (error == 0 && syscall(RESTRICT_SELF, ruleset, 0U) < 0)
		error = -errno;
	if (ruleset >= 0)
		(void)close(ruleset);
	return error < 0 ? error_set(err, DANA_ECONFIG, "Landlock: %s", system_text(-error)) : DANA_OK;
}

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

/* clang-format off */
/*
 * The system calls that a run may need, with the older and newer forms of each, because libc chooses by kernel and
 * machine. A name that libseccomp or the machine does not know is passed over.
 */
static const char allowed[] =
	/* of files */
	"read readv pread64 preadv preadv2 write writev pwrite64 pwritev pwritev2 open openat openat2 close "
	"close_range stat stat64 fstat fstat64 lstat lstat64 newfstatat fstatat64 statx statfs statfs64 fstatfs "
	"fstatfs64 access faccessat faccessat2 readlink readlinkat getcwd getdents64 lseek _llseek fsync "
	"fdatasync sync_file_range fadvise64 fadvise64_64 readahead ftruncate ftruncate64 fallocate flock rename "
	"renameat renameat2 link linkat unlink unlinkat mkdir mkdirat fchmod umask dup dup2 dup3 fcntl fcntl64 "
	"copy_file_range sendfile sendfile64 pipe pipe2 inotify_init1 inotify_add_watch inotify_rm_watch "
	/* of memory */
	"brk munmap mremap madvise mincore msync mlock mlock2 munlock "
	/* of threads */
	"futex futex_time64 futex_waitv set_robust_list get_robust_list rseq set_tid_address sched_yield "
	"sched_getaffinity sched_getparam sched_getscheduler membarrier exit exit_group gettid getpid getppid "
	"getpgrp getpgid getcpu arch_prctl prctl restart_syscall "
	/* of signals */
	"rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigtimedwait_time64 "
	"rt_sigsuspend sigaltstack sigreturn sigaction sigprocmask pause "
	/* of waiting */
	"poll ppoll ppoll_time64 select _newselect pselect6 pselect6_time64 epoll_create epoll_create1 epoll_ctl "
	"epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2 timerfd_create timerfd_settime timerfd_settime64 "
	"timerfd_gettime nanosleep clock_nanosleep clock_nanosleep_time64 setitimer getitimer "
	/* of the system */
	"clock_gettime clock_gettime64 clock_getres clock_getres_time64 gettimeofday time times getrandom "
	"getrusage getrlimit ugetrlimit prlimit64 sysinfo uname getuid geteuid getgid getegid getuid32 geteuid32 "
	"getgid32 getegid32 getresuid getresgid "
	/* of sockets that were there before, as standard input may be one */
	"recvmsg recvfrom recv sendmsg sendto send getsockopt setsockopt getsockname getpeername shutdown ";

/*
 * Besides socket and socketpair of some kinds. Some 32-bit machines and s390x know all of them as socketcall, whose
 * arguments lie in memory: there the kinds cannot be distinguished.
 */
static const char of_network[] =
	"connect bind recvmmsg recvmmsg_time64 sendmmsg socketcall ";
static const char that_make_sockets[] = "socket socketpair";

/*
 * Refused in so many words. All others fail as calls that the kernel does not have, so that libc takes an older one on
 * the list.
 */
static const char refused[] =
	"execve execveat fork vfork ptrace process_vm_readv process_vm_writev mount umount2 pivot_root chroot "
	"setns unshare bpf perf_event_open userfaultfd io_uring_setup keyctl add_key request_key kexec_load "
	"kexec_file_load init_module finit_module delete_module listen accept accept4 chmod fchmodat chown fchown "
	"lchown fchownat symlink symlinkat mknod mknodat setuid setgid setgroups capset personality ";
/* clang-format on */

/* Numbers of the kernel, without its headers, which clash with libc's. */
enum { THREAD = 0x10000 };
enum { NETLINK = 16, NETLINK_ROUTE = 0, IP_TCP = 6, IP_UDP = 17 }; /* of sockets */
enum { WITH_CALL = 2 };                                            /* of the levels that seccomp_api_get returns */
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

/* `names`: words. Those that this machine does not have are passed over. */
static int add_rules(scmp_filter_ctx filter, uint32_t action, const char *names)
{
	char name[64];
	int status = 0;
	while (*names && status == 0) {
		const size_t n = strcspn(names, " ");
		memcpy(name, names, n);
		name[n] = 0;
		const int number = seccomp_syscall_resolve_name(name);
		const int added = number == __NR_SCMP_ERROR ? 0 : seccomp_rule_add(filter, action, number, 0);
		status = number < 0 ? 0 : added;
		names += n + strspn(names + n, " ");
	}
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

/* Sockets for names and HTTP, Unix sockets for services of names (nscd, systemd-resolved) and between threads. */
static int allow_sockets(scmp_filter_ctx filter)
{
	static const struct {
		int family, kind, protocol;
	} sockets[] = {
		{ AF_INET, SOCK_STREAM, 0 },     { AF_INET, SOCK_STREAM, IP_TCP }, { AF_INET, SOCK_DGRAM, 0 },
		{ AF_INET, SOCK_DGRAM, IP_UDP }, { AF_INET6, SOCK_STREAM, 0 },     { AF_INET6, SOCK_STREAM, IP_TCP },
		{ AF_INET6, SOCK_DGRAM, 0 },     { AF_INET6, SOCK_DGRAM, IP_UDP }, { AF_UNIX, SOCK_STREAM, 0 },
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
	if (status == 0) {
		const struct scmp_arg_cmp thread = CLONE_FLAGS(SCMP_CMP_MASKED_EQ, THREAD, THREAD);
		const struct scmp_arg_cmp process = CLONE_FLAGS(SCMP_CMP_MASKED_EQ, THREAD, 0);
		const struct scmp_arg_cmp self = SCMP_A0_32(SCMP_CMP_EQ, (uint32_t)pid, 0);
		status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, thread);
		if (status == 0)
			status = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, process);
		if (status == 0)
			status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, self);
		if (status == 0)
			status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(kill), 1, self);
		for (size_t i = 0; i < sizeof(ioctls) / sizeof(ioctls[0]) && status == 0; i++)
			status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
						  SCMP_A1_32(SCMP_CMP_EQ, ioctls[i], 0));
	}
	/* A search by number instead of a walk down the list; libseccomp before 2.5 has none. */
	(void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	return status;
}

/*
 * In the child: sends the kernel's form of the filter for process `pid`, and 0 or a negated errno number after it.
 * Libseccomp also continues, with rules missing, where it had no memory for them; errno still shows it.
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
	if (child > 0) { /* what it has sent: 0 and the filter alone, or a negated errno number */
		int sent;
		status = read_all(ends[0], out);
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
		if (status == 0 && out->len % sizeof(struct sock_filter) != sizeof(sent))
			status = -ENOMEM; /* it crashed */
		if (status == 0) {
			out->len -= sizeof(sent);
			memcpy(&sent, out->data + out->len, sizeof(sent));
			status = sent == 0 && out->len == 0 ? -ENOMEM : sent;
		}
	}
	(void)close(ends[0]);
	return status;
}

static int syscalls_enter(bool network, struct error *err)
{
	/* Without this call there is an older one, which also works for programs that watch over this one from the
	 * inside, as valgrind does: their own calls would be closed too. */
	if (seccomp_api_get() < WITH_CALL)
		return error_set(err, DANA_ECONFIG, "seccomp: the kernel lacks it; Linux 3.17 and later have it");
	struct buf made = { 0 };
	int status = make_filter(network, &made);
	struct sock_fprog program = { (unsigned short)(made.len / sizeof(struct sock_filter)), (void *)made.data };
	if (status == 0 && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
		status = -errno;
	buf_free(&made);
	if (status == -ENOMEM)
		return error_no_memory(err);
	return status < 0 ? error_set(err, DANA_ECONFIG, "seccomp: %s", system_text(-status)) : DANA_OK;
}

static int add_list(struct sandbox *s, const char *list)
{
	int status = DANA_OK;
	while (list && *list && status == DANA_OK) {
		char folder[4096];
		size_t n = strcspn(list, ":");
		if (n && n < sizeof(folder)) {
			memcpy(folder, list, n);
			folder[n] = 0;
			status = sandbox_path(s, folder, SANDBOX_READ);
		}
		list += n + (list[n] == ':');
	}
	return status;
}

struct library_walk {
	struct sandbox *sandbox;
	int status;
};

static int add_folder_of(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct library_walk *w = arg;
	char folder[4096];
	const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
	(void)size;
	if (!slash || slash == info->dlpi_name || (size_t)(slash - info->dlpi_name) >= sizeof(folder))
		return 0;
	memcpy(folder, info->dlpi_name, (size_t)(slash - info->dlpi_name));
	folder[slash - info->dlpi_name] = 0;
	w->status = sandbox_path(w->sandbox, folder, SANDBOX_READ);
	return w->status;
}

/* Libraries, parts of the program that are loaded on demand, and what libcrypto reads. */
static int add_libraries(struct sandbox *s)
{
	struct library_walk walk = { s, add_list(s, "/lib:/lib32:/lib64:/usr/lib:/usr/lib32:/usr/lib64:/usr/local/lib:"
						    "/etc/ld.so.cache:/dev/null") };
	char folder[4096];
	if (walk.status == DANA_OK)
		(void)dl_iterate_phdr(add_folder_of, &walk);
	if (walk.status == DANA_OK)
		walk.status = add_list(s, getenv("LD_LIBRARY_PATH"));
	for (size_t i = 0; walk.status == DANA_OK && library_folder(i, folder, sizeof(folder)); i++)
		walk.status = sandbox_path(s, folder, SANDBOX_READ);
	if (walk.status == DANA_OK)
		walk.status = add_list(s, "/etc/ssl/openssl.cnf:/etc/pki/tls:/etc/crypto-policies");
	return walk.status == DANA_OK ? add_list(s, getenv("OPENSSL_CONF")) : walk.status;
}

int sandbox_output(struct sandbox *s, const char *path)
{
	struct stat st;
	const char *slash = strrchr(path, '/');
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return sandbox_path(s, path, SANDBOX_WRITE);
	if (!slash)
		return sandbox_path(s, ".", SANDBOX_WRITE);
	/* With the slash, which may be all there is. */
	struct slice folder = arena_copy(s->texts, slice_of(path, (size_t)(slash - path) + 1));
	return folder.data ? sandbox_path(s, (const char *)folder.data, SANDBOX_WRITE) : DANA_ENOMEM;
}

int sandbox_network(struct sandbox *s)
{
	s->network = true;
	int status =
		add_list(s, "/etc/resolv.conf:/etc/hosts:/etc/host.conf:/etc/nsswitch.conf:/etc/gai.conf:/etc/services:"
			    "/etc/protocols:/run/systemd/resolve:/run/nscd:/run/resolvconf:/etc/ssl:/etc/pki:"
			    "/etc/ca-certificates:/etc/crypto-policies:/etc/gnutls:/usr/share/ca-certificates:"
			    "/usr/local/share/ca-certificates:/dev/urandom");
	if (status == DANA_OK)
		status = add_list(s, getenv("SSL_CERT_DIR"));
	return status == DANA_OK ? add_list(s, getenv("SSL_CERT_FILE")) : status;
}

struct sandbox *sandbox_new(void)
{
	struct sandbox *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->texts = arena_new();
	if (s->texts && add_libraries(s) == DANA_OK)
		return s;
	sandbox_free(s);
	return NULL;
}

int sandbox_enter(struct sandbox *s, struct error *err)
{
	/* Threads that run already would stay unrestricted. One that has just been joined may be counted for another
	 * moment. Where /proc is missing this cannot be known. */
	enum { ENTRIES_OF_ONE = 3, TRIES = 100 }; /* ".", ".." and one thread */
	const struct timespec moment = { .tv_nsec = 1000000 };
	struct stat st;
	bool others = false;
	for (int i = 0; !others && stat("/proc/self/task", &st) == 0 && st.st_nlink > ENTRIES_OF_ONE; i++) {
		others = i == TRIES;
		(void)nanosleep(&moment, NULL);
	}
	/* Both ask for it: no program that is started may gain rights. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) < 0)
		return error_set(err, DANA_ECONFIG, "the kernel lacks PR_SET_NO_NEW_PRIVS: %s", system_text(errno));
	struct error no_files = { 0 }, no_calls = { 0 };
	int files = landlock_enter(s->rules, s->n, s->network, &no_files);
	int calls = syscalls_enter(s->network, &no_calls);
	if (files < 0 || calls < 0)
		return error_set(err, calls == DANA_ENOMEM ? DANA_ENOMEM : DANA_ECONFIG, "%s%s%s", no_files.text,
				 files < 0 && calls < 0 ? "; " : "", no_calls.text);
	return others ? error_set(err, DANA_ECONFIG, "a thread runs already, and stays unrestricted") : DANA_OK;
}

void sandbox_free(struct sandbox *s)
{
	if (!s)
		return;
	arena_free(s->texts);
	free(s->rules);
	free(s);
}

void sandbox_describe(struct buf *out)
{
	int abi = landlock_abi();
	if (abi > 0)
		buf_printf(out, "Landlock ABI %d, ", abi);
	else
		buf_append_text(out, "no Landlock, ");
	const struct scmp_version *v = seccomp_version();
	if (seccomp_api_get() < WITH_CALL)
		buf_append_text(out, "no seccomp");
	else
		buf_printf(out, "seccomp %u.%u.%u", v->major, v->minor, v->micro);
}
