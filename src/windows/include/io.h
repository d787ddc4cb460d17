/* SPDX-License-Identifier: MIT */
/* Reads and writes of POSIX, whose lengths are size_t. */
#ifndef DANA_WINDOWS_INCLUDE_IO_H
#define DANA_WINDOWS_INCLUDE_IO_H

#define isatty isatty_of_mingw
#define mkdir mkdir_of_mingw
#define read read_of_mingw
#define write write_of_mingw
#include_next <io.h>
#undef isatty
#undef mkdir
#undef read
#undef write

#include <assert.h>
#include <sys/types.h>

static_assert(sizeof(off_t) == 8, "files may have more than 2 GiB");

int open(const char *path, int flags, ...) __asm__("windows_open");
int mkdir(const char *path, mode_t mode) __asm__("windows_mkdir");
int unlink(const char *path) __asm__("windows_unlink");
int rename(const char *from, const char *to) __asm__("windows_rename");
int access(const char *path, int mode) __asm__("windows_access");
ssize_t read(int fd, void *to, size_t len) __asm__("windows_read");
ssize_t write(int fd, const void *bytes, size_t len) __asm__("windows_write");
/** As those of POSIX, but the position of the descriptor is then behind the bytes. */
ssize_t pread(int fd, void *to, size_t len, off_t offset);
ssize_t pwrite(int fd, const void *bytes, size_t len, off_t offset);
int fsync(int fd);
/** Of a console; other devices of characters are none. */
int isatty(int fd) __asm__("windows_isatty");

#endif
