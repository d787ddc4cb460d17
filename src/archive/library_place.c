/* SPDX-License-Identifier: MIT */
/*
 * A place is the offset of the document taken last and how many documents with that offset were taken, "1234+1": a
 * member can hold many. To go on from it is to read the range from that offset, which gives the same documents as the
 * whole, and to pass over those that were taken.
 */
#include <stdio.h>

#include "archive/library_private.h"
#include "base/decimal.h"

int library_read_place(struct library_place *place, const char *text, struct error *err)
{
	const struct slice all = slice_from_text(text);
	const struct slice offset = slice_first(all, slice_until(all, "+"));
	const struct slice n = slice_skip(all, offset.len + 1);
	if (!decimal_number(offset, UINT64_MAX - 1, &place->offset) || !decimal_number(n, UINT64_MAX - 1, &place->pass))
		return error_set(err, DANA_ECONFIG,
				 "the place is '%s'; expected what dana_archive_place wrote, as 1234+1", text);
	return DANA_OK;
}

bool library_place_passes(struct library_place *place, uint64_t offset)
{
	if (offset != place->offset)
		*place = (struct library_place){ .offset = offset };
	place->n++;
	return place->n <= place->pass;
}

int dana_archive_place(const struct dana_archive *a, char *text, size_t size)
{
	if (!a || !text)
		return DANA_ESTATE;
	if (size < DANA_PLACE_SIZE)
		return DANA_ELIMIT;
	const struct library_place *p = a->batch_waits ? &a->batch_place : &a->place;
	(void)snprintf(text, size, "%llu+%llu", (unsigned long long)p->offset,
		       (unsigned long long)(p->n > p->pass ? p->n : p->pass));
	return DANA_OK;
}
