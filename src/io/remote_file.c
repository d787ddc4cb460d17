/* SPDX-License-Identifier: MIT */
/*
 * A fetch on a loop of its own, which runs while a thread waits. Its connection is not counted by --connections, which
 * limits those of its host: pipelines keep theirs while they wait for what is read here.
 */
#include "config.h"

#include "io/remote_file.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <uv.h>

#include "base/diagnostics.h"
#include "io/loop.h"
#include "io/transfer.h"

struct remote_reader {
	uv_mutex_t lock;
	bool locks; /* the lock has been made */
	struct loop *loop;
	struct network_session *session;
	struct fetch *fetch;
	const struct remote_file *aimed; /* the file of the fetch */
	atomic_bool stopped;

	/* Of the reading under way. */
	uint8_t *to;
	size_t got, wanted;
	bool done;
	struct error *fault;
};

static void on_opened(void *arg, uint64_t total)
{
	(void)arg, (void)total;
}

static enum body_answer on_take(void *arg, struct slice bytes)
{
	struct remote_reader *r = arg;
	bytes = slice_first(bytes, r->wanted - r->got);
	if (bytes.len)
		memcpy(r->to + r->got, bytes.data, bytes.len);
	r->got += bytes.len;
	return BODY_TAKEN;
}

static void on_arrived(void *arg)
{
	(void)arg;
}

static void on_end(void *arg)
{
	((struct remote_reader *)arg)->done = true;
}

static void on_failed(void *arg, const char *why)
{
	struct remote_reader *r = arg;
	(void)error_set(r->fault, DANA_EIO, "%s", why);
	r->done = true;
}

static void on_wake(void *arg)
{
	struct remote_reader *r = arg;
	r->done |= atomic_load(&r->stopped);
}

struct remote_reader *remote_reader_new(struct network *n, struct error *err)
{
	struct remote_reader *r = calloc(1, sizeof(*r));
	const struct fetch_events events = { on_opened, on_take, on_arrived, on_end, on_failed, r, true };
	if (r)
		r->locks = uv_mutex_init(&r->lock) == 0;
	/* The command may yet enter a sandbox, which holds for threads that are started later only. */
	if (r && r->locks)
		r->loop = loop_new_alone(err);
	if (r && r->loop)
		r->session = network_session_new(n, r->loop, err);
	if (r && r->session) {
		r->session->user.beside = true;
		r->fetch = fetch_new(r->session, &events);
	}
	if (r && r->fetch) {
		loop_on_wake(r->loop, on_wake, r);
		return r;
	}
	if (err->status == DANA_OK)
		(void)error_no_memory(err);
	remote_reader_free(r);
	return NULL;
}

static int64_t read_alone(struct remote_reader *r, struct remote_file *file, uint64_t from, void *to, size_t n,
			  struct error *err)
{
	if (r->aimed != file) {
		r->aimed = NULL;
		if (fetch_aim(r->fetch, file->address, file->shown, err) < 0)
			return -1;
		r->aimed = file;
		if (file->identity.known)
			fetch_expect(r->fetch, &file->identity);
	}
	r->to = to;
	r->got = 0;
	r->wanted = n;
	r->fault = err;
	r->done = atomic_load(&r->stopped);
	if (!r->done)
		fetch_begin(r->fetch, from, from + n);
	loop_run_until(r->loop, &r->done);
	file->identity = *fetch_known(r->fetch);
	file->no_ranges |= !fetch_knows_ranges(r->fetch);
	if (err->status == DANA_OK && atomic_load(&r->stopped))
		(void)error_set(err, DANA_EIO, "stopped");
	return err->status < 0 ? -1 : (int64_t)r->got;
}

int64_t remote_read(struct remote_reader *r, struct remote_file *file, uint64_t from, void *to, size_t n,
		    struct error *err)
{
	uv_mutex_lock(&r->lock);
	const int64_t got = n ? read_alone(r, file, from, to, n, err) : 0;
	uv_mutex_unlock(&r->lock);
	return got;
}

void remote_reader_stop(void *reader)
{
	struct remote_reader *r = reader;
	atomic_store(&r->stopped, true);
	loop_wake(r->loop);
}

void remote_reader_free(struct remote_reader *r)
{
	if (!r)
		return;
	fetch_free(r->fetch);
	network_session_free(r->session);
	loop_free(r->loop);
	if (r->locks)
		uv_mutex_destroy(&r->lock);
	free(r);
}
