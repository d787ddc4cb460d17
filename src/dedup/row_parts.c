/* SPDX-License-Identifier: MIT */
/*
 * For each part, the sequence of parts that begins with it and has the same number of documents is compared by the ids
 * of rows to drop. A wrong one nearly always differs at its first row.
 */
#include "dedup/row_parts.h"

/* Returns 1 if the rows to drop of a part have these ids, else 0, or a negative status. */
static int part_fits(const struct rows_file *rows, size_t part, const uint32_t *hashes, struct error *err)
{
	struct row_link link;
	struct buf id = { 0 };
	int fits = 1;

	for (uint32_t row = 0; row < rows->parts.items[part].count && fits == 1; row++) {
		if (!rows_contain(rows, part, row))
			continue;
		int status = rows_link(rows, part, row, &id, &link, err);
		fits = status < 0 ? status : link.id_hash == hashes[row];
	}
	buf_free(&id);
	return fits;
}

/*
 * Returns 1 if the documents are the parts from `first` on, else 0, or a negative status. *drops: some of them are
 * dropped.
 */
static int parts_fit(const struct rows_file *rows, size_t first, const uint32_t *hashes, size_t n, bool *drops,
		     struct error *err)
{
	size_t end = first, counted = 0;
	int fits = 1;

	while (end < rows->parts.n && counted < n)
		counted += rows->parts.items[end++].count;
	if (counted != n)
		return 0;
	*drops = false;
	for (size_t i = first, at = 0; i < end && fits == 1; at += rows->parts.items[i++].count) {
		fits = part_fits(rows, i, hashes + at, err);
		*drops |= rows_dropped(rows, i) > 0;
	}
	return fits;
}

static int refuse(const char *what, struct error *err)
{
	return error_set(err, DANA_ECONFIG, "its documents are %s of the list of rows, in their order", what);
}

int row_parts_find(const struct rows_file *rows, const uint32_t *hashes, size_t n, size_t *first, struct error *err)
{
	bool any = false, any_drops = false, drops;

	for (size_t i = 0; i < rows->parts.n; i++) {
		int fits = parts_fit(rows, i, hashes, n, &drops, err);
		if (fits < 0)
			return fits;
		if (!fits)
			continue;
		if (any && (drops || any_drops))
			return refuse("those of several inputs", err);
		*first = i;
		any = true;
		any_drops = drops;
	}
	return any ? DANA_OK : refuse("not those of any inputs", err);
}
