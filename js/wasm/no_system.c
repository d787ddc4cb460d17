/* SPDX-License-Identifier: MIT */
/*
 * The calls of the system that the C library would import, so that the module imports nothing: there are no files, and
 * what ends the program ends the instance. Run-time libraries reach them only to say why they end it.
 */
#include <stdint.h>

enum { BADF = 8, NOENT = 44 };

#define CALL(name) __imported_wasi_snapshot_preview1_##name

int32_t CALL(fd_close)(int32_t fd);
int32_t CALL(fd_fdstat_get)(int32_t fd, int32_t stat);
int32_t CALL(fd_prestat_get)(int32_t fd, int32_t prestat);
int32_t CALL(fd_prestat_dir_name)(int32_t fd, int32_t path, int32_t len);
int32_t CALL(fd_seek)(int32_t fd, int64_t offset, int32_t whence, int32_t to);
int32_t CALL(fd_write)(int32_t fd, int32_t parts, int32_t n, int32_t to);
int32_t CALL(path_open)(int32_t fd, int32_t how, int32_t path, int32_t len, int32_t open, int64_t rights,
			int64_t inherited, int32_t flags, int32_t to);
_Noreturn void CALL(proc_exit)(int32_t status);

int32_t CALL(fd_close)(int32_t fd)
{
	return (void)fd, BADF;
}

int32_t CALL(fd_fdstat_get)(int32_t fd, int32_t stat)
{
	return (void)fd, (void)stat, BADF;
}

int32_t CALL(fd_prestat_get)(int32_t fd, int32_t prestat)
{
	return (void)fd, (void)prestat, BADF;
}

int32_t CALL(fd_prestat_dir_name)(int32_t fd, int32_t path, int32_t len)
{
	return (void)fd, (void)path, (void)len, BADF;
}

int32_t CALL(fd_seek)(int32_t fd, int64_t offset, int32_t whence, int32_t to)
{
	return (void)fd, (void)offset, (void)whence, (void)to, BADF;
}

int32_t CALL(fd_write)(int32_t fd, int32_t parts, int32_t n, int32_t to)
{
	return (void)fd, (void)parts, (void)n, (void)to, BADF;
}

int32_t CALL(path_open)(int32_t fd, int32_t how, int32_t path, int32_t len, int32_t open, int64_t rights,
			int64_t inherited, int32_t flags, int32_t to)
{
	return (void)fd, (void)how, (void)path, (void)len, (void)open, (void)rights, (void)inherited, (void)flags,
	       (void)to, NOENT;
}

_Noreturn void CALL(proc_exit)(int32_t status)
{
	(void)status;
	__builtin_trap();
}
