/* SPDX-License-Identifier: MIT */
/* The files of duplicates: what is written is read back, every fault is named, sorting and joining are right. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/slice.h"
#include "dedup/index_file.h"
#include "dedup/journal.h"
#include "dedup/runs.h"
#include "support/scratch_file.h"
#include "support/unit.h"

static struct error err;

/* Sections of 3 bytes, of 2 records of 5 bytes, then empty ones. */
static void write_sample(void)
{
	struct index_writer *w = index_writer_open(path, INDEX_LINES, true, &err);
	assert_non_null(w);
	index_writer_put(w, "abc", 3);
	index_writer_next_section(w);
	index_writer_record(w, 5);
	index_writer_put(w, "12345", 5);
	index_writer_put(w, "67890", 5);
	assert_ok(index_writer_finish(w, &err));
}

TEST(what_was_written_is_read)
{
	struct index_file f;
	struct index_reader r = { 0 };
	const uint8_t *record;
	uint8_t *data;
	char two[2];
	write_sample();
	assert_ok(index_file_open(&f, path, INDEX_LINES, &err));
	assert_int_equal(index_file_count(&f, 0), 3);
	assert_int_equal(index_file_count(&f, 1), 2);
	assert_int_equal(index_file_count(&f, 2), 0);
	assert_int_equal(index_file_load(&f, 0, &data, &err), 0);
	assert_string_equal((char *)data, "abc");
	free(data);
	assert_int_equal(index_file_read(&f, 1, 4, two, 2, &err), 0);
	assert_memory_equal(two, "56", 2);
	assert_ok(index_reader_open(&r, &f, 1, &err));
	assert_int_equal(index_reader_next(&r, &record, &err), 1);
	assert_memory_equal(record, "12345", 5);
	assert_int_equal(index_reader_next(&r, &record, &err), 1);
	assert_memory_equal(record, "67890", 5);
	assert_int_equal(index_reader_next(&r, &record, &err), 0);
	index_reader_close(&r);
	assert_int_equal(index_file_verify(&f, &err), 0);
	index_file_close(&f);
}

/* ---- damage ---- */

/* What is said of the file; "" when it opens and all checksums are right. */
static const char *fault_of(enum index_kind kind)
{
	struct index_file f;
	err = (struct error){ 0 };
	int status = index_file_open(&f, path, kind, &err);
	if (status == DANA_OK) {
		status = index_file_verify(&f, &err);
		index_file_close(&f);
	}
	assert_true(status == DANA_OK || status == DANA_EFORMAT);
	assert_true(status == DANA_OK || strncmp(err.text, path, strlen(path)) == 0);
	return err.text;
}

