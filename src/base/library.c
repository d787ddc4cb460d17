/* SPDX-License-Identifier: MIT */
/*
 * A library is found by the system's loader, from its SONAME. A module is looked for beside the program first, so that
 * a program in its build tree, or in a tree that was moved as a whole, takes its own; then beside the shared library
 * that this code is part of; then in the folder that was compiled in.
 */
#include "config.h"

#include "base/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system.h"

enum { NEW, LOADED, MISSING };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct library *_Atomic first_missing;
static atomic_bool loader_failed;

/* The program's folder; false where the system does not give it. */
static bool program_folder(char *folder, size_t size, uid_t *owner)
{
	struct stat st;
	if (!system_program(folder, size) || stat(folder, &st) < 0)
		return false;
	*strrchr(folder, '/') = '\0';
	*owner = st.st_uid;
	return true;
}

/* The folder of the shared library that holds this code; false where a program does. */
static bool shared_library_folder(char *folder, size_t size)
{
	Dl_info info;
	if (dladdr(&lock, &info) == 0 || info.dli_fname[0] != '/' || strlen(info.dli_fname) >= size ||
	    !strstr(info.dli_fname, ".so"))
		return false;
	(void)snprintf(folder, size, "%s", info.dli_fname);
	*strrchr(folder, '/') = '\0';
	return true;
}

bool library_folder(size_t i, char *folder, size_t size)
{
	enum { PROGRAM, SHARED_LIBRARY, COMPILED_IN };
	static const char *const beside[] = { "/../lib/" DANA_MODULES, "/" DANA_MODULES };
	uid_t owner;
	const bool own = !system_set_user_id() && ((i == PROGRAM && program_folder(folder, size, &owner)) ||
						   (i == SHARED_LIBRARY && shared_library_folder(folder, size)));
	if (own && strlen(folder) + strlen(beside[i]) < size)
		(void)snprintf(folder + strlen(folder), size - strlen(folder), "%s", beside[i]);
	else if (i <= COMPILED_IN)
		(void)snprintf(folder, size, "%s", DANA_MODULE_FOLDER);
	return i <= COMPILED_IN;
}

static void *open_module(const char *file)
{
	char path[PATH_MAX + 256], program[PATH_MAX];
	uid_t owner = 0;
	struct stat st;
	void *handle = NULL;
	for (size_t i = 0; !handle && errno != ENOMEM && library_folder(i, path, PATH_MAX); i++) {
		(void)snprintf(path + strlen(path), sizeof(path) - strlen(path), "/%s", file);
		if (stat(path, &st) < 0)
			continue;
		/* nobody but root, the user and who installed the program can have put it there: the folder above may
		 * be one like /tmp */
		(void)program_folder(program, sizeof(program), &owner);
		if (st.st_uid == 0 || st.st_uid == geteuid() || st.st_uid == owner)
			handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	}
	return handle;
}

/* POSIX: a pointer that dlsym returns may be used as one to a function. */
static bool find_functions(const struct library *l, void *handle)
{
	for (size_t i = 0; i < l->n; i++) {
		void *found = NULL;
		if (l->functions[i].linked)
			memcpy(&found, &l->functions[i].linked, sizeof(found));
		else
			found = dlsym(handle, l->functions[i].name);
		if (!found)
			return false;
		memcpy((char *)l->table + l->functions[i].offset, &found, sizeof(found));
	}
	return true;
}

void library_loader_failed(void)
{
	atomic_store(&loader_failed, true);
}

/* Where memory ends inside glibc's loader, its lock stays taken, and exit in another thread would wait for it forever.
 */
void library_exit(int status)
{
	if (!atomic_load(&loader_failed))
		exit(status);
	(void)fflush(NULL);
	_exit(status);
}

/*
 * It stays loaded: its threads may run, and its functions be called, to the end of the process. False: memory is
 * exhausted, so that it is not known whether the library is missing.
 */
static bool load(struct library *l)
{
	(void)dlerror();
	errno = 0;
	void *handle = NULL;
	const bool linked = l->n && l->functions[0].linked;
	if (!linked)
		handle = l->module ? open_module(l->file) : dlopen(l->file, RTLD_LAZY | RTLD_LOCAL);
	if ((handle || linked) && find_functions(l, handle))
		atomic_store(&l->state, LOADED);
	else if (errno != ENOMEM) {
		const struct library *none = NULL;
		const char *why = dlerror();
		/* dlopen does not give EMFILE in every build */
		const int fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
		if (fd >= 0)
			(void)close(fd);
		if (fd < 0 && errno == EMFILE)

			(void)snprintf(l->fault, sizeof(l->fault), "%s cannot be loaded: %s", l->title,
				       system_text(EMFILE));
		else
			(void)snprintf(l->fault, sizeof(l->fault), "%s cannot be loaded (Debian: %s): %s", l->title,
				       l->package,
				       why         ? why
				       : l->module ? "its part of dana is not installed"
						   : "unknown error");
		(void)atomic_compare_exchange_strong(&first_missing, &none, l);
		atomic_store(&l->state, MISSING);
	} else {
		library_loader_failed();
	}
	return atomic_load(&l->state) != NEW;
}

int library_load(struct library *l, struct error *err)
{
	bool had_memory = true;
	if (atomic_load_explicit(&l->state, memory_order_acquire) == NEW) {
		(void)pthread_mutex_lock(&lock);
		if (atomic_load(&l->state) == NEW)
			had_memory = load(l);
		(void)pthread_mutex_unlock(&lock);
	}
	if (!had_memory)
		return error_no_memory(err);
	return atomic_load(&l->state) == LOADED ? DANA_OK : error_set(err, DANA_ELIBRARY, "%s", l->fault);
}

const char *library_status_text(int status)
{
	const struct library *l = status == DANA_ELIBRARY ? atomic_load(&first_missing) : NULL;
	return l ? l->fault : status_text(status);
}
