/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "archive/plugin/file_trust.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* `path` is the file, or a folder above it. */
static int refuse(struct error *err, const char *file, const char *path, const char *what)
{
	if (strcmp(file, path) == 0)
		return error_set(err, DANA_EPLUGIN, "%s %s", file, what);
	return error_set(err, DANA_EPLUGIN, "%s: the folder %s %s", file, path, what);
}

static int check(const char *file, const char *path, bool may_be_shared, struct error *err)
{
	const bool is_file = strcmp(file, path) == 0;
	struct stat st;
	if (lstat(path, &st) < 0)
		return refuse(err, file, path, system_text(errno));
	if (is_file && !S_ISREG(st.st_mode))
		return refuse(err, file, path, "is not a regular file");
	if (st.st_uid != 0 && st.st_uid != geteuid())
		return refuse(err, file, path, "belongs to another user; expected root or the user who runs dana");
	const bool sticky = (st.st_mode & S_ISVTX) != 0;
	if ((st.st_mode & (S_IWGRP | S_IWOTH)) && !(may_be_shared && sticky))
		return refuse(err, file, path, "can be written by group or others; expected chmod go-w");
	return DANA_OK;
}

int file_trust(const char *path, struct error *err)
{
	char folder[PATH_MAX];
	if (strlen(path) >= sizeof(folder))
		return error_set(err, DANA_EPLUGIN, "%.80s...: %s", path, system_text(ENAMETOOLONG));
	memcpy(folder, path, strlen(path) + 1);
	int status = check(path, folder, false, err);
	bool nearest = true;
	for (char *slash; status == DANA_OK && strcmp(folder, "/") != 0; nearest = false) {
		slash = strrchr(folder, '/');
		slash[slash == folder] = '\0';
		status = check(path, folder, !nearest, err);
	}
	return status;
}

int file_trust_secret(const char *path, struct error *err)
{
	struct stat st;
	int status = file_trust(path, err);
	if (status < 0)
		return status;
	if (stat(path, &st) < 0)
		return refuse(err, path, path, system_text(errno));
	/* Root hands a file to a service by its group, or by a list of access, which shows as a group that may read. */
	const bool handed = st.st_uid == 0 && geteuid() != 0;
	if (st.st_mode & (handed ? S_IROTH : S_IRGRP | S_IROTH))
		return refuse(err, path, path, "can be read by group or others; expected chmod go-r");
	return DANA_OK;
}
