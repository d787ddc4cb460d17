/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plugins/wget2/child.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file/durable.h"

enum { PIPE_BYTES = 1 << 20 };

struct child {
	pid_t pid;
	int pipe;
	pthread_mutex_t lock; /* held while a whole record goes into the pipe */
	bool gone;
};

extern char **environ;

/* Starts the child with default signals, as a shell would: wget2 ignores SIGPIPE, and ignored signals are inherited. */
static int spawn(pid_t *pid, int input, char *const *arguments)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, standard;
	(void)sigemptyset(&none);
	(void)sigemptyset(&standard);
	(void)sigaddset(&standard, SIGPIPE);
	(void)sigaddset(&standard, SIGINT);
	(void)sigaddset(&standard, SIGTERM);
	if (posix_spawn_file_actions_init(&files) != 0)
		return ENOMEM;
	if (posix_spawnattr_init(&attributes) != 0) {
		(void)posix_spawn_file_actions_destroy(&files);
		return ENOMEM;
	}
	(void)posix_spawnattr_setflags(&attributes,
				       POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	(void)posix_spawnattr_setpgroup(&attributes, 0);
	(void)posix_spawnattr_setsigmask(&attributes, &none);
	(void)posix_spawnattr_setsigdefault(&attributes, &standard);
	int error = posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
	if (!error)
		error = posix_spawnp(pid, arguments[0], &files, &attributes, arguments, environ);
	(void)posix_spawnattr_destroy(&attributes);
	(void)posix_spawn_file_actions_destroy(&files);
	return error;
}

static int start(struct child *c, char *const *arguments, struct error *err)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_set(err, DANA_EIO, "cannot create a pipe: %s", system_text(errno));
	c->pipe = ends[1];
	(void)fcntl(c->pipe, F_SETPIPE_SZ, PIPE_BYTES);
	int error = spawn(&c->pid, ends[0], arguments);
	(void)close(ends[0]);
	return error ? error_set(err, DANA_EIO, "%s: %s", arguments[0], system_text(error)) : DANA_OK;
}

static void child_free(struct child *c)
{
	if (c->pipe >= 0)
		(void)close(c->pipe);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

int child_start(struct child **out, char *const *arguments, struct error *err)
{
	struct child *c = calloc(1, sizeof(*c));
	if (!c)
		return error_no_memory(err);
	pthread_mutex_init(&c->lock, NULL);
	c->pipe = -1;
	int status = start(c, arguments, err);
	if (status == DANA_OK)
		*out = c;
	else
		child_free(c);
	return status;
}

bool child_feed(struct child *c, struct slice record)
{
	pthread_mutex_lock(&c->lock);
	c->gone = c->gone || durable_write(c->pipe, record) != 0;
	bool good = !c->gone;
	pthread_mutex_unlock(&c->lock);
	return good;
}

int child_end(struct child *c)
{
	int status = 0;
	if (!c)
		return 0;
	(void)close(c->pipe);
	c->pipe = -1;
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	child_free(c);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
