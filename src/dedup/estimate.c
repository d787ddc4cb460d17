/* SPDX-License-Identifier: MIT */
/* Memory and disk follow from the sizes of records and from how tables grow. */
#include "config.h"

#include "dedup/estimate.h"

#include <stdio.h>

#include "dedup/line_table.h"
#include "dedup/rows.h"
#include "dedup/signatures.h"
#include "dedup/text_index.h"

enum {
	LINE_CHARS = 100, /* of a line, if the number of lines is not given */
	ENTRY_NAMES = 93, /* of an entry of a journal: its head, an id of UUID form, a file's name of 40 bytes */
	SIGNING_MEMORY = 64 << 20,                                   /* the plugin's default memory for sorting */
	SIGNATURE = SIGNATURE_HEAD + BANDS_USUAL * BANDS_ROWS_USUAL, /* bytes of a document, without its buckets */
	BUCKETS = BANDS_USUAL * PAIR_BYTES,
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

/* Negative disk: the output is as large as the input. */
static void put_row(struct buf *out, const char *what, double memory, bool is_bound, double disk, double passing)
{
	buf_printf(out, "%-34s", what);
	put_bytes(out, "", memory);
	if (disk < 0)
		buf_printf(out, " %13s", "as its input");
	else
		put_bytes(out, is_bound ? "<=" : "", disk);
	put_bytes(out, "", passing);
	while (out->len && out->data[out->len - 1] == ' ')
		out->len--;
	buf_append_byte(out, '\n');
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

int dedup_forecast(const struct dedup_amounts *a, struct buf *out)
{
	const double documents = (double)a->documents, chars = documents * (double)a->chars;
	const double dropped = documents * (double)a->duplicates / 100;
	const double lines = a->lines == UINT64_MAX ? chars / LINE_CHARS : (double)a->lines;
	const bool is_told = a->repeated != UINT64_MAX;
	const double repeated = is_told ? (double)a->repeated : lines;
	const size_t memory = (size_t)a->memory;
	const double set = (double)hash_map_growing_bytes(keys(lines));
	const double counting = (double)line_counter_bytes(keys(lines), memory);
	/* Each time the table is full its lines go to disk; later they occur again. */
	const double counted = keys(lines) <= hash_map_room(memory / 2) ? lines : larger(lines, chars / LINE_CHARS);
	const double sorting = documents * BUCKETS * 2;
	const double entry = 1 + SIGNATURE - SIGNATURE_HEAD + BANDS_USUAL * 8 + ENTRY_NAMES + 24;
	const double bitmaps = smaller(dropped * 2, documents / 8), rows = dropped * ROWS_LINK;
	const double copies = dropped * (SIGNATURE - 8);

	buf_printf(out, "%-34s %13s %13s %13s\n", "", "memory", "disk", "while it runs");
	put_row(out, "dedup-exact", (double)hash_map_growing_bytes(keys(documents)), false,
		documents * TEXT_INDEX_BYTES, documents * (32 + ENTRY_NAMES + TEXT_INDEX_BYTES));
	put_row(out, "dedup-lines, exact", set, false, 0, 0);
	put_row(out, "dedup-lines:index=", larger(set, counting), false, lines * PAIR_BYTES,
		lines * 8 + (double)line_counter_files(keys(lines), memory));
	put_row(out, "dedup-lines, Bloom, 1 in 1000", bloom_bytes(lines, 0.001), false, 0, 0);
	put_row(out, "learn", counting, !is_told, repeated * PAIR_BYTES,
		(double)line_counter_files(keys(counted), memory));
	put_row(out, "boilerplate:table=", repeated * PAIR_BYTES, false, 0, 0);
	put_row(out, "boilerplate, sketch, 2 pages", lines * 16 * 2.718281828 / 2, false, 0, 0);
	put_row(out, "dedup-near: signatures", smaller(SIGNING_MEMORY, sorting), false,
		documents * (SIGNATURE + BUCKETS),
		documents * entry + (sorting > SIGNING_MEMORY ? documents * BUCKETS : 0));
	put_row(out, "cluster --keep first", documents * 8, false, rows, copies);
	put_row(out, "cluster --keep longest|best", documents * 12, false, rows, copies);
	put_row(out, "dedup-near:drop=", bitmaps, false, 0, 0);
	put_row(out, "apply", bitmaps, false, -1, 0);
	buf_printf(out,
		   "\nMemory of cluster is mapped files. %.0f different lines; %d %% of the documents dropped.\n"
		   "The table of learn holds lines on two pages of their site and more, and sites: %s%.0f.\n",
		   lines, (int)a->duplicates, is_told ? "" : "at most ", repeated);
	return buf_status(out);
}
