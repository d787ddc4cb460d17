/* SPDX-License-Identifier: MIT */
/*
 * Radix sort from the lowest byte of the key to the highest: eight passes, fewer where all pairs agree in a byte.
 *
 * A heap of the runs by their next pair: the least is at its top.
 *
 * Half of the memory holds pairs, half is what sorting needs. Where all fit in, no file is made.
 */
#include "config.h"

#include "dedup/runs.h"

#include <stdlib.h>

#include "base/grow.h"

enum { DIGITS = 8, VALUES = 256 };

static unsigned digit(struct pair p, unsigned number)
{
	return p.key >> 8 * number & 0xFF;
}

/* Moves all pairs from `from` to their places by one digit. */
static void pass(const struct pair *from, struct pair *to, size_t n, unsigned number, size_t starts[VALUES])
{
	for (size_t i = 0; i < n; i++)
		to[starts[digit(from[i], number)]++] = from[i];
}

/* How many pairs have each value of a digit becomes where the first of them goes; false: all have the same value. */
static bool to_starts(size_t counts[VALUES], size_t n)
{
	size_t start = 0;

	for (unsigned v = 0; v < VALUES; v++) {
		size_t count = counts[v];
		if (count == n)
			return false;
		counts[v] = start;
		start += count;
	}
	return true;
}

void pairs_sort(struct pair *pairs, struct pair *spare, size_t n)
{
	size_t counts[DIGITS][VALUES] = { { 0 } };
	struct pair *from = pairs, *to = spare;

	for (size_t i = 0; i < n; i++) {
		for (unsigned d = 0; d < DIGITS; d++)
			counts[d][digit(pairs[i], d)]++;
	}
	for (unsigned d = 0; d < DIGITS; d++) {
		if (n == 0 || !to_starts(counts[d], n))
			continue;
		pass(from, to, n, d, counts[d]);
		struct pair *done = to;
		to = from;
		from = done;
	}
	if (from != pairs)
		memcpy(pairs, from, n * sizeof(*pairs));
}

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

struct pair_sorter {
	char *folder;
	struct pair *pairs, *spare;
	size_t n, cap, next;
	struct index_file *runs; /* each sorted; later ones hold pairs that came later */
	size_t n_runs, cap_runs;
	struct pair_run *merging;
	struct pair_merge *merge;
};

struct pair_sorter *pair_sorter_new(const char *folder, size_t memory, struct error *err)
{
	struct pair_sorter *s = calloc(1, sizeof(*s));

	if (s) {
		s->cap = memory / (2 * sizeof(*s->pairs)) + 1;
		s->folder = strdup(folder);
		s->pairs = malloc(s->cap * sizeof(*s->pairs));
		s->spare = malloc(s->cap * sizeof(*s->spare));
	}
	if (!s || !s->folder || !s->pairs || !s->spare) {
		(void)error_no_memory(err);
		pair_sorter_free(s);
		return NULL;
	}
	return s;
}

void pair_sorter_free(struct pair_sorter *s)
{
	if (!s)
		return;
	pair_merge_free(s->merge);
	for (size_t i = 0; i < s->n_runs; i++)
		index_file_close(&s->runs[i]);
	free(s->runs);
	free(s->merging);
	free(s->pairs);
	free(s->spare);
	free(s->folder);
	free(s);
}

/* The list of runs as pair_merge_new takes it: `n` from `first` on. */
static int list_runs(struct pair_sorter *s, size_t first, size_t n, struct error *err)
{
	free(s->merging);
	s->merging = calloc(n + 1, sizeof(*s->merging));
	if (!s->merging)
		return error_no_memory(err);
	for (size_t i = 0; i < n; i++)
		s->merging[i] = (struct pair_run){ .file = &s->runs[first + i] };
	return DANA_OK;
}

/* Merges the last PAIR_FAN_IN runs into one, which takes their place. */
static int merge_last(struct pair_sorter *s, struct error *err)
{
	struct index_file merged;
	size_t first = s->n_runs - PAIR_FAN_IN;
	int status = list_runs(s, first, PAIR_FAN_IN, err);

	if (status == DANA_OK)
		status = pair_runs_merge(s->merging, PAIR_FAN_IN, s->folder, &merged, err);
	if (status < 0)
		return status;
	while (s->n_runs > first)
		index_file_close(&s->runs[--s->n_runs]);
	s->runs[s->n_runs++] = merged;
	return DANA_OK;
}

static int write_run(struct pair_sorter *s, struct index_file *run, struct error *err)
{
	struct index_writer *w = index_writer_open_temporary(s->folder, INDEX_RUN, err);

	if (!w)
		return err->status;
	pairs_sort(s->pairs, s->spare, s->n);
	index_writer_record(w, PAIR_BYTES);
	for (size_t i = 0; i < s->n; i++)
		pair_put(w, s->pairs[i]);
	s->n = 0;
	return index_writer_finish_temporary(w, run, err);
}

static int spill(struct pair_sorter *s, struct error *err)
{
	struct index_file *runs = grow_items(s->runs, s->n_runs, &s->cap_runs, sizeof(*runs));

	if (!runs)
		return error_no_memory(err);
	s->runs = runs;
	int status = write_run(s, &runs[s->n_runs], err);
	if (status < 0)
		return status;
	s->n_runs++;
	return DANA_OK;
}

int pair_sorter_add(struct pair_sorter *s, struct pair p, struct error *err)
{
	if (s->n == s->cap) {
		int status = spill(s, err);
		if (status < 0)
			return status;
	}
	s->pairs[s->n++] = p;
	return DANA_OK;
}

int pair_sorter_finish(struct pair_sorter *s, struct error *err)
{
	int status = DANA_OK;

	if (s->n_runs == 0) {
		pairs_sort(s->pairs, s->spare, s->n);
		return DANA_OK;
	}
	if (s->n)
		status = spill(s, err);
	while (status == DANA_OK && s->n_runs > PAIR_FAN_IN)
		status = merge_last(s, err);
	if (status == DANA_OK)
		status = list_runs(s, 0, s->n_runs, err);
	if (status < 0)
		return status;
	s->merge = pair_merge_new(s->merging, s->n_runs, err);
	return s->merge ? DANA_OK : err->status;
}

int pair_sorter_next(struct pair_sorter *s, struct pair *out, struct error *err)
{
	if (s->merge)
		return pair_merge_next(s->merge, out, err);
	if (s->next == s->n)
		return 0;
	*out = s->pairs[s->next++];
	return 1;
}
