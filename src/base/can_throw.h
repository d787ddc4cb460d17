/* SPDX-License-Identifier: MIT */
/* For modules written in C++. */
#ifndef DANA_BASE_CAN_THROW_H
#define DANA_BASE_CAN_THROW_H

#include <exception>
#include <stdlib.h>

/**
 * Prepares the calling thread for a call that may throw. The first exception of a thread allocates the C++ runtime's
 * per-thread state; where that fails, libc ends the process. Returns false if memory is exhausted. Memory that was
 * allocated and freed just before can be allocated again.
 */
static inline bool can_throw()
{
	enum { NOTES = 1024 };
	void *volatile space = malloc(NOTES);
	bool can = space != nullptr;
	free(space);
	return can && std::uncaught_exceptions() >= 0;
}

#endif
