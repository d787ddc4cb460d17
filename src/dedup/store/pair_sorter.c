/* SPDX-License-Identifier: MIT */
/* Half of the memory holds pairs, half is what sorting needs. Where all fit in, no file is made. */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "dedup/store/pairs.h"

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
