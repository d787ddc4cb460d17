/* SPDX-License-Identifier: MIT */
/*
 * The interface is that of the kernel (Documentation/userspace-api/landlock.rst), written out here, because the headers
 * of a system may be older than its kernel. A right that the running kernel does not know may not be named: so each
 * stands with the version that brought it, and for an older kernel it is left out.
 */
#include "config.h"

#include "run/sandbox/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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

static struct ruleset known_to(int abi)
{
	struct ruleset all = { 0 };
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]) && versions[i].version <= abi; i++) {
		all.files |= versions[i].brought.files;
		all.network |= versions[i].brought.network;
		all.scoped |= versions[i].brought.scoped;
	}
	return all;
}

/* Kernels take a shorter struct from callers that know less, and refuse a longer one. */
static size_t ruleset_size(int abi)
{
	return abi >= 6 ? sizeof(struct ruleset) : abi >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
}

/* What is not there, or may not be read, cannot be opened later either. */
static bool is_absent(int error)
{
	return error == ENOENT || error == ENOTDIR || error == EACCES || error == ELOOP || error == ENAMETOOLONG;
}

/*
 * Any other fault is that of a machine, and may be over when the file is opened: a rule that is missing then would look
 * as if the file may not be read. What lies in no folder (a pipe at /dev/fd/3) needs no rule: Landlock leaves it alone.
 */
static int add(int ruleset, const struct sandbox_rule *rule, uint64_t known)
{
	struct stat st;
	struct path_beneath beneath = { .allowed = rule->write ? TO_WRITE : TO_READ,
					.parent = open(rule->path, O_PATH | O_CLOEXEC) };
	if (beneath.parent < 0)
		return is_absent(errno) ? 0 : -errno;
	int error = fstat(beneath.parent, &st) < 0 ? -errno : 0;
	if (error == 0 && !S_ISDIR(st.st_mode))
		beneath.allowed &= OF_FILES;
	beneath.allowed &= known;
	if (error == 0 && syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, &beneath, 0U) < 0 && errno != EBADFD)
		error = -errno;
	(void)close(beneath.parent);
	return error;
}

static int restrict_to(int ruleset, const struct sandbox_rule *rules, size_t n, uint64_t known)
{
	for (size_t i = 0; i < n; i++) {
		int error = add(ruleset, &rules[i], known);
		if (error < 0)
			return error;
	}
	return syscall(RESTRICT_SELF, ruleset, 0U) < 0 ? -errno : 0;
}

int landlock_enter(const struct sandbox_rule *rules, size_t n, bool network, struct error *err)
{
	int abi = landlock_abi();
	struct ruleset known = known_to(abi);
	if (abi == 0)
		return error_set(err, DANA_ECONFIG,
				 "the kernel has no Landlock: it needs Linux 5.13 or later, or is switched off");
	if (network)
		known.network = 0;
	int ruleset = (int)syscall(CREATE_RULESET, &known, ruleset_size(abi), 0U);
	int error = ruleset < 0 ? -errno : restrict_to(ruleset, rules, n, known.files);
	if (ruleset >= 0)
		(void)close(ruleset);
	return error < 0 ? error_set(err, DANA_ECONFIG, "Landlock: %s", system_text(-error)) : DANA_OK;
}
