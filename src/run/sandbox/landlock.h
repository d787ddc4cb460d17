/* SPDX-License-Identifier: MIT */
/* Which files can be opened: Landlock, a security module of Linux from 5.13 on, by its system calls. No state of ours.
 */
#ifndef DANA_SANDBOX_LANDLOCK_H
#define DANA_SANDBOX_LANDLOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/** A path and all below it. */
struct sandbox_rule {
	const char *path;
	bool write; /* else it is read only */
};

/** Returns the version of the kernel's interface, from 1; 0 if it lacks one, or it is switched off. */
int landlock_abi(void);
/**
 * From now on this thread, and those that it starts, open only what the rules allow, and without `network` no TCP
 * connection. Paths that do not exist are passed over. Returns 0, or DANA_ECONFIG if Landlock is missing or refuses.
 */
int landlock_enter(const struct sandbox_rule *rules, size_t n, bool network, struct error *err);

#endif
