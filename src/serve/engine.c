/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "serve/engine.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "io/loop.h"

enum { CONNECTION_MEMORY = 32 << 10 /* a head of the greatest length, and what is made of it */ };

/* What a connection of libmicrohttpd has as its context. It has one request: then the gate closes its socket. */
struct slot {
	void *context;
	bool done; /* that was reported */
};

struct engine {
	struct engine_config config;
	struct MHD_Daemon *daemon;
	uv_poll_t poll;
	uv_check_t check;    /* runs the daemon again where it has been asked for */
	uv_idle_t idle;      /* keeps the loop from sleeping until then */
	struct slot *adding; /* of the connection that is added */
	unsigned handles;
	bool asked;
};

static void run(struct engine *e)
{
	e->asked = false;
	(void)http_library.MHD_run(e->daemon);
}

static void on_ready(uv_poll_t *poll, int status, int events)
{
	(void)status;
	(void)events;
	run(poll->data);
}

static void on_idle(uv_idle_t *idle)
{
	(void)idle;
}

static bool has_more(struct engine *e)
{
	MHD_UNSIGNED_LONG_LONG wait;
	return http_library.MHD_get_timeout(e->daemon, &wait) == MHD_YES && wait == 0;
}

static void on_check(uv_check_t *check)
{
	struct engine *e = check->data;
	/* It may have more to do than descriptors show: a request that was resumed, or bytes in its buffers. */
	if (e->asked || has_more(e))
		run(e);
	if (has_more(e))
		(void)uv_idle_start(&e->idle, on_idle);
	else
		(void)uv_idle_stop(&e->idle);
}

void engine_run(struct engine *e)
{
	e->asked = true;
	(void)uv_idle_start(&e->idle, on_idle);
}

/* Targets are compared as they came; values of queries are decoded where they are used. */
static size_t keep_escapes(void *arg, struct MHD_Connection *connection, char *text)
{
	(void)arg;
	(void)connection;
	return strlen(text);
}

static struct slot *slot_of(struct MHD_Connection *connection)
{
	return http_library.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

void *engine_context(struct MHD_Connection *connection)
{
	return slot_of(connection)->context;
}

static void request_ends(struct engine *e, struct slot *slot, void *request)
{
	if (slot->done)
		return;
	slot->done = true;
	e->config.done(e->config.arg, slot->context, request);
}

/* A connection may end before there was a request. */
static void on_connection(void *arg, struct MHD_Connection *connection, void **context,
			  enum MHD_ConnectionNotificationCode code)
{
	struct engine *e = arg;
	(void)connection;
	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		*context = e->adding;
		e->adding = NULL;
		return;
	}
	struct slot *slot = *context;
	request_ends(e, slot, NULL);
	free(slot);
}

static void on_completed(void *arg, struct MHD_Connection *connection, void **request,
			 enum MHD_RequestTerminationCode code)
{
	void *taken = *request;
	(void)code;
	*request = NULL;
	request_ends(arg, slot_of(connection), taken);
}

static bool start_daemon(struct engine *e)
{
	e->daemon = http_library.MHD_start_daemon(
		MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, e->config.handle,
		e->config.arg, MHD_OPTION_CONNECTION_LIMIT, (unsigned)e->config.requests_most + 16,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY, MHD_OPTION_STRICT_FOR_CLIENT, 1,
		MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_NOTIFY_CONNECTION, on_connection, e,
		MHD_OPTION_NOTIFY_COMPLETED, on_completed, e, MHD_OPTION_END);
	return e->daemon != NULL;
}

static bool watch_daemon(struct engine *e)
{
	uv_loop_t *loop = loop_uv(e->config.loop);
	const union MHD_DaemonInfo *info = http_library.MHD_get_daemon_info(e->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	if (!info || uv_poll_init(loop, &e->poll, info->epoll_fd) < 0)
		return false;
	(void)uv_check_init(loop, &e->check);
	(void)uv_idle_init(loop, &e->idle);
	e->poll.data = e->check.data = e->idle.data = e;
	e->handles = 3;
	(void)uv_check_start(&e->check, on_check);
	return uv_poll_start(&e->poll, UV_READABLE, on_ready) == 0;
}

struct engine *engine_new(const struct engine_config *config, struct error *err)
{
	struct engine *e = calloc(1, sizeof(*e));
	if (!e) {
		(void)error_no_memory(err);
		return NULL;
	}
	e->config = *config;
	if (start_daemon(e) && watch_daemon(e))
		return e;
	(void)error_set(err, DANA_EIO, "libmicrohttpd does not start");
	engine_free(e);
	return NULL;
}

int engine_add(struct engine *e, int fd, void *context)
{
	const struct sockaddr address = { .sa_family = AF_UNIX };
	struct slot *slot = calloc(1, sizeof(*slot));
	if (!slot) {
		(void)close(fd);
		return -1;
	}
	slot->context = context;
	e->adding = slot;
	enum MHD_Result result = http_library.MHD_add_connection(e->daemon, fd, &address, sizeof(address));
	free(e->adding); /* it was not begun */
	e->adding = NULL;
	return result == MHD_YES ? 0 : -1;
}

static void on_closed(uv_handle_t *handle)
{
	struct engine *e = handle->data;
	e->handles--;
}

void engine_free(struct engine *e)
{
	if (!e)
		return;
	if (e->handles) {
		uv_close((uv_handle_t *)&e->poll, on_closed);
		uv_close((uv_handle_t *)&e->check, on_closed);
		uv_close((uv_handle_t *)&e->idle, on_closed);
		while (e->handles)
			(void)uv_run(loop_uv(e->config.loop), UV_RUN_ONCE);
	}
	if (e->daemon)
		http_library.MHD_stop_daemon(e->daemon);
	free(e);
}
