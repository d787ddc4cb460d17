/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "serve/process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/loop.h"
#include "serve/connection.h"

enum {
	READ_BYTES = 64 << 10,
	ERROR_MOST = 500,
	HUNGRY = 64 << 10, /* bytes that wait */
};

struct process {
	const struct process_calls *calls; /* NULL: nobody wants it any more */
	void *arg;
	uv_process_t process;
	uv_timer_t timer;
	uv_pipe_t in, out, err;
	struct outflow input;
	unsigned handles, streams; /* that are open; output and errors that have not ended */
	bool running, in_open, paused, reported;
	int status;
	char error[ERROR_MOST];
	uint8_t buffer[READ_BYTES];
};

/* Its time begins again. */
static void note_progress(struct process *p)
{
	if (uv_is_active((uv_handle_t *)&p->timer))
		(void)uv_timer_again(&p->timer);
}

static void on_closed(uv_handle_t *handle)
{
	struct process *p = handle->data;
	if (--p->handles == 0 && !p->calls) {
		outflow_free(&p->input);
		free(p);
	}
}

static void close_pipe(uv_pipe_t *pipe)
{
	if (!uv_is_closing((uv_handle_t *)pipe))
		uv_close((uv_handle_t *)pipe, on_closed);
}

static void look_for_the_end(struct process *p)
{
	if (p->running || p->streams || p->reported || !p->calls)
		return;
	p->reported = true;
	(void)uv_timer_stop(&p->timer);
	p->calls->ended(p->arg, p->status, p->error);
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
		if (n > 0 && p->calls) {
			note_progress(p);
			p->calls->output(p->arg, bytes);
		}
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
	note_progress(p);
	if (status == 0 && p->in_open && p->calls && p->calls->hungry && outflow_waits(&p->input) < HUNGRY)
		p->calls->hungry(p->arg);
}

static void on_input_ended(void *arg)
{
	struct process *p = arg;
	close_pipe(&p->in);
}

void process_drop(struct process *p)
{
	p->calls = NULL;
	p->in_open = false;
	uv_close((uv_handle_t *)&p->timer, on_closed);
	if (p->running && uv_is_active((uv_handle_t *)&p->process))
		(void)uv_process_kill(&p->process, SIGKILL);
	else if (!uv_is_closing((uv_handle_t *)&p->process))
		uv_close((uv_handle_t *)&p->process, on_closed);
	close_pipe(&p->in);
	close_pipe(&p->out);
	close_pipe(&p->err);
}

static void on_timer(uv_timer_t *timer)
{
	struct process *p = timer->data;
	p->calls->late(p->arg);
}

/* Returns the end of a pipe from which `given` can be read; -1 if there is none. */
static int pipe_of(struct slice given)
{
	int ends[2];
	if (pipe(ends) < 0)
		return -1;
	bool good = fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 &&
		    fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0;
	good = good && write(ends[1], given.data, given.len) == (ssize_t)given.len;
	(void)close(ends[1]);
	if (!good)
		(void)close(ends[0]);
	return good ? ends[0] : -1;
}

struct process *process_start(struct loop *loop, char **arguments, struct slice given,
			      const struct process_calls *calls, void *arg)
{
	enum { PIPES = 3 };
	const int extra = given.len ? pipe_of(given) : -1;
	if (given.len && extra < 0)
		return NULL;
	struct process *p = calloc(1, sizeof(*p));
	if (!p) {
		if (extra >= 0)
			(void)close(extra);
		return NULL;
	}
	p->calls = calls;
	p->arg = arg;
	p->input = (struct outflow){ .stream = (uv_stream_t *)&p->in,
				     .moved = on_input_moved,
				     .ended = on_input_ended,
				     .arg = p };
	uv_pipe_t *pipes[] = { &p->in, &p->out, &p->err };
	uv_stdio_container_t files[PIPES + 1] = { [PIPES] = { .flags = UV_INHERIT_FD, .data.fd = extra } };
	for (size_t i = 0; i < PIPES; i++) {
		(void)uv_pipe_init(loop_uv(loop), pipes[i], 0);
		pipes[i]->data = p;
		files[i] = (uv_stdio_container_t){
			.flags = UV_CREATE_PIPE | (i == 0 ? UV_READABLE_PIPE : UV_WRITABLE_PIPE),
			.data.stream = (uv_stream_t *)pipes[i],
		};
	}
	const uv_process_options_t options = { .exit_cb = on_exit_status,
					       .file = arguments[0],
					       .args = arguments,
					       .flags = UV_PROCESS_DETACHED,
					       .stdio_count = extra < 0 ? PIPES : PIPES + 1,
					       .stdio = files };
	(void)uv_timer_init(loop_uv(loop), &p->timer);
	p->timer.data = p->process.data = p;
	p->handles = 5;
	p->streams = 2;
	p->running = p->in_open = true;
	const int spawned = uv_spawn(loop_uv(loop), &p->process, &options);
	if (extra >= 0)
		(void)close(extra);
	if (spawned == 0 && uv_read_start((uv_stream_t *)&p->out, on_alloc, on_output) == 0 &&
	    uv_read_start((uv_stream_t *)&p->err, on_alloc, on_output) == 0)
		return p;
	process_drop(p);
	return NULL;
}

long process_feed(struct process *p, struct slice bytes, struct buf *body)
{
	return p->in_open && outflow_put(&p->input, bytes, body) ? (long)outflow_waits(&p->input) : -1;
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
	p->paused = paused;
	if (uv_is_closing((uv_handle_t *)&p->out))
		return;
	if (paused)
		(void)uv_read_stop((uv_stream_t *)&p->out);
	else
		(void)uv_read_start((uv_stream_t *)&p->out, on_alloc, on_output);
}

bool process_is_asked(const struct process *p)
{
	return !p->paused && (!p->in_open || outflow_waits(&p->input) != 0);
}

void process_time(struct process *p, uint64_t milliseconds)
{
	if (milliseconds)
		(void)uv_timer_start(&p->timer, on_timer, milliseconds, milliseconds);
	else
		(void)uv_timer_stop(&p->timer);
}

void process_kill(struct process *p)
{
	if (p->running)
		(void)uv_process_kill(&p->process, SIGKILL);
}

void process_lower(struct process *p)
{
	if (p->running)
		(void)uv_os_setpriority(uv_process_get_pid(&p->process), UV_PRIORITY_LOW);
}
