/* SPDX-License-Identifier: MIT */
/*
 * What shall survive a crash of the machine: bytes of files, and the names of files, which are bytes of their folder.
 * All but durable_open and durable_read_at return 0 or an errno number. Any thread. A signal interrupts none of them,
 * and all bytes are written or read unless an error is returned.
 */
#ifndef DANA_BASE_FILE_DURABLE_H
#define DANA_BASE_FILE_DURABLE_H

#include <sys/types.h>

#include "base/buf.h"

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

#endif
