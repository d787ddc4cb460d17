/* SPDX-License-Identifier: MIT */
/*
 * A plugin of wget2: each file that is downloaded becomes records of a WARC, which are fed to `dana filter` and, on
 * request, kept in an archive.
 *
 * wget2 calls on_option for each option; on_url before each download, the first time on its main thread before it has
 * others; on_file from its threads; on_end when all of them have ended. If it calls exit elsewhere, the destructor of
 * this object takes the place of on_end.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/slice.h"
#include "base/status.h"
#include "base/url_parts.h"
#include "plugins/wget2/archive.h"
#include "plugins/wget2/host_api.h"

struct filter_process;

/** Zero-initialised: no option is set. */
struct options {
	char *warc;    /* file for the records of the crawl; NULL: not written */
	char *program; /* NULL: the installed dana */
	char *output;  /* output file of dana filter; NULL: not set */
	size_t body_most;
	bool force;
	bool jobs;        /* jobs or config was given, so that jobs is or may be set */
	char **arguments; /* of the child: the program, "filter", the options, NULL; after options_finish */
	size_t n, cap;
};

/** Prints one line that begins with "dana: ". Any thread. */
static void __attribute__((format(printf, 1, 2))) tell(const char *format, ...)
{
	struct buf line = { 0 };
	va_list args;
	va_start(args, format);
	buf_append_text(&line, "dana: ");
	buf_vprintf(&line, format, args);
	va_end(args);
	if (buf_append_byte(&line, '\n') == 0)
		(void)fwrite(line.data, 1, line.len, stderr);
	buf_free(&line);
}

enum { PIPE_BYTES = 1 << 20 };

struct filter_process {
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

static int start(struct filter_process *c, char *const *arguments, struct error *err)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_set(err, DANA_EIO, "cannot create a pipe: %s", system_text(errno));
	c->pipe = ends[1];
	(void)fcntl(c->pipe, F_SETPIPE_SZ, PIPE_BYTES);
	int error = spawn(&c->pid, ends[0], arguments);
	(void)close(ends[0]);
	return error ? error_set(err, DANA_EIO, "%s: %s%s", arguments[0], system_text(error),
				 error == ENOENT ? "; --plugin-opt=dana.program=FILE names the program dana" : "")
		     : DANA_OK;
}

