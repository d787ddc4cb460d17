/* SPDX-License-Identifier: MIT */
/*
 * Hashes are spread evenly, so a record is near the position that is computed from its hash: the search goes there
 * first, and halves the rest if that does not help.
 */
#include "config.h"

#include "dedup/text_index.h"

#include <stdlib.h>

#include "base/file.h"

enum { BLOCK = 64 /* records that are read together */, GUESSES = 4 };

static int impossible(const struct text_index *t, struct error *err)
{
	return index_file_refuse(&t->file, "is damaged: its records cannot be read", err);
}

/* ---- opening ---- */

int text_index_open(struct text_index *t, const char *path, struct error *err)
{
	uint8_t *text = NULL;
	*t = (struct text_index){ 0 };
	int status = index_file_open(&t->file, path, INDEX_TEXTS, err);
	if (status == DANA_OK)
		status = index_file_verify(&t->file, err);
	if (status == DANA_OK && t->file.sections[TEXT_INDEX_RECORDS].record != TEXT_INDEX_BYTES)
		status = impossible(t, err);
	if (status == DANA_OK)
		status = index_file_load(&t->file, TEXT_INDEX_SETTINGS, &text, err);
	if (status == DANA_OK) {
		t->small = strcmp((const char *)text, "small=1\n") == 0;
		if (!t->small && strcmp((const char *)text, "small=0\n") != 0)
			status = index_file_refuse(&t->file, "has unknown settings: made by a newer dana?", err);
	}
	free(text);
	if (status == DANA_OK)
		status = origin_names_load(&t->names, &t->file, TEXT_INDEX_NAMES, TEXT_INDEX_STRINGS, err);
	if (status == DANA_OK)
		t->count = index_file_count(&t->file, TEXT_INDEX_RECORDS);
	else
		text_index_close(t);
	return status;
}

void text_index_close(struct text_index *t)
{
	index_file_close(&t->file);
	origin_names_free(&t->names);
}

/* ---- looking up ---- */

int text_index_find(const struct text_index *t, struct hash128 hash, struct buf *id, struct origin *first,
		    struct error *err)
{
	uint8_t block[BLOCK * TEXT_INDEX_BYTES];
	const uint64_t expected = (uint64_t)((double)hash.high / 18446744073709551616.0 * (double)t->count);

