/* SPDX-License-Identifier: MIT */
/*
 * The archives of --watch DIR, as they are finished. A thread reads the folder when an event of libuv (inotify) names a
 * new file, each second while a file is not finished yet, and every few seconds in any case: on network file systems
 * the changes of others make no event, and libuv does not report that the system has dropped some. Each look gives
 * sorted names, with which the list, sorted too, is merged.
 *
 * A file is finished when nobody has it open for writing, or, where the system does not know that, when it has not
 * changed for a while: the kernel grants a read lease only where nobody writes; it is given back at once. A program
 * that opens the file for writing in between is made to wait, and we get a signal: one that is ignored by default.
 *
 * What is done is known from the outputs, which have their names only when they are complete: nothing else is
 * remembered from run to run. Example: a.warc.gz appears, is copied for a minute, rests, and goes to the next free
 * pipeline.
 */
#include "config.h"

#include "run/watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "base/diagnostics.h"
#include "base/status.h"
#include "base/system.h"
#include "io/loop.h"
#include "run/inputs.h"
#include "run/names.h"
#include "run/outputs.h"

struct error;

struct folder_events;

enum { NANOSECONDS = 1000000000, NANOSECONDS_OF_MILLISECOND = 1000000, MILLISECONDS = 1000 };

enum { SHOWN = 200 };

static int64_t nanoseconds(const struct timespec *t)
{
	return (int64_t)t->tv_sec * NANOSECONDS + t->tv_nsec;
}

int file_look(const char *path, struct file_look *look)
{
	struct stat st;
	*look = (struct file_look){ .regular = false };
	if (stat(path, &st) < 0)
		return errno;
	if (!S_ISREG(st.st_mode))
		return 0;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	enum file_writer writer = FILE_WRITER_NONE;
#ifndef F_SETSIG
	writer = FILE_WRITER_UNKNOWN;
#else
	if (fcntl(fd, F_SETSIG, SIGURG) < 0)
		writer = FILE_WRITER_UNKNOWN;
	else if (fcntl(fd, F_SETLEASE, F_RDLCK) < 0)
		writer = errno == EAGAIN ? FILE_WRITER_THERE : FILE_WRITER_UNKNOWN;
	else
		(void)fcntl(fd, F_SETLEASE, F_UNLCK);
#endif
	int error = fstat(fd, &st) < 0 ? errno : 0;
	(void)close(fd);
	if (error == 0 && S_ISREG(st.st_mode))
		*look = (struct file_look){ .regular = true,
					    .size = (uint64_t)st.st_size,
					    .modified = nanoseconds(&st.st_mtim),
					    .writer = writer };
	return error;
}

bool file_rest_reached(struct file_rest *rest, const struct file_look *look, struct file_time now)
{
	const int64_t wanted = look->writer == FILE_WRITER_NONE ? FILE_REST_SECONDS : FILE_REST_SECONDS_UNKNOWN;
	if (rest->since == 0 || rest->size != look->size || rest->modified != look->modified ||
	    look->writer == FILE_WRITER_THERE)
		*rest = (struct file_rest){ look->size, look->modified, now.steady };
	if (look->size == 0 || look->writer == FILE_WRITER_THERE)
		return false;
	return now.wall - look->modified >= wanted * NANOSECONDS || now.steady - rest->since >= wanted * MILLISECONDS;
}

int watch_list_read(struct name_list *names, const char *folder, struct error *err)
{
	char shown[SHOWN];
	struct dirent *entry;
	int status = DANA_OK;
	DIR *dir = opendir(folder);
	while (dir && status == DANA_OK && (errno = 0, entry = readdir(dir))) {
		struct slice name = slice_from_text(entry->d_name);
		if (name.data[0] != '.' && output_is_archive_name(name))
			status = name_list_add(names, name, err);
	}
	if (status == DANA_OK && errno)
		status = error_set(err, DANA_EIO, "--watch: %s: %s",
				   printable(slice_from_text(folder), shown, sizeof(shown)), system_text(errno));
	if (dir)
		(void)closedir(dir);
	if (names->n)
		qsort(names->items, names->n, sizeof(*names->items), output_names_compare);
	return status;
}

static void file_free(struct watch_file *file)
{
	if (!file)
		return;
	free(file->input);
	free(file->output);
	free(file);
}

static struct watch_file *file_new(const char *folder, const char *name)
{
	struct watch_file *file = calloc(1, sizeof(*file));
	const size_t len = strlen(folder);
	const char *slash = len && folder[len - 1] == '/' ? "" : "/";
	if (file && asprintf(&file->input, "%s%s%s", folder, slash, name) < 0) {
		free(file);
		return NULL;
	}
	if (file)
		file->name = len + strlen(slash);
	return file;
}

