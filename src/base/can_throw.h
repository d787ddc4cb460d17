/* SPDX-License-Identifier: MIT */
/* For what is written in C++ and loaded as a module. */
#ifndef DANA_BASE_CAN_THROW_H
#define DANA_BASE_CAN_THROW_H

#include <exception>
#include <stdlib.h>

/**
 * Readies the calling thread to throw, before something is called that may. The first exception of a thread takes memory for
 * what C++ notes of it, and where that fails libc ends the process. False: memory is exhausted. What can be allocated and
 * freed just before can be allocated again.
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
