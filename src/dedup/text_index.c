/* SPDX-License-Identifier: MIT */
/*
 * Hashes are spread evenly, so the place of a record is near that computed from its hash: the search goes there first,
 * and halves the rest if that does not help.
 */
#include "config.h"

#include "dedup/text_index.h"

#include <stdlib.h>

#include "base/little_endian.h"

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

int text_index_adopt(struct text_index *t, struct error *err)
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