static const char *name_of(const struct watch_file *file)
{
	return file->input + file->name;
}

/*
 * Makes it the list of these names: new ones are WATCH_NEW, without an output, and those that have gone are forgotten,
 * unless they are WATCH_BUSY. Where a new one finds no memory, the list is still whole without it.
 */
static int watch_list_update(struct watch_list *list, const struct name_list *names, const char *folder,
			     struct error *err)
{
	struct watch_file **merged = calloc(list->n + names->n + 1, sizeof(*merged));
	size_t n = 0, old = 0, i = 0;
	int status = DANA_OK;
	if (!merged)
		return error_no_memory(err);
	while (old < list->n || i < names->n) {
		int order = old == list->n  ? 1
			    : i == names->n ? -1
					    : strcmp(name_of(list->files[old]), names->items[i]);
		if (order < 0 && list->files[old]->state != WATCH_BUSY)
			file_free(list->files[old++]);
		else if (order <= 0)
			merged[n++] = list->files[old++];
		else if ((merged[n] = file_new(folder, names->items[i])))
			n++;
		else
			status = error_no_memory(err);
		i += order >= 0;
	}
	free(list->files);
	*list = (struct watch_list){ merged, n };
	return status;
}

static bool is_rival(const struct watch_file *a, const struct watch_file *b)
{
	return (a->state == WATCH_BUSY || a->state == WATCH_OVER) && a->output && strcmp(a->output, b->output) == 0;
}

enum {
	TICK = 1000,            /* milliseconds */
	TICKS_WITH_EVENTS = 10, /* between two looks, while all files are finished */
	TICKS_WITHOUT = 2,
};

struct watch {
	const struct run_settings *settings;
	const struct notices *to;
	struct loop *loop;    /* of the thread */
	uv_fs_event_t handle; /* of events in the folder */
	bool made, hears;     /* it was made; it reports */
	bool closed;
	pthread_t thread;
	bool started;
	/* Of the thread: */
	bool ended;
	unsigned ticks; /* since the last look */
	size_t growing; /* files that are not finished */
	/* Of all: */
	pthread_mutex_t lock;
	pthread_cond_t found;
	struct watch_list list;
	struct watch_file *first, **last; /* the queue */
	size_t done_before;
	bool stopped; /* nothing more is taken */
	bool gone;    /* the folder: what is in the queue is still taken */
	bool failed;
};

/* ---- one file; locked ---- */

/* It is reported once in a run. */
static void leave(struct watch *w, struct watch_file *file, const char *why)
{
	char shown[SHOWN];
	file->state = WATCH_LEFT;
	w->failed = true;
	notice(w->to, "%s is left alone: %s", printable(slice_from_text(file->input), shown, sizeof(shown)), why);
}

/* Returns false if it cannot have an output. */
static bool name_output(struct watch *w, struct watch_file *file)
{
	const size_t suffix = strlen(OUTPUTS_REJECTS_SUFFIX);
	struct error err = { 0 };
	struct buf name = { 0 };
	if (file->output)
		return true;
	int status = inputs_output(w->settings, file->input, 0, NULL, (struct input_range){ 0 }, &name, &err);
	if (status == DANA_OK && w->settings->outputs.rejects && name.len > suffix &&
	    strcmp((const char *)name.data + name.len - 1 - suffix, OUTPUTS_REJECTS_SUFFIX) == 0)
		status = error_set(&err, DANA_ECONFIG, "with --rejects no output may end in " OUTPUTS_REJECTS_SUFFIX);
	if (status == DANA_OK) {
		file->output = (char *)name.data;
	} else {
		buf_free(&name);
		leave(w, file, err.text);
	}
	return status == DANA_OK;
}

/* Another file has the same output: true. */
static bool has_rival(struct watch *w, size_t i)
{
	struct watch_file *file = w->list.files[i];
	/* which is WATCH_BUSY or WATCH_OVER. Names that begin with the same letters stand together. */
	const struct watch_list *list = &w->list;
	const struct watch_file *rival = NULL;
	const size_t base = output_base_name(slice_from_text(name_of(file))).len;
	for (size_t k = i; !rival && k-- > 0 && strncmp(name_of(list->files[k]), name_of(file), base) == 0;) {
		if (is_rival(list->files[k], file))
			rival = list->files[k];
	}
	for (size_t k = i + 1; !rival && k < list->n && strncmp(name_of(list->files[k]), name_of(file), base) == 0;
	     k++) {
		if (is_rival(list->files[k], file))
			rival = list->files[k];
	}
	char shown[SHOWN];
	struct buf why = { 0 };
	if (!rival)
		return false;
	if (rival->state == WATCH_BUSY)
		return true; /* it may be a copy that goes away */
	buf_printf(&why, "%s is what %s is made of", printable(slice_from_text(rival->input), shown, sizeof(shown)),
		   file->output);
	leave(w, file, buf_append_byte(&why, 0) < 0 ? status_text(DANA_ENOMEM) : (const char *)why.data);
	buf_free(&why);
	return true;
}

