/* SPDX-License-Identifier: MIT */
#ifndef DANA_SANDBOX_SANDBOX_PRIVATE_H
#define DANA_SANDBOX_SANDBOX_PRIVATE_H

#include "run/sandbox/landlock.h"
#include "run/sandbox/sandbox.h"

/** The list of what will be opened. */
struct sandbox {
	struct arena *texts;
	struct sandbox_rule *rules;
	size_t n, cap;
	bool network;
};

#endif
