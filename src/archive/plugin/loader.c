/* SPDX-License-Identifier: MIT */
/* Loads plugins from shared objects, once nobody but the user and root can have written them. */
#include "config.h"

#include <dlfcn.h>
#ifdef PLUGIN_FILES
#include <elf.h>
#include <link.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/document.h"
#include "archive/plugin/host.h"
#include "archive/plugin/plugins.h"
#include "base/diagnostics.h"
#include "base/status.h"
#include "base/system.h"

/*
 * The rules: an absolute path, or a name in the folder of the installation, never a search path of the environment; a
 * file that only root or the user can have written; all symbols at once (RTLD_NOW) and none for others
 * (RTLD_LOCAL); the right interface, size, name and table of options. A set-user-ID program loads nothing.
 */

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

/* Checks whether a file may be used as code or as a secret: only root and the user can have written or replaced it. */

/**
 * `path`: absolute, without symbolic links. The file must be a regular one of root or the user that neither group nor
 * others can write, and so must its folder; a folder further up that others can write must be one like /tmp, where they
 * cannot rename files of others. Returns 0, or DANA_EPLUGIN with what is wrong.
 */
static int file_trust(const char *path, struct error *err)
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

#ifdef PLUGIN_FILES
/*
 * The head of the file is compared with the head of the program itself, and the end of each segment with the file's
 * size. The loader maps segments without checking that size, so that a file that was cut off would end the program by a
 * signal.
 */

/* Of the program, from the linker. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

static bool read_at(int fd, void *to, size_t len, uint64_t offset)
{
	return offset <= INT64_MAX && pread(fd, to, len, (off_t)offset) == (ssize_t)len;
}

/* Returns what is wrong with the file; NULL: nothing. */
static const char *elf_fault(int fd, uint64_t size)
{
	const ElfW(Ehdr) *own = &__ehdr_start;
	ElfW(Ehdr) head;
	if (!read_at(fd, &head, sizeof(head), 0) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
		return "is not a shared object";
	if (memcmp(head.e_ident, own->e_ident, EI_VERSION) != 0 || head.e_machine != own->e_machine)
		return "is made for another machine";
	if (head.e_type != ET_DYN || head.e_phentsize != sizeof(ElfW(Phdr)))
		return "is not a shared object";
	for (unsigned i = 0; i < head.e_phnum; i++) {
		ElfW(Phdr) segment;
		uint64_t end;
		if (!read_at(fd, &segment, sizeof(segment), head.e_phoff + (uint64_t)i * sizeof(segment)))
			return "is cut off inside its header";
		if (__builtin_add_overflow((uint64_t)segment.p_offset, (uint64_t)segment.p_filesz, &end) || end > size)
			return "is cut off: a part that its header names is missing";
	}
	return NULL;
}

static int elf_check(const char *path, struct error *err)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return error_set(err, DANA_EPLUGIN, "%s: %s", path, system_text(errno));
	int status = fstat(fd, &st) < 0 ? error_set(err, DANA_EPLUGIN, "%s: %s", path, system_text(errno)) : DANA_OK;
	const char *fault = status == DANA_OK ? elf_fault(fd, (uint64_t)st.st_size) : NULL;
	(void)close(fd);
	return fault ? refuse(err, path, path, fault) : status;
}
#else

static int elf_check(const char *path, struct error *err)
{
	return error_set(err, DANA_EPLUGIN, "%s: this dana has its plugins built in, and loads no files", path);
}

#endif

static const char suffix[] = ".so";

/* ---- the struct ---- */

static const char *flags_fault(const struct dana_plugin *p)
{
	const uint32_t known =
		DANA_PLUGIN_PURE | DANA_PLUGIN_ORDERED | DANA_PLUGIN_HTML | DANA_PLUGIN_BLOCKS | DANA_PLUGIN_LANGUAGE;
	const bool pure = p->flags & DANA_PLUGIN_PURE, ordered = p->flags & DANA_PLUGIN_ORDERED;
	if (p->flags & ~known)
		return "has unknown flags: made for a newer dana?";
	if (pure == ordered)
		return "must have one of the flags PURE and ORDERED";
	if (!(p->head || p->http || p->media || p->page))
		return "has no function; expected head, http, media or page";
	if (ordered && (p->head || p->http || p->media || p->html || !p->page))
		return "is ORDERED: expected the function page, without head, http, media and html";
	if (p->html && !p->page)
		return "has the function html: expected the function page too";
	if (pure && (p->prepare || p->save || p->restore || p->finish))
		return "is PURE: prepare, save, restore and finish are for ORDERED plugins";
	return NULL;
}

