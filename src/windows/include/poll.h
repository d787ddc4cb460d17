/* SPDX-License-Identifier: MIT */
/* Whether a descriptor of a pipe or console has bytes; each can be written to. */
#ifndef DANA_WINDOWS_INCLUDE_POLL_H
#define DANA_WINDOWS_INCLUDE_POLL_H

#include <sys/socket.h>

#define pollfd posix_pollfd
struct pollfd {
	int fd;
	short events, revents;
};

/** Of one descriptor. */
int poll(struct pollfd *p, unsigned n, int milliseconds);

#endif
