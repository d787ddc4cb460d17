/* SPDX-License-Identifier: MIT */
/*
 * `dana dedup estimate`: memory and disk follow from the sizes of records and from how tables grow. Time is the sum of
 * the times per character, document and line of one machine, scaled by how fast this machine signs a generated text.
 */
#include "config.h"

#include "dedup/estimate.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "dedup/counts.h"
#include "dedup/line_table.h"
#include "dedup/minhash.h"
#include "dedup/rows.h"
#include "dedup/runs.h"
#include "dedup/signatures.h"
#include "dedup/text_index.h"

enum {
	LINE_CHARS = 100, /* of a line, if the number of lines is not given */
	ENTRY_NAMES = 93, /* of an entry of a journal: its head, an id of UUID form, a file's name of 40 bytes */
	SIGNING_MEMORY = 64 << 20, /* the plugin's default memory for sorting */
	SAMPLE = 1 << 21,          /* bytes to hash to measure the speed */
	ROUNDS = 8,                /* number of times */
};

static void put_bytes(struct buf *out, const char *before, double bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB" };
	char number[32];
	size_t unit = 0;

	while (bytes >= 1024 && unit + 1 < sizeof(units) / sizeof(*units)) {
		bytes /= 1024;
		unit++;
	}
	(void)snprintf(number, sizeof(number), "%s%.*f", before, unit ? 1 : 0, bytes);
	buf_printf(out, " %8s %-4s", number, units[unit]);
}

static void put_time(struct buf *out, double seconds)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = { { "d", 86400 }, { "h", 3600 }, { "min", 60 }, { "s", 1 } };
	size_t unit = 0;

	while (unit + 1 < sizeof(units) / sizeof(*units) && seconds < 2 * units[unit].seconds)
		unit++;
	buf_printf(out, " %6.1f %s\n", seconds / units[unit].seconds, units[unit].name);
}

/* Nanoseconds of one core. */
struct rate {
	double character, document;
	double line; /* per different line */
};

/*
 * The CPU time that a run of `dana filter -m plain -j 1` took with a plugin and did not take without: the least of four
 * runs each over pages of 1,120, 2,100 and 8,040 characters in lines of 190 to 300, and of 2,050 characters in lines of
 * 76, rounded between these and the run over a million pages that doc/DEDUP.md describes (bench/dedup.sh). Of cluster
 * and apply, their CPU time. What drop= adds was too little to be measured; its rate is an upper bound. All of it on an
 * AMD EPYC with AVX-512 that signed RATES_SPEED, on 23 November 2026.
 */
enum { RATES_SPEED = 200 }; /* MB of text a second */
static const struct rate exact_rate = { 4.5, 7500, 0 };
static const struct rate lines_rate = { 4.5, 700, 500 };
static const struct rate lines_index_rate = { 4.5, 700, 1000 };
static const struct rate lines_bloom_rate = { 4.5, 700, 900 };
static const struct rate learn_rate = { 5, 700, 700 };
static const struct rate table_rate = { 4.5, 1500, 300 };
static const struct rate sketch_rate = { 4.5, 1500, 700 };
static const struct rate sign_rate = { 9, 6000, 0 };
static const struct rate cluster_rate = { 0, 2500, 0 };
static const struct rate drop_rate = { 0, 500, 0 };
static const struct rate apply_rate = { 16, 6500, 0 };

