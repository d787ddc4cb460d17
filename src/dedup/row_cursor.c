/* SPDX-License-Identifier: MIT */
#include "dedup/row_cursor.h"

static const struct part *part_of(const struct row_cursor *c)
{
	return &c->rows->parts.items[c->part];
}

static int wrong_count(const struct row_cursor *c, struct error *err)
{
	return error_set(err, DANA_ECONFIG,
			 "%s had %u documents when the list of rows was made, and has %u now: both runs need the same "
			 "options",
			 part_of(c)->name, part_of(c)->count, c->row);
}

int row_cursor_end(const struct row_cursor *c, struct error *err)
{
	return c->part == SIZE_MAX || c->row == part_of(c)->count ? DANA_OK : wrong_count(c, err);
}

static int enter(struct row_cursor *c, struct slice file, struct error *err)
{
	if (c->part != SIZE_MAX && slice_equal(slice_from_text(part_of(c)->name), file))
		return DANA_OK;
	int status = row_cursor_end(c, err);
	if (status < 0)
		return status;
	c->part = parts_find(&c->rows->parts, file);
	c->row = 0;
	if (c->part == SIZE_MAX)
		return error_set(err, DANA_ECONFIG, "%.*s is not among the inputs that the list of rows was made of",
				 (int)file.len, (const char *)file.data);
	return DANA_OK;
}

int row_cursor_next(struct row_cursor *c, struct slice file, struct slice id, struct row_link *link, struct error *err)
{
	int status = enter(c, file, err);

	if (status < 0)
		return status;
	uint32_t row = c->row++;
	if (row >= part_of(c)->count)
		return wrong_count(c, err);
	if (!rows_contain(c->rows, c->part, row))
		return 0;
	status = rows_link(c->rows, c->part, row, &c->id, link, err);
	if (status == DANA_OK && link->id_hash != row_id_hash(id))
		status = error_set(err, DANA_ECONFIG,
				   "document %u of %s is not the one that the list of rows was made of: both runs need "
				   "the same options",
				   row, part_of(c)->name);
	return status < 0 ? status : 1;
}

void row_cursor_free(struct row_cursor *c)
{
	buf_free(&c->id);
}
