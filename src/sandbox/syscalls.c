/* SPDX-License-Identifier: MIT */
/*
 * The filter is a list of what is allowed. Three calls are allowed with some arguments only: clone for threads (not for
 * processes; clone3, whose arguments a filter cannot see, counts as missing, and libc takes clone instead), ioctl for what
 * terminals, pipes and sockets are asked, and signals for this process itself.
 */
#include "config.h"

#include "sandbox/syscalls.h"

#ifdef HAVE_SECCOMP

#include <errno.h>
#include <seccomp.h>
#include <stdint.h>
#include <unistd.h>

#include "sandbox/syscall_list.h"

/* Numbers of the kernel, without its headers, which clash with those of libc. */
enum { THREAD = 0x10000 };
enum { WITH_CALL = 2 }; /* of the levels that seccomp_api_get tells */
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

static int allow_by_argument(scmp_filter_ctx filter)
{
	const struct scmp_arg_cmp thread = CLONE_FLAGS(SCMP_CMP_MASKED_EQ, THREAD, THREAD);
	const struct scmp_arg_cmp process = CLONE_FLAGS(SCMP_CMP_MASKED_EQ, THREAD, 0);
	const struct scmp_arg_cmp self = SCMP_A0_32(SCMP_CMP_EQ, (uint32_t)getpid(), 0);
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

static int build(scmp_filter_ctx filter, bool network)
{
#define NAME(name) name,
	static const char *const allowed[] = { CALLS(NAME) NULL };
	static const char *const of_network[] = { CALLS_OF_THE_NETWORK(NAME) NULL };
	static const char *const refused[] = { CALLS_REFUSED(NAME) NULL };
#undef NAME
	int status = add_rules(filter, SCMP_ACT_ALLOW, allowed);
	if (status == 0)
		status = add_rules(filter, network ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EPERM), of_network);
	if (status == 0)
		status = add_rules(filter, SCMP_ACT_ERRNO(EPERM), refused);
	if (status == 0)
		status = allow_by_argument(filter);
	/* A search by number instead of a walk down the list; libseccomp before 2.5 has none. */
	(void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	return status;
}

int syscalls_enter(bool network, struct error *err)
{
	/* Without this call libseccomp takes an older one, which also works for programs that watch over this one from
	 * the inside, as valgrind does: their own calls would be closed too. */
	if (seccomp_api_get() < WITH_CALL)
		return error_set(err, DANA_ECONFIG, "seccomp: the kernel lacks this call (Linux 3.17 brought it)");
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
	if (!filter)
		return error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	int status = build(filter, network);
	if (status == 0)
		status = seccomp_load(filter);
	seccomp_release(filter);
	if (status == -ENOMEM)
		return error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	return status < 0 ? error_set(err, DANA_ECONFIG, "seccomp: %s", system_text(-status)) : DANA_OK;
}

void syscalls_describe(struct buf *out)
{
	const struct scmp_version *v = seccomp_version();
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
