/* SPDX-License-Identifier: MIT */
/*
 * `dana dedup estimate`: memory and disk follow from the sizes of records; the time for hashing is measured on this machine, with
 * words made up on the spot.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cli/dedup.h"
#include "dedup/bloom.h"
#include "dedup/minhash.h"
#include "dedup/pairs.h"
#include "dedup/rows.h"
#include "dedup/signatures.h"
#include "dedup/text_index.h"

enum {
	LINE_CHARS = 100, /* of a line, where lines are counted */
	ENTRY_NAMES = 93, /* of an entry of a journal: its head, an id of UUID form, a file's name of 40 bytes */
	SAMPLE = 1 << 21, /* bytes that are hashed to measure the speed */
	PERCENT_DROPPED = 30,
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

/* What a table in memory takes that has room for so many keys, also while it grows. */
static double table_bytes(double keys)
{
	size_t bytes = 1 << 12;

	while ((double)hash_map_room(bytes) < keys && bytes < SIZE_MAX / 4)
		bytes += bytes / 256;
	return (double)bytes;
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

static void put_table(struct buf *out, double documents, double chars)
{
	const double signature = SIGNATURE_HEAD + BANDS_USUAL * BANDS_ROWS_USUAL;
	const double buckets = BANDS_USUAL * PAIR_BYTES, lines = documents * chars / LINE_CHARS;
	const double entry = 1 + BANDS_USUAL * BANDS_ROWS_USUAL + BANDS_USUAL * 8 + ENTRY_NAMES + 24;

	buf_printf(out, "%-34s %13s %13s %13s\n", "", "memory", "disk", "while it runs");
	put_row(out, "dedup-exact", table_bytes(documents), documents * TEXT_INDEX_BYTES,
		documents * (32 + ENTRY_NAMES));
	put_row(out, "dedup-lines, exact", table_bytes(lines), lines * PAIR_BYTES, lines * 8);
	put_row(out, "dedup-lines, Bloom, 1 in 1000", bloom_bytes(lines, 0.001), 0, 0);
	put_row(out, "boilerplate, sketch, 2 pages", lines * 16 * 2.718281828 / 2, 0, 0);
	put_row(out, "dedup-near: signatures", 64 << 20, documents * (signature + buckets), documents * entry);
	put_row(out, "cluster --keep first", documents * 8, documents * ROWS_LINK * PERCENT_DROPPED / 100,
		documents * (ORIGIN_BYTES + signature - SIGNATURE_HEAD) * PERCENT_DROPPED / 100);
	put_row(out, "cluster --keep longest|best", documents * 12, documents * ROWS_LINK * PERCENT_DROPPED / 100,
		documents * (ORIGIN_BYTES + signature - SIGNATURE_HEAD) * PERCENT_DROPPED / 100);
}

int dedup_estimate(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct buf out = { 0 };
	double documents = (double)s->documents, chars = (double)s->chars, speed = signing_speed();

	put_table(&out, documents, chars);
	buf_printf(&out,
		   "\nMemory of cluster is mapped files. Lines of %d characters; %d %% of the documents dropped.\n",
		   LINE_CHARS, PERCENT_DROPPED);
	if (speed > 0)
		buf_printf(&out, "Signing: %.0f MB of text a second on one core, measured now; %.0f s in all.\n", speed,
			   documents * chars / 1e6 / speed);
	return command_print_made(a->command, DANA_OK, &out);
}
