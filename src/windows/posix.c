/* SPDX-License-Identifier: MIT */
/* The functions that the headers beside this file declare, by those of Windows. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <wchar.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "windows/inside.h"

/* ---- errors ---- */

/* What Windows calls an error, and POSIX. */
static const struct {
	DWORD of;
	int error;
} errors[] = {
	{ ERROR_ACCESS_DENIED, EACCES },
	{ ERROR_ALREADY_EXISTS, EEXIST },
	{ ERROR_BAD_NETPATH, ENOENT },
	{ ERROR_BAD_PATHNAME, ENOENT },
	{ ERROR_BROKEN_PIPE, EPIPE },
	{ ERROR_COMMITMENT_LIMIT, ENOMEM },
	{ ERROR_DIRECTORY, ENOTDIR },
	{ ERROR_DIR_NOT_EMPTY, ENOTEMPTY },
	{ ERROR_DISK_FULL, ENOSPC },
	{ ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG },
	{ ERROR_FILE_EXISTS, EEXIST },
	{ ERROR_FILE_NOT_FOUND, ENOENT },
	{ ERROR_HANDLE_DISK_FULL, ENOSPC },
	{ ERROR_INVALID_DRIVE, ENOENT },
	{ ERROR_INVALID_HANDLE, EBADF },
	{ ERROR_INVALID_NAME, ENOENT },
	{ ERROR_INVALID_PARAMETER, EINVAL },
	{ ERROR_LOCK_VIOLATION, EAGAIN },
	{ ERROR_NOT_ENOUGH_MEMORY, ENOMEM },
	{ ERROR_NOT_SAME_DEVICE, EXDEV },
	{ ERROR_NO_DATA, EPIPE },
	{ ERROR_OUTOFMEMORY, ENOMEM },
	{ ERROR_PATH_NOT_FOUND, ENOENT },
	{ ERROR_PRIVILEGE_NOT_HELD, EPERM },
	{ ERROR_SHARING_VIOLATION, EACCES },
	{ ERROR_TOO_MANY_OPEN_FILES, EMFILE },
	{ ERROR_WRITE_PROTECT, EROFS },
};

int windows_failed(void)
{
	const DWORD last = GetLastError();
	errno = EIO;
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		if (errors[i].of == last)
			errno = errors[i].error;
	}
	return -1;
}

/* UCRT has the texts of POSIX; where it knows none it says so. */
int strerror_r(int error, char *text, size_t size)
{
	return strerror_s(text, size, error);
}

/* ---- names ---- */

/*
 * UTF-8 as UTF-16, a slash as a backslash. Three bytes may be half of a pair, so that each name of Windows has bytes.
 * Returns the units before the zero at the end, or 0: it is not UTF-8, empty or too long.
 */
static size_t wide(const char *text, wchar_t to[WINDOWS_NAME_MOST])
{
	size_t n = 0;
	for (const uint8_t *at = (const uint8_t *)text; *at;) {
		const unsigned len = *at < 0x80 ? 1 : *at < 0xc2 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;
		uint32_t c = len == 1 ? *at : *at & 0x7fU >> len;
		for (unsigned i = 1; i < len; i++) {
			if (at[i] >> 6 != 2)
				return 0;
			c = c << 6 | (at[i] & 0x3f);
		}
		if (len == 0 || *at > 0xf4 || c > 0x10ffff || n + 3 > WINDOWS_NAME_MOST)
			return 0;
		if (c > 0xffff)
			to[n++] = (wchar_t)(0xd7c0 + (c >> 10));
		to[n++] = (wchar_t)(c > 0xffff ? 0xdc00 | (c & 0x3ff) : c == '/' ? '\\' : c);
		at += len;
	}
	to[n] = 0;
	return n;
}

wchar_t windows_capital(wchar_t c)
{
	(void)LCMapStringEx(LOCALE_NAME_INVARIANT, LCMAP_UPPERCASE, &c, 1, &c, 1, NULL, NULL, 0);
	return c;
}

