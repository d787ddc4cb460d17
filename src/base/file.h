/* SPDX-License-Identifier: MIT */
/*
 * Files, in five parts: their names (path_), bytes and names that survive a crash (durable_), locks (lock_), files read
 * as a whole or without a name, and outputs, which are FILE.part until they are complete (part_file_).
 */
#ifndef DANA_BASE_FILE_H
#define DANA_BASE_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/status.h"

/** Returns the name of the file in `path`, which may be all of it; NULL of NULL. */
const char *path_name(const char *path);
/**
 * Returns the folder that the file `path` lies in, from malloc: what comes before its name (system_name_at), or ".";
 * NULL if memory is exhausted.
 */
char *path_folder(const char *path);
/** Returns `path` with `suffix` after it, from malloc; NULL if memory is exhausted. */
char *path_with(const char *path, const char *suffix);

/*
 * What shall survive a crash of the machine: bytes of files, and the names of files, which are bytes of their folder.
 * All but durable_open and durable_read_at return 0 or an errno number. Any thread. A signal interrupts none of them,
 * and all bytes are written or read unless an error is returned.
 */

/** As open: a descriptor, or -1 with errno. */
int durable_open(const char *path, int flags, mode_t mode);
int durable_cut(int fd, off_t size);
/** Waits until all bytes of the file are on the disk. */
int durable_sync(int fd);
int durable_write(int fd, struct slice bytes);
int durable_write_at(int fd, struct slice bytes, uint64_t offset);
/** As pread, but fewer bytes only where the file ends: their number, or -1 with errno. */
ssize_t durable_read_at(int fd, void *to, size_t len, uint64_t offset);
/** Appends what follows in the open file. */
int durable_read_rest(int fd, struct buf *content);
/** Makes the name of a file durable, not its bytes. */
int durable_name(const char *path);
/** Renames, and makes the new name durable. Both names lie in one folder. */
int durable_rename(const char *from, const char *to);
/**
 * Makes `bytes` the content of the file `path`. At each moment, and after a crash, the file has either its old content
 * or all of the new one: it is written as `path`.new first. Only its owner may read it.
 */
int durable_replace(const char *path, struct slice bytes);
/** Appends the content of a file. ENOENT: the file does not exist. */
int durable_read(const char *path, struct buf *content);
/** Removes `path` and what an interrupted durable_replace left beside it. That there is nothing is no error. */
int durable_remove(const char *path);

/*
 * One lock for each file that a run writes and another run must not: a POSIX record lock on the whole file. It says
 * which process holds it, a child does not inherit it, and the system takes it away from a process that has ended,
 * however it ended. It is lost as well when the process closes any other descriptor of the file: nothing opens the file
 * twice. File systems without locks are used without. Any thread.
 */

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

/* A temporary file that has no name, so that nothing of it stays after a kill. */

/** In `folder`, for reading and writing: the descriptor, or DANA_EIO or DANA_ENOMEM with a text. */
int nameless_file_open(const char *folder, struct error *err);

/* A file in memory. */

/** Appends what is left of an open file, at most `most` bytes. 0; DANA_EIO with errno set; DANA_ENOMEM. */
int whole_file_append(FILE *file, uint64_t most, struct buf *out);
/**
 * As dana_options.read_file (`arg` is not used): 0 with all of the file in `data`, from malloc, and a NUL after it;
 * 1: there is no such file; DANA_EIO with errno set (EFBIG above 256 MiB); DANA_ENOMEM.
 */
int whole_file_read(void *arg, const char *name, char **data, size_t *len);

/*
 * FILE.part, in which an output FILE grows, and FILE.state, in which its user may note how far it is. FILE.part is
 * locked (base/file.h) as long as it is open, so that two runs do not write into it. Any thread.
 */

#define OUTPUT_PART_SUFFIX ".part"

#define OUTPUT_STATE_SUFFIX ".state" /* beside FILE.part: how far it is, for its user to write and read */

/** What to do about FILE and FILE.part of an earlier run. */
enum output_way {
	OUTPUT_NEW,    /* refuse */
	OUTPUT_FORCE,  /* write over them; FILE.state is removed */
	OUTPUT_RESUME, /* keep what is in FILE.part; its user then calls output_cut */
};

/** Is FILE a device, a named pipe or a socket, which has no part? */
bool part_file_special(const char *path, mode_t *mode);
/** FILE is there, and no FILE.part beside it, which would belong to a run that overwrites FILE. */
bool part_file_is_final(const char *path);
/**
 * Would part_file_open find no file in its way, and a name that can be one? 0, or DANA_ECONFIG, DANA_EIO or DANA_ENOMEM
 * with the text in `err`.
 */
int part_file_check(const char *path, enum output_way way, struct error *err);
/**
 * Opens and locks `part`, the name of FILE.part. With OUTPUT_RESUME what is in it stays, and *kept says that it was
 * there. The descriptor, or a negative status as part_file_check, DANA_EIO or DANA_ENOMEM.
 */
int part_file_open(const char *path, const char *part, enum output_way way, bool *kept, struct error *err);
/** Stores a message about a file, whose name is cut where it is so long that the reason would be lost. DANA_EIO. */
int part_file_fault(struct error *err, const char *name, int error);

#endif
