/* SPDX-License-Identifier: MIT */
/* stat takes UTF-8, and tells one file from another. A link is what Windows calls a symbolic link or a junction. */
#ifndef DANA_WINDOWS_INCLUDE_SYS_STAT_H
#define DANA_WINDOWS_INCLUDE_SYS_STAT_H

#define stat stat_of_mingw
#define fstat fstat_of_mingw
#include_next <sys/stat.h>
#undef stat
#undef fstat

#include <stdint.h>
#include <time.h>

struct stat {
	uint64_t st_dev, st_ino;
	mode_t st_mode;  /* rights of the user alone */
	unsigned st_uid; /* always 0 */
	off_t st_size;
	struct timespec st_mtim;
};

int stat(const char *path, struct stat *to) __asm__("windows_stat");
int fstat(int fd, struct stat *to) __asm__("windows_fstat");
int lstat(const char *path, struct stat *to);

#undef S_IFLNK
#define S_IFLNK 0xA000
#define S_ISLNK(mode) (((mode)&S_IFMT) == S_IFLNK)
#define S_ISSOCK(mode) ((void)(mode), 0)

#endif