static void look_at(struct watch *w, size_t i, struct file_time now)
{
	struct watch_file *file = w->list.files[i];
	struct file_look look;
	struct stat st;
	struct error err = { 0 };
	if (!name_output(w, file) || has_rival(w, i))
		return;
	if (!w->settings->outputs.force && part_file_is_final(file->output)) {
		/* FILE.state is of a run that was killed at its very end. */
		if (outputs_remove_state(file->output, &err) < 0)
			notice(w->to, "%s", err.text);
		file->state = WATCH_OVER;
		w->done_before++;
		return;
	}
	int error = file_look(file->input, &look);
	if (error == EACCES && lstat(file->input, &st) == 0 && S_ISLNK(st.st_mode))
		leave(w, file,
		      "a link that leads out of the folder; expected a file, a link made before the run, or --sandbox "
		      "off");
	else if (error && error != ENOENT)
		leave(w, file, system_text(error));
	else if (error == 0 && !look.regular)
		file->state = WATCH_LEFT;
	else if (error == 0 && file_rest_reached(&file->rest, &look, now)) {
		file->state = WATCH_BUSY;
		file->taken = look;
		file->next = NULL;
		*w->last = file;
		w->last = &file->next;
		(void)pthread_cond_signal(&w->found);
	}
}

/* ---- the folder ---- */

static void look(void *watch)
{
	struct watch *w = watch;
	struct name_list names = { .memory = arena_new() };
	struct error err = { 0 };
	int status = names.memory ? watch_list_read(&names, w->settings->inputs.watch, &err) : error_no_memory(&err);
	(void)pthread_mutex_lock(&w->lock);
	if (status == DANA_OK)
		status = watch_list_update(&w->list, &names, w->settings->inputs.watch, &err);
	if (status == DANA_OK) {
		struct timespec wall, steady;
		(void)clock_gettime(CLOCK_REALTIME, &wall);
		(void)clock_gettime(CLOCK_MONOTONIC, &steady);
		const struct file_time now = { nanoseconds(&wall), nanoseconds(&steady) / NANOSECONDS_OF_MILLISECOND };
		w->growing = 0;
		for (size_t i = 0; i < w->list.n; i++) {
			if (w->list.files[i]->state == WATCH_NEW)
				look_at(w, i, now);
			w->growing += w->list.files[i]->state == WATCH_NEW;
		}
	} else {
		/* The folder can be read no more: what was found is done, and the run ends. */
		notice(w->to, "%s", err.text);
		w->failed = w->gone = w->ended = true;
		(void)pthread_cond_broadcast(&w->found);
	}
	(void)pthread_mutex_unlock(&w->lock);
	w->ticks = 0;
	free(names.items);
	arena_free(names.memory);
}

/*
 * A name was made, moved or removed: UV_RENAME means names, UV_CHANGE content, and a file that grows would
 * call without end. `name` is NULL if the system does not know which.
 */
static void on_event(uv_fs_event_t *handle, const char *name, int events, int status)
{
	struct watch *w = handle->data;
	if (status < 0 || ((events & UV_RENAME) && (!name || output_is_archive_name(slice_from_text(name)))))
		loop_soon(w->loop, look, w);
}

static void on_tick(void *watch)
{
	struct watch *w = watch;
	const unsigned most = w->hears ? TICKS_WITH_EVENTS : TICKS_WITHOUT;
	if (++w->ticks >= most || w->growing)
		look(w);
}

static void on_wake(void *watch)
{
	struct watch *w = watch;
	w->ended = true;
}

static void *thread_main(void *watch)
{
	struct watch *w = watch;
	loop_run_until(w->loop, &w->ended);
	return NULL;
}

/* ---- for pipelines ---- */

struct watch_file *watch_next(struct watch *w)
{
	struct watch_file *file = NULL;
	(void)pthread_mutex_lock(&w->lock);
	while (!w->first && !w->stopped && !w->gone)
		(void)pthread_cond_wait(&w->found, &w->lock);
	if (w->first && !w->stopped) {
		file = w->first;
		w->first = file->next;
		if (!w->first)
			w->last = &w->first;
	}
	(void)pthread_mutex_unlock(&w->lock);
	return file;
}

