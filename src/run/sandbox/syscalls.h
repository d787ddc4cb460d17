/* SPDX-License-Identifier: MIT */
/* Which system calls can be made: seccomp, by libseccomp where it is built in. No state of ours. */
#ifndef DANA_SANDBOX_SYSCALLS_H
#define DANA_SANDBOX_SYSCALLS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/status.h"

/**
 * From now on this thread, and those that it starts, start no program and no process, and without `network` make no
 * socket; nor can they make any other call that is not on the list. Returns 0; DANA_ENOMEM; or DANA_ECONFIG if it is
 * not built in, or the kernel refuses.
 */
int syscalls_enter(bool network, struct error *err);
void syscalls_describe(struct buf *out);

#endif
