/* SPDX-License-Identifier: MIT */
/*
 * A commit waits until the outputs have written what they had taken when it began (`look`), then the pool syncs them
 * and replaces the file. Bytes that follow meanwhile do no harm: the file does not speak of them.
 *
 * When fsync has failed, nobody knows what is on the disk, and a later fsync would not report it: so no commit follows.
 */
#include "config.h"

#include "io/commit.h"

#include <stdlib.h>
#include <uv.h>

#include "base/buf.h"
#include "base/file/durable.h"
#include "base/file/part_file.h"
#include "io/loop.h"
#include "io/output_private.h"

struct commit {
	struct loop *loop;
	struct output *outputs[COMMIT_OUTPUTS];
	uint64_t marks[COMMIT_OUTPUTS]; /* bytes that must be written first */
	char *path;
	struct buf bytes;
	bool waiting; /* for the outputs */
	bool working; /* in the pool */
	bool idle;    /* neither of both */
	uv_work_t work;
	/* Of the pool's thread until the work is done. */
	int error;
	const char *at; /* what the error is of */
};

struct commit *commit_new(struct loop *l, const char *path, struct output *const outputs[COMMIT_OUTPUTS])
{
	struct commit *c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	*c = (struct commit){ .loop = l, .path = strdup(path), .idle = true };
	memcpy(c->outputs, outputs, sizeof(c->outputs));
	c->work.data = c;
	if (c->path)
		return c;
	free(c);
	return NULL;
}

/* Pool thread. */
static void commit_work(uv_work_t *work)
{
	struct commit *c = work->data;
	for (size_t i = 0; i < COMMIT_OUTPUTS && c->outputs[i] && !c->error; i++) {
		c->error = c->marks[i] ? durable_sync(output_fd(c->outputs[i])) : 0;
		c->at = output_name(c->outputs[i]);
	}
	if (c->error)
		return;
	c->error = durable_replace(c->path, buf_slice(&c->bytes));
	c->at = c->path;
}

static void work_done(uv_work_t *work, int status)
{
	struct commit *c = work->data;
	(void)status;
	c->working = false;
	c->idle = true;
}

/* Returns false if an output has failed, which it reports itself. */
static bool is_written(const struct commit *c, bool *failed)
{
	bool written = true;
	for (size_t i = 0; i < COMMIT_OUTPUTS && c->outputs[i]; i++) {
		*failed = *failed || output_failed(c->outputs[i], NULL) < 0;
		written = written && output_written(c->outputs[i]) >= c->marks[i];
	}
	return written;
}

void commit_look(struct commit *c)
{
	bool failed = false;
	if (!c->waiting || (!is_written(c, &failed) && !failed))
		return;
	c->waiting = false;
	c->working = !failed && uv_queue_work(loop_uv(c->loop), &c->work, commit_work, work_done) == 0;
	c->idle = !c->working;
}

int commit_begin(struct commit *c, struct slice bytes)
{
	if (c->error)
		return DANA_OK;
	buf_clear(&c->bytes);
	if (buf_append(&c->bytes, bytes.data, bytes.len) < 0)
		return DANA_ENOMEM;
	for (size_t i = 0; i < COMMIT_OUTPUTS && c->outputs[i]; i++)
		c->marks[i] = output_bytes(c->outputs[i]);
	c->waiting = true;
	c->idle = false;
	commit_look(c);
	return DANA_OK;
}

bool commit_under_way(const struct commit *c)
{
	return !c->idle;
}

void commit_wait(struct commit *c)
{
	loop_run_until(c->loop, &c->idle);
}

int commit_failed(const struct commit *c, struct error *err)
{
	return c->idle && c->error ? part_file_fault(err, c->at, c->error) : DANA_OK;
}

void commit_free(struct commit *c)
{
	if (!c)
		return;
	commit_wait(c);
	buf_free(&c->bytes);
	free(c->path);
	free(c);
}
