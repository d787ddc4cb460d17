/* SPDX-License-Identifier: MIT */
/* What a folder holds, by names in UTF-8. */
#ifndef DANA_WINDOWS_INCLUDE_DIRENT_H
#define DANA_WINDOWS_INCLUDE_DIRENT_H

struct dirent {
	char d_name[780]; /* 259 units of UTF-16 have at most three bytes each */
};
typedef struct folder_walk DIR;

DIR *opendir(const char *path);
struct dirent *readdir(DIR *folder);
int closedir(DIR *folder);
int scandir(const char *path, struct dirent ***entries, int (*wanted)(const struct dirent *entry),
	    int (*compare)(const struct dirent **a, const struct dirent **b));
int alphasort(const struct dirent **a, const struct dirent **b);

#endif
