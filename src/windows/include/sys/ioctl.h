/* SPDX-License-Identifier: MIT */
/* The size of a console. */
#ifndef DANA_WINDOWS_INCLUDE_SYS_IOCTL_H
#define DANA_WINDOWS_INCLUDE_SYS_IOCTL_H

#include <sys/socket.h>

#define TIOCGWINSZ 0x5413
struct winsize {
	unsigned short ws_row, ws_col;
};

/** TIOCGWINSZ; all else fails. */
int ioctl(int fd, unsigned long request, void *to);

#endif
