/* SPDX-License-Identifier: MIT */
/*
 * The system calls that a run may need, with the older and newer forms of each, because libc chooses by kernel and
 * machine. CALLS(X): X("name"). A name that libseccomp or the machine does not know is passed over.
 */
#ifndef DANA_SANDBOX_SYSCALL_LIST_H
#define DANA_SANDBOX_SYSCALL_LIST_H

/* clang-format off */
#define CALLS_OF_FILES(X) \
	X("read") X("readv") X("pread64") X("preadv") X("preadv2") \
	X("write") X("writev") X("pwrite64") X("pwritev") X("pwritev2") \
	X("open") X("openat") X("openat2") X("close") X("close_range") \
	X("stat") X("stat64") X("fstat") X("fstat64") X("lstat") X("lstat64") X("newfstatat") X("fstatat64") \
	X("statx") \
	X("statfs") X("statfs64") X("fstatfs") X("fstatfs64") \
	X("access") X("faccessat") X("faccessat2") X("readlink") X("readlinkat") X("getcwd") X("getdents64") \
	X("lseek") X("_llseek") X("fsync") X("fdatasync") X("sync_file_range") X("fadvise64") X("fadvise64_64") \
	X("readahead") \
	X("ftruncate") X("ftruncate64") X("fallocate") X("flock") \
	X("rename") X("renameat") X("renameat2") X("link") X("linkat") X("unlink") X("unlinkat") X("mkdir") \
	X("mkdirat") \
	X("fchmod") X("umask") X("dup") X("dup2") X("dup3") X("fcntl") X("fcntl64") X("copy_file_range") X("sendfile") \
	X("sendfile64") X("pipe") X("pipe2") X("inotify_init1") X("inotify_add_watch") X("inotify_rm_watch")
#define CALLS_OF_MEMORY(X) \
	X("brk") X("munmap") X("mremap") X("madvise") X("mincore") X("msync") X("mlock") X("mlock2") X("munlock")
#define CALLS_OF_THREADS(X) \
	X("futex") X("futex_time64") X("futex_waitv") X("set_robust_list") X("get_robust_list") X("rseq") \
	X("set_tid_address") \
	X("sched_yield") X("sched_getaffinity") X("sched_getparam") X("sched_getscheduler") X("membarrier") \
	X("exit") X("exit_group") X("gettid") X("getpid") X("getppid") X("getpgrp") X("getpgid") X("getcpu") \
	X("arch_prctl") \
	X("prctl") X("restart_syscall")
#define CALLS_OF_SIGNALS(X) \
	X("rt_sigaction") X("rt_sigprocmask") X("rt_sigreturn") X("rt_sigpending") X("rt_sigtimedwait") \
	X("rt_sigtimedwait_time64") X("rt_sigsuspend") X("sigaltstack") X("sigreturn") X("sigaction") X("sigprocmask") \
	X("pause")
#define CALLS_OF_WAITING(X) \
	X("poll") X("ppoll") X("ppoll_time64") X("select") X("_newselect") X("pselect6") X("pselect6_time64") \
	X("epoll_create") X("epoll_create1") X("epoll_ctl") X("epoll_wait") X("epoll_pwait") X("epoll_pwait2") \
	X("eventfd") X("eventfd2") X("timerfd_create") X("timerfd_settime") X("timerfd_settime64") \
	X("timerfd_gettime") \
	X("nanosleep") X("clock_nanosleep") X("clock_nanosleep_time64") X("setitimer") X("getitimer")
#define CALLS_OF_THE_SYSTEM(X) \
	X("clock_gettime") X("clock_gettime64") X("clock_getres") X("clock_getres_time64") X("gettimeofday") X("time") \
	X("times") \
	X("getrandom") X("getrusage") X("getrlimit") X("ugetrlimit") X("prlimit64") X("sysinfo") X("uname") \
	X("getuid") X("geteuid") X("getgid") X("getegid") X("getuid32") X("geteuid32") X("getgid32") X("getegid32") \
	X("getresuid") X("getresgid")
/* Of sockets that were there before, as standard input may be one. */
#define CALLS_OF_OPEN_SOCKETS(X) \
	X("recvmsg") X("recvfrom") X("recv") X("sendmsg") X("sendto") X("send") X("getsockopt") X("setsockopt") \
	X("getsockname") \
	X("getpeername") X("shutdown")
#define CALLS(X) \
	CALLS_OF_FILES(X) CALLS_OF_MEMORY(X) CALLS_OF_THREADS(X) CALLS_OF_SIGNALS(X) CALLS_OF_WAITING(X) \
	CALLS_OF_THE_SYSTEM(X) CALLS_OF_OPEN_SOCKETS(X)

/*
 * Besides socket and socketpair of some kinds. Some 32-bit machines and s390x know all of them as socketcall, whose
 * arguments lie in memory: there the kinds cannot be distinguished.
 */
#define CALLS_OF_THE_NETWORK(X) \
	X("connect") X("bind") X("recvmmsg") X("recvmmsg_time64") X("sendmmsg") X("socketcall")
#define CALLS_THAT_MAKE_SOCKETS(X) X("socket") X("socketpair")

/*
 * Refused in so many words. All others fail as calls that the kernel does not have, so that libc goes on with an older
 * one that is on the list.
 */
#define CALLS_REFUSED(X) \
	X("execve") X("execveat") X("fork") X("vfork") X("ptrace") X("process_vm_readv") X("process_vm_writev") \
	X("mount") X("umount2") X("pivot_root") X("chroot") X("setns") X("unshare") X("bpf") X("perf_event_open") \
	X("userfaultfd") X("io_uring_setup") X("keyctl") X("add_key") X("request_key") X("kexec_load") \
	X("kexec_file_load") \
	X("init_module") X("finit_module") X("delete_module") X("listen") X("accept") X("accept4") \
	X("chmod") X("fchmodat") X("chown") X("fchown") X("lchown") X("fchownat") X("symlink") X("symlinkat") \
	X("mknod") \
	X("mknodat") \
	X("setuid") X("setgid") X("setgroups") X("capset") X("personality")
/* clang-format on */

#endif