char *windows_text(const wchar_t *wide_text)
{
	char *text = malloc(wcslen(wide_text) * 3 + 1), *to = text;
	for (const wchar_t *at = wide_text; text && *at; at++) {
		uint32_t c = *at;
		if (c >= 0xd800 && c < 0xdc00 && at[1] >= 0xdc00 && at[1] < 0xe000)
			c = 0x10000 + ((c - 0xd800) << 10) + (*++at - 0xdc00U);
		const unsigned len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
		for (unsigned i = len; --i > 0; c >>= 6)
			to[i] = (char)(0x80 | (c & 0x3f));
		*to = (char)(len == 1 ? c : (0xf00U >> len & 0xf0) | c);
		to += len;
	}
	if (text)
		*to = 0;
	return text;
}

wchar_t *windows_name(const char *path)
{
	enum { SHORT = MAX_PATH - 12, PREFIX = 8 }; /* a folder has room for a name of 8.3 */
	static const wchar_t device[] = L"\\\\?\\", share[] = L"\\\\?\\UNC\\";
	if (strcmp(path, "/dev/null") == 0)
		path = "NUL";
	wchar_t *name = malloc(2 * (WINDOWS_NAME_MOST + PREFIX) * sizeof(*name)),
		*full = name ? name + WINDOWS_NAME_MOST : NULL;
	const size_t len = name ? wide(path, name) : 0;
	if (len < SHORT || wcsncmp(name, device, 4) == 0) {
		if (name && len == 0) {
			free(name);
			name = NULL;
			errno = ENOENT;
		}
		return name;
	}
	/* "\\server\share" loses its first two, and gets the longer prefix */
	const DWORD n = GetFullPathNameW(name, WINDOWS_NAME_MOST, full + PREFIX, NULL);
	const bool is_share = n > 2 && wcsncmp(full + PREFIX, L"\\\\", 2) == 0;
	const wchar_t *prefix = is_share ? share : device;
	const size_t before = wcslen(prefix), skipped = is_share ? 2 : 0;
	if (n == 0 || n >= WINDOWS_NAME_MOST - before) {
		free(name);
		errno = n ? ENAMETOOLONG : ENOENT;
		return NULL;
	}
	wmemcpy(name, prefix, before);
	wmemcpy(name + before, full + PREFIX + skipped, n - skipped + 1);
	return name;
}

/* ---- files by name ---- */

static DWORD disposition(int flags)
{
	if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
		return CREATE_NEW;
	if (flags & O_CREAT)
		return flags & O_TRUNC ? CREATE_ALWAYS : OPEN_ALWAYS;
	return flags & O_TRUNC ? TRUNCATE_EXISTING : OPEN_EXISTING;
}

/* "a:b" is a stream of the file "a". A drive has one letter, also after the prefix of long names. */
static bool names_stream(const wchar_t *name)
{
	const size_t prefix = wcsncmp(name, L"\\\\?\\", 4) == 0 ? 4 : 0;
	return wcslen(name) > prefix + 2 && wcschr(name + prefix + 2, ':');
}

static bool is_link(HANDLE file)
{
	FILE_ATTRIBUTE_TAG_INFO info;
	return GetFileInformationByHandleEx(file, FileAttributeTagInfo, &info, sizeof(info)) &&
	       (info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) && IsReparseTagNameSurrogate(info.ReparseTag);
}

