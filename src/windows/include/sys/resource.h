/* SPDX-License-Identifier: MIT */
/* What a process has used. */
#ifndef DANA_WINDOWS_INCLUDE_SYS_RESOURCE_H
#define DANA_WINDOWS_INCLUDE_SYS_RESOURCE_H

#include <sys/time.h>

struct rusage {
	struct timeval ru_utime, ru_stime;
	long long ru_maxrss; /* bytes */
};
enum { RUSAGE_SELF };

int getrusage(int who, struct rusage *usage);

#endif