TEST(every_flip_of_a_bit_and_every_cut_is_found)
{
	uint8_t good[512];
	write_sample();
	size_t len = scratch_read(path, good, sizeof(good));
	assert_int_equal(len, INDEX_HEAD + 13);
	for (size_t bit = 0; bit < len * 8; bit++) {
		good[bit / 8] ^= (uint8_t)(1 << bit % 8);
		scratch_write(path, good, len);
		assert_string_not_equal(fault_of(INDEX_ANY), "");
		good[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	scratch_write(path, good, len);
	assert_string_equal(fault_of(INDEX_ANY), "");
	for (size_t n = 0; n < len; n++) {
		scratch_write(path, good, n);
		assert_string_not_equal(fault_of(INDEX_ANY), "");
	}
	scratch_write(path, good, len - 1);
	assert_non_null(strstr(fault_of(INDEX_ANY), ": is cut: it has 188 of 189 bytes"));
	good[len] = 0;
	scratch_write(path, good, len + 1);
	assert_non_null(strstr(fault_of(INDEX_ANY), ": has 190 bytes instead of the 189 in its header"));
}

TEST(foreign_older_and_unfinished_files_are_named)
{
	uint8_t bytes[512] = "<!doctype html><title>no index</title>";
	scratch_write(path, bytes, 100);
	assert_non_null(strstr(fault_of(INDEX_ANY), ": is not a file of dana dedup"));
	scratch_write(path, bytes, 0);
	assert_non_null(strstr(fault_of(INDEX_ANY), ": is empty"));
	memset(bytes, 0, sizeof(bytes));
	scratch_write(path, bytes, sizeof(bytes));
	assert_non_null(strstr(fault_of(INDEX_ANY), ": was not finished"));
	write_sample();
	assert_non_null(strstr(fault_of(INDEX_ROWS), ": is a table of lines; expected a list of rows to drop"));
	size_t len = scratch_read(path, bytes, sizeof(bytes));
	bytes[12] = 0;
	scratch_write(path, bytes, len);
	assert_non_null(strstr(fault_of(INDEX_LINES), ": has version 0 of its layout, and this dana reads 1"));
	bytes[12] = 1, bytes[8] = 99;
	scratch_write(path, bytes, len);
	assert_non_null(strstr(fault_of(INDEX_ANY), ": is of an unknown type (99)"));
}

TEST(what_is_no_file_is_refused)
{
	struct index_file f;
	assert_refused(err, DANA_EFORMAT, "is not a regular file", index_file_open(&f, folder, INDEX_ANY, &err));
	assert_refused(err, DANA_EIO, "", index_file_open(&f, "/nonexistent/x", INDEX_ANY, &err));
}

TEST(a_file_that_exists_stays)
{
	uint8_t before[512], after[512];
	write_sample();
	size_t len = scratch_read(path, before, sizeof(before));
	err = (struct error){ 0 };
	assert_null(index_writer_open(path, INDEX_ROWS, false, &err));
	assert_int_equal(err.status, DANA_ECONFIG);
	err = (struct error){ 0 };
	struct index_writer *w = index_writer_open(path, INDEX_ROWS, true, &err);
	assert_non_null(w);
	index_writer_put(w, "x", 1);
	/* a second writer is told of the first */
	assert_null(index_writer_open(path, INDEX_ROWS, true, &err));
	assert_non_null(strstr(err.text, "is in use by another run"));
	index_writer_abandon(w);
	assert_int_equal(scratch_read(path, after, sizeof(after)), len);
	assert_memory_equal(before, after, len);
}

/* ---- pairs ---- */

/* Many equal keys, and keys that differ in any byte. */
static struct pair random_pair(size_t i)
{
	uint64_t key = scratch_random() % 64;
	return (struct pair){ scratch_random() % 2 ? key << scratch_random() % 58 : key, i };
}

static bool pair_before(struct pair a, struct pair b)
{
	return a.key < b.key || (a.key == b.key && a.value < b.value);
}

/* Sorts n records of `size` bytes, with memory for so many. Memory for one makes a file of each. */
static void check_sort(size_t n, size_t in_memory, uint32_t size)
{
	struct runs *r = runs_new(folder, size, in_memory * 2 * size - 1, &err);
	struct runs_record next;
	struct pair last = { 0 };
	uint8_t record[40] = { 0 };
	uint64_t sum = 0;
	size_t count = 0;
	int status;
	assert_non_null(r);
	for (size_t i = 0; i < n; i++) {
		/* values of pairs rise */
		struct pair p = random_pair(size == PAIR_BYTES ? i : scratch_random() << 24 | i);
		sum += p.key * 31 + p.value;
		pair_write(record, p);
		record[size - 1] = size > PAIR_BYTES ? (uint8_t)(p.key + p.value) : record[size - 1];
		assert_ok(runs_put(r, record, &err));
	}
	assert_int_equal(runs_sort(r, &err), 0);
	for (; (status = runs_next(r, &next, &err)) == 1; count++) {
		assert_true(!count || pair_before(last, next.pair));
		if (size > PAIR_BYTES)
			assert_int_equal(next.bytes[size - 1], (uint8_t)(next.pair.key + next.pair.value));
		sum -= next.pair.key * 31 + next.pair.value;
		last = next.pair;
	}
	assert_int_equal(status, 0);
	assert_int_equal(count, n);
	assert_int_equal(sum, 0);
	runs_free(r);
}

TEST(any_memory_sorts_the_same)
{
	static const uint32_t sizes[] = { PAIR_BYTES, 17, 40 };
	for (unsigned i = 0; i < 3; i++) {
		for (size_t n = 0; n < 50; n++)
			check_sort(n, 100, sizes[i]);
		check_sort(100000, 100000, sizes[i]);
		check_sort(1000, 1000, sizes[i]);
		check_sort(1000, 7, sizes[i]);
		check_sort(1000, 1, sizes[i]); /* 1000 files, merged in rounds */
		check_sort(100000, 3000, sizes[i]);
	}
}

TEST(runs_that_are_added_are_merged)
{
	enum { RUNS = 3 };
	struct index_file files[RUNS];
	struct runs *r = runs_new(folder, PAIR_BYTES, 0, &err);
	struct runs_record next;
	for (uint64_t i = 0; i < RUNS; i++) {
		struct index_writer *w = index_writer_open_temporary(folder, INDEX_RUN, &err);
		index_writer_record(w, PAIR_BYTES);
		pair_put(w, (struct pair){ 1, 1 });
		pair_put(w, (struct pair){ 10 - i, 2 });
		assert_int_equal(index_writer_finish_temporary(w, &files[i], &err), 0);
		/* of equal pairs the first run's come first */
		assert_ok(runs_add(r, &(struct sorted_run){ .file = &files[i], .limit = 3 }, &err));
	}
	assert_int_equal(runs_sort(r, &err), 0);
	for (uint64_t i = 0; i < 2 * (uint64_t)RUNS; i++) {
		assert_int_equal(runs_next(r, &next, &err), 1);
		assert_int_equal(next.from, i < RUNS ? i : 2 * RUNS - 1 - i);
		assert_int_equal(next.pair.key, i < RUNS ? 1 : 8 + i - RUNS);
	}
	assert_int_equal(runs_next(r, &next, &err), 0);
	runs_free(r);
	for (unsigned i = 0; i < RUNS; i++)
		index_file_close(&files[i]);
}

TEST(a_run_that_cannot_be_is_refused)
{
	static const struct {
		uint64_t limit;
		struct pair last;
		const char *words;
	} wrong[] = { { 0, { 2, 3 }, "not sorted" }, { 4, { 4, 4 }, "names a row that is not there" } };
	for (unsigned i = 0; i < 2; i++) {
		struct index_file f;
		struct runs_record next;
		struct runs *r = runs_new(folder, PAIR_BYTES, 0, &err), *other = runs_new(folder, 20, 0, &err);
		struct index_writer *w = index_writer_open_temporary(folder, INDEX_RUN, &err);
		index_writer_record(w, PAIR_BYTES);
		pair_put(w, (struct pair){ 1, 1 });
		pair_put(w, (struct pair){ 3, 2 });
		pair_put(w, wrong[i].last);
		assert_int_equal(index_writer_finish_temporary(w, &f, &err), 0);
		const struct sorted_run run = { .file = &f, .base = 10, .limit = wrong[i].limit };
		assert_ok(runs_add(r, &run, &err));
		assert_int_equal(runs_sort(r, &err), 0);
		assert_int_equal(runs_next(r, &next, &err), 1);
		assert_true(next.pair.key == 1 && next.pair.value == 11);
		assert_int_equal(runs_next(r, &next, &err), 1);
		assert_refused(err, DANA_EFORMAT, wrong[i].words, runs_next(r, &next, &err));
		assert_refused(err, DANA_EFORMAT, "another size", runs_add(other, &run, &err));
		runs_free(r);
		runs_free(other);
		index_file_close(&f);
	}
}

/* ---- journal ---- */

static struct journal *open_journal(void)
{
	struct journal *j = journal_open(path, &err);
	assert_non_null(j);
	return j;
}

static void put(struct journal *j, const char *text)
{
	assert_ok(journal_put(j, slice_from_text(text), &err));
}

enum { LARGE = 600000 };
static const char large[] = ""; /* the entry of so many bytes */

static void check_next(struct journal *j, const char *expected)
{
	struct slice entry;
	assert_int_equal(journal_next(j, &entry, &err), expected != NULL);
	if (expected == large)
		assert_int_equal(entry.len, LARGE);
	else if (expected)
		assert_true(slice_equal(entry, slice_from_text(expected)));
}

static void check_at(struct journal *j, uint64_t position, const char *expected)
{
	struct slice entry;
	assert_int_equal(journal_entry_at(j, position, &entry, &err), expected ? 0 : DANA_EFORMAT);
	if (expected)
		assert_true(slice_equal(entry, slice_from_text(expected)));
}

/* Begins a journal with three entries, the second one large, and keeps `state` before the third. */
static struct journal *begin_journal(uint8_t state[JOURNAL_STATE])
{
	static uint8_t bytes[LARGE];
	struct journal *j = open_journal();
	assert_int_equal(journal_begin(j, slice_from_text("a.warc"), 5, &err), 0);
	assert_true(journal_is_begun(j));
	put(j, "one");
	assert_ok(journal_put(j, slice_of(bytes, sizeof(bytes)), &err));
	assert_ok(journal_save(j, 5, state, &err));
	put(j, "lost");
	return j;
}

TEST(a_run_resumes_its_journal_where_it_was_saved)
{
	uint8_t saved[JOURNAL_STATE];
	struct journal *j = begin_journal(saved);
	err = (struct error){ 0 };
	assert_null(journal_open(path, &err));
	assert_non_null(strstr(err.text, "is in use by another run"));
	journal_close(j, true); /* not over: it stays */
	j = open_journal();
	assert_int_equal(journal_resume(j, slice_of(saved, sizeof(saved)), "index", 5, &err), 0);
	const uint64_t first = journal_position(j);
	check_next(j, "one");
	check_next(j, large);
	check_next(j, NULL);
	put(j, "two");
	assert_int_equal(journal_rewind(j, &err), 0);
	check_next(j, "one");
	check_next(j, large);
	const uint64_t second = journal_position(j);
	check_next(j, "two");
	check_at(j, first, "one");
	put(j, "not on disk");
	check_at(j, second, "two");
	check_next(j, "not on disk");
	check_next(j, NULL);
	check_at(j, second + 1, NULL);
	check_at(j, journal_length(j), NULL);
	journal_close(j, false);
}

TEST(a_journal_of_another_run_is_refused)
{
	static const struct {
		size_t at; /* of the state: what is changed */
		int status;
		const char *words;
	} wrong[] = { { 0, DANA_ECONFIG, "index has changed" },
		      { 10, DANA_EFORMAT, "has 600" },
		      { 16, DANA_EFORMAT, "another run" } };
	uint8_t saved[JOURNAL_STATE];
	journal_close(begin_journal(saved), false);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct journal *j = open_journal();
		saved[wrong[i].at] ^= 64;
		assert_refused(err, wrong[i].status, wrong[i].words,
			       journal_resume(j, slice_of(saved, sizeof(saved)), "index", 5, &err));
		saved[wrong[i].at] ^= 64;
		journal_close(j, true);
	}
	struct journal *j = open_journal();
	assert_refused(err, DANA_ECONFIG, "was left by a run that began with a.warc",
		       journal_begin(j, slice_from_text("b.warc"), 5, &err));
	assert_int_equal(journal_begin(j, slice_from_text("a.warc"), 5, &err), 0);
	assert_int_equal(journal_rewind(j, &err), 0);
	check_next(j, NULL);
	journal_close(j, false);
}

TEST(a_run_that_is_over_is_resumed_by_doing_nothing)
{
	uint8_t saved[JOURNAL_STATE];
	struct journal *j = begin_journal(saved);
	assert_ok(journal_save(j, 5, saved, &err));
	assert_ok(journal_end(j, 9, &err));
	journal_close(j, false);
	j = open_journal();
	assert_int_equal(journal_resume(j, slice_of(saved, sizeof(saved)), "index", 9, &err), JOURNAL_FINISHED);
	check_next(j, "one");
	check_next(j, large);
	check_next(j, "lost");
	check_next(j, NULL);
	journal_close(j, false);
	assert_int_equal(access(path, F_OK), 0);

	/* the file was not written after all */
	j = open_journal();
	assert_int_equal(journal_resume(j, slice_of(saved, sizeof(saved)), "index", 5, &err), 0);
	assert_ok(journal_end(j, 9, &err));
	journal_close(j, false);

	/* another run may begin, and one without pages removes it */
	j = open_journal();
	journal_look_if_over(j, 5);
	journal_close(j, true);
	assert_int_equal(access(path, F_OK), 0);
	j = open_journal();
	journal_look_if_over(j, 9);
	journal_close(j, true);
	assert_int_equal(access(path, F_OK), -1);
}

TEST(a_flip_in_a_journal_is_found)
{
	uint8_t bytes[128], saved[JOURNAL_STATE];
	struct slice entry;
	struct journal *j = open_journal();
	assert_int_equal(journal_begin(j, slice_from_text("a"), 0, &err), 0);
	put(j, "one");
	put(j, "two");
	assert_ok(journal_save(j, 0, saved, &err));
	journal_close(j, false);
	size_t len = scratch_read(path, bytes, sizeof(bytes));
	for (size_t bit = 0; bit < len * 8; bit++) {
		bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
		scratch_write(path, bytes, len);
		bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
		j = open_journal();
		assert_refused(err, DANA_EFORMAT, "",
			       journal_resume(j, slice_of(saved, sizeof(saved)), "index", 0, &err));
		int status = journal_rewind(j, &err);
		while (status >= 0 && (status = journal_next(j, &entry, &err)) == 1)
			;
		assert_int_equal(status, DANA_EFORMAT);
		journal_close(j, false);
	}
	assert_ok(unlink(path));
}

GROUP(make_folder, remove_folder)