static void child_free(struct filter_process *c)
{
	if (c->pipe >= 0)
		(void)close(c->pipe);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

/**
 * Starts the child. `arguments`: the program first, NULL last; borrowed during the call. Returns 0, or DANA_EIO or
 * DANA_ENOMEM with a text. The child reports its own errors on standard error and exits.
 */
static int child_start(struct filter_process **out, char *const *arguments, struct error *err)
{
	struct filter_process *c = calloc(1, sizeof(*c));
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

#define BODY_MOST ((size_t)32 << 20)

static int no_memory(void)
{
	tell("out of memory");
	return -1;
}

static int set_text(char **to, const char *name, const char *value)
{
	if (!value || !*value) {
		tell("dana.%s: expected a value", name);
		return -1;
	}
	free(*to);
	*to = strdup(value);
	return *to ? 0 : no_memory();
}

static int add_argument(struct options *o, char *argument)
{
	char **more = argument ? grow_items(o->arguments, o->n, &o->cap, sizeof(*more)) : NULL;
	if (!more) {
		free(argument);
		return no_memory();
	}
	o->arguments = more;
	o->arguments[o->n++] = argument;
	return 0;
}

static int add_option(struct options *o, const char *name, const char *value)
{
	struct buf b = { 0 };
	buf_printf(&b, "--%s%s%s", name, value ? "=" : "", value ? value : "");
	if (buf_append_byte(&b, 0) < 0)
		buf_free(&b);
	return add_argument(o, (char *)b.data);
}

enum { EXIT_OPTIONS = 2 /* wget2's own for wrong options */ };

static struct {
	struct options options;
	struct kept_archive *archive;
	struct filter_process *child;
	pthread_once_t start;
	bool running;
	atomic_bool child_gone;   /* and this was reported */
	atomic_uint without_body; /* files whose body wget2 did not keep */
} plugin = { .start = PTHREAD_ONCE_INIT };

/* ---- beginning ---- */

static void refuse(const char *what)
{
	tell("%s", what);
	exit(EXIT_OPTIONS);
}

static void plugin_start(void)
{
	struct options *o = &plugin.options;
	struct error err = { 0 };
	if (!o->warc && !o->output)
		refuse("nothing to do: give --plugin-opt=dana.output=FILE or --plugin-opt=dana.warc=FILE");
	/* one thread keeps up with a crawl; more threads would only cost time to wake each other */
	if (!o->jobs && add_option(o, "jobs", "0") < 0)
		exit(EXIT_OPTIONS);
	/* a block is a head and a body: the limit of the child must be larger, so that it does not cut kept bodies */
	enum { HEAD_MOST = 1 << 20 };
	char text[32];
	if (!o->body_most) {
		o->body_most = BODY_MOST;
	} else {
		(void)snprintf(text, sizeof(text), "%zu", o->body_most + HEAD_MOST);
		if (add_option(o, "max-block", text) < 0)
			exit(EXIT_OPTIONS);
	}
	if (add_argument(o, strdup(o->program ? o->program : DANA_PROGRAM)) < 0 ||
	    add_argument(o, strdup("filter")) < 0)
		exit(EXIT_OPTIONS);
	/* The last two arguments move to the front. */
	char *last[] = { o->arguments[o->n - 2], o->arguments[o->n - 1] };
	memmove(o->arguments + 2, o->arguments, (o->n - 2) * sizeof(*o->arguments));
	memcpy(o->arguments, last, sizeof(last));
	char **more = grow_items(o->arguments, o->n, &o->cap, sizeof(*more));
	if (!more) {
		(void)no_memory();
		exit(EXIT_OPTIONS);
	}
	o->arguments = more;
	o->arguments[o->n] = NULL;
	/* the child would find these errors, too, but only after wget2 has begun */
	int status = DANA_OK;
	if (o->output && strcmp(o->output, "-") != 0 && o->warc && strcmp(o->warc, o->output) == 0)
		status =
			error_set(&err, DANA_ECONFIG, "dana.warc and dana.output are both %s; give two files", o->warc);
	else if (o->output && strcmp(o->output, "-") != 0)
		status = part_file_check(o->output, o->force ? OUTPUT_FORCE : OUTPUT_NEW, &err);
	if (status < 0)
		refuse(err.text);
	if (o->warc && archive_open(&plugin.archive, o->warc, o->force, &err) < 0)
		refuse(err.text);
	if (o->output && child_start(&plugin.child, o->arguments, &err) < 0)
		refuse(err.text);
	heads_start();
	plugin.running = true;
}

static int on_option(host_plugin *host, const char *name, const char *value)
{
	(void)host;
	/* read an option. `value` may be NULL. */
	if (strcmp(name, "help") == 0) {
		/* print the text of --plugin-help */
		(void)fputs(
			"  --plugin-opt=dana.output=FILE    write the main text of each HTML page to FILE (JSONL, or "
			"WARC "
			"by its name;\n"
			"                                   - is standard output)\n"
			"  --plugin-opt=dana.warc=FILE      write requests and responses to FILE, as WARC (.gz and "
			".zst "
			"compress)\n"
			"  --plugin-opt=dana.force          overwrite files that exist\n"
			"  --plugin-opt=dana.max-block=N    bytes of a body that are kept (32M)\n"
			"  --plugin-opt=dana.program=FILE   the program dana, where it is not the installed one\n"
			"  --plugin-opt=dana.NAME=VALUE     any other option of dana filter: method, min-chars, mime, "
			"stats, plugin ...\n"
			"  (dana help filter lists them)\n",
			stdout);
		return 0;
	}
	if (strcmp(name, "warc") == 0)
		return set_text(&plugin.options.warc, name, value);
	if (strcmp(name, "program") == 0)
		return set_text(&plugin.options.program, name, value);
	if (strcmp(name, "max-block") == 0) {
		char *end = NULL;
		unsigned long long n = value ? strtoull(value, &end, 10) : 0;
		const char *units = end && *end ? strchr("KMG", *end) : NULL;
		unsigned shift = !units ? 0 : *units == 'K' ? 10 : *units == 'M' ? 20 : 30;
		if (n == 0 || !end || (*end && (!units || end[1])) || n > SIZE_MAX >> shift) {
			tell("dana.max-block: expected a number of bytes such as 32M");
			return -1;
		}
		plugin.options.body_most = (size_t)n << shift;
		return 0;
	}
	if (strcmp(name, "force") == 0)
		plugin.options.force = true;
	plugin.options.jobs |= strcmp(name, "jobs") == 0 || strcmp(name, "config") == 0;
	if (strcmp(name, "output") == 0 && set_text(&plugin.options.output, name, value) < 0)
		return -1;
	return add_option(&plugin.options, name, value);
}

static void on_url(host_plugin *host, const host_iri *iri, host_action *action)
{
	(void)host;
	(void)iri;
	(void)pthread_once(&plugin.start, plugin_start);
	if (atomic_load(&plugin.child_gone))
		wget_intercept_action_reject(action);
}

/* ---- files ---- */

static int write_records(const struct download *d, struct error *err)
{
	struct buf records[2] = { { 0 }, { 0 } };
	struct records_origin origin;
	size_t n = 0;
	int status = records_begin(&origin, plugin.archive ? archive_id(plugin.archive) : NULL);
	if (status == DANA_OK && plugin.archive && d->has_heads)
		status = records_request(&origin, d, &records[n++]);
	if (status == DANA_OK)
		status = records_response(&origin, d, &records[n++]);
	if (status == DANA_OK && plugin.archive)
		status = archive_write(plugin.archive, records, n, err);
	if (n && records[n - 1].len && plugin.child) {
		struct filter_process *c = plugin.child;
		pthread_mutex_lock(&c->lock); /* a whole record; waits until the child has room */
		c->gone = c->gone || durable_write(c->pipe, buf_slice(&records[n - 1])) != 0;
		const bool gone = c->gone;
		pthread_mutex_unlock(&c->lock);
		if (gone && !atomic_exchange(&plugin.child_gone, true))
			tell("dana filter has ended; the download stops");
	}
	buf_free(&records[0]);
	buf_free(&records[1]);
	return status < 0 ? error_set(err, (enum dana_status)status, "%s", status_text(status)) : DANA_OK;
}

static int take_file(host_file *file, struct buf *copy, struct buf *url, struct error *err)
{
	char memory[1024];
	host_buffer escaped;
	struct download d = { .url = { NULL, 0 } };
	const host_iri *iri = wget_downloaded_file_get_source_url(file);
	wget_buffer_init(&escaped, memory, sizeof(memory));
	(void)wget_iri_get_escaped_resource(iri, &escaped);
	struct slice target = slice_of(escaped.data, escaped.length);
	/* append the URL without user and password: "http://host:80" of "http://user:word@host:80/...", then the path,
	 * which is complete only in `escaped` */
	struct url_parts p = url_parts(slice_from_text(iri->uri));
	buf_append(url, p.scheme.data, p.scheme.len);
	buf_append(url, p.place.data, p.place.len);
	buf_append_byte(url, '/');
	int status = buf_append(url, target.data, target.len);
	/* only a file that the server has just sent, not one that wget2 already had (304, 416) */
	d.has_heads = heads_take(target, &d.heads);
	const struct slice head = d.heads.response;
	const uint8_t *code = d.has_heads ? memchr(head.data, ' ', head.len) : NULL;
	d.has_heads = code && head.data + head.len - code > 3 && memcmp(code + 1, "200", 3) == 0;
	wget_buffer_deinit(&escaped);
	d.url = buf_slice(url);
	if (status < 0)
		return error_no_memory(err);
	if (body_read(file, plugin.options.body_most, copy, &d.body, &d.body_cut))
		return write_records(&d, err);
	atomic_fetch_add(&plugin.without_body, 1);
	return DANA_OK;
}

/* Returns nonzero if wget2 should process the file further. */
static int on_file(host_plugin *host, host_file *file)
{
	struct buf copy = { 0 }, url = { 0 };
	struct error err = { 0 };
	(void)host;
	if (plugin.running && take_file(file, &copy, &url, &err) < 0)
		tell("%s", err.text);
	buf_free(&copy);
	buf_free(&url);
	return 1;
}

/* ---- the end ---- */

static void end(void)
{
	struct error err = { 0 };
	if (!plugin.running)
		return;
	plugin.running = false;
	if (archive_close(plugin.archive, &err) < 0 && err.text[0])
		tell("%s", err.text);
	int status = 0;
	if (plugin.child) {
		(void)close(plugin.child->pipe);
		plugin.child->pipe = -1;
		while (waitpid(plugin.child->pid, &status, 0) < 0 && errno == EINTR)
			;
		child_free(plugin.child);
		status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	}
	if (status != 0)
		tell("dana filter has ended with exit status %d", status);
	unsigned lost = atomic_load(&plugin.without_body);
	if (lost)
		tell("wget2 did not keep the content of %u file%s; not in the outputs", lost, lost == 1 ? "" : "s");
}

static void on_end(host_plugin *host, int exit_status)
{
	(void)host;
	(void)exit_status;
	end();
}

__attribute__((destructor)) static void unload(void)
{
	end();
	for (size_t i = 0; i < plugin.options.n; i++)
		free(plugin.options.arguments[i]);
	free(plugin.options.arguments);
	free(plugin.options.warc);
	free(plugin.options.program);
	free(plugin.options.output);
}

int wget_plugin_initializer(host_plugin *host)
{
	host_on_option(host, on_option);
	host_on_url(host, on_url);
	wget_plugin_register_post_processor(host, on_file);
	wget_plugin_register_finalizer(host, on_end);
	return 0;
}
