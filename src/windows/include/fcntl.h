/* SPDX-License-Identifier: MIT */
/* Flags of open, of which those that are 0 have no meaning here; and locks. */
#ifndef DANA_WINDOWS_INCLUDE_FCNTL_H
#define DANA_WINDOWS_INCLUDE_FCNTL_H

#include_next <fcntl.h>
#include <io.h>

#define O_CLOEXEC _O_NOINHERIT
#define O_DIRECTORY 0
#define O_NOCTTY 0
#define O_NOFOLLOW 0x100000
#define O_NONBLOCK 0

/** Locks of a whole file, by LockFileEx: they end with the descriptor. Nobody knows who holds one: l_pid is 0. */
struct flock {
	short l_type, l_whence;
	off_t l_start, l_len;
	pid_t l_pid;
};
enum { F_RDLCK, F_WRLCK, F_UNLCK };
/* F_GETFL is always O_RDWR; F_SETFL and F_GETFD say whether the descriptor is open. */
enum { F_GETLK = 1, F_SETLK, F_GETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC };
int fcntl(int fd, int command, ...);

#endif
