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

/* Writes records, which come in the order of their hashes. */
struct maker {
	struct index_writer *out;
	struct origin_store store;
};

static void maker_begin(struct maker *m, bool small)
{
	index_writer_put(m->out, small ? "small=1\n" : "small=0\n", 8);
	index_writer_next_section(m->out);
	index_writer_record(m->out, TEXT_INDEX_BYTES);
}

static int maker_add(struct maker *m, const struct text_entry *e, struct error *err)
{
	uint8_t record[TEXT_INDEX_BYTES];

	little_endian_put_64(record, e->hash.high);
	little_endian_put_64(record + 8, e->hash.low);
	if (origin_pack(&m->store, &e->origin, record + 16) < 0)
		return error_no_memory(err);
	index_writer_put(m->out, record, sizeof(record));
	return DANA_OK;
}

static void maker_end(struct maker *m)
{
	index_writer_next_section(m->out);
	origin_store_write(&m->store, m->out);
}

/* ---- of a journal ---- */

static int bad_entry(struct error *err)
{
	return error_set(err, DANA_EFORMAT, "the journal of texts is damaged");
}

/* Sorts the places of the entries by the upper half of their hashes. */
static int sort_entries(struct journal *j, struct pair_sorter *s, struct error *err)
{
	struct slice entry;
	struct text_entry e;
	int status;
	uint64_t at = journal_position(j);

	while ((status = journal_next(j, &entry, err)) == 1) {
		if (!text_entry_get(entry, &e))
			return bad_entry(err);
		status = pair_sorter_add(s, (struct pair){ e.hash.high, at }, err);
		if (status < 0)
			return status;
		at = journal_position(j);
	}
	return status < 0 ? status : pair_sorter_finish(s, err);
}

/* Entries with the same upper half, hardly ever more than one, sorted by the lower half. */
struct equals {
	struct buf *bytes; /* one buffer for each entry */
	size_t n, cap;
};

static int by_low(const void *a, const void *b)
{
	const struct buf *x = a, *y = b;
	struct text_entry first, second;

	if (!text_entry_get(buf_slice(x), &first) || !text_entry_get(buf_slice(y), &second))
		return 0;
	return first.hash.low < second.hash.low ? -1 : first.hash.low > second.hash.low;
}

static int put_equals(struct equals *q, struct maker *m, struct error *err)
{
	int status = DANA_OK;

	if (q->n > 1)
		qsort(q->bytes, q->n, sizeof(*q->bytes), by_low);
	for (size_t i = 0; i < q->n && status == DANA_OK; i++) {
		struct text_entry e;
		status = text_entry_get(buf_slice(&q->bytes[i]), &e) ? maker_add(m, &e, err) : bad_entry(err);
	}
	q->n = 0;
	return status;
}

static int take_equal(struct equals *q, struct journal *j, uint64_t at, struct error *err)
{
	struct slice entry;
	int status = journal_entry_at(j, at, &entry, err);

	if (status < 0)
		return status;
	if (q->n == q->cap) {
		struct buf *more = realloc(q->bytes, (q->cap + 4) * sizeof(*more));
		if (!more)
			return error_no_memory(err);
		memset(more + q->cap, 0, 4 * sizeof(*more));
		q->bytes = more;
		q->cap += 4;
	}
	struct buf *to = &q->bytes[q->n++];
	buf_clear(to);
	return buf_append(to, entry.data, entry.len) < 0 ? error_no_memory(err) : DANA_OK;
}

static int put_entries(struct journal *j, struct pair_sorter *s, struct maker *m, struct error *err)
{
	struct equals q = { 0 };
	struct pair last = { 0 }, p;
	int status;

	while ((status = pair_sorter_next(s, &p, err)) == 1) {
		if (q.n && p.key != last.key)
			status = put_equals(&q, m, err);
		if (status >= 0)
			status = take_equal(&q, j, p.value, err);
		if (status < 0)
			break;
		last = p;
	}
	if (status == 0)
		status = put_equals(&q, m, err);
	for (size_t i = 0; i < q.cap; i++)
		buf_free(&q.bytes[i]);
	free(q.bytes);
	return status;
}

int text_index_of_journal(struct text_index *t, struct journal *j, bool small, const char *folder, size_t memory,
			  struct error *err)
{
	*t = (struct text_index){ .file = { .fd = -1 } };

	struct pair_sorter *s = pair_sorter_new(folder, memory, err);
	struct maker m = { .out = s ? index_writer_open_temporary(folder, INDEX_TEXTS, err) : NULL };
	int status = m.out ? sort_entries(j, s, err) : err->status;

