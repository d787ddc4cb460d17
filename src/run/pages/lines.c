/* SPDX-License-Identifier: MIT */
/*
 * This thread runs the loop: it cuts the input into lines, gives them to workers (run/ordered.h) as soon as they are
 * whole, and writes what they become. Lines wait in a ring: line i in place i modulo its size. No more is read while
 * the ring is full, too many bytes are under way or the output does not move.
 */
#include "config.h"

#include "run/pages/lines.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/sink/text.h"
#include "base/printable.h"
#include "io/source.h"
#include "run/pages/line.h"
#include "run/pages/page_run.h"
#include "run/signals.h"

enum { LINES_PER_WORKER = 16, BYTES_MOST = 64 << 20, KEEP_ALL = 16 << 20, SHOWN = 200, REASON_MOST = 120 };

struct place {
	struct buf line;
	bool too_long; /* the rest of it was passed over */
};

struct lines {
	struct page_run base;
	const struct extract_lines_config *config;
	struct extract_line **workers; /* each made at its first line, so that the start is quick */
	struct source *source;
	struct place *ring;
	size_t n_ring;
	size_t begun, taken; /* lines whose first byte was read; lines that were given to the workers */
	size_t bytes;        /* of lines that were taken, and whose output is not written */
	struct slice chunk;  /* of the source: what is not looked at yet */
	bool chunk_held, at_end;
	uint64_t without_text;
};

static struct place *place_of(struct lines *l, size_t index)
{
	return &l->ring[index % l->n_ring];
}

/* ---- workers ---- */

static int work_line(struct lines *l, unsigned worker, size_t index, struct buf *out, struct error *err)
{
	const struct place *p = place_of(l, index);
	char reason[REASON_MOST];
	if (p->too_long) {
		const struct text_line nothing = { .url = { NULL, 0 } };
		(void)snprintf(reason, sizeof(reason), "the line is longer than %zu bytes; --max-line allows more",
			       l->config->line_most);
		int status = text_line_json(NULL, reason, &nothing, out);
		return status < 0 ? error_no_memory(err) : DANA_EFORMAT;
	}
	if (!l->workers[worker]) {
		int status = extract_line_new(&l->workers[worker], &l->base.page, err);
		if (status < 0)
			return status;
	}
	return extract_line_read(l->workers[worker], buf_slice(&p->line), out, err);
}

/* After a fatal error the output is its text. */
static int work(void *arg, unsigned worker, size_t index, struct buf *out)
{
	struct error err = { 0 };
	int status = work_line(arg, worker, index, out, &err);
	return status == DANA_OK || status == DANA_EFORMAT ? status : page_run_fault(out, status, &err);
}

/* ---- lines out ---- */

static void write_line(struct lines *l, size_t index, int status, struct slice line)
{
	if (status == DANA_ECONFIG || status == DANA_ENOMEM) {
		page_run_end(&l->base, status, status == DANA_ENOMEM ? status_text(status) : (const char *)line.data);
		return;
	}
	l->without_text += status < 0;
	if (byte_sink_write(output_sink(l->base.output), line) == DANA_ENOMEM)
		page_run_end(&l->base, DANA_ENOMEM, status_text(DANA_ENOMEM));
	struct buf *given = &place_of(l, index)->line;
	l->bytes -= given->len;
	buf_shrink(given, KEEP_ALL / l->n_ring);
}

static void write_lines(struct lines *l)
{
	struct slice line;
	int status;
	while (!l->base.over && output_queued(l->base.output) < OUTPUT_SOFT_LIMIT) {
		size_t index = ordered_given(l->base.ordered);
		if (!ordered_next(l->base.ordered, &line, &status))
			break;
		write_line(l, index, status, line);
	}
}

/* ---- lines in ---- */

static bool may_read(const struct lines *l)
{
	return l->begun - ordered_given(l->base.ordered) < l->n_ring && l->bytes < BYTES_MOST &&
	       output_queued(l->base.output) < OUTPUT_SOFT_LIMIT;
}

static int append(struct lines *l, struct place *p, struct slice part)
{
	if (p->too_long)
		return DANA_OK;
	if (part.len <= l->config->line_most - p->line.len)
		return buf_append(&p->line, part.data, part.len);
	p->too_long = true;
	buf_shrink(&p->line, KEEP_ALL / l->n_ring);
	return DANA_OK;
}

static void take(struct lines *l)
{
	l->bytes += place_of(l, l->taken)->line.len;
	l->taken++;
	ordered_add(l->base.ordered);
}

/* Up to the end of the chunk, or of the line. */
static void read_part(struct lines *l)
{
	const uint8_t *end = memchr(l->chunk.data, '\n', l->chunk.len);
	size_t n = end ? (size_t)(end - l->chunk.data) : l->chunk.len;
	struct place *p = place_of(l, l->taken);
	if (l->begun == l->taken) {
		l->begun++;
		p->too_long = false;
		buf_clear(&p->line);
	}
	if (append(l, p, slice_first(l->chunk, n)) < 0)
		page_run_end(&l->base, DANA_ENOMEM, status_text(DANA_ENOMEM));
	else if (end)
		take(l);
	l->chunk = slice_skip(l->chunk, end ? n + 1 : n);
}

