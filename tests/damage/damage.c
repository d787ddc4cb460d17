/* SPDX-License-Identifier: MIT */
/*
 * Damages archives at random, a great many times, and judges what a pump still delivers of them: `damage [-n TIMES]
 * [-r RECORDS] [-s SEED] [-k KIND] [-v]`. Each archive, of gzip and zstd, WARC and ARC, with a member for each record
 * and with members of some hundred to some thousand bytes that begin anywhere, is damaged so many times, in one to
 * three places: a bit flipped, bytes overwritten, cut out or put in, the end cut off. support/damaged_archive.h says
 * what must hold. A damaged archive for which it does not is left in the file `damage-failed`; with -v the losses of
 * each kind of archive are told.
 */
#include "config.h"

#include <unistd.h>

#include "support/damaged_archive.h"

enum { DAMAGES_MAX = 3, START_MAX = 64, HANG_SECONDS = 120 };

static const struct archive_kind kinds[] = {
	{ "gzip", 0, false },     { "zstd", 0, false },     { "gzip", 5000, false }, { "zstd", 5000, false },
	{ "gzip", 20000, false }, { "zstd", 20000, false }, { "gzip", 700, false },  { "zstd", 700, false },
	{ "gzip", 0, true },      { "zstd", 0, true },      { "gzip", 5000, true },  { "zstd", 5000, true },
};

struct plan {
	unsigned long times, records, seed;
	bool verbose;
};

static struct damage choose(size_t size, uint32_t *random)
{
	static const size_t lengths[] = { 1, 2, 9, 100, 3000 };
	struct damage d = { .way = (enum damage_way)(split_random(random) % DAMAGE_WAYS),
			    .len = lengths[split_random(random) % 5] };
	if (d.way == CUT_OFF && split_random(random) % 8)
		d.way = FLIP; /* rather seldom, for it touches most of the file */
	if (d.way == FLIP)
		d.len = 1;
	d.at = split_random(random) % (size - d.len);
	return d;
}

static void copy(const struct archive *a, struct buf *file, bool *touched)
{
	buf_clear(file);
	must(buf_append(file, a->file.data, a->file.len) == 0);
	memset(touched, 0, a->n_records * sizeof(*touched));
}

static struct archive_loss judge(const struct archive *a, const struct buf *file, const bool *touched, size_t n,
				 size_t chunk, bool seekable)
{
	const struct archive_loss loss = archive_judge(a, buf_slice(file), touched, n, chunk, seekable);
	if (!loss.fault)
		return loss;
	fprintf(stderr, "%s: %zu damages, %zu records touched, %zu lost, %zu of them not touched, %zu reports\n",
		loss.fault, n, loss.touched, loss.lost, loss.beside, loss.reports);
	FILE *f = fopen("damage-failed", "wb");
	if (f && fwrite(file->data, 1, file->len, f) == file->len)
		fprintf(stderr, "the archive is in damage-failed\n");
	if (f)
		fclose(f);
	return loss;
}

static struct archive_loss one(const struct archive *a, uint32_t random, struct buf *file, bool *touched)
{
	static const size_t chunks[] = { 64 << 10, 1 << 20, 1000, 4096 };
	const size_t chunk = chunks[random % 4];
	const bool seekable = random / 4 % 2;
	copy(a, file, touched);
	struct damage all[DAMAGES_MAX];
	const size_t most = 1 + (split_random(&random) % 4 == 0 ? split_random(&random) % DAMAGES_MAX : 0);
	for (size_t i = 0; i < most; i++)
		all[i] = choose(file->len, &random);
	const size_t n = archive_damage(a, file, all, most, touched, &random);
	return judge(a, file, touched, n, chunk, seekable);
}

/* The first bytes, 1 to START_MAX of them, tell what an archive is: each way to damage them. False: one failed. */
static bool damage_starts(const struct archive *a, struct buf *file, bool *touched)
{
	static const enum damage_way ways[] = { FLIP, OVERWRITE, ZEROS, CUT_OUT, PUT_IN };
	uint32_t random = 1;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways) * START_MAX; i++) {
		const size_t n = 1 + i % START_MAX;
		struct damage start = { .way = ways[i / START_MAX], .at = 0, .len = n };
		if (start.way == FLIP)
			start = (struct damage){ .way = FLIP, .at = n - 1, .len = 1 };
		copy(a, file, touched);
		(void)archive_damage(a, file, &start, 1, touched, &random);
		if (judge(a, file, touched, 1, i % 2 ? SIZE_MAX : 1000, i % 3 == 0).fault) {
			printf("fails: way %d of %zu bytes at the start\n", (int)start.way, n);
			return false;
		}
	}
	return true;
}

/* False: one of them was not as it should be, and the rest was left out. */
static bool damage_kind(const struct archive_kind *kind, const struct plan *plan)
{
	struct archive a;
	struct buf file = { 0 };
	struct archive_loss loss, sum = { 0 };
	unsigned long i = 0;
	archive_make(&a, kind, plan->records);
	bool *touched = calloc(plan->records, sizeof(*touched));
	must(touched != NULL);
	loss = archive_judge(&a, buf_slice(&a.file), touched, 0, SIZE_MAX, false);
	must_be(!loss.fault && !loss.lost && !loss.reports, "a good archive is not read well");
	(void)alarm(HANG_SECONDS);
	if (!damage_starts(&a, &file, touched))
		loss.fault = "at the start";
	for (; i < plan->times && !loss.fault; i++) {
		(void)alarm(HANG_SECONDS);
		loss = one(&a, (uint32_t)(plan->seed + i + 1) * 2654435761U | 1, &file, touched);
		sum.touched += loss.touched;
		sum.lost += loss.lost;
		sum.beside += loss.beside;
		sum.reports += loss.reports;
	}
	if (plan->verbose)
		printf("%s %s, members of %zu: %lu times damaged; of %zu records touched %zu lost, %zu besides; %zu "
		       "reports\n",
		       kind->format, kind->arc ? "ARC" : "WARC", kind->cut, i, sum.touched, sum.lost - sum.beside,
		       sum.beside, sum.reports);
	if (loss.fault && i)
		printf("fails: damage -r %lu -s %lu -n 1 -k %td\n", plan->records, plan->seed + i - 1, kind - kinds);
	free(touched);
	buf_free(&file);
	archive_free(&a);
	return !loss.fault;
}

int main(int argc, char **argv)
{
	struct plan plan = { .times = 150, .records = 200 };
	bool well = true;
	size_t first = 0, end = sizeof(kinds) / sizeof(*kinds);
	int option;
	while ((option = getopt(argc, argv, "k:n:r:s:v")) != -1) {
		const unsigned long number = optarg ? strtoul(optarg, NULL, 10) : 0;
		if (option == 'k' && number < end)
			end = (first = number) + 1;
		else if (option == 'n')
			plan.times = number;
		else if (option == 'r' && number)
			plan.records = number;
		else if (option == 's')
			plan.seed = number;
		else if (option == 'v')
			plan.verbose = true;
		else
			return 2;
	}
	for (size_t i = first; i < end; i++)
		well = damage_kind(&kinds[i], &plan) && well;
	return !well;
}
