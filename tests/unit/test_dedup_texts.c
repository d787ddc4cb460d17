/* SPDX-License-Identifier: MIT */
/* Indexes of texts: made of journals, looked into, merged; and the table of hashes in memory. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include <unistd.h>

#include "dedup/text_index.h"
#include "support/scratch_file.h"
#include "support/unit.h"

static struct error err;

/* How hashes lie: evenly, as they do; and as they never should. */
enum spread { EVEN, CROWDED, EQUAL_HIGH };

static struct hash128 make_hash(enum spread spread, uint64_t i)
{
	uint64_t x = i * 2 * UINT64_C(0x9E3779B97F4A7C15);
	if (spread == EVEN)
		return (struct hash128){ x, i };
	if (spread == CROWDED)
		return (struct hash128){ i % 10 ? i * 2 : UINT64_MAX - i * 2, x };
	return (struct hash128){ i / 7, x };
}

/* Texts 0 to n - 1 in a confused order. */
static void make_index(const char *to, enum spread spread, uint64_t n, uint64_t step)
{
	struct journal *j = journal_open(NULL, &err);
	AUTO_BUF entry = { 0 };
	assert_int_equal(journal_begin(j, slice_from_text("a"), 0, &err), 0);
	for (uint64_t k = 0, i = 0; k < n; k++, i = (i + step) % n) {
		char file[16];
		(void)snprintf(file, sizeof(file), "file-%u", (unsigned)(i % 3));
		const struct text_entry e = { make_hash(spread, i), { slice_of(NULL, 0), slice_from_text(file), i } };
		buf_clear(&entry);
		assert_ok(text_entry_put(&entry, &e));
		assert_ok(journal_put(j, buf_slice(&entry), &err));
	}
	assert_int_equal(journal_rewind(j, &err), 0);
	assert_ok(text_index_add(NULL, j, true, to, 1 << 12, NULL, &err));
	journal_close(j, false);
}

static void check_found(const struct text_index *t, enum spread spread, uint64_t i, uint64_t offset)
{
	AUTO_BUF id = { 0 };
	struct origin o;
	struct hash128 hash = make_hash(spread, i), other = hash;
	assert_int_equal(text_index_find(t, hash, &id, &o, &err), 1);
	assert_int_equal(o.offset, offset);
	assert_int_equal(o.file.data[5], '0' + offset % 3);
	/* none of the hashes is odd there */
	if (spread == EVEN || spread == CROWDED)
		other.high ^= 1;
	else
		other.low ^= 1;
	assert_int_equal(text_index_find(t, other, &id, &o, &err), 0);
}

TEST(every_text_is_found_and_no_other)
{
	static const uint64_t sizes[] = { 0, 1, 2, 63, 64, 65, 129, 1000, 20011 };
	for (int spread = EVEN; spread <= EQUAL_HIGH; spread++) {
		for (unsigned s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
			struct text_index t;
			struct origin o;
			make_index(path, (enum spread)spread, sizes[s], 7919);
			assert_ok(text_index_open(&t, path, &err));
			assert_int_equal(t.count, sizes[s]);
			assert_true(t.small);
			for (uint64_t i = 0; i < sizes[s]; i++)
				check_found(&t, (enum spread)spread, i, i);
			for (uint64_t high = 0; high < 3; high++) {
				struct hash128 ends = { high ? UINT64_MAX - high : 0, 12345 };
				assert_int_equal(text_index_find(&t, ends, NULL, &o, &err), 0);
			}
			text_index_close(&t);
		}
	}
}

TEST(of_equal_texts_the_one_of_the_first_index_stays)
{
	char few[64], many[64];
	const char *const list[] = { few, many };
	struct text_index merged;
	(void)snprintf(few, sizeof(few), "%s/few", folder);
	(void)snprintf(many, sizeof(many), "%s/many", folder);
	make_index(few, EQUAL_HIGH, 500, 11);
	make_index(many, EQUAL_HIGH, 700, 13);
	assert_int_equal(text_indexes_merge(list, 2, path, true, &err), 0);
	assert_int_equal(text_indexes_merge(list, 2, path, false, &err), DANA_ECONFIG);
	assert_int_equal(text_indexes_merge(list, RUNS_MOST + 1, path, true, &err), DANA_ECONFIG);
	assert_ok(text_index_open(&merged, path, &err));
	assert_int_equal(merged.count, 700);
	for (uint64_t i = 0; i < 700; i++)
		check_found(&merged, EQUAL_HIGH, i, i);
	text_index_close(&merged);
	(void)unlink(few);
	(void)unlink(many);
}

TEST(foreign_entries_are_refused)
{
	struct journal *j = journal_open(NULL, &err);
	assert_int_equal(journal_begin(j, slice_from_text("a"), 0, &err), 0);
	assert_ok(journal_put(j, slice_from_text("no entry"), &err));
	assert_int_equal(journal_rewind(j, &err), 0);
	assert_int_equal(text_index_add(NULL, j, false, path, 1 << 12, NULL, &err), DANA_EFORMAT);
	journal_close(j, false);
}

/* ---- the table in memory ---- */

TEST(the_table_keeps_numbers_within_its_bound)
{
	struct hash_map m = { .most_bytes = 1 << 20 };
	uint64_t *value;
	int status;
	for (uint64_t i = 0; (status = hash_map_put(&m, i * UINT64_C(0x100000000), &value)) == 0; i++)
		*value = i;
	assert_int_equal(status, DANA_ELIMIT);
	assert_int_equal(m.n, hash_map_room(1 << 20));
	assert_true(m.n > 20000);
	for (uint64_t i = 0; i < m.n; i++) {
		assert_int_equal(hash_map_put(&m, i * UINT64_C(0x100000000), &value), 1);
		assert_int_equal(*value, i);
		assert_int_equal(*hash_map_get(&m, i * UINT64_C(0x100000000)), i);
	}
	assert_null(hash_map_get(&m, 1));
	hash_map_free(&m);
	assert_null(hash_map_get(&m, 0));
}

TEST(random_keys_are_found)
{
	struct hash_map m = { .most_bytes = SIZE_MAX };
	uint64_t *value;
	for (uint64_t i = 0; i < 100000; i++) {
		assert_ok(hash_map_put(&m, hash64(slice_of(&i, sizeof(i))), &value));
		*value = i;
	}
	for (uint64_t i = 0; i < 100000; i++)
		assert_int_equal(*hash_map_get(&m, hash64(slice_of(&i, sizeof(i)))), i);
	hash_map_free(&m);
}

GROUP(make_folder, remove_folder)
