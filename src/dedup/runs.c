/* SPDX-License-Identifier: MIT */
/*
 * Sorts any number of records in bounded memory, and merges sorted runs.
 *
 * In memory a radix sort, from the lowest byte of what is sorted by to the highest: fewer passes where all records
 * agree in a byte. Where all records fit in, no file is made. Files are merged by a heap of the runs, by their next
 * records: the least is at its top.
 */
#include "config.h"

#include "dedup/runs.h"

#include <stdlib.h>

enum { PIECE = 4096 }; /* records that are written together */

struct run_source {
	const struct index_file *file;
	struct index_file own; /* a temporary file, or one that was opened here */
	struct sorted_run run;
	bool is_strict; /* no two records are equal */
	struct index_reader reader;
	struct runs_record next; /* with the base */
};

struct runs {
	char *folder;
	uint32_t record;
	uint8_t *records, *spare;
	size_t n, cap, at; /* records in memory, room for them, the next one to return */
	struct run_source *sources[RUNS_MOST];
	size_t n_sources, n_added; /* n_added: by runs_add */
	bool merging, taken;       /* `taken`: the record at the top was returned */
};

struct runs *runs_new(const char *folder, uint32_t record, size_t memory, struct error *err)
{
	struct runs *r = calloc(1, sizeof(*r));
	if (r) {
		r->record = record;
		r->cap = memory / (2 * (size_t)record) + 1;
		r->folder = strdup(folder);
		r->records = malloc(r->cap * record);
		r->spare = malloc(r->cap * record);
	}
	if (r && r->folder && r->records && r->spare)
		return r;
	(void)error_no_memory(err);
	runs_free(r);
	return NULL;
}

static void source_free(struct run_source *s)
{
	index_reader_close(&s->reader);
	index_file_close(&s->own);
	free(s);
}

void runs_free(struct runs *r)
{
	if (!r)
		return;
	while (r->n_sources)
		source_free(r->sources[--r->n_sources]);
	free(r->records);
	free(r->spare);
	free(r->folder);
	free(r);
}

/* ---- sorting in memory ---- */

/* The compiler copies a pair by two instructions, which is what most runs hold. */
static inline void copy(uint8_t *to, const uint8_t *from, size_t size)
{
	if (size == PAIR_BYTES)
		memcpy(to, from, PAIR_BYTES);
	else
		memcpy(to, from, size);
}

static void sort_memory(struct runs *r)
{
	const size_t size = r->record;
	const unsigned bytes = size == PAIR_BYTES ? 8 : 16;
	size_t counts[16][256] = { { 0 } };
	for (size_t i = 0; i < r->n; i++) {
		for (unsigned byte = 0; byte < bytes; byte++)
			counts[byte][r->records[i * size + byte]]++;
	}
	for (unsigned i = 0; i < bytes && r->n; i++) {
		/* the value comes after the key, and is the lower part of what is sorted by */
		const unsigned byte = (i + bytes - 8) % bytes;
		size_t *starts = counts[byte], start = 0;
		if (starts[r->records[byte]] == r->n)
			continue;
		for (unsigned v = 0; v < 256; v++) {
			const size_t count = starts[v];
			starts[v] = start;
			start += count;
		}
		const uint8_t *from = r->records;
		for (size_t k = 0; k < r->n; k++, from += size)
			copy(r->spare + starts[from[byte]]++ * size, from, size);
		uint8_t *sorted = r->spare;
		r->spare = r->records;
		r->records = sorted;
	}
}

/* ---- merging ---- */

static bool before(const struct runs_record *a, const struct runs_record *b)
{
	if (a->pair.key != b->pair.key)
		return a->pair.key < b->pair.key;
	return a->pair.value < b->pair.value || (a->pair.value == b->pair.value && a->from < b->from);
}

/* Reads the next record of a source: 1, 0 at its end, negative. */
static int advance(struct run_source *s, bool first, struct error *err)
{
	const uint8_t *record;
	int status = index_reader_next(&s->reader, &record, err);
	if (status <= 0)
		return status;
	struct pair last = s->next.pair, next = pair_read(record);
	if (s->run.limit && next.value >= s->run.limit)
		return index_file_refuse(s->file, "is damaged: a record names a row that is not there", err);
	next.value += s->run.base;
	if (!first && (next.key < last.key || (next.key == last.key && next.value <= last.value && s->is_strict)))
		return index_file_refuse(s->file, "is damaged: its records are not sorted", err);
	s->next.pair = next;
	s->next.bytes = record;
	return 1;
}

/* Moves the source at `at` down to its place. */
static void sink(struct runs *r, size_t at)
{
	struct run_source *moving = r->sources[at];
	for (size_t child; (child = 2 * at + 1) < r->n_sources; at = child) {
		if (child + 1 < r->n_sources && before(&r->sources[child + 1]->next, &r->sources[child]->next))
			child++;
		if (!before(&r->sources[child]->next, &moving->next))
			break;
		r->sources[at] = r->sources[child];
	}
	r->sources[at] = moving;
}

/* Takes out the source at the top or, while the heap is made, at `at`. */
static void take_out(struct runs *r, size_t at)
{
	source_free(r->sources[at]);
	r->sources[at] = r->sources[--r->n_sources];
}