/* A folder is opened, too, so that fstat says what it is. `more` are attributes. */
static int open_with(const char *path, int flags, DWORD more)
{
	const int way = flags & (O_RDONLY | O_WRONLY | O_RDWR);
	const DWORD access = way == O_RDONLY ? GENERIC_READ
			     : way == O_RDWR ? GENERIC_READ | GENERIC_WRITE
					     : GENERIC_WRITE;
	SECURITY_ATTRIBUTES inherited = { sizeof(inherited), NULL, !(flags & O_CLOEXEC) };
	wchar_t *name = windows_name(path);
	if (!name)
		return -1;
	if ((flags & O_CREAT) && names_stream(name)) {
		free(name);
		errno = EINVAL;
		return -1;
	}
	if (flags & O_NOFOLLOW)
		more |= FILE_FLAG_OPEN_REPARSE_POINT;
	HANDLE file = CreateFileW(name, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, &inherited,
				  disposition(flags), FILE_ATTRIBUTE_NORMAL | FILE_FLAG_BACKUP_SEMANTICS | more, NULL);
	free(name);
	if (file == INVALID_HANDLE_VALUE) {
		const bool bad_name = (flags & O_CREAT) && GetLastError() == ERROR_INVALID_NAME;
		(void)windows_failed();
		errno = bad_name ? EINVAL : errno;
		return -1;
	}
	if ((flags & O_NOFOLLOW) && is_link(file)) {
		(void)CloseHandle(file);
		errno = ELOOP;
		return -1;
	}
	const int fd = _open_osfhandle((intptr_t)file, (flags & (O_APPEND | O_CLOEXEC)) | O_BINARY);
	if (fd < 0)
		(void)CloseHandle(file);
	return fd;
}

int open(const char *path, int flags, ...)
{
	return open_with(path, flags, 0);
}

