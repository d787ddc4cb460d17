/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "serve/process.h"

#include <signal.h>
#include <stdlib.h>
#include <uv.h>

#include "base/buf.h"
#include "io/loop.h"

enum { READ_BYTES = 64 << 10, ERROR_MOST = 500, HUNGRY = 64 << 10 };

struct process {
	struct process_config config;
	uv_process_t process;
	uv_pipe_t in, out, err;
	unsigned handles, streams; /* that are open; output and errors that have not ended */
	bool running, in_open, dropped, reported;
	int status;
	char error[ERROR_MOST];
	uint8_t buffer[READ_BYTES];
};

struct write {
	uv_write_t request;
	struct process *process;
	uint8_t bytes[];
};

static void on_closed(uv_handle_t *handle)
{
	struct process *p = handle->data;
	if (--p->handles == 0 && p->dropped)
		free(p);
}

static void close_pipe(uv_pipe_t *pipe)
{
	if (!uv_is_closing((uv_handle_t *)pipe))
		uv_close((uv_handle_t *)pipe, on_closed);
}

static void look_for_the_end(struct process *p)
{
	if (p->running || p->streams || p->reported || p->dropped)
		return;
	p->reported = true;
	p->config.ended(p->config.arg, p->status, p->error);
}

static void on_ended(uv_process_t *process, int64_t status, int signal)
{
	struct process *p = process->data;
	p->running = false;
	p->status = signal ? 128 + signal : (int)status;
	p->in_open = false;
	close_pipe(&p->in);
	uv_close((uv_handle_t *)process, on_closed);
	look_for_the_end(p);
}

static void on_alloc(uv_handle_t *handle, size_t wish, uv_buf_t *buf)
{
	struct process *p = handle->data;
	(void)wish;
	*buf = uv_buf_init((char *)p->buffer, READ_BYTES);
}

static void stream_ends(struct process *p, uv_stream_t *stream)
{
	close_pipe((uv_pipe_t *)stream);
	p->streams--;
	look_for_the_end(p);
}

static void on_output(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
	struct process *p = stream->data;
	if (n > 0 && !p->dropped)
		p->config.output(p->config.arg, slice_of(buf->base, (size_t)n));
	else if (n < 0)
		stream_ends(p, stream);
}

/* The last line that came whole; what comes in pieces is seldom more than one. */
static void on_error(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
	struct process *p = stream->data;
	if (n < 0) {
		stream_ends(p, stream);
		return;
	}
	struct slice text = slice_of(buf->base, (size_t)n);
	while (text.len && text.data[text.len - 1] == '\n')
		text.len--;
	const uint8_t *line = text.len ? memrchr(text.data, '\n', text.len) : NULL;
	if (line)
		text = slice_skip(text, (size_t)(line + 1 - text.data));
	text = slice_first(text, ERROR_MOST - 1);
	memcpy(p->error, text.data, text.len);
	p->error[text.len] = 0;
}

static int spawn(struct process *p)
{
	uv_stdio_container_t files[3] = {
		{ .flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = (uv_stream_t *)&p->in },
		{ .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&p->out },
		{ .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&p->err },
	};
	const uv_process_options_t options = { .exit_cb = on_ended,
					       .file = p->config.arguments[0],
					       .args = p->config.arguments,
					       .flags = UV_PROCESS_DETACHED,
					       .stdio_count = 3,
					       .stdio = files };
	return uv_spawn(loop_uv(p->config.loop), &p->process, &options);
}

struct process *process_start(const struct process_config *config)
{
	struct process *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->config = *config;
	uv_pipe_t *pipes[] = { &p->in, &p->out, &p->err };
	for (size_t i = 0; i < sizeof(pipes) / sizeof(*pipes); i++) {
		(void)uv_pipe_init(loop_uv(config->loop), pipes[i], 0);
		pipes[i]->data = p;
	}
	p->process.data = p;
	p->handles = 4;
	p->streams = 2;
	p->running = p->in_open = true;
	bool good = spawn(p) == 0 && uv_read_start((uv_stream_t *)&p->out, on_alloc, on_output) == 0 &&
		    uv_read_start((uv_stream_t *)&p->err, on_alloc, on_error) == 0;
	if (good)
		return p;
	process_drop(p);
	return NULL;
}

static void on_written(uv_write_t *request, int status)
{
	struct write *w = (struct write *)(void *)request;
	struct process *p = w->process;
	free(w);
	if (status == 0 && p->in_open && !p->dropped && p->in.write_queue_size < HUNGRY)
		p->config.hungry(p->config.arg);
}

long process_feed(struct process *p, struct slice bytes)
{
	if (!p->in_open)
		return -1;
	struct write *w = malloc(sizeof(*w) + bytes.len);
	if (!w)
		return -1;
	w->process = p;
	memcpy(w->bytes, bytes.data, bytes.len);
	uv_buf_t buf = uv_buf_init((char *)w->bytes, (unsigned)bytes.len);
	if (uv_write(&w->request, (uv_stream_t *)&p->in, &buf, 1, on_written) < 0) {
		free(w);
		return -1;
	}
	return (long)p->in.write_queue_size;
}

static void on_shutdown(uv_shutdown_t *request, int status)
{
	struct process *p = request->data;
	(void)status;
	free(request);
	close_pipe(&p->in);
}

void process_feed_end(struct process *p)
{
	if (!p->in_open)
		return;
	p->in_open = false;
	uv_shutdown_t *request = malloc(sizeof(*request));
	if (request)
		request->data = p;
	if (!request || uv_shutdown(request, (uv_stream_t *)&p->in, on_shutdown) < 0) {
		free(request);
		close_pipe(&p->in);
	}
}

void process_pause(struct process *p, bool paused)
{
	if (uv_is_closing((uv_handle_t *)&p->out))
		return;
	if (paused)
		(void)uv_read_stop((uv_stream_t *)&p->out);
	else
		(void)uv_read_start((uv_stream_t *)&p->out, on_alloc, on_output);
}

void process_drop(struct process *p)
{
	if (!p)
		return;
	p->dropped = true;
	p->in_open = false;
	if (p->handles == 0) {
		free(p);
		return;
	}
	if (p->running && uv_is_active((uv_handle_t *)&p->process))
		(void)uv_process_kill(&p->process, SIGKILL);
	else if (!uv_is_closing((uv_handle_t *)&p->process))
		uv_close((uv_handle_t *)&p->process, on_closed);
	close_pipe(&p->in);
	close_pipe(&p->out);
	close_pipe(&p->err);
}
