/* SPDX-License-Identifier: MIT */
/*
 * Counts pages in the same way as when the signatures were made (row_cursor.h). A checkpoint is the input and the
 * count.
 */
#include <stdlib.h>

#include "base/little_endian.h"
#include "dedup/row_cursor.h"
#include "plugins/dedup_near/near.h"

struct dropping {
	const struct near *near;
	struct dana_context *context;
	struct row_cursor cursor;
};

struct dropping *dropping_new(const struct near *near, struct dana_context *c)
{
	struct dropping *d = calloc(1, sizeof(*d));

	if (d) {
		*d = (struct dropping){ .near = near, .context = c };
		row_cursor_begin(&d->cursor, &near->rows);
	}
	return d;
}

void dropping_free(struct dropping *d)
{
	if (d)
		row_cursor_free(&d->cursor);
	free(d);
}

int dropping_page(struct dropping *d, struct dana_page *p)
{
	const struct dana_host *host = d->near->host;
	struct row_link link;
	struct error err = { 0 };
	int status = row_cursor_next(&d->cursor, slice_of_view(host->text_item(p, DANA_FILE_NAME)),
				     slice_of_view(host->text_item(p, DANA_RECORD_ID)), &link, &err);

	if (status < 0)
		return host->page_fail(p, "%s", err.text);
	if (status == 0)
		return DANA_KEEP;
	status = duplicate_put(host, p, &link.kept);
	if (status == 0)
		status = host->put_number(p, "similarity", (double)link.similarity);
	return status < 0 ? status : host->drop(p, "duplicate");
}

int dropping_save(struct dropping *d, struct dana_store *store)
{
	uint8_t state[RUN_STATE + 12];
	struct error err = { 0 };

	(void)run_journal_save(NULL, d->near->rows.file.identity, state, &err);
	little_endian_put_64(state + RUN_STATE, d->cursor.part);
	little_endian_put_32(state + RUN_STATE + 8, d->cursor.row);
	return d->near->host->store(store, state, sizeof(state));
}

int dropping_restore(struct dropping *d, struct slice state)
{
	const struct rows_file *rows = &d->near->rows;
	struct error err = { 0 };

	if (run_state_check(slice_first(state, RUN_STATE), rows->file.path, rows->file.identity, &err) < 0)
		return d->near->host->fail(d->context, "%s", err.text);
	if (state.len != RUN_STATE + 12)
		return d->near->host->fail(d->context, "the saved state was not written by this plugin");
	d->cursor.part = (size_t)little_endian_64(state.data + RUN_STATE);
	d->cursor.row = little_endian_32(state.data + RUN_STATE + 8);
	if (d->cursor.part != SIZE_MAX && d->cursor.part >= rows->parts.n)
		return d->near->host->fail(d->context, "the saved state was not written by this plugin");
	return 0;
}

int dropping_finish(struct dropping *d)
{
	struct error err = { 0 };

	return row_cursor_end(&d->cursor, &err) < 0 ? d->near->host->fail(d->context, "%s", err.text) : 0;
}
