/* SPDX-License-Identifier: MIT */
/* Tables are sorted runs of counts: they are merged, and counts of one line added up. */
#include "config.h"

#include <stdlib.h>

#include "dedup/line_sums.h"

struct merger {
	struct index_file files[PAIR_FAN_IN];
	size_t n;
	bool by_site;
	uint64_t least, pages;
};

static int open_table(struct merger *m, const char *path, struct error *err)
{
	struct line_table t;
	int status = line_table_open(&t, path, err);

	if (status < 0)
		return status;
	if (m->n && t.by_site != m->by_site)
		status = error_set(err, DANA_ECONFIG, "%s and %s cannot be merged: one counts by site",
				   m->files[0].path, path);
	m->by_site = t.by_site;
	m->least = t.least > m->least ? t.least : m->least;
	m->pages += t.pages;
	line_table_close(&t);
	if (status == DANA_OK)
		status = index_file_open(&m->files[m->n], path, INDEX_LINES, err);
	m->n += status == DANA_OK;
	return status;
}

static int next_of_merge(void *from, struct pair *p, struct error *err)
{
	return pair_merge_next(from, p, err);
}

static int merge_section(struct merger *m, unsigned section, struct index_writer *w, struct line_histogram *h,
			 struct error *err)
{
	struct pair_run runs[PAIR_FAN_IN];

	for (size_t i = 0; i < m->n; i++)
		runs[i] = (struct pair_run){ .file = &m->files[i], .section = section };
	struct pair_merge *merge = pair_merge_new(runs, m->n, err);
	index_writer_record(w, PAIR_BYTES);
	int status = merge ? line_sums(next_of_merge, merge, w, 1, h, err) : err->status;
	pair_merge_free(merge);
	return status;
}

static int merge_into(struct merger *m, const char *output, bool force, struct error *err)
{
	struct line_histogram *h = calloc(1, sizeof(*h));
	struct index_writer *w = h ? index_writer_open(output, INDEX_LINES, force, err) : NULL;
	int status = w ? DANA_OK : h ? (int)err->status : error_no_memory(err);

	if (w) {
		line_table_write_text(w, m->by_site, m->least, m->pages);
		status = merge_section(m, LINE_TABLE_LINES, w, h, err);
		index_writer_next_section(w);
	}
	if (status == DANA_OK)
		status = merge_section(m, LINE_TABLE_SCOPES, w, h, err);
	if (status == DANA_OK)
		status = index_writer_finish(w, err);
	else
		index_writer_abandon(w);
	free(h);
	return status;
}

int line_tables_merge(const char *const *paths, size_t n, const char *output, bool force, struct error *err)
{
	struct merger *m = calloc(1, sizeof(*m));
	int status = m ? DANA_OK : error_no_memory(err);

	if (n > PAIR_FAN_IN)
		status = error_set(err, DANA_ECONFIG,
				   "%zu tables are more than the %d of one merge; merge them in steps", n, PAIR_FAN_IN);
	for (size_t i = 0; i < n && status == DANA_OK; i++)
		status = open_table(m, paths[i], err);
	if (status == DANA_OK)
		status = merge_into(m, output, force, err);
	while (m && m->n)
		index_file_close(&m->files[--m->n]);
	free(m);
	return status;
}
