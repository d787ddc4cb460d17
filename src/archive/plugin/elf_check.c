/* SPDX-License-Identifier: MIT */
/*
 * The head of the file is compared with that of the program itself, and the end of each segment with the file's size.
 * The loader maps segments without checking that size, so that a file that was cut off would end the program by a
 * signal.
 */
#include "config.h"

#include "archive/plugin/elf_check.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of the program, from the linker. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

static int refuse(struct error *err, const char *path, const char *what)
{
	return error_set(err, DANA_EPLUGIN, "%s %s", path, what);
}

static bool read_at(int fd, void *to, size_t len, uint64_t offset)
{
	return offset <= INT64_MAX && pread(fd, to, len, (off_t)offset) == (ssize_t)len;
}

static int check_segments(int fd, const ElfW(Ehdr) * head, uint64_t size, const char *path, struct error *err)
{
	for (unsigned i = 0; i < head->e_phnum; i++) {
		ElfW(Phdr) segment;
		uint64_t end;
		if (!read_at(fd, &segment, sizeof(segment), head->e_phoff + (uint64_t)i * sizeof(segment)))
			return refuse(err, path, "is cut off inside its head");
		if (__builtin_add_overflow((uint64_t)segment.p_offset, (uint64_t)segment.p_filesz, &end) || end > size)
			return refuse(err, path, "is cut off: a part that its head names is missing");
	}
	return DANA_OK;
}

static int check(int fd, uint64_t size, const char *path, struct error *err)
{
	const ElfW(Ehdr) *own = &__ehdr_start;
	ElfW(Ehdr) head;
	if (!read_at(fd, &head, sizeof(head), 0) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
		return refuse(err, path, "is not a shared object");
	if (memcmp(head.e_ident, own->e_ident, EI_VERSION) != 0 || head.e_machine != own->e_machine)
		return refuse(err, path, "is made for another machine");
	if (head.e_type != ET_DYN || head.e_phentsize != sizeof(ElfW(Phdr)))
		return refuse(err, path, "is not a shared object");
	return check_segments(fd, &head, size, path, err);
}

int elf_check(const char *path, struct error *err)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return error_set(err, DANA_EPLUGIN, "%s: %s", path, system_text(errno));
	int status = fstat(fd, &st) < 0 ? error_set(err, DANA_EPLUGIN, "%s: %s", path, system_text(errno))
					: check(fd, (uint64_t)st.st_size, path, err);
	(void)close(fd);
	return status;
}
