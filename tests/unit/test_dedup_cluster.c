/* SPDX-License-Identifier: MIT */
/* Files of signatures, joined into lists of rows; compared with a plain search for equal buckets. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include <sys/stat.h>
#include <unistd.h>

#include "dedup/cluster.h"
#include "dedup/rows.h"
#include "support/unit.h"

enum { BANDS = 3, ROWS = 2, NUMBERS = BANDS * ROWS, FILES = 3, PER_FILE = 400, ALL = FILES * PER_FILE };

static char folder[] = "test_dedup_cluster.XXXXXX";
static char paths[FILES][64], list[64], other[64];

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return 1;
	for (unsigned i = 0; i < FILES; i++)
		(void)snprintf(paths[i], sizeof(paths[i]), "%s/%u", folder, i);
	(void)snprintf(list, sizeof(list), "%s/list", folder);
	(void)snprintf(other, sizeof(other), "%s/other", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	for (unsigned i = 0; i < FILES; i++)
		(void)unlink(paths[i]);
	(void)unlink(list);
	(void)unlink(other);
	return rmdir(folder); /* fails when anything else is left in it */
}

/* ---- documents ---- */

static struct document {
	uint64_t buckets[BANDS];
	uint8_t lowest[NUMBERS];
	char id[48];
	uint32_t chars;
	float score;
} documents[ALL];

static uint32_t random_state = 1;

static uint32_t random_number(void)
{
	random_state = random_state * 1664525U + 1013904223U;
	return random_state >> 8;
}

/* Most have buckets of their own; some share one with others, so that there are chains. */
static void make_documents(void)
{
	for (uint32_t i = 0; i < ALL; i++) {
		struct document *d = &documents[i];
		for (unsigned b = 0; b < BANDS; b++)
			d->buckets[b] = (uint64_t)(random_number() % 8 ? i + ALL : random_number() % 300) << 32 | b;
		for (unsigned k = 0; k < NUMBERS; k++)
			d->lowest[k] = (uint8_t)(random_number() % 2);
		d->chars = random_number() % 50;
		d->score = (float)((int)(random_number() % 50) - 25) / 8;
		/* of each form that an id can have */
		if (i % 3 == 0)
			d->id[0] = 0;
		else
			(void)snprintf(d->id, sizeof(d->id),
				       i % 3 == 1 ? "urn:uuid:%08x-0123-4567-89ab-0123456789ab" : "odd-%u", i);
	}
}

static void write_file(unsigned file, const char *path)
{
	struct error err = { 0 };
	struct signature_maker *m = signature_maker_new(path, (struct bands){ BANDS, ROWS }, 1 << 12, true, &err);
	assert_non_null(m);
	for (uint32_t i = file * PER_FILE; i < (file + 1) * PER_FILE; i++) {
		char input[32];
		/* two inputs in a file */
		(void)snprintf(input, sizeof(input), "crawl\n-%u-%u", file, i % PER_FILE >= PER_FILE / 4);
		const struct document *d = &documents[i];
		const struct signature s = { .origin = { slice_from_text(d->id), slice_from_text(input), i * 10 },
					     .chars = d->chars,
					     .score = d->score,
					     .lowest = d->lowest,
					     .buckets = d->buckets };
		assert_ok(signature_maker_add(m, &s, &err));
	}
	assert_ok(signature_maker_finish(m, &err));
}

static void write_files(void)
{
	make_documents();
	for (unsigned file = 0; file < FILES; file++)
		write_file(file, paths[file]);
}

/* ---- the plain search ---- */

static uint32_t group[ALL]; /* the first of its group */

static bool share_bucket(const struct document *a, const struct document *b)
{
	for (unsigned i = 0; i < BANDS; i++) {
		if (a->buckets[i] == b->buckets[i])
			return true;
	}
	return false;
}

static void search_groups(void)
{
	bool changed = true;
	for (uint32_t i = 0; i < ALL; i++)
		group[i] = i;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < ALL; i++) {
			for (uint32_t k = 0; k < i; k++) {
				if (group[i] == group[k] || !share_bucket(&documents[i], &documents[k]))
					continue;
				uint32_t least = group[i] < group[k] ? group[i] : group[k];
				group[i] = group[k] = least;
				changed = true;
			}
		}
	}
}

static uint32_t expected_kept(uint32_t i, enum cluster_keep keep)
{
	uint32_t best = group[i];
	for (uint32_t k = group[i]; k < ALL; k++) {
		const struct document *a = &documents[k], *b = &documents[best];
		if (group[k] != group[i])
			continue;
		if (keep == CLUSTER_LONGEST ? a->chars > b->chars : keep == CLUSTER_BEST && a->score > b->score)
			best = k;
	}
	return best;
}

static float similarity_of(uint32_t a, uint32_t b)
{
	return (float)signature_similarity(documents[a].lowest, documents[b].lowest, NUMBERS);
}

