/* SPDX-License-Identifier: MIT */
/* What libc and other libraries open by themselves while a run goes on. */
#ifndef DANA_SANDBOX_SYSTEM_PATHS_H
#define DANA_SANDBOX_SYSTEM_PATHS_H

#include "run/sandbox/sandbox.h"

/** Libraries. Returns 0 or DANA_ENOMEM. */
int system_paths_libraries(struct sandbox *s);
/** Names of hosts, certificates. Returns 0 or DANA_ENOMEM. */
int system_paths_network(struct sandbox *s);

#endif
