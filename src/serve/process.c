/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "serve/process.h"

#include <signal.h>
#include <stdlib.h>

#include "io/loop.h"
#include "serve/connection.h"

enum { READ_BYTES = 64 << 10, ERROR_MOST = 500, HUNGRY = 64 << 10 };

struct process {
	struct process_config config;
	uv_process_t process;
	uv_pipe_t in, out, err;
	struct outflow input;
	unsigned handles, streams; /* that are open; output and errors that have not ended */
	bool running, in_open, dropped, reported;
	int status;
	char error[ERROR_MOST];
	uint8_t buffer[READ_BYTES];
};

static void free_process(struct process *p)
{
	outflow_free(&p->input);
	free(p);
}

static void on_closed(uv_handle_t *handle)
{
	struct process *p = handle->data;
	if (--p->handles == 0 && p->dropped)
		free_process(p);
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

static void on_exit_status(uv_process_t *process, int64_t status, int signal)
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

static void on_output(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
	struct process *p = stream->data;
	struct slice bytes = slice_of(buf->base, n > 0 ? (size_t)n : 0);
	if (n < 0) {
		close_pipe((uv_pipe_t *)stream);
		p->streams--;
		look_for_the_end(p);
	} else if (stream == (uv_stream_t *)&p->out) {
		if (n > 0 && !p->dropped)
			p->config.output(p->config.arg, bytes);
	} else {
		/* The last line that came whole; what comes in pieces is seldom more than one. */
		while (bytes.len && bytes.data[bytes.len - 1] == '\n')
			bytes.len--;
		const uint8_t *line = bytes.len ? memrchr(bytes.data, '\n', bytes.len) : NULL;
		if (line)
			bytes = slice_skip(bytes, (size_t)(line + 1 - bytes.data));
		bytes = slice_first(bytes, ERROR_MOST - 1);
		memcpy(p->error, bytes.data, bytes.len);
		p->error[bytes.len] = 0;
	}
}

static void on_input_moved(void *arg, int status)
{
	struct process *p = arg;
	if (status == 0 && p->in_open && !p->dropped && p->config.hungry && outflow_waits(&p->input) < HUNGRY)
		p->config.hungry(p->config.arg);
}

static void on_input_ended(void *arg)
{
	struct process *p = arg;
	close_pipe(&p->in);
}

struct process *process_start(const struct process_config *config)
{
	struct process *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->config = *config;
	p->input = (struct outflow){ .stream = (uv_stream_t *)&p->in,
				     .moved = on_input_moved,
				     .ended = on_input_ended,
				     .arg = p };
	uv_pipe_t *pipes[] = { &p->in, &p->out, &p->err };
	uv_stdio_container_t files[3];
	for (size_t i = 0; i < 3; i++) {
		(void)uv_pipe_init(loop_uv(config->loop), pipes[i], 0);
		pipes[i]->data = p;
		files[i] = (uv_stdio_container_t){
			.flags = UV_CREATE_PIPE | (i == 0 ? UV_READABLE_PIPE : UV_WRITABLE_PIPE),
			.data.stream = (uv_stream_t *)pipes[i],
		};
	}
	const uv_process_options_t options = { .exit_cb = on_exit_status,
					       .file = config->arguments[0],
					       .args = config->arguments,
					       .flags = UV_PROCESS_DETACHED,
					       .stdio_count = 3,
					       .stdio = files };
	p->process.data = p;
	p->handles = 4;
	p->streams = 2;
	p->running = p->in_open = true;
	if (uv_spawn(loop_uv(config->loop), &p->process, &options) == 0 &&
	    uv_read_start((uv_stream_t *)&p->out, on_alloc, on_output) == 0 &&
	    uv_read_start((uv_stream_t *)&p->err, on_alloc, on_output) == 0)
		return p;
	process_drop(p);
	return NULL;
}

long process_feed(struct process *p, struct slice bytes)
{
	return p->in_open && outflow_put(&p->input, bytes, NULL) ? (long)outflow_waits(&p->input) : -1;
}

void process_feed_end(struct process *p)
{
	if (!p->in_open)
		return;
	p->in_open = false;
	outflow_end(&p->input);
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
	p->dropped = true;
	p->in_open = false;
	if (p->handles == 0) {
		free_process(p);
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
