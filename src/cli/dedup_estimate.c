/* SPDX-License-Identifier: MIT */
/*
 * `dana dedup estimate`: memory and disk follow from the sizes of records and from how tables grow; the time for hashing is measured
 * on this machine, with words made up on the spot.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cli/dedup.h"
#include "dedup/bloom.h"
#include "dedup/hash_map.h"
#include "dedup/line_table.h"
#include "dedup/minhash.h"
#include "dedup/pairs.h"
#include "dedup/rows.h"
#include "dedup/signatures.h"
#include "dedup/text_index.h"

enum {
	LINE_CHARS = 100, /* of a line, where lines are not told */
	ENTRY_NAMES = 93, /* of an entry of a journal: its head, an id of UUID form, a file's name of 40 bytes */
	SAMPLE = 1 << 21, /* bytes that are hashed to measure the speed */
};

static void put_bytes(struct buf *out, double bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB" };
	size_t unit = 0;

	while (bytes >= 1024 && unit + 1 < sizeof(units) / sizeof(*units)) {
		bytes /= 1024;
		unit++;
	}
	buf_printf(out, " %8.*f %-4s", unit ? 1 : 0, bytes, units[unit]);
}

static void put_row(struct buf *out, const char *what, double memory, double disk, double passing)
{
	buf_printf(out, "%-34s", what);
	put_bytes(out, memory);
	put_bytes(out, disk);
	put_bytes(out, passing);
	buf_append_byte(out, '\n');
}

/* MB of text that one core signs in a second; 0 when memory is exhausted. */
static double signing_speed(void)
{
	struct minhash *m = minhash_new(BANDS_USUAL * BANDS_ROWS_USUAL);
	struct buf text = { 0 };
	const uint32_t *signature;
	size_t shingles;
	struct timespec start, end;
	double seconds = 0;

	for (uint32_t i = 1; text.len < SAMPLE && !text.failed; i++)
		buf_printf(&text, "w%u%s", i * 2654435761U >> 16, i % 16 ? " " : "\n");
	if (m && buf_status(&text) == DANA_OK) {
		(void)minhash_text(m, slice_first(buf_slice(&text), SAMPLE / 8), &signature,
				   &shingles); /* fills tables */
		(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
		(void)minhash_text(m, buf_slice(&text), &signature, &shingles);
		(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
		seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
	}
	double speed = seconds > 0 ? (double)text.len / 1e6 / seconds : 0;
	buf_free(&text);
	minhash_free(m);
	return speed;
}

/* What is told of the run, or supposed. */
struct supposed {
	double documents, chars, dropped;
	double lines; /* different ones */
	size_t memory;
};

static size_t keys(double n)
{
	return n < 1 ? 1 : (size_t)n;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static void put_texts(struct buf *out, const struct supposed *s)
{
	put_row(out, "dedup-exact", (double)hash_map_growing_bytes(keys(s->documents)), s->documents * TEXT_INDEX_BYTES,
		s->documents * (32 + ENTRY_NAMES));
}

static void put_lines(struct buf *out, const struct supposed *s)
{
	const double set = (double)hash_map_growing_bytes(keys(s->lines));
	const double counting = (double)line_counter_bytes(keys(s->lines), s->memory);

	put_row(out, "dedup-lines, exact", set, 0, 0);
	put_row(out, "dedup-lines:index=", larger(set, counting), s->lines * PAIR_BYTES, s->lines * 8);
	put_row(out, "dedup-lines, Bloom, 1 in 1000", bloom_bytes(s->lines, 0.001), 0, 0);
	put_row(out, "learn", counting, s->lines / 2 * PAIR_BYTES, s->lines * PAIR_BYTES);
	put_row(out, "boilerplate, sketch, 2 pages", s->lines * 16 * 2.718281828 / 2, 0, 0);
}

static void put_near(struct buf *out, const struct supposed *s)
{
	const double signature = SIGNATURE_HEAD + BANDS_USUAL * BANDS_ROWS_USUAL;
	const double buckets = BANDS_USUAL * PAIR_BYTES;
	const double entry = 1 + BANDS_USUAL * BANDS_ROWS_USUAL + BANDS_USUAL * 8 + ENTRY_NAMES + 24;
	const double passing = s->dropped * (ORIGIN_BYTES + signature - SIGNATURE_HEAD);

	put_row(out, "dedup-near: signatures", 64 << 20, s->documents * (signature + buckets), s->documents * entry);
	put_row(out, "cluster --keep first", s->documents * 8, s->dropped * ROWS_LINK, passing);
	put_row(out, "cluster --keep longest|best", s->documents * 12, s->dropped * ROWS_LINK, passing);
}

int dedup_estimate(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct buf out = { 0 };
	struct supposed x = { .documents = (double)s->documents,
			      .chars = (double)s->chars,
			      .memory = (size_t)s->memory };
	double speed = signing_speed();

	x.dropped = x.documents * (double)s->duplicates / 100;
	x.lines = s->lines == UINT64_MAX ? x.documents * x.chars / LINE_CHARS : (double)s->lines;
	buf_printf(&out, "%-34s %13s %13s %13s\n", "", "memory", "disk", "while it runs");
	put_texts(&out, &x);
	put_lines(&out, &x);
	put_near(&out, &x);
	buf_printf(
		&out,
		"\nMemory of cluster is mapped files; what learn writes is at most that. %.0f different lines; %llu %% of the "
		"documents dropped.\n",
		x.lines, (unsigned long long)s->duplicates);
	if (speed > 0)
		buf_printf(&out, "Signing: %.0f MB of text a second on one core, measured now; %.0f s in all.\n", speed,
			   x.documents * x.chars / 1e6 / speed);
	return command_print_made(a->command, DANA_OK, &out);
}
