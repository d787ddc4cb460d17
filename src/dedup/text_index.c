/* SPDX-License-Identifier: MIT */
/*
 * Hashes are spread evenly, so the place of a record is near that computed from its hash: the search goes there first,
 * and halves the rest if that does not help.
 *
 * Makes indexes of texts from journals and from other indexes.
 */
#include "config.h"

#include "dedup/text_index.h"

#include <stdlib.h>

#include "base/little_endian.h"
#include "dedup/runs.h"

enum { BLOCK = 64 /* records that are read together */, GUESSES = 4 };

static int impossible(const struct text_index *t, struct error *err)
{
	return index_file_refuse(&t->file, "is damaged: its records cannot be read", err);
}

/* ---- opening ---- */

static int read_settings(struct text_index *t, struct error *err)
{
	uint8_t *text;
	int status = index_file_load(&t->file, TEXT_INDEX_SETTINGS, &text, err);

	if (status < 0)
		return status;
	bool good = strcmp((const char *)text, "small=0\n") == 0 || strcmp((const char *)text, "small=1\n") == 0;
	t->small = good && text[6] == '1';
	free(text);
	return good ? DANA_OK : index_file_refuse(&t->file, "has unknown settings: made by a newer dana?", err);
}

static int text_index_adopt(struct text_index *t, struct error *err)
{
	int status = index_file_verify(&t->file, err);

	if (status == DANA_OK && t->file.sections[TEXT_INDEX_RECORDS].record != TEXT_INDEX_BYTES)
		status = impossible(t, err);
	if (status == DANA_OK)
		status = read_settings(t, err);
	if (status == DANA_OK)
		status = origin_names_load(&t->names, &t->file, TEXT_INDEX_NAMES, TEXT_INDEX_STRINGS, err);
	if (status == DANA_OK)
		t->count = index_file_count(&t->file, TEXT_INDEX_RECORDS);
	if (status < 0)
		text_index_close(t);
	return status;
}

int text_index_open(struct text_index *t, const char *path, struct error *err)
{
	*t = (struct text_index){ 0 };
	int status = index_file_open(&t->file, path, INDEX_TEXTS, err);

	return status < 0 ? status : text_index_adopt(t, err);
}

void text_index_close(struct text_index *t)
{
	index_file_close(&t->file);
	origin_names_free(&t->names);
}

/* ---- looking up ---- */

static int compare(struct hash128 hash, const uint8_t *record)
{
	uint64_t high = little_endian_64(record), low = little_endian_64(record + 8);

	if (hash.high != high)
		return hash.high < high ? -1 : 1;
	return hash.low == low ? 0 : hash.low < low ? -1 : 1;
}

/* The records that may still hold the hash: `first` to `end` - 1. */
struct range {
	uint64_t first, end;
};

/* Returns where to search next: at the expected place of the hash while that helps, else in the middle. */
static uint64_t place(const struct text_index *t, struct hash128 hash, struct range r, unsigned guess)
{
	uint64_t at = (uint64_t)((double)hash.high / 18446744073709551616.0 * (double)t->count);

	at = at > BLOCK / 2 ? at - BLOCK / 2 : 0;
	if (guess >= GUESSES)
		at = r.first + (r.end - r.first) / 2;
	if (r.end - r.first <= BLOCK || at < r.first)
		at = r.first;
	return at < r.end ? at : r.end - 1;
}

/* Returns 1 if the record is in `block`, at *record; else 0, with a smaller range. */
static int search_block(struct hash128 hash, const uint8_t *block, uint64_t at, uint64_t n, struct range *r,
			const uint8_t **record)
{
	uint64_t low = 0, high = n;

	while (low < high) {
		uint64_t middle = (low + high) / 2;
		int order = compare(hash, block + middle * TEXT_INDEX_BYTES);
		*record = block + middle * TEXT_INDEX_BYTES;
		if (order == 0)
			return 1;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == 0)
		r->end = at;
	else if (low == n)
		r->first = at + n;
	else
		r->first = r->end; /* it would be inside the block */
	return 0;
}

int text_index_find(const struct text_index *t, struct hash128 hash, struct buf *id, struct origin *first,
		    struct error *err)
{
	uint8_t block[BLOCK * TEXT_INDEX_BYTES];
	struct range r = { 0, t->count };

	for (unsigned guess = 0; r.first < r.end; guess++) {
		uint64_t at = place(t, hash, r, guess), n = r.end - at < BLOCK ? r.end - at : BLOCK;
		const uint8_t *record;
		int status = index_file_read(&t->file, TEXT_INDEX_RECORDS, at * TEXT_INDEX_BYTES, block,
					     (size_t)n * TEXT_INDEX_BYTES, err);
		if (status < 0)
			return status;
		if (search_block(hash, block, at, n, &r, &record))
			return origin_unpack(&t->names, record + 16, id, first) ? 1
			       : buf_status(id) < 0                             ? error_no_memory(err)
										: impossible(t, err);
	}
	return 0;
}

/* ---- entries of a journal ---- */

int text_entry_put(struct buf *out, const struct text_entry *e)
{
	uint8_t hash[16];

	little_endian_put_64(hash, e->hash.high);
	little_endian_put_64(hash + 8, e->hash.low);
	return origin_entry_put(out, &e->origin, hash, sizeof(hash));
}

