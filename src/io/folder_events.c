/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "io/folder_events.h"

#include <stdbool.h>
#include <stdlib.h>
#include <uv.h>

#include "base/status.h"
#include "io/loop.h"

struct folder_events {
	uv_fs_event_t handle;
	struct loop *loop;
	void (*named)(void *arg, const char *name);
	void *arg;
	bool closed;
};

/* UV_RENAME stands for names, UV_CHANGE for content: a file that grows would call without end. */
static void on_event(uv_fs_event_t *handle, const char *name, int events, int status)
{
	struct folder_events *e = handle->data;
	if (status < 0 || (events & UV_RENAME))
		e->named(e->arg, status < 0 ? NULL : name);
}

static void on_close(uv_handle_t *handle)
{
	struct folder_events *e = handle->data;
	e->closed = true;
}

struct folder_events *folder_events_new(struct loop *l, const char *folder, void (*named)(void *arg, const char *name),
					void *arg, struct error *err)
{
	struct folder_events *e = calloc(1, sizeof(*e));
	if (!e) {
		(void)error_no_memory(err);
		return NULL;
	}
	*e = (struct folder_events){ .loop = l, .named = named, .arg = arg };
	int error = uv_fs_event_init(loop_uv(l), &e->handle);
	if (error < 0) {
		(void)error_set(err, DANA_EIO, "%s", system_text(-error));
		free(e);
		return NULL;
	}
	e->handle.data = e;
	error = uv_fs_event_start(&e->handle, on_event, folder, 0);
	if (error == 0)
		return e;
	(void)error_set(err, DANA_EIO, "%s", system_text(-error));
	folder_events_free(e);
	return NULL;
}

void folder_events_free(struct folder_events *e)
{
	if (!e)
		return;
	uv_close((uv_handle_t *)&e->handle, on_close);
	loop_run_until(e->loop, &e->closed);
	free(e);
}
