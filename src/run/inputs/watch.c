/* SPDX-License-Identifier: MIT */
/*
 * The folder is read when an event names a new file, each second while a file is not finished yet, and every few
 * seconds in any case, because not all changes make events (io/folder_events.h). What is done is known from the
 * outputs, which have their names only when they are complete: nothing else is remembered from run to run.
 */
#include "config.h"

#include "run/inputs/watch.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/printable.h"
#include "io/folder_events.h"
#include "io/loop.h"
#include "run/inputs/inputs.h"
#include "run/outputs.h"

enum {
	SHOWN = 200,
	TICK = 1000,            /* milliseconds */
	TICKS_WITH_EVENTS = 10, /* between two looks, while all files are finished */
	TICKS_WITHOUT = 2,
};

struct filter_watch {
	const struct run_settings *settings;
	const struct notices *to;
	struct loop *loop; /* of the thread */
	struct folder_events *events;
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
static void leave(struct filter_watch *w, struct watch_file *file, const char *why)
{
	char shown[SHOWN];
	file->state = WATCH_LEFT;
	w->failed = true;
	notice(w->to, "%s is left alone: %s", printable(slice_from_text(file->input), shown, sizeof(shown)), why);
}

static bool ends_with(const char *text, const char *end)
{
	const size_t n = strlen(text), m = strlen(end);
	return n >= m && strcmp(text + n - m, end) == 0;
}

/* Returns false if it cannot have an output. */
static bool name_output(struct filter_watch *w, struct watch_file *file)
{
	struct error err = { 0 };
	struct buf name = { 0 };
	if (file->output)
		return true;
	int status = filter_inputs_output(w->settings, file->input, (struct input_range){ 0 }, &name, &err);
	if (status == DANA_OK && w->settings->outputs.rejects &&
	    ends_with((const char *)name.data, OUTPUTS_REJECTS_SUFFIX))
		status = error_set(&err, DANA_ECONFIG, "with --rejects no output may end in " OUTPUTS_REJECTS_SUFFIX);
	if (status == DANA_OK)
		file->output = (char *)name.data;
	else
		buf_free(&name);
	if (status < 0)
		leave(w, file, err.text);
	return status == DANA_OK;
}

/* Another file has the same output: true. */
static bool has_rival(struct filter_watch *w, size_t i)
{
	struct watch_file *file = w->list.files[i];
	const struct watch_file *rival = watch_list_rival(&w->list, i);
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

static void queue(struct filter_watch *w, struct watch_file *file, const struct file_look *look)
{
	file->state = WATCH_BUSY;
	file->taken = *look;
	file->next = NULL;
	*w->last = file;
	w->last = &file->next;
	(void)pthread_cond_signal(&w->found);
}

static bool is_link(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

static void look_at(struct filter_watch *w, size_t i, struct file_time now)
{
	struct watch_file *file = w->list.files[i];
	struct file_look look;
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
	if (error == EACCES && is_link(file->input))
		leave(w, file,
		      "a link that leads out of the folder; expected a file, a link made before the run, or --sandbox "
		      "off");
	else if (error && error != ENOENT)
		leave(w, file, system_text(error));
	else if (error == 0 && !look.regular)
		file->state = WATCH_LEFT;
	else if (error == 0 && file_rest_reached(&file->rest, &look, now))
		queue(w, file, &look);
}

/* ---- the folder ---- */

static void look_at_all(struct filter_watch *w)
{
	const struct file_time now = file_time_now();
	w->growing = 0;
	for (size_t i = 0; i < w->list.n; i++) {
		if (w->list.files[i]->state == WATCH_NEW)
			look_at(w, i, now);
		w->growing += w->list.files[i]->state == WATCH_NEW;
	}
}

/* The folder can be read no more: what was found is done, and the run ends. */
static void give_up(struct filter_watch *w, const struct error *err)
{
	notice(w->to, "%s", err->text);
	w->failed = w->gone = w->ended = true;
	(void)pthread_cond_broadcast(&w->found);
}

static void look(void *watch)
{
	struct filter_watch *w = watch;
	struct name_list names = { .memory = arena_new() };
	struct error err = { 0 };
	int status = names.memory ? watch_list_read(&names, w->settings->inputs.watch, &err) : error_no_memory(&err);
	(void)pthread_mutex_lock(&w->lock);
	if (status == DANA_OK)
		status = watch_list_update(&w->list, &names, w->settings->inputs.watch, &err);
	if (status == DANA_OK)
		look_at_all(w);
	else
		give_up(w, &err);
	(void)pthread_mutex_unlock(&w->lock);
	w->ticks = 0;
	name_list_free(&names);
	arena_free(names.memory);
}

static void on_name(void *watch, const char *name)
{
	struct filter_watch *w = watch;
	if (!name || output_is_archive_name(slice_from_text(name)))
		loop_soon(w->loop, look, w);
}

static void on_tick(void *watch)
{
	struct filter_watch *w = watch;
	const unsigned most = w->events ? TICKS_WITH_EVENTS : TICKS_WITHOUT;
	if (++w->ticks >= most || w->growing)
		look(w);
}

static void on_wake(void *watch)
{
	struct filter_watch *w = watch;
	w->ended = true;
}

static void *thread_main(void *watch)
{
	struct filter_watch *w = watch;
	loop_run_until(w->loop, &w->ended);
	return NULL;
}

/* ---- for pipelines ---- */

struct watch_file *filter_watch_next(struct filter_watch *w)
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

/* A file that was written to after all: its output is not that of the finished one. */
static bool has_changed(const struct watch_file *file)
{
	struct file_look now;
	return file_look(file->input, &now) == 0 && now.regular &&
	       (now.size != file->taken.size || now.modified != file->taken.modified);
}

void filter_watch_over(struct filter_watch *w, struct watch_file *file)
{
	char shown[SHOWN];
	bool changed = has_changed(file);
	(void)pthread_mutex_lock(&w->lock);
	if (changed) {
		w->failed = true;
		notice(w->to, "%s has changed since it was taken to be finished: remove %s to have it done again",
		       printable(slice_from_text(file->input), shown, sizeof(shown)), file->output);
	}
	file->state = WATCH_OVER;
	(void)pthread_mutex_unlock(&w->lock);
}

void filter_watch_stop(void *watch)
{
	struct filter_watch *w = watch;
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

/* Is the folder there? The thread looks again. */
static int check_watched(const struct run_settings *s, struct error *err)
{
	struct name_list names = { .memory = arena_new() };
	int status = names.memory ? watch_list_read(&names, s->inputs.watch, err) : error_no_memory(err);
	name_list_free(&names);
	arena_free(names.memory);
	return status;
}

int filter_watch_open(struct filter_watch **out, const struct run_settings *s, struct error *err)
{
	struct filter_watch *w;
	int status = s->inputs.n == 0 ? DANA_OK
				      : error_set(err, DANA_ECONFIG,
						  "--watch takes the archives of its folder; give no INPUT besides");
	if (status == DANA_OK)
		status = check_folders(s, err);
	if (status == DANA_OK)
		status = check_watched(s, err);
	if (status < 0)
		return status;
	w = calloc(1, sizeof(*w));
	if (!w)
		return error_no_memory(err);
	*w = (struct filter_watch){ .settings = s, .to = &s->reports.messages };
	w->last = &w->first;
	(void)pthread_mutex_init(&w->lock, NULL);
	(void)pthread_cond_init(&w->found, NULL);
	*out = w;
	return DANA_OK;
}

int filter_watch_start(struct filter_watch *w, struct error *err)
{
	struct error why = { 0 };
	w->loop = loop_new(err); /* starts threads: after the sandbox was entered, and with signals blocked */
	if (!w->loop)
		return err->status;
	loop_on_wake(w->loop, on_wake, w);
	w->events = folder_events_new(w->loop, w->settings->inputs.watch, on_name, w, &why);
	if (!w->events && !w->settings->reports.quiet)
		notice(w->to, "--watch: the system does not report new files (%s): looks every %d seconds instead",
		       why.text, TICKS_WITHOUT * TICK / 1000);
	loop_soon(w->loop, look, w);
	loop_on_tick(w->loop, TICK, on_tick, w);
	if (pthread_create(&w->thread, NULL, thread_main, w) != 0)
		return error_set(err, DANA_ENOMEM, "--watch: cannot start a thread for it");
	w->started = true;
	return DANA_OK;
}

bool filter_watch_end(struct filter_watch *w, size_t *done_before)
{
	filter_watch_stop(w);
	if (w->started)
		(void)pthread_join(w->thread, NULL);
	w->started = false;
	*done_before = w->done_before;
	return !w->failed;
}

void filter_watch_free(struct filter_watch *w)
{
	if (!w)
		return;
	folder_events_free(w->events);
	loop_free(w->loop);
	watch_list_free(&w->list);
	(void)pthread_cond_destroy(&w->found);
	(void)pthread_mutex_destroy(&w->lock);
	free(w);
}
