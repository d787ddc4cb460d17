/* SPDX-License-Identifier: MIT */
/*
 * Pages of each input are counted as they were when signatures were made; that they are the same pages is seen by the ids of
 * those that are dropped, and by their number at the end of each input. A checkpoint is the input and the count.
 */
#include <stdlib.h>

#include "base/little_endian.h"
#include "plugins/dedup_near/near.h"

struct dropping {
	const struct near *near;
	struct dana_context *context;
	size_t part;  /* that the last page was of; SIZE_MAX: none */
	uint32_t row; /* the next one */
	struct buf id;
};

struct dropping *dropping_new(const struct near *near, struct dana_context *c)
{
	struct dropping *d = calloc(1, sizeof(*d));

	if (d)
		*d = (struct dropping){ .near = near, .context = c, .part = SIZE_MAX };
	return d;
}

void dropping_free(struct dropping *d)
{
	if (d)
		buf_free(&d->id);
	free(d);
}

static const struct part *part_of(const struct dropping *d)
{
	return &d->near->rows.parts.items[d->part];
}

/* The input has as many pages as when the list was made. */
static bool is_complete(const struct dropping *d)
{
	return d->part == SIZE_MAX || d->row == part_of(d)->count;
}

static int wrong_count(const struct dropping *d, struct dana_page *p)
{
	return d->near->host->page_fail(p,
					"%s had %u pages when the list was made, and has %u now: the two runs need the "
					"same options, but for this plugin",
					part_of(d)->name, part_of(d)->count, d->row);
}

static int enter(struct dropping *d, struct dana_page *p, struct slice file)
{
	if (d->part != SIZE_MAX && slice_equal(slice_from_text(part_of(d)->name), file))
		return 0;
	if (!is_complete(d))
		return wrong_count(d, p);
	d->part = parts_find(&d->near->rows.parts, file);
	d->row = 0;
	if (d->part == SIZE_MAX)
		return d->near->host->page_fail(p, "%.*s: is not among the inputs that the list was made of",
						(int)file.len, (const char *)file.data);
	return 0;
}

static int drop(struct dropping *d, struct dana_page *p, uint32_t row)
{
	const struct dana_host *host = d->near->host;
	struct row_link link;
	struct error err = { 0 };

	if (rows_link(&d->near->rows, d->part, row, &d->id, &link, &err) < 0)
		return host->page_fail(p, "%s", err.text);
	if (link.id_hash != row_id_hash(slice_of_view(host->text_item(p, DANA_RECORD_ID))))
		return host->page_fail(
			p,
			"page %u of %s is not the one that the list was made of: the two runs need the same "
			"options, but for this plugin",
			row, part_of(d)->name);
	int status = duplicate_put(host, p, &link.kept);
	if (status == 0)
		status = host->put_number(p, "similarity", (double)link.similarity);
	return status < 0 ? status : host->drop(p, "duplicate");
}

int dropping_page(struct dropping *d, struct dana_page *p)
{
	int status = enter(d, p, slice_of_view(d->near->host->text_item(p, DANA_FILE_NAME)));

	if (status < 0)
		return status;
	uint32_t row = d->row++;
	if (row >= part_of(d)->count)
		return wrong_count(d, p);
	return rows_contain(&d->near->rows, d->part, row) ? drop(d, p, row) : DANA_KEEP;
}

int dropping_save(struct dropping *d, struct dana_store *store)
{
	uint8_t state[12];

	little_endian_put_64(state, d->part);
	little_endian_put_32(state + 8, d->row);
	return d->near->host->store(store, state, sizeof(state));
}

int dropping_restore(struct dropping *d, struct slice state)
{
	if (state.len != 12)
		return d->near->host->fail(d->context, "the state is not one of this plugin");
	d->part = (size_t)little_endian_64(state.data);
	d->row = little_endian_32(state.data + 8);
	if (d->part != SIZE_MAX && d->part >= d->near->rows.parts.n)
		return d->near->host->fail(d->context, "the list of rows has changed since the run began");
	return 0;
}

int dropping_finish(struct dropping *d)
{
	if (is_complete(d))
		return 0;
	return d->near->host->fail(d->context, "%s had %u pages when the list was made, and has %u now",
				   part_of(d)->name, part_of(d)->count, d->row);
}