	/* the record is one of `from` to `end` - 1 */
	for (uint64_t guess = 0, from = 0, end = t->count; from < end; guess++) {
		uint64_t at = guess < GUESSES ? expected - (expected > BLOCK / 2 ? BLOCK / 2 : expected)
					      : from + (end - from) / 2;
		if (end - from <= BLOCK || at < from)
			at = from;
		at = at < end ? at : end - 1;
		const uint64_t n = end - at < BLOCK ? end - at : BLOCK;
		int status = index_file_read(&t->file, TEXT_INDEX_RECORDS, at * TEXT_INDEX_BYTES, block,
					     (size_t)n * TEXT_INDEX_BYTES, err);
		if (status < 0)
			return status;
		uint64_t low = 0, high = n;
		while (low < high) {
			const uint64_t middle = (low + high) / 2;
			const struct pair p = pair_read(block + middle * TEXT_INDEX_BYTES);
			if (p.key < hash.high || (p.key == hash.high && p.value < hash.low))
				low = middle + 1;
			else
				high = middle;
		}
		const uint8_t *record = block + low * TEXT_INDEX_BYTES;
		if (low == n) {
			from = at + n;
			continue;
		}
		const struct pair p = pair_read(record);
		if (p.key == hash.high && p.value == hash.low)
			return origin_unpack(&t->names, record + PAIR_BYTES, id, first) ? 1
			       : buf_status(id) < 0                                     ? error_no_memory(err)
											: impossible(t, err);
		if (low > 0)
			return 0; /* it would be inside the block */
		end = at;
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
	return status;
}

static int take_index(const struct text_index *t, struct runs *r, struct error *err)
{
	return runs_add(r, &(struct sorted_run){ .file = &t->file, .section = TEXT_INDEX_RECORDS }, err);
}

/* The origins of records, by the run that they come from. */
struct origins {
	const struct text_index *indexes;
	const struct origin_names *own;
};

/* Writes all records, of equal hashes the first one. */
static int put_records(struct runs *r, const struct origins *origins, struct index_writer *w,
		       struct origin_store *store, struct error *err)
{
	struct pair last = { 0 };
	struct runs_record next;
	struct buf id = { 0 };
	struct origin o;
	int status = runs_sort(r, err);
	for (bool any = false; status >= 0 && index_writer_status(w) == DANA_OK;) {
		uint8_t record[TEXT_INDEX_BYTES];
		status = runs_next(r, &next, err);
		if (status <= 0)
			break;
		if (any && next.pair.key == last.key && next.pair.value == last.value)
			continue;
		any = true;
		last = next.pair;
		pair_write(record, next.pair);
		const struct text_index *from = next.from == RUN_OWN ? NULL : &origins->indexes[next.from];
		if (!origin_unpack(from ? &from->names : origins->own, next.bytes + PAIR_BYTES, &id, &o))
			status = buf_status(&id) < 0 || !from
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

static int write_index(struct runs *r, const struct origins *origins, bool small, const char *output, bool force,
		       const struct index_ready *ready, struct error *err)
{
	struct index_writer *w = index_writer_open(output, INDEX_TEXTS, force, err);
	struct origin_store store = { 0 };
	if (!w)
		return err->status;
	if (ready)
		index_writer_on_ready(w, ready);
	index_writer_put(w, small ? "small=1\n" : "small=0\n", 8);
	index_writer_next_section(w);
	index_writer_record(w, TEXT_INDEX_BYTES);
	int status = put_records(r, origins, w, &store, err);
	if (status == DANA_OK) {
		origin_store_write(&store, w);
		status = index_writer_finish(w, err);
	} else {
		index_writer_abandon(w);
	}
	origin_store_free(&store);
	return status;
}

int text_index_add(const struct text_index *old, struct journal *j, bool small, const char *output, size_t memory,
		   const struct index_ready *ready, struct error *err)
{
	char *folder = path_folder(output);
	struct runs *r = folder ? runs_new(folder, TEXT_INDEX_BYTES, memory, err) : NULL;
	struct origin_store store = { 0 };
	struct origin_names own = { 0 };
	const struct origins origins = { old, &own };
	int status = r ? take_entries(j, r, &store, err) : folder ? (int)err->status : error_no_memory(err);
	if (status == DANA_OK)
		status = origin_names_take(&own, &store, err);
	if (status == DANA_OK && old)
		status = take_index(old, r, err);
	if (status == DANA_OK)
		status = write_index(r, &origins, small, output, true, ready, err);
	origin_names_free(&own);
	origin_store_free(&store);
	runs_free(r);
	free(folder);
	return status;
}

int text_indexes_merge(const char *const *paths, size_t n, const char *output, bool force, struct error *err)
{
	if (n > RUNS_MOST)
		return error_set(err, DANA_ECONFIG,
				 "%zu indexes are more than the %d of one merge; merge them in steps", n, RUNS_MOST);
	struct text_index *indexes = calloc(n, sizeof(*indexes));
	const struct origins origins = { .indexes = indexes };
	struct runs *r = indexes ? runs_new("", TEXT_INDEX_BYTES, 0, err) : NULL;
	int status = r ? DANA_OK : error_no_memory(err);
	size_t n_open = 0;
	while (status == DANA_OK && n_open < n) {
		struct text_index *t = &indexes[n_open++];
		status = text_index_open(t, paths[n_open - 1], err);
		if (status == DANA_OK && t->small != indexes->small)
			status = error_set(err, DANA_ECONFIG,
					   "%s and %s cannot be merged: one compares texts in small letters", paths[0],
					   t->file.path);
		if (status == DANA_OK)
			status = take_index(t, r, err);
	}
	if (status == DANA_OK)
		status = write_index(r, &origins, indexes->small, output, force, NULL, err);
	runs_free(r);
	while (n_open)
		text_index_close(&indexes[--n_open]);
	free(indexes);
	return status;
}