/* Checks whether this program can use the struct. Returns 0, or DANA_EPLUGIN with what is wrong, after `where`. */
static int loader_check(const struct dana_plugin *p, const char *where, struct error *err)
{
	struct buf text = { 0 };
	if (p->abi != DANA_PLUGIN_ABI)
		return error_set(err, DANA_EPLUGIN,
				 "%s is built for interface %u of plugins; this dana has interface %u", where, p->abi,
				 DANA_PLUGIN_ABI);
	if (p->size != sizeof(struct dana_plugin))
		return error_set(err, DANA_EPLUGIN, "%s: its struct dana_plugin has %u bytes; expected %zu", where,
				 p->size, sizeof(struct dana_plugin));
	/*
	 * The object must not have the name of a key of documents in any layout of JSONL (archive/sink/jsonl.c);
	 * tests/plugin/bad.sh compares them with documents. Keys with '_' are no names of objects. "metadata" is
	 * allowed: in two layouts it holds other members, and the plugin of that name writes its object.
	 */
	static const char *const keys[] = { "text",     "id",     "url",    "date",   "title",  "language",
					    "charset",  "method", "file",   "offset", "length", "truncated",
					    "problems", "media",  "source", "added",  "created" };
	bool is_key = p->object && strcmp(p->object, "metadata") == 0;
	for (size_t i = 0; p->name && i < sizeof(keys) / sizeof(*keys); i++)
		is_key |= strcmp(loader_object(p), keys[i]) == 0;
	size_t n_counters = 0;
	while (p->counters && p->counters[n_counters])
		n_counters++;
	const char *fault = !p->name || !settings_is_name(p->name) ? "has a name that is not of a-z, 0-9 and '-'"
			    : p->object && !settings_is_name(p->object)
				    ? "has an object whose name is not of a-z, 0-9 and '-'"
			    : is_key ? "has an object that is called like a key of documents; expected another name"
			    : !p->version || !p->help           ? "has no version, or no help"
			    : n_counters > PLUGIN_COUNTERS_MOST ? "has too many counters"
								: flags_fault(p);
	if (!fault && (fault = settings_table_fault(p, &text)))
		(void)error_set(err, DANA_EPLUGIN, "%s: %s", where, fault);
	else if (fault)
		(void)error_set(err, DANA_EPLUGIN, "%s %s", where, fault);
	buf_free(&text);
	return fault ? DANA_EPLUGIN : DANA_OK;
}

/* ---- the file ---- */

static int load(struct loaded *l, const char *path, struct error *err)
{
	l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!l->handle)
		return error_set(err, DANA_EPLUGIN, "cannot load: %s", dlerror());
	l->plugin = dlsym(l->handle, "dana_plugin");
	if (!l->plugin)
		return error_set(err, DANA_EPLUGIN, "%s has no symbol dana_plugin: it is not a plugin of dana", path);
	int status = loader_check(l->plugin, path, err);
	if (status < 0)
		return status;
	const char *base = strrchr(path, '/') + 1;
	const size_t len = strlen(base) - (sizeof(suffix) - 1);
	if (strlen(l->plugin->name) != len || memcmp(base, l->plugin->name, len) != 0)
		return error_set(err, DANA_EPLUGIN, "%s is the plugin '%s'; expected the file %s%s", path,
				 l->plugin->name, l->plugin->name, suffix);
	return DANA_OK;
}

static int path_of(char path[PATH_MAX], struct slice name, const char *folder, struct error *err)
{
	char shown[256], given[PATH_MAX];
	printable(name, shown, sizeof(shown));
	const bool is_path = memchr(name.data, '/', name.len) != NULL;
	if (is_path && name.data[0] != '/')
		return error_set(err, DANA_ECONFIG, "plugin %s: expected an absolute path, or a name without '/'",
				 shown);
	int len = is_path ? snprintf(given, sizeof(given), "%.*s", (int)name.len, (const char *)name.data)
			  : snprintf(given, sizeof(given), "%s/%.*s%s", folder, (int)name.len, (const char *)name.data,
				     suffix);
	if (len < 0 || (size_t)len >= sizeof(given) || memchr(name.data, 0, name.len))
		return error_set(err, DANA_ECONFIG, "plugin %s: %s", shown, system_text(ENAMETOOLONG));
	if (!realpath(given, path))
		return error_set(err, errno == ENOENT && !is_path ? DANA_ECONFIG : DANA_EPLUGIN, "%s: %s", given,
				 system_text(errno));
	len = (int)strlen(path) - (int)(sizeof(suffix) - 1);
	if (len < 1 || strcmp(path + len, suffix) != 0)
		return error_set(err, DANA_EPLUGIN, "%s is not a plugin; expected a file NAME%s", path, suffix);
	return DANA_OK;
}

int loader_open(struct loaded *out, struct slice name, const char *folder, struct error *err)
{
	char path[PATH_MAX];
	*out = (struct loaded){ NULL, NULL };
	if (system_set_user_id())
		return error_set(err, DANA_EPLUGIN, "plugins are not loaded in a set-user-ID program");
	int status = path_of(path, name, folder, err);
	if (status == DANA_OK)
		status = file_trust(path, err);
	if (status == DANA_OK)
		status = elf_check(path, err);
	if (status == DANA_OK)
		status = load(out, path, err);
	if (status < 0)
		loader_close(out);
	return status;
}

bool loader_loads(void)
{
	return true;
}

void loader_close(struct loaded *l)
{
	if (l->handle)
		(void)dlclose(l->handle);
	*l = (struct loaded){ NULL, NULL };
}