int mkostemp(char *name, int flags)
{
	enum { TRIES = 100, LETTERS = 6 };
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	char *end = name + strlen(name) - LETTERS;
	for (int i = 0; i < TRIES; i++) {
		for (int k = 0; k < LETTERS; k++) {
			unsigned random = 0;
			(void)rand_s(&random);
			end[k] = letters[random % (sizeof(letters) - 1)];
		}
		const int fd = open_with(name, flags | O_RDWR | O_CREAT | O_EXCL,
					 FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

FILE *fopen(const char *path, const char *mode)
{
	const bool more = strchr(mode, '+') != NULL;
	const int flags = *mode == 'r' ? 0 : *mode == 'w' ? O_CREAT | O_TRUNC : O_CREAT | O_APPEND;
	const int way = more ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
	const char plain[] = { *mode, 'b', more ? '+' : '\0', '\0' };
	const int fd = open(path, flags | way | (strchr(mode, 'e') ? O_CLOEXEC : 0));
	FILE *file = fd < 0 ? NULL : _fdopen(fd, plain);
	if (fd >= 0 && !file)
		(void)close(fd);
	return file;
}

int mkdir(const char *path, mode_t mode)
{
	wchar_t *name = windows_name(path);
	(void)mode;
	const int result = !name ? -1 : CreateDirectoryW(name, NULL) ? 0 : windows_failed();
	free(name);
	return result;
}

int unlink(const char *path)
{
	wchar_t *name = windows_name(path);
	const int result = !name ? -1 : DeleteFileW(name) ? 0 : windows_failed();
	free(name);
	return result;
}

/* Programs that look into each new file, such as those against viruses, hold it for a moment. */
int rename(const char *from, const char *to)
{
	enum { TRIES = 100, WAIT_MS = 10 };
	wchar_t *old = windows_name(from), *new = old ? windows_name(to) : NULL;
	bool done = false;
	for (int i = 0; new && !done &&i < TRIES; i++) {
		if (i)
			Sleep(WAIT_MS);
		done = MoveFileExW(old, new, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
		if (!done && GetLastError() != ERROR_ACCESS_DENIED && GetLastError() != ERROR_SHARING_VIOLATION)
			break;
	}
	const int result = done ? 0 : new ? windows_failed() : -1;
	free(old);
	free(new);
	return result;
}

int access(const char *path, int mode)
{
	enum { WRITES = 2 };
	wchar_t *name = windows_name(path);
	const DWORD is = name ? GetFileAttributesW(name) : INVALID_FILE_ATTRIBUTES;
	const int result = !name ? -1 : is == INVALID_FILE_ATTRIBUTES ? windows_failed() : 0;
	free(name);
	if (result == 0 && (mode & WRITES) && (is & FILE_ATTRIBUTE_READONLY)) {
		errno = EACCES;
		return -1;
	}
	return result;
}

/* ---- what a file is ---- */

static struct timespec time_of(FILETIME t)
{
	/* tenths of microseconds since 1601 */
	const uint64_t between = 11644473600, tenths = (uint64_t)t.dwHighDateTime << 32 | t.dwLowDateTime;
	return (struct timespec){ .tv_sec = (time_t)(tenths / 10000000 - between),
				  .tv_nsec = (long)(tenths % 10000000 * 100) };
}

static int describe(HANDLE file, struct stat *to)
{
	BY_HANDLE_FILE_INFORMATION info;
	*to = (struct stat){ .st_mode = S_IFCHR | S_IRUSR | S_IWUSR };
	switch (GetFileType(file)) {
	case FILE_TYPE_CHAR:
		return 0;
	case FILE_TYPE_PIPE:
		to->st_mode = _S_IFIFO | S_IRUSR | S_IWUSR;
		return 0;
	}
	if (!GetFileInformationByHandle(file, &info))
		return windows_failed();
	const bool folder = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
	const int writes = info.dwFileAttributes & FILE_ATTRIBUTE_READONLY ? 0 : S_IWUSR;
	to->st_mode = (mode_t)((folder ? S_IFDIR | S_IXUSR : S_IFREG) | S_IRUSR | writes);
	to->st_dev = info.dwVolumeSerialNumber;
	to->st_ino = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
	to->st_size = (off_t)((uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow);
	to->st_mtim = time_of(info.ftLastWriteTime);
	return 0;
}

int fstat(int fd, struct stat *to)
{
	const intptr_t file = _get_osfhandle(fd);
	return file == -1 ? -1 : describe((HANDLE)file, to);
}

/* Is a part of the path a file, below which nothing is? For Windows such a path is missing. Cuts the name. */
static bool below_file(wchar_t *name)
{
	for (wchar_t *slash; (slash = wcsrchr(name, L'\\')) && slash > name;) {
		*slash = 0;
		const DWORD is = GetFileAttributesW(name);
		if (is != INVALID_FILE_ATTRIBUTES)
			return !(is & FILE_ATTRIBUTE_DIRECTORY);
	}
	return false;
}

static int describe_path(const char *path, struct stat *to, DWORD way)
{
	wchar_t *name = windows_name(path);
	if (!name)
		return -1;
	HANDLE file = CreateFileW(name, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
				  NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | way, NULL);
	if (file == INVALID_HANDLE_VALUE) {
		(void)windows_failed();
		errno = errno == ENOENT && below_file(name) ? ENOTDIR : errno;
		free(name);
		return -1;
	}
	free(name);
	const int result = describe(file, to), error = errno;
	if (result == 0 && way && is_link(file))
		to->st_mode = (mode_t)((to->st_mode & ~S_IFMT) | S_IFLNK);
	(void)CloseHandle(file);
	errno = error;
	return result;
}

int stat(const char *path, struct stat *to)
{
	return describe_path(path, to, 0);
}

int lstat(const char *path, struct stat *to)
{
	return describe_path(path, to, FILE_FLAG_OPEN_REPARSE_POINT);
}

/* ---- bytes ---- */

static DWORD some(size_t len)
{
	enum { MOST = 1 << 30 };
	return len < MOST ? (DWORD)len : MOST;
}

ssize_t read(int fd, void *to, size_t len)
{
	return _read(fd, to, some(len));
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	DWORD n = 0;
	HANDLE file = (HANDLE)_get_osfhandle(fd);
	if (file == INVALID_HANDLE_VALUE)
		return -1;
	return WriteFile(file, bytes, some(len), &n, NULL) ? (ssize_t)n : windows_failed();
}

static OVERLAPPED place(off_t offset)
{
	return (OVERLAPPED){ .Offset = (DWORD)((uint64_t)offset & 0xffffffff),
			     .OffsetHigh = (DWORD)((uint64_t)offset >> 32) };
}

ssize_t pread(int fd, void *to, size_t len, off_t offset)
{
	OVERLAPPED at = place(offset);
	DWORD n = 0;
	const intptr_t file = _get_osfhandle(fd);
	if (file == -1)
		return -1;
	if (ReadFile((HANDLE)file, to, some(len), &n, &at) || GetLastError() == ERROR_HANDLE_EOF)
		return n;
	return windows_failed();
}

ssize_t pwrite(int fd, const void *bytes, size_t len, off_t offset)
{
	OVERLAPPED at = place(offset);
	DWORD n = 0;
	const intptr_t file = _get_osfhandle(fd);
	if (file == -1)
		return -1;
	return WriteFile((HANDLE)file, bytes, some(len), &n, &at) ? (ssize_t)n : windows_failed();
}

/* The names in a folder are on the disk when the call that changes them returns (MOVEFILE_WRITE_THROUGH). */
int fsync(int fd)
{
	struct stat st;
	if (fstat(fd, &st) < 0)
		return -1;
	return S_ISDIR(st.st_mode) || FlushFileBuffers((HANDLE)_get_osfhandle(fd)) ? 0 : windows_failed();
}

/* ---- locks ---- */

/*
 * A lock of Windows keeps others from reading and writing the bytes that it is on, so it is on one that no file has. A
 * query takes it and gives it back.
 */
static int lock_by(HANDLE file, int command, struct flock *lock)
{
	const DWORD now = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
	OVERLAPPED at = place(INT64_MAX - 1);
	if (!LockFileEx(file, now, 0, 1, 0, &at)) {
		if (command == F_SETLK || GetLastError() != ERROR_LOCK_VIOLATION)
			return windows_failed();
		*lock = (struct flock){ .l_type = F_WRLCK };
		return 0;
	}
	if (command == F_GETLK) {
		(void)UnlockFileEx(file, 0, 1, 0, &at);
		*lock = (struct flock){ .l_type = F_UNLCK };
	}
	return 0;
}

int fcntl(int fd, int command, ...)
{
	HANDLE file = (HANDLE)_get_osfhandle(fd);
	va_list more;
	if (file == INVALID_HANDLE_VALUE) {
		errno = EBADF;
		return -1;
	}
	switch (command) {
	case F_GETFL:
		return O_RDWR; /* a handle does not tell */
	case F_DUPFD_CLOEXEC:
		fd = _dup(fd);
		if (fd >= 0)
			(void)SetHandleInformation((HANDLE)_get_osfhandle(fd), HANDLE_FLAG_INHERIT, 0);
		return fd;
	case F_GETLK:
	case F_SETLK:
		va_start(more, command);
		struct flock *lock = va_arg(more, struct flock *);
		va_end(more);
		return lock_by(file, command, lock);
	default:
		return 0;
	}
}

/* ---- memory ---- */

void *mmap(void *at, size_t len, int protection, int flags, int fd, off_t offset)
{
	const intptr_t file = _get_osfhandle(fd);
	(void)at;
	(void)protection;
	(void)flags;
	(void)offset;
	HANDLE mapping = file == -1 ? NULL : CreateFileMappingW((HANDLE)file, NULL, PAGE_READWRITE, 0, 0, NULL);
	void *mapped = mapping ? MapViewOfFile(mapping, FILE_MAP_ALL_ACCESS, 0, 0, len) : NULL;
	if (!mapped)
		(void)windows_failed();
	if (mapping)
		(void)CloseHandle(mapping); /* the view keeps it */
	return mapped ? mapped : MAP_FAILED;
}

int munmap(void *at, size_t len)
{
	(void)len;
	return UnmapViewOfFile(at) ? 0 : windows_failed();
}

void *memmem(const void *bytes, size_t len, const void *wanted, size_t wanted_len)
{
	const uint8_t *at = bytes, *first = wanted;
	if (wanted_len == 0)
		return (void *)(uintptr_t)at;
	while (len >= wanted_len) {
		const uint8_t *found = memchr(at, *first, len - wanted_len + 1);
		if (!found || memcmp(found, wanted, wanted_len) == 0)
			return (void *)(uintptr_t)found;
		len -= (size_t)(found + 1 - at);
		at = found + 1;
	}
	return NULL;
}

char *strndup(const char *text, size_t most)
{
	const size_t len = strnlen(text, most);
	char *copy = malloc(len + 1);
	if (copy) {
		memcpy(copy, text, len);
		copy[len] = '\0';
	}
	return copy;
}