/* As far as there is room; without workers the lines are worked on as they come. */
static void read_lines(struct lines *l)
{
	while (l->chunk.len && !l->base.over && (l->begun > l->taken || may_read(l))) {
		read_part(l);
		if (l->config->jobs == 0)
			write_lines(l);
	}
	if (l->chunk_held && l->chunk.len == 0 && !l->base.over && !l->base.stopped && may_read(l)) {
		l->chunk_held = false;
		source_next(l->source);
	}
}

static void on_chunk(void *arg, struct slice bytes)
{
	struct lines *l = arg;
	l->chunk = bytes;
	l->chunk_held = l->base.moved = true;
}

/* The last line may lack its line feed. */
static void on_end(void *arg)
{
	struct lines *l = arg;
	if (l->begun > l->taken)
		take(l);
	l->at_end = l->base.moved = true;
}

static void on_failed(void *arg, const char *why)
{
	struct lines *l = arg;
	char shown[SHOWN];
	notice(&l->base.page.notices, "%s: %s", printable(slice_from_text(l->config->input), shown, sizeof(shown)),
	       why);
	l->base.failed = l->at_end = l->base.moved = true;
}

/* ---- the run ---- */

/* After a signal, what was taken is still written; half a line is dropped. */
static void look_for_the_end(struct lines *l)
{
	if (atomic_load(&l->base.stop) && !l->base.stopped && !l->at_end) {
		l->base.stopped = true;
		l->chunk.len = 0;
		output_hurry(l->base.output);
	}
	if (output_failed(l->base.output, NULL) < 0 || output_reader_gone(l->base.output))
		l->base.over = true;
	if ((l->at_end || l->base.stopped) && ordered_given(l->base.ordered) == l->taken)
		l->base.over = true;
}

static void run_loop(struct lines *l)
{
	source_start(l->source);
	while (!l->base.over) {
		l->base.moved = false;
		write_lines(l);
		read_lines(l);
		write_lines(l);
		look_for_the_end(l);
		if (!l->base.over)
			loop_run_until(l->base.loop, &l->base.moved);
	}
}

static bool open_workers(struct lines *l, struct error *err)
{
	unsigned n = l->config->jobs ? l->config->jobs : 1;
	const struct ordered_config config = { .jobs = l->config->jobs,
					       .grows = true,
					       .bytes_most = BYTES_MOST,
					       .work = work,
					       .wake = page_run_wake,
					       .arg = l };
	l->n_ring = l->config->jobs ? (size_t)n * LINES_PER_WORKER : 2; /* one is read, one worked on */
	l->ring = calloc(l->n_ring, sizeof(*l->ring));
	l->workers = calloc(n, sizeof(*l->workers));
	if (!l->ring || !l->workers)
		return (void)error_no_memory(err), false;
	l->base.ordered = ordered_new(&config, err);
	return l->base.ordered != NULL;
}

static bool open_ends(struct lines *l, struct error *err)
{
	const struct extract_lines_config *c = l->config;
	const struct source_events events = { NULL, on_chunk, on_end, on_failed, l };
	struct error fault = { 0 };
	char shown[SHOWN];
	if (!page_run_open_loop(&l->base, err))
		return false;
	if (source_open(&l->source, l->base.loop, c->input, 0, &events, &fault) < 0) {
		(void)error_set(err, fault.status, "%s: %s", printable(slice_from_text(c->input), shown, sizeof(shown)),
				fault.text);
		return false;
	}
	return page_run_open_output(&l->base, c->output, c->way, err);
}

static int finish(struct lines *l)
{
	bool whole = !l->base.stopped && !l->base.failed && l->base.fatal.status == DANA_OK;
	int status = page_run_finish(&l->base, whole ? OUTPUT_FINAL : OUTPUT_PART);
	if (l->without_text)
		notice(&l->base.page.notices, "%llu of %zu lines gave no text; see \"reason\" in the output",
		       (unsigned long long)l->without_text, ordered_given(l->base.ordered));
	return status;
}

static int run(struct lines *l)
{
	struct error err = { 0 };
	if (!open_ends(l, &err) || !open_workers(l, &err))
		return page_run_refuse(&l->base, &err);
	page_run_watch(&l->base);
	run_loop(l);
	page_run_unwatch(&l->base);
	return finish(l);
}

static void close_all(struct lines *l)
{
	ordered_free(l->base.ordered);
	source_free(l->source);
	for (unsigned i = 0; l->workers && i < (l->config->jobs ? l->config->jobs : 1); i++)
		extract_line_free(l->workers[i]);
	for (size_t i = 0; l->ring && i < l->n_ring; i++)
		buf_free(&l->ring[i].line);
	free(l->workers);
	free(l->ring);
	page_run_free(&l->base);
}

int extract_lines(const struct extract_lines_config *config)
{
	struct lines l = { .config = config };
	int status = DANA_ENOMEM;
	page_run_init(&l.base, &config->page);
	if (signals_start() < 0)
		notice(&l.base.page.notices, "cannot start the thread for signals");
	else
		status = run(&l);
	close_all(&l);
	return status;
}