static int begin_merge(struct runs *r, struct error *err)
{
	for (size_t i = 0; i < r->n_sources;) {
		struct run_source *s = r->sources[i];
		int status = index_reader_open(&s->reader, s->file, s->run.section, err);
		if (status == DANA_OK)
			status = advance(s, true, err);
		if (status < 0)
			return status;
		if (status == 0)
			take_out(r, i);
		else
			i++;
	}
	for (size_t i = r->n_sources / 2; i-- > 0;)
		sink(r, i);
	r->merging = true;
	r->taken = false;
	return DANA_OK;
}

static int next_of_files(struct runs *r, struct runs_record *next, struct error *err)
{
	if (r->taken) {
		int status = advance(r->sources[0], false, err);
		if (status < 0)
			return status;
		if (status == 0)
			take_out(r, 0);
		if (r->n_sources)
			sink(r, 0);
		r->taken = false;
	}
	if (r->n_sources == 0)
		return 0;
	*next = r->sources[0]->next;
	r->taken = true;
	return 1;
}

/* ---- files ---- */

/* Writes what is left in memory, or the merge of all runs, into a temporary file. */
static int write_temporary(struct runs *r, struct index_file *f, struct error *err)
{
	struct index_writer *w = index_writer_open_temporary(r->folder, INDEX_RUN, err);
	int status = w ? 1 : err->status;
	if (w)
		index_writer_record(w, r->record);
	for (size_t i = 0; w && !r->merging && i < r->n; i += PIECE)
		index_writer_put(w, r->records + i * r->record, (r->n - i < PIECE ? r->n - i : PIECE) * r->record);
	while (w && r->merging && status == 1 && index_writer_status(w) == DANA_OK) {
		uint8_t pair[PAIR_BYTES];
		struct runs_record next;
		status = next_of_files(r, &next, err);
		if (status != 1)
			break;
		pair_write(pair, next.pair);
		index_writer_put(w, pair, sizeof(pair));
		index_writer_put(w, next.bytes + sizeof(pair), r->record - sizeof(pair));
	}
	if (status >= 0)
		return index_writer_finish_temporary(w, f, err);
	index_writer_abandon(w);
	return status;
}

static int add_source(struct runs *r, struct run_source *s, struct error *err)
{
	if (s->file->sections[s->run.section].record != r->record)
		return index_file_refuse(s->file, "is damaged: its records have another size", err);
	s->is_strict = r->record > PAIR_BYTES;
	r->sources[r->n_sources++] = s;
	return DANA_OK;
}

/* Makes room for one source more: where there are too many, they become one. */
static struct run_source *new_source(struct runs *r, struct error *err)
{
	struct index_file merged = { .fd = -1 };
	struct run_source *s = calloc(1, sizeof(*s));
	if (!s) {
		(void)error_no_memory(err);
		return NULL;
	}
	s->own.fd = -1;
	s->file = &s->own;
	s->next.from = RUN_OWN;
	if (r->n_sources < RUNS_MOST)
		return s;
	int status = begin_merge(r, err);
	if (status == DANA_OK)
		status = write_temporary(r, &merged, err);
	r->merging = false;
	while (status == DANA_OK && r->n_sources)
		take_out(r, 0);
	s->own = merged;
	if (status == DANA_OK)
		status = add_source(r, s, err);
	if (status == DANA_OK)
		return new_source(r, err);
	source_free(s);
	return NULL;
}

static int spill(struct runs *r, struct error *err)
{
	struct run_source *s = new_source(r, err);
	if (!s)
		return err->status;
	sort_memory(r);
	int status = write_temporary(r, &s->own, err);
	r->n = 0;
	if (status == DANA_OK)
		status = add_source(r, s, err);
	if (status < 0)
		source_free(s);
	return status;
}

int runs_put(struct runs *r, const void *record, struct error *err)
{
	if (r->n == r->cap) {
		int status = spill(r, err);
		if (status < 0)
			return status;
	}
	copy(r->records + r->n++ * r->record, record, r->record);
	return DANA_OK;
}

int runs_add(struct runs *r, const struct sorted_run *run, struct error *err)
{
	struct run_source *s = new_source(r, err);
	if (!s)
		return err->status;
	s->run = *run;
	s->next.from = r->n_added++;
	if (run->file)
		s->file = run->file;
	int status = run->file ? DANA_OK : index_file_open(&s->own, run->path, INDEX_ANY, err);
	if (status == DANA_OK)
		status = add_source(r, s, err);
	if (status < 0)
		source_free(s);
	return status;
}

int runs_sort(struct runs *r, struct error *err)
{
	if (r->n_sources == 0) {
		sort_memory(r);
		return DANA_OK;
	}
	int status = r->n ? spill(r, err) : DANA_OK;
	return status < 0 ? status : begin_merge(r, err);
}

int runs_next(struct runs *r, struct runs_record *next, struct error *err)
{
	if (r->merging)
		return next_of_files(r, next, err);
	if (r->at == r->n)
		return 0;
	next->bytes = r->records + r->at++ * r->record;
	next->pair = pair_read(next->bytes);
	next->from = RUN_OWN;
	return 1;
}