bool text_entry_get(struct slice entry, struct text_entry *e)
{
	struct slice hash;

	if (!origin_entry_get(entry, &e->origin, &hash) || hash.len != 16)
		return false;
	e->hash = (struct hash128){ little_endian_64(hash.data), little_endian_64(hash.data + 8) };
	return true;
}

/* ---- writing an index ---- */

static void begin_records(struct index_writer *w, bool small)
{
	index_writer_put(w, small ? "small=1\n" : "small=0\n", 8);
	index_writer_next_section(w);
	index_writer_record(w, TEXT_INDEX_BYTES);
}

/* Puts the entries of the journal, in its order, into `r`. */
static int take_entries(struct journal *j, struct runs *r, struct origin_store *store, struct error *err)
{
	uint8_t record[TEXT_INDEX_BYTES];
	struct slice entry;
	struct text_entry e;
	int status;

	while ((status = journal_next(j, &entry, err)) == 1) {
		if (!text_entry_get(entry, &e))
			return error_set(err, DANA_EFORMAT, "the journal of texts is damaged");
		pair_write(record, (struct pair){ e.hash.high, e.hash.low });
		if (origin_pack(store, &e.origin, record + PAIR_BYTES) < 0)
			return error_no_memory(err);
		status = runs_put(r, record, err);
		if (status < 0)
			break;
	}
	return status < 0 ? status : runs_sort(r, err);
}

int text_index_of_journal(struct text_index *t, struct journal *j, bool small, const char *folder, size_t memory,
			  struct error *err)
{
	struct runs *r = runs_new(folder, TEXT_INDEX_BYTES, memory, err);
	struct index_writer *w = r ? index_writer_open_temporary(folder, INDEX_TEXTS, err) : NULL;
	struct origin_store store = { 0 };
	struct runs_record next;
	int status = w ? take_entries(j, r, &store, err) : err->status;

	*t = (struct text_index){ .file = { .fd = -1 } };
	if (status == DANA_OK)
		begin_records(w, small);
	while (status >= 0 && (status = runs_next(r, &next, err)) == 1)
		index_writer_put(w, next.bytes, TEXT_INDEX_BYTES);
	if (status == DANA_OK) {
		origin_store_write(&store, w);
		status = index_writer_finish_temporary(w, &t->file, err);
		w = NULL;
	}
	index_writer_abandon(w);
	origin_store_free(&store);
	runs_free(r);
	return status < 0 ? status : text_index_adopt(t, err);
}

/* Adds the indexes to `r`. */
static int take_indexes(const struct text_index *const *indexes, size_t n, struct runs *r, struct error *err)
{
	int status = DANA_OK;

	if (n > RUNS_MOST)
		return error_set(err, DANA_ECONFIG,
				 "%zu indexes are more than the %d of one merge; merge them in steps", n, RUNS_MOST);
	for (size_t i = 0; i < n && status == DANA_OK; i++) {
		if (indexes[i]->small != indexes[0]->small)
			return error_set(err, DANA_ECONFIG,
					 "%s and %s cannot be merged: one compares texts in small letters",
					 indexes[0]->file.path, indexes[i]->file.path);
		status = runs_add(r, &(struct run){ .file = &indexes[i]->file, .section = TEXT_INDEX_RECORDS }, err);
	}
	return status < 0 ? status : runs_sort(r, err);
}

/* Writes the records of all indexes, of equal hashes the first one. */
static int merge_records(const struct text_index *const *indexes, struct runs *r, struct index_writer *w,
			 struct origin_store *store, struct error *err)
{
	struct pair last = { 0 };
	struct runs_record next;
	struct buf id = { 0 };
	struct origin o;
	bool is_first = true;
	int status = DANA_OK;

	while (status >= 0 && index_writer_status(w) == DANA_OK && (status = runs_next(r, &next, err)) == 1) {
		uint8_t record[TEXT_INDEX_BYTES];
		const struct text_index *from = indexes[next.from];
		if (!is_first && next.pair.key == last.key && next.pair.value == last.value)
			continue;
		is_first = false;
		last = next.pair;
		pair_write(record, next.pair);
		if (!origin_unpack(&from->names, next.bytes + PAIR_BYTES, &id, &o))
			status = buf_status(&id) < 0
					 ? error_no_memory(err)
					 : index_file_refuse(&from->file, "is damaged: a text has an impossible origin",
							     err);
		else if (origin_pack(store, &o, record + PAIR_BYTES) < 0)
			status = error_no_memory(err);
		else
			index_writer_put(w, record, sizeof(record));
	}
	buf_free(&id);
	return status < 0 ? status : DANA_OK;
}

int text_indexes_merge(const struct text_index *const *indexes, size_t n, const char *output, bool force,
		       const struct index_ready *ready, struct error *err)
{
	struct runs *r = runs_new("", TEXT_INDEX_BYTES, 0, err);
	int status = r ? take_indexes(indexes, n, r, err) : err->status;
	struct index_writer *w = status == DANA_OK ? index_writer_open(output, INDEX_TEXTS, force, err) : NULL;
	struct origin_store store = { 0 };

	if (status == DANA_OK)
		status = w ? DANA_OK : err->status;
	if (w) {
		if (ready)
			index_writer_on_ready(w, ready);
		begin_records(w, indexes[0]->small);
		status = merge_records(indexes, r, w, &store, err);
	}
	if (status == DANA_OK) {
		origin_store_write(&store, w);
		status = index_writer_finish(w, err);
		w = NULL;
	}
	index_writer_abandon(w);
	origin_store_free(&store);
	runs_free(r);
	return status;
}