	if (status == DANA_OK) {
		maker_begin(&m, small);
		status = put_entries(j, s, &m, err);
	}
	if (status == DANA_OK) {
		maker_end(&m);
		status = index_writer_finish_temporary(m.out, &t->file, err);
		m.out = NULL;
		if (status == DANA_OK)
			status = text_index_adopt(t, err);
	}
	index_writer_abandon(m.out);
	origin_store_free(&m.store);
	pair_sorter_free(s);
	return status;
}

/* ---- of other indexes ---- */

struct source {
	const struct text_index *index;
	struct index_reader reader;
	const uint8_t *record; /* NULL: at its end */
};

struct merger {
	struct source sources[TEXT_INDEX_MOST];
	size_t n;
	struct maker maker;
	struct buf id;
};

static struct hash128 hash_of(const uint8_t *record)
{
	return (struct hash128){ little_endian_64(record), little_endian_64(record + 8) };
}

static bool hash_before(struct hash128 a, struct hash128 b)
{
	return a.high < b.high || (a.high == b.high && a.low < b.low);
}

static int advance(struct source *s, struct error *err)
{
	const uint8_t *record;
	struct hash128 last = s->record ? hash_of(s->record) : (struct hash128){ 0 };
	bool first = !s->record;
	int status = index_reader_next(&s->reader, &record, err);

	s->record = status == 1 ? record : NULL;
	if (status == 1 && !first && !hash_before(last, hash_of(record)))
		return index_file_refuse(&s->index->file, "is damaged: its records are not sorted", err);
	return status;
}

/* Returns the source with the least hash, the first of several; NULL if all are at their ends. */
static struct source *least(struct merger *m)
{
	struct source *best = NULL;

	for (size_t i = 0; i < m->n; i++) {
		struct source *s = &m->sources[i];
		if (s->record && (!best || hash_before(hash_of(s->record), hash_of(best->record))))
			best = s;
	}
	return best;
}

static int put_least(struct merger *m, struct source *s, struct error *err)
{
	struct text_entry e = { .hash = hash_of(s->record) };
	int status = DANA_OK;

	if (!origin_unpack(&s->index->names, s->record + 16, &m->id, &e.origin))
		return buf_status(&m->id) < 0
			       ? error_no_memory(err)
			       : index_file_refuse(&s->index->file, "is damaged: a text has an impossible origin", err);
	if (maker_add(&m->maker, &e, err) < 0)
		return err->status;
	for (size_t i = 0; i < m->n && status >= 0; i++) {
		struct source *other = &m->sources[i];
		if (other->record && hash128_equal(hash_of(other->record), e.hash))
			status = advance(other, err);
	}
	return status < 0 ? status : index_writer_status(m->maker.out);
}

static int open_sources(struct merger *m, const struct text_index *const *indexes, size_t n, struct error *err)
{
	int status = DANA_OK;

	if (n > TEXT_INDEX_MOST)
		return error_set(err, DANA_ECONFIG,
				 "%zu indexes are more than the %d of one merge; merge them in steps", n,
				 TEXT_INDEX_MOST);
	for (; m->n < n && status >= 0; m->n++) {
		struct source *s = &m->sources[m->n];
		s->index = indexes[m->n];
		if (s->index->small != indexes[0]->small)
			return error_set(err, DANA_ECONFIG,
					 "%s and %s cannot be merged: one compares texts in small letters",
					 indexes[0]->file.path, s->index->file.path);
		status = index_reader_open(&s->reader, &s->index->file, TEXT_INDEX_RECORDS, err);
		if (status == DANA_OK)
			status = advance(s, err);
	}
	return status < 0 ? status : DANA_OK;
}

static int merge(struct merger *m, bool small, const char *output, bool force, const struct index_ready *ready,
		 struct error *err)
{
	int status = DANA_OK;

	m->maker.out = index_writer_open(output, INDEX_TEXTS, force, err);
	if (!m->maker.out)
		return err->status;
	if (ready)
		index_writer_on_ready(m->maker.out, ready);
	maker_begin(&m->maker, small);
	for (struct source *s; status == DANA_OK && (s = least(m));)
		status = put_least(m, s, err);
	if (status < 0)
		return status;
	maker_end(&m->maker);
	status = index_writer_finish(m->maker.out, err);
	m->maker.out = NULL;
	return status;
}

int text_indexes_merge(const struct text_index *const *indexes, size_t n, const char *output, bool force,
		       const struct index_ready *ready, struct error *err)
{
	struct merger *m = calloc(1, sizeof(*m));

	if (!m)
		return error_no_memory(err);
	int status = open_sources(m, indexes, n, err);
	if (status == DANA_OK)
		status = merge(m, indexes[0]->small, output, force, ready, err);
	index_writer_abandon(m->maker.out);
	origin_store_free(&m->maker.store);
	for (size_t i = 0; i < m->n; i++)
		index_reader_close(&m->sources[i].reader);
	buf_free(&m->id);
	free(m);
	return status;
}
