/* SPDX-License-Identifier: MIT */
/* A heap of the runs by their next pair: the least is at its top. */
#include <stdlib.h>

#include "dedup/store/pairs.h"

struct source {
	struct index_reader reader;
	struct pair next; /* with the base */
	uint64_t base, limit;
};

struct pair_merge {
	struct source *sources;
	size_t n; /* sources in the heap */
};

/* Reads the next pair of a source: 1, 0 at its end, negative. */
static int advance(struct source *s, bool first, struct error *err)
{
	const uint8_t *record;
	int status = index_reader_next(&s->reader, &record, err);

	if (status <= 0)
		return status;
	struct pair next = pair_read(record);
	if (s->limit && next.value >= s->limit)
		return index_file_refuse(s->reader.file, "is damaged: a record names a row that is not there", err);
	next.value += s->base;
	if (!first && next.key < s->next.key)
		return index_file_refuse(s->reader.file, "is damaged: its records are not sorted", err);
	s->next = next;
	return 1;
}

/* Moves the source at `at` down to its place. */
static void sink(struct pair_merge *m, size_t at)
{
	struct source moving = m->sources[at];

	for (size_t child; (child = 2 * at + 1) < m->n; at = child) {
		if (child + 1 < m->n && pair_before(m->sources[child + 1].next, m->sources[child].next))
			child++;
		if (!pair_before(m->sources[child].next, moving.next))
			break;
		m->sources[at] = m->sources[child];
	}
	m->sources[at] = moving;
}

static int open_source(struct pair_merge *m, const struct pair_run *run, struct error *err)
{
	struct source *s = &m->sources[m->n];

	if (run->file->sections[run->section].record != PAIR_BYTES)
		return index_file_refuse(run->file, "is damaged: its records have another size", err);
	int status = index_reader_open(&s->reader, run->file, run->section, err);
	if (status < 0)
		return status;
	s->base = run->base;
	s->limit = run->limit;
	status = advance(s, true, err);
	if (status == 1)
		m->n++;
	else
		index_reader_close(&s->reader);
	return status;
}

struct pair_merge *pair_merge_new(const struct pair_run *runs, size_t n, struct error *err)
{
	struct pair_merge *m = calloc(1, sizeof(*m));
	int status = DANA_OK;

	if (m)
		m->sources = calloc(n + 1, sizeof(*m->sources));
	if (!m || !m->sources) {
		(void)error_no_memory(err);
		free(m);
		return NULL;
	}
	for (size_t i = 0; i < n && status >= 0; i++)
		status = open_source(m, &runs[i], err);
	if (status < 0) {
		pair_merge_free(m);
		return NULL;
	}
	for (size_t i = m->n / 2; i-- > 0;)
		sink(m, i);
	return m;
}

int pair_merge_next(struct pair_merge *m, struct pair *out, struct error *err)
{
	if (m->n == 0)
		return 0;
	struct source *top = &m->sources[0];
	*out = top->next;
	int status = advance(top, false, err);
	if (status < 0)
		return status;
	if (status == 0) {
		index_reader_close(&top->reader);
		*top = m->sources[--m->n];
	}
	if (m->n)
		sink(m, 0);
	return 1;
}

void pair_merge_free(struct pair_merge *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->n; i++)
		index_reader_close(&m->sources[i].reader);
	free(m->sources);
	free(m);
}

int pair_runs_merge(const struct pair_run *runs, size_t n, const char *folder, struct index_file *merged,
		    struct error *err)
{
	struct pair_merge *m = pair_merge_new(runs, n, err);
	struct index_writer *w = m ? index_writer_open_temporary(folder, INDEX_RUN, err) : NULL;
	struct pair p;
	int status = w ? 1 : err->status;

	if (w)
		index_writer_record(w, PAIR_BYTES);
	while (status == 1 && index_writer_status(w) == DANA_OK && (status = pair_merge_next(m, &p, err)) == 1)
		pair_put(w, p);
	pair_merge_free(m);
	if (!w)
		return status;
	if (status < 0) {
		index_writer_abandon(w);
		return status;
	}
	return index_writer_finish_temporary(w, merged, err);
}