void watch_over(struct watch *w, struct watch_file *file)
{
	char shown[SHOWN];
	/* A file that was written to after all: its output is not the finished one's. */
	struct file_look now;
	bool changed = file_look(file->input, &now) == 0 && now.regular &&
		       (now.size != file->taken.size || now.modified != file->taken.modified);
	(void)pthread_mutex_lock(&w->lock);
	if (changed) {
		w->failed = true;
		notice(w->to, "%s changed after it seemed finished: remove %s to process it again",
		       printable(slice_from_text(file->input), shown, sizeof(shown)), file->output);
	}
	file->state = WATCH_OVER;
	(void)pthread_mutex_unlock(&w->lock);
}

void watch_stop(void *watch)
{
	struct watch *w = watch;
	(void)pthread_mutex_lock(&w->lock);
	w->stopped = true;
	(void)pthread_cond_broadcast(&w->found);
	(void)pthread_mutex_unlock(&w->lock);
	if (w->loop)
		loop_wake(w->loop);
}

/* ---- begin and end ---- */

/* WARC outputs in the folder that is watched would be its next archives. */
static int check_folders(const struct run_settings *s, struct error *err)
{
	struct stat in, out;
	struct buf name = { 0 };
	buf_printf(&name, "a%s%s", s->outputs.kind.format->suffix, s->outputs.kind.encoder->suffix);
	const bool archives = output_is_archive_name(buf_slice(&name));
	const int status = buf_status(&name) < 0 ? error_no_memory(err) : DANA_OK;
	buf_free(&name);
	if (status == DANA_OK && archives && stat(s->inputs.watch, &in) == 0 && stat(s->outputs.folder, &out) == 0 &&
	    in.st_dev == out.st_dev && in.st_ino == out.st_ino)
		return error_set(err, DANA_ECONFIG,
				 "--watch and --output-dir name one folder, so outputs would be taken as inputs; "
				 "expected another folder, or -f jsonl");
	return status;
}

int watch_check(const struct run_settings *s, struct error *err)
{
	return s->inputs.n == 0 ? DANA_OK
				: error_set(err, DANA_ECONFIG,
					    "--watch takes the archives of its folder; give no INPUT besides");
}

int watch_open(struct watch **out, const struct run_settings *s, struct error *err)
{
	struct watch *w;
	int status = check_folders(s, err);
	if (status == DANA_OK) {
		/* Is the folder there? The thread looks again. */
		struct name_list names = { .memory = arena_new() };
		status = names.memory ? watch_list_read(&names, s->inputs.watch, err) : error_no_memory(err);
		free(names.items);
		arena_free(names.memory);
	}
	if (status < 0)
		return status;
	w = calloc(1, sizeof(*w));
	if (!w)
		return error_no_memory(err);
	*w = (struct watch){ .settings = s, .to = &s->reports.messages };
	w->last = &w->first;
	(void)pthread_mutex_init(&w->lock, NULL);
	(void)pthread_cond_init(&w->found, NULL);
	*out = w;
	return DANA_OK;
}

int watch_start(struct watch *w, struct error *err)
{
	w->loop = loop_new(err); /* starts threads: after the sandbox was entered, and with signals blocked */
	if (!w->loop)
		return err->status;
	loop_on_wake(w->loop, on_wake, w);
	int error = uv_fs_event_init(loop_uv(w->loop), &w->handle);
	w->made = error == 0;
	w->handle.data = w;
	if (w->made)
		error = uv_fs_event_start(&w->handle, on_event, w->settings->inputs.watch, 0);
	w->hears = error == 0;
	if (!w->hears && !w->settings->reports.quiet)
		notice(w->to, "--watch: the system does not report new files (%s): looks every %d seconds instead",
		       system_text(-error), TICKS_WITHOUT * TICK / 1000);
	loop_soon(w->loop, look, w);
	loop_on_tick(w->loop, TICK, on_tick, w);
	if (!system_thread_start(&w->thread, thread_main, w))
		return error_set(err, DANA_ENOMEM, "--watch: cannot start a thread for it");
	w->started = true;
	return DANA_OK;
}

bool watch_end(struct watch *w, size_t *done_before)
{
	watch_stop(w);
	if (w->started)
		(void)pthread_join(w->thread, NULL);
	w->started = false;
	*done_before = w->done_before;
	return !w->failed;
}

static void on_close(uv_handle_t *handle)
{
	struct watch *w = handle->data;
	w->closed = true;
}

void watch_free(struct watch *w)
{
	if (!w)
		return;
	if (w->made) {
		uv_close((uv_handle_t *)&w->handle, on_close);
		loop_run_until(w->loop, &w->closed);
	}
	loop_free(w->loop);
	for (size_t i = 0; i < w->list.n; i++)
		file_free(w->list.files[i]);
	free(w->list.files);
	(void)pthread_cond_destroy(&w->found);
	(void)pthread_mutex_destroy(&w->lock);
	free(w);
}