static double seconds_of_thread(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/*
 * Returns the MB of text that one core signs in a second, 0 if memory is exhausted. Of several rounds the fastest
 * counts, because other programs may use the core.
 */
static double signing_speed(void)
{
	struct minhash *m = minhash_new(BANDS_USUAL * BANDS_ROWS_USUAL);
	struct buf text = { 0 };
	const uint32_t *signature;
	size_t shingles;
	double least = 0;

	for (uint32_t i = 1; text.len < SAMPLE && !text.failed; i++)
		buf_printf(&text, "w%u%s", i * 2654435761U >> 16, i % 16 ? " " : "\n");
	if (m && buf_status(&text) == DANA_OK) {
		for (unsigned round = 0; round < ROUNDS; round++) {
			const double start = seconds_of_thread();
			(void)minhash_text(m, buf_slice(&text), &signature, &shingles);
			const double seconds = seconds_of_thread() - start;
			least = round == 0 || seconds < least ? seconds : least;
		}
	}
	double speed = least > 0 ? (double)text.len / 1e6 / least : 0;
	buf_free(&text);
	minhash_free(m);
	return speed;
}

/* The input of the estimate, given or assumed. */
struct supposed {
	double documents, chars, dropped;
	double lines;    /* different lines */
	double repeated; /* of these, lines on two or more pages of their site; plus sites */
	bool repeated_told;
	size_t memory;
	double speed; /* of this machine, relative to the one of the rates */
};

/* Cost of a way to find duplicates, in bytes. Negative disk: its output is as large as its input. */
struct cost {
	double memory, disk, passing;
	bool most; /* disk is an upper bound */
};

static void put_row(struct buf *out, const char *what, const struct supposed *s, const struct cost *c,
		    const struct rate *rate)
{
	const double nanoseconds = s->documents * (s->chars * rate->character + rate->document) + s->lines * rate->line;

	buf_printf(out, "%-34s", what);
	put_bytes(out, "", c->memory);
	if (c->disk < 0)
		buf_printf(out, " %13s", "as its input");
	else
		put_bytes(out, c->most ? "<=" : "", c->disk);
	put_bytes(out, "", c->passing);
	put_time(out, nanoseconds / 1e9 / s->speed);
}

static size_t keys(double n)
{
	return n < 1 ? 1 : (size_t)n;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

static void put_texts(struct buf *out, const struct supposed *s)
{
	put_row(out, "dedup-exact", s,
		&(struct cost){ .memory = (double)hash_map_growing_bytes(keys(s->documents)),
				.disk = s->documents * TEXT_INDEX_BYTES,
				.passing = s->documents * (32 + ENTRY_NAMES) },
		&exact_rate);
}

static void put_lines(struct buf *out, const struct supposed *s)
{
	const double set = (double)hash_map_growing_bytes(keys(s->lines));
	const double counting = (double)line_counter_bytes(keys(s->lines), s->memory);
	const double table = s->repeated * PAIR_BYTES;
	/* Each time the table is full its lines go to disk; later they occur again. */
	const double counted = keys(s->lines) <= hash_map_room(s->memory / 2)
				       ? s->lines
				       : larger(s->lines, s->documents * s->chars / LINE_CHARS);

	put_row(out, "dedup-lines, exact", s, &(struct cost){ .memory = set }, &lines_rate);
	put_row(out, "dedup-lines:index=", s,
		&(struct cost){ larger(set, counting), s->lines * PAIR_BYTES,
				s->lines * 8 + (double)line_counter_files(keys(s->lines), s->memory), false },
		&lines_index_rate);
	put_row(out, "dedup-lines, Bloom, 1 in 1000", s, &(struct cost){ .memory = bloom_bytes(s->lines, 0.001) },
		&lines_bloom_rate);
	put_row(out, "learn", s,
		&(struct cost){ counting, table, (double)line_counter_files(keys(counted), s->memory),
				!s->repeated_told },
		&learn_rate);
	put_row(out, "boilerplate:table=", s, &(struct cost){ .memory = table }, &table_rate);
	put_row(out, "boilerplate, sketch, 2 pages", s, &(struct cost){ .memory = s->lines * 16 * 2.718281828 / 2 },
		&sketch_rate);
}

static void put_near(struct buf *out, const struct supposed *s)
{
	const double signature = SIGNATURE_HEAD + BANDS_USUAL * BANDS_ROWS_USUAL;
	const double buckets = BANDS_USUAL * PAIR_BYTES;
	const double entry = 1 + BANDS_USUAL * BANDS_ROWS_USUAL + BANDS_USUAL * 8 + ENTRY_NAMES + 24;
	const double passing = s->dropped * (ORIGIN_BYTES + signature - SIGNATURE_HEAD);
	const double sorted = s->documents * buckets * 2 > SIGNING_MEMORY ? s->documents * buckets : 0;
	const double bitmaps = smaller(s->dropped * 2, s->documents / 8);

	put_row(out, "dedup-near: signatures", s,
		&(struct cost){ smaller(SIGNING_MEMORY, s->documents * buckets * 2),
				s->documents * (signature + buckets), s->documents * entry + sorted, false },
		&sign_rate);
	put_row(out, "cluster --keep first", s,
		&(struct cost){ s->documents * 8, s->dropped * ROWS_LINK, passing, false }, &cluster_rate);
	put_row(out, "cluster --keep longest|best", s,
		&(struct cost){ s->documents * 12, s->dropped * ROWS_LINK, passing, false }, &cluster_rate);
	put_row(out, "dedup-near:drop=", s, &(struct cost){ .memory = bitmaps }, &drop_rate);
	put_row(out, "apply", s, &(struct cost){ .memory = bitmaps, .disk = -1 }, &apply_rate);
}

static void put_notes(struct buf *out, const struct supposed *s, double speed, int duplicates)
{
	buf_printf(out,
		   "\nMemory of cluster is mapped files. %.0f different lines; %d %% of the documents dropped.\n"
		   "The table of learn holds lines on two pages of their site and more, and sites: %s%.0f.\n"
		   "Time is of one core, beyond a run of dana filter without the plugin (of learn: with method plain); "
		   "of cluster and apply all of it.\n",
		   s->lines, duplicates, s->repeated_told ? "" : "at most ", s->repeated);
	if (speed > 0)
		buf_printf(out,
			   "Signing: %.0f MB of text a second on one core, measured now; the times are those of a "
			   "machine with %d, times %.2f.\n",
			   speed, RATES_SPEED, 1 / s->speed);
}

int dedup_forecast(const struct dedup_amounts *s, struct buf *out)
{
	const double speed = signing_speed();
	struct supposed x = { .documents = (double)s->documents,
			      .chars = (double)s->chars,
			      .memory = (size_t)s->memory,
			      .speed = speed > 0 ? speed / RATES_SPEED : 1 };

	x.dropped = x.documents * (double)s->duplicates / 100;
	x.lines = s->lines == UINT64_MAX ? x.documents * x.chars / LINE_CHARS : (double)s->lines;
	x.repeated_told = s->repeated != UINT64_MAX;
	x.repeated = x.repeated_told ? (double)s->repeated : x.lines;
	buf_printf(out, "%-34s %13s %13s %13s %8s\n", "", "memory", "disk", "while it runs", "time");
	put_texts(out, &x);
	put_lines(out, &x);
	put_near(out, &x);
	put_notes(out, &x, speed, (int)s->duplicates);
	return buf_status(out);
}
