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

enum { DAMAGES_MAX = 3, HANG_SECONDS = 120 };

static const struct archive_kind kinds[] = {
	{ "gzip", 0, false },     { "zstd", 0, false },     { "gzip", 5000, false }, { "zstd", 5000, false },
	{ "gzip", 20000, false }, { "zstd", 20000, false }, { "gzip", 700, false },  { "zstd", 700, false },
	{ "gzip", 0, true },      { "zstd", 0, true },      { "gzip", 5000, true },  { "zstd", 5000, true },
};

struct plan {
	unsigned long times, records, seed;
	bool verbose;
};

struct damage {
	enum { FLIP, OVERWRITE, ZEROS, CUT_OUT, PUT_IN, CUT_OFF, WAYS } way;
	size_t at, len;
};

static struct damage choose(size_t size, uint32_t *random)
{
	static const size_t lengths[] = { 1, 2, 9, 100, 3000 };
	struct damage d = { .way = (int)(split_random(random) % WAYS), .len = lengths[split_random(random) % 5] };

	if (d.way == CUT_OFF && split_random(random) % 8)
		d.way = FLIP; /* rather seldom, for it touches most of the file */
	if (d.way == FLIP)
		d.len = 1;
	d.at = split_random(random) % (size - d.len);
	return d;
}

static void make_room(struct buf *file, size_t at, size_t len)
{
	archive_must(buf_reserve(file, len) == 0, "no memory");
	memmove(file->data + at + len, file->data + at, file->len - at);
	file->len += len;
}

static void apply(struct buf *file, const struct damage *d, uint32_t *random)
{
	switch (d->way) {
	case FLIP:
		file->data[d->at] ^= (uint8_t)(1U << split_random(random) % 8);
		break;
	case PUT_IN:
		make_room(file, d->at, d->len);
		/* fall through */
	case OVERWRITE:
		for (size_t i = d->at; i < d->at + d->len; i++)
			file->data[i] = (uint8_t)split_random(random);
		break;
	case ZEROS:
		memset(file->data + d->at, 0, d->len);
		break;
	case CUT_OUT:
		memmove(file->data + d->at, file->data + d->at + d->len, file->len - d->at - d->len);
		file->len -= d->len;
		break;
	default:
		file->len = d->at;
		break;
	}
}

static int from_the_end(const void *left, const void *right)
{
	const struct damage *a = left, *b = right;

	return a->at < b->at ? 1 : a->at > b->at ? -1 : 0;
}

/* Damages `file`, a copy of the archive's, and marks what it touches. Returns how many damages there are. */
static size_t damage(const struct archive *a, struct buf *file, bool *touched, uint32_t *random)
{
	struct damage all[DAMAGES_MAX];
	const size_t n = 1 + (split_random(random) % 4 == 0 ? split_random(random) % DAMAGES_MAX : 0);
	size_t done = 0, free_end = file->len;

	for (size_t i = 0; i < n; i++)
		all[i] = choose(file->len, random);
	qsort(all, n, sizeof(*all), from_the_end); /* so that the places are those of the good file */
	for (size_t i = 0; i < n; i++) {
		const struct damage *d = &all[i];

		if (d->at + d->len > free_end)
			continue; /* they overlap */
		if (d->way == CUT_OFF && archive_is_border(a, d->at))
			continue; /* what is left is a good archive */
		archive_touch(a, d->at, d->way == CUT_OFF ? a->file.len : d->at + d->len, touched);
		apply(file, d, random);
		free_end = d->at;
		done++;
	}
	return done;
}

static void leave(const struct buf *file)
{
	FILE *f = fopen("damage-failed", "wb");

	if (f && fwrite(file->data, 1, file->len, f) == file->len)
		fprintf(stderr, "the archive is in damage-failed\n");
	if (f)
		fclose(f);
}

static struct archive_loss one(const struct archive *a, uint32_t random, struct buf *file, bool *touched)
{
	static const size_t chunks[] = { 64 << 10, 1 << 20, 1000, 4096 };
	const size_t chunk = chunks[random % 4];
	const bool seekable = random / 4 % 2;

	buf_clear(file);
	archive_must(buf_append(file, a->file.data, a->file.len) == 0, "no memory");
	memset(touched, 0, a->n_records * sizeof(*touched));
	const size_t n = damage(a, file, touched, &random);

	const struct archive_loss loss = archive_judge(a, buf_slice(file), touched, n, chunk, seekable);

	if (!loss.fault)
		return loss;
	fprintf(stderr, "%s: %zu damages, %zu records touched, %zu lost, %zu of them not touched, %zu reports\n",
		loss.fault, n, loss.touched, loss.lost, loss.beside, loss.reports);
	leave(file);
	return loss;
}

static void add(struct archive_loss *sum, const struct archive_loss *loss)
{
	sum->touched += loss->touched;
	sum->lost += loss->lost;
	sum->beside += loss->beside;
	sum->reports += loss->reports;
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

	archive_must(touched != NULL, "no memory");
	loss = archive_judge(&a, buf_slice(&a.file), touched, 0, SIZE_MAX, false);
	archive_must(!loss.fault && !loss.lost && !loss.reports, "a good archive is not read well");
	for (; i < plan->times && !loss.fault; i++) {
		(void)alarm(HANG_SECONDS);
		loss = one(&a, (uint32_t)(plan->seed + i + 1) * 2654435761U | 1, &file, touched);
		add(&sum, &loss);
	}
	if (plan->verbose)
		printf("%s %s, members of %zu: %lu times damaged; of %zu records touched %zu lost, %zu besides; %zu reports\n",
		       kind->format, kind->arc ? "ARC" : "WARC", kind->cut, i, sum.touched, sum.lost - sum.beside,
		       sum.beside, sum.reports);
	if (loss.fault)
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
