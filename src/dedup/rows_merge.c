/* SPDX-License-Identifier: MIT */
/*
 * Rows are copied list after list. An input may be in one list only: of two lists that were made of the same documents
 * one may drop what the other keeps, and the other way round, so that nothing would be left of a group.
 */
#include "config.h"

#include "dedup/rows_merge.h"

static int copy_rows(struct rows_maker *m, const struct rows_file *f, size_t part, struct buf *id, struct error *err)
{
	uint8_t kept[ORIGIN_BYTES];
	struct row_link link;
	int status = DANA_OK;

	for (uint32_t row = 0; row < f->parts.items[part].count && status == DANA_OK; row++) {
		if (!rows_contain(f, part, row))
			continue;
		status = rows_link(f, part, row, id, &link, err);
		if (status == DANA_OK && rows_maker_pack(m, &link.kept, kept) < 0)
			return error_no_memory(err);
		if (status == DANA_OK && rows_maker_drop(m, row, link.id_hash, link.similarity, kept) < 0)
			return error_set(err, DANA_EIO, "%s: %s", f->file.path, status_text(DANA_EIO));
	}
	return status;
}

static int add_list(struct rows_maker *m, struct parts *seen, const char *path, struct error *err)
{
	struct rows_file f;
	struct buf id = { 0 };
	int status = rows_file_open(&f, path, err);

	for (size_t i = 0; status == DANA_OK && i < f.parts.n; i++) {
		const struct part *p = &f.parts.items[i];
		const struct slice name = slice_from_text(p->name);
		if (parts_find(seen, name) != SIZE_MAX)
			status = error_set(err, DANA_ECONFIG, "%s and an earlier list both hold rows of input %s", path,
					   p->name);
		else if (parts_add(seen, name, p->count) < 0)
			status = error_no_memory(err);
		else
			status = rows_maker_part(m, name, p->count, err);
		if (status == DANA_OK)
			status = copy_rows(m, &f, i, &id, err);
	}
	buf_free(&id);
	rows_file_close(&f);
	return status;
}

int rows_files_merge(const char *const *paths, size_t n, const char *output, bool force, struct error *err)
{
	struct rows_maker *m = rows_maker_new(output, "merged=1\n", force, err);
	struct parts seen = { 0 };
	int status = m ? DANA_OK : (int)err->status;

	for (size_t i = 0; i < n && status == DANA_OK; i++)
		status = add_list(m, &seen, paths[i], err);
	parts_free(&seen);
	if (status == DANA_OK)
		return rows_maker_finish(m, err);
	rows_maker_abandon(m);
	return status;
}
