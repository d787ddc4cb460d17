/* SPDX-License-Identifier: MIT */
/*
 * Landlock comes first, because closing the system calls would close its own ones too. Example, for
 * "dana filter -O out a.warc.gz": a.warc.gz may be read, files in out may be made, /usr/lib may be read for libraries;
 * the system calls for sockets and programs fail.
 */
#include "config.h"

#include "run/sandbox/sandbox.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>

#include "base/arena.h"
#include "run/sandbox/sandbox_private.h"
#include "run/sandbox/syscalls.h"
#include "run/sandbox/system_paths.h"

int sandbox_output(struct sandbox *s, const char *path)
{
	struct stat st;
	const char *slash = strrchr(path, '/');
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return sandbox_path(s, path, SANDBOX_WRITE);
	if (!slash)
		return sandbox_path(s, ".", SANDBOX_WRITE);
	/* With the slash, which may be all there is. */
	struct slice folder = arena_copy(s->texts, slice_of(path, (size_t)(slash - path) + 1));
	return folder.data ? sandbox_path(s, (const char *)folder.data, SANDBOX_WRITE) : DANA_ENOMEM;
}

int sandbox_network(struct sandbox *s)
{
	s->network = true;
	return system_paths_network(s);
}

struct sandbox *sandbox_new(void)
{
	struct sandbox *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->texts = arena_new();
	if (s->texts && system_paths_libraries(s) == DANA_OK)
		return s;
	sandbox_free(s);
	return NULL;
}

/*
 * Threads that run already would stay unrestricted. One that has just been joined may be counted for another moment.
 * Where /proc is missing this cannot be known.
 */
static bool alone(void)
{
	enum { ENTRIES_OF_ONE = 3, TRIES = 100 }; /* ".", ".." and one thread */
	const struct timespec moment = { .tv_nsec = 1000000 };
	struct stat st;
	for (int i = 0; stat("/proc/self/task", &st) == 0 && st.st_nlink > ENTRIES_OF_ONE; i++) {
		if (i == TRIES)
			return false;
		(void)nanosleep(&moment, NULL);
	}
	return true;
}

int sandbox_enter(struct sandbox *s, struct error *err)
{
	bool others = !alone();
	/* Both ask for it: no program that is started may gain rights. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) < 0)
		return error_set(err, DANA_ECONFIG, "the kernel lacks PR_SET_NO_NEW_PRIVS: %s", system_text(errno));
	struct error no_files = { 0 }, no_calls = { 0 };
	int files = landlock_enter(s->rules, s->n, s->network, &no_files);
	int calls = syscalls_enter(s->network, &no_calls);
	if (files < 0 || calls < 0)
		return error_set(err, calls == DANA_ENOMEM ? DANA_ENOMEM : DANA_ECONFIG, "%s%s%s", no_files.text,
				 files < 0 && calls < 0 ? "; " : "", no_calls.text);
	return others ? error_set(err, DANA_ECONFIG, "a thread runs already, and stays unrestricted") : DANA_OK;
}

void sandbox_free(struct sandbox *s)
{
	if (!s)
		return;
	arena_free(s->texts);
	free(s->rules);
	free(s);
}

void sandbox_describe(struct buf *out)
{
	int abi = landlock_abi();
	if (abi > 0)
		buf_printf(out, "Landlock ABI %d, ", abi);
	else
		buf_append_text(out, "no Landlock, ");
	syscalls_describe(out);
}