static void check_list(enum cluster_keep keep, double least, uint64_t dropped)
{
	struct error err = { 0 };
	struct rows_file f;
	AUTO_BUF id = { 0 };
	uint64_t found = 0;
	assert_ok(rows_file_open(&f, list, &err));
	assert_int_equal(f.parts.n, 2 * FILES);
	for (uint32_t i = 0; i < ALL; i++) {
		uint32_t kept = expected_kept(i, keep), in_file = i % PER_FILE;
		size_t part = i / PER_FILE * 2 + (in_file >= PER_FILE / 4);
		uint32_t row = in_file >= PER_FILE / 4 ? in_file - PER_FILE / 4 : in_file;
		bool drop = kept != i && similarity_of(i, kept) >= (float)least;
		assert_int_equal(rows_contain(&f, part, row), drop);
		if (!drop)
			continue;
		struct row_link link;
		assert_int_equal(rows_link(&f, part, row, &id, &link, &err), 0);
		assert_int_equal(link.id_hash, row_id_hash(slice_from_text(documents[i].id)));
		assert_true(link.similarity == similarity_of(i, kept));
		assert_int_equal(link.kept.offset, kept * 10);
		assert_true(slice_equal(link.kept.id, slice_from_text(documents[kept].id)));
		found++;
	}
	assert_int_equal(found, dropped);
	assert_int_equal(f.parts.items[1].count, PER_FILE - PER_FILE / 4);
	assert_string_equal(f.parts.items[1].name, "crawl\n-0-1");
	rows_file_close(&f);
}

TEST(groups_are_those_of_a_plain_search)
{
	const char *const names[] = { paths[0], paths[1], paths[2] };
	static const double least[] = { 0, 0.4 };
	struct error err = { 0 };
	struct cluster_result result;
	write_files();
	search_groups();
	for (int keep = CLUSTER_FIRST; keep <= CLUSTER_BEST; keep++) {
		for (unsigned i = 0; i < 2; i++) {
			const struct cluster_settings settings = { (enum cluster_keep)keep, least[i], true, NULL };
			assert_int_equal(cluster_files(names, FILES, list, &settings, &result, &err), 0);
			assert_int_equal(result.documents, ALL);
			assert_int_equal(result.pairs, ALL * BANDS);
			assert_true(result.groups > 20 && result.dropped > 50 && result.dropped < ALL / 2);
			check_list((enum cluster_keep)keep, least[i], result.dropped);
		}
	}
}

static size_t read_all(const char *path, uint8_t *to, size_t room)
{
	FILE *in = fopen(path, "rb");
	assert_non_null(in);
	size_t len = fread(to, 1, room, in);
	assert_int_equal(fclose(in), 0);
	return len;
}

TEST(one_input_in_two_files_is_refused)
{
	const char *const names[] = { paths[0], paths[1], other };
	const struct cluster_settings settings = { .force = true };
	struct error err = { 0 };
	struct cluster_result result;
	write_files();
	write_file(1, other);
	assert_int_equal(cluster_files(names, 3, list, &settings, &result, &err), DANA_ECONFIG);
	assert_non_null(strstr(err.text, "hold signatures of one input"));
}

TEST(other_shapes_are_refused)
{
	const char *const names[] = { paths[0], other };
	const struct cluster_settings settings = { .force = true };
	struct error err = { 0 };
	struct cluster_result result;
	write_files();
	struct signature_maker *m = signature_maker_new(other, (struct bands){ 2, 3 }, 1 << 12, true, &err);
	assert_non_null(m);
	assert_ok(signature_maker_finish(m, &err));
	assert_int_equal(cluster_files(names, 2, list, &settings, &result, &err), DANA_ECONFIG);
	assert_non_null(strstr(err.text, "they cannot be compared"));
}

/* A flip anywhere in a file of signatures: the list that was there stays as it is. */
TEST(a_damaged_file_overwrites_nothing)
{
	static uint8_t good[1 << 20], before[1 << 20], after[1 << 20];
	const char *const names[] = { paths[0], paths[1], paths[2] };
	const struct cluster_settings settings = { .keep = CLUSTER_LONGEST, .force = true };
	struct error err = { 0 };
	struct cluster_result result;
	write_files();
	assert_int_equal(cluster_files(names, FILES, list, &settings, &result, &err), 0);
	size_t len = read_all(list, before, sizeof(before)), size = read_all(paths[1], good, sizeof(good));
	for (size_t at = 0; at < size; at += size / 97) {
		good[at] ^= 4;
		FILE *out = fopen(paths[1], "wb");
		assert_int_equal(fwrite(good, 1, size, out), size);
		assert_int_equal(fclose(out), 0);
		good[at] ^= 4;
		err = (struct error){ 0 };
		assert_int_equal(cluster_files(names, FILES, list, &settings, &result, &err), DANA_EFORMAT);
		assert_non_null(strstr(err.text, paths[1]));
		assert_int_equal(read_all(list, after, sizeof(after)), len);
		assert_memory_equal(before, after, len);
	}
}

GROUP(make_folder, remove_folder)
