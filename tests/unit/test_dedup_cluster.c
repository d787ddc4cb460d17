/* SPDX-License-Identifier: MIT */
/* Files of signatures, joined into lists of rows; compared with a plain search for equal buckets. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "dedup/cluster.h"
#include "dedup/rows.h"
#include "support/scratch_file.h"
#include "support/unit.h"

enum { BANDS = 3, ROWS = 2, NUMBERS = BANDS * ROWS, FILES = 3, PER_FILE = 400, ALL = FILES * PER_FILE };

static char paths[FILES][64], other[64]; /* beside `path`, which is the list */
static struct error err;
static struct cluster_result result;

static int make_names(void **state)
{
	int status = make_folder(state);
	for (unsigned i = 0; i < FILES; i++)
		(void)snprintf(paths[i], sizeof(paths[i]), "%s/%u", folder, i);
	(void)snprintf(other, sizeof(other), "%s/other", folder);
	return status;
}

static int remove_names(void **state)
{
	for (unsigned i = 0; i < FILES; i++)
		(void)unlink(paths[i]);
	(void)unlink(other);
	return remove_folder(state);
}

/* ---- documents ---- */

static struct document {
	uint64_t buckets[BANDS];
	uint8_t lowest[NUMBERS];
	char id[48];
	uint32_t chars;
	float score;
} documents[ALL];

static void write_file(unsigned file, const char *to)
{
	struct signature_maker *m = signature_maker_new(to, (struct bands){ BANDS, ROWS }, 1 << 12, true, &err);
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
	/* most have buckets of their own; some share one with others, so that there are chains */
	for (uint32_t i = 0; i < ALL; i++) {
		struct document *d = &documents[i];
		for (unsigned b = 0; b < BANDS; b++)
			d->buckets[b] = (uint64_t)(scratch_random() % 8 ? i + ALL : scratch_random() % 300) << 32 | b;
		for (unsigned k = 0; k < NUMBERS; k++)
			d->lowest[k] = (uint8_t)(scratch_random() % 2);
		d->chars = scratch_random() % 50;
		d->score = (float)((int)(scratch_random() % 50) - 25) / 8;
		/* of each form that an id can have */
		if (i % 3 == 0)
			d->id[0] = 0;
		else
			(void)snprintf(d->id, sizeof(d->id),
				       i % 3 == 1 ? "urn:uuid:%08x-0123-4567-89ab-0123456789ab" : "odd-%u", i);
	}
	for (unsigned file = 0; file < FILES; file++)
		write_file(file, paths[file]);
}

/* ---- the plain search ---- */

static uint32_t group[ALL]; /* the first of its group */

static bool share_bucket(const struct document *a, const struct document *b)
{
	bool shared = false;
	for (unsigned i = 0; i < BANDS; i++)
		shared |= a->buckets[i] == b->buckets[i];
	return shared;
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
	struct rows_file f;
	AUTO_BUF id = { 0 };
	uint64_t found = 0;
	assert_ok(rows_file_open(&f, path, &err));
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
	write_files();
	search_groups();
	for (int keep = CLUSTER_FIRST; keep <= CLUSTER_BEST; keep++) {
		for (unsigned i = 0; i < 2; i++) {
			const struct cluster_settings settings = { (enum cluster_keep)keep, least[i], true, NULL };
			assert_int_equal(cluster_files(names, FILES, path, &settings, &result, &err), 0);
			assert_int_equal(result.documents, ALL);
			assert_int_equal(result.pairs, ALL * BANDS);
			assert_true(result.groups > 20 && result.dropped > 50 && result.dropped < ALL / 2);
			check_list((enum cluster_keep)keep, least[i], result.dropped);
		}
	}
}

TEST(one_input_in_two_files_is_refused)
{
	const char *const names[] = { paths[0], paths[1], other };
	const struct cluster_settings settings = { .force = true };
	write_files();
	write_file(1, other);
	assert_refused(err, DANA_ECONFIG, "hold signatures of one input",
		       cluster_files(names, 3, path, &settings, &result, &err));
}

TEST(other_shapes_are_refused)
{
	const char *const names[] = { paths[0], other };
	const struct cluster_settings settings = { .force = true };
	write_files();
	struct signature_maker *m = signature_maker_new(other, (struct bands){ 2, 3 }, 1 << 12, true, &err);
	assert_non_null(m);
	assert_ok(signature_maker_finish(m, &err));
	assert_refused(err, DANA_ECONFIG, "they cannot be compared",
		       cluster_files(names, 2, path, &settings, &result, &err));
}

/* A flip anywhere in a file of signatures: the list that was there stays as it is. */
TEST(a_damaged_file_overwrites_nothing)
{
	static uint8_t good[1 << 20], before[1 << 20], after[1 << 20];
	const char *const names[] = { paths[0], paths[1], paths[2] };
	const struct cluster_settings settings = { .keep = CLUSTER_LONGEST, .force = true };
	write_files();
	assert_int_equal(cluster_files(names, FILES, path, &settings, &result, &err), 0);
	size_t len = scratch_read(path, before, sizeof(before)), size = scratch_read(paths[1], good, sizeof(good));
	for (size_t at = 0; at < size; at += size / 97) {
		good[at] ^= 4;
		scratch_write(paths[1], good, size);
		good[at] ^= 4;
		assert_refused(err, DANA_EFORMAT, paths[1],
			       cluster_files(names, FILES, path, &settings, &result, &err));
		assert_int_equal(scratch_read(path, after, sizeof(after)), len);
		assert_memory_equal(before, after, len);
	}
}

GROUP(make_names, remove_names)
