/* SPDX-License-Identifier: MIT */
/* What a process has used. */
#ifndef DANA_WINDOWS_INCLUDE_SYS_RESOURCE_H
#define DANA_WINDOWS_INCLUDE_SYS_RESOURCE_H

struct rusage {
	long long ru_maxrss; /* bytes */
};

#endif
