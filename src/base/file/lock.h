/* SPDX-License-Identifier: MIT */
/*
 * One lock for each file that a run writes and another run must not: a POSIX record lock on the whole file. It says
 * which process holds it, a child does not inherit it, and the system takes it away from a process that has ended,
 * however it ended. It is lost as well when the process closes any other descriptor of the file: nothing opens the file
 * twice. File systems without locks are used without. Any thread.
 */
#ifndef DANA_BASE_FILE_LOCK_H
#define DANA_BASE_FILE_LOCK_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"

/** What lock_take returns besides 0 and an errno number. */
enum {
	LOCK_HELD = -1,  /* by another process, or by this one, which loses it when it closes this descriptor */
	LOCK_MOVED = -2, /* since it was opened, the file was removed or replaced by another one */
};

/** Locks the open file `path`. *holder: the process that holds it; 0 where that is not known. */
int lock_take(int fd, const char *path, pid_t *holder);
/** Whether the file `path` exists and is locked. */
bool lock_look(const char *path, pid_t *holder);
/**
 * Opens a regular file for reading and writing, made with `mode` where it is missing, and locks it; no symbolic link is
 * followed. Returns the descriptor; closing it ends the lock. DANA_EIO when the file cannot be opened, or is locked
 * already: `held` then completes the message "PATH: ...".
 */
int lock_open(const char *path, mode_t mode, const char *held, struct error *err);

#endif
