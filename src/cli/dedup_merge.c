/* SPDX-License-Identifier: MIT */
/* `dana dedup merge`: the kind of the first file says how. */
#include "config.h"

#include <stdlib.h>

#include "cli/dedup.h"
#include "dedup/line_table.h"
#include "dedup/names.h"
#include "dedup/rows_merge.h"
#include "dedup/signature_merge.h"
#include "dedup/text_index.h"

static int merge_texts(const struct dedup_settings *s, const struct dedup_names *names, struct error *err)
{
	struct text_index *indexes = calloc(names->n, sizeof(*indexes));
	const struct text_index **list = calloc(names->n, sizeof(*list));
	int status = indexes && list ? DANA_OK : error_no_memory(err);
	size_t n = 0;

	for (; n < names->n && status == DANA_OK; n++) {
		list[n] = &indexes[n];
		status = text_index_open(&indexes[n], names->items[n], err);
	}
	if (status == DANA_OK)
		status = text_indexes_merge(list, n, s->output, s->force, NULL, err);
	while (n)
		text_index_close(&indexes[--n]);
	free(indexes);
	free(list);
	return status;
}

static int merge_files(const struct dedup_settings *s, const struct dedup_names *names, struct error *err)
{
	const char *const *paths = (const char *const *)names->items;
	struct index_file first;
	int status = index_file_open(&first, paths[0], INDEX_ANY, err);

	if (status < 0)
		return status;
	enum index_kind kind = first.kind;
	index_file_close(&first);
	switch (kind) {
	case INDEX_SIGNATURES:
		return signature_files_merge(paths, names->n, s->output, s->force, err);
	case INDEX_TEXTS:
		return merge_texts(s, names, err);
	case INDEX_LINES:
		return line_tables_merge(paths, names->n, s->output, s->force, err);
	case INDEX_ROWS:
		return rows_files_merge(paths, names->n, s->output, s->force, err);
	default:
		return error_set(err, DANA_ECONFIG, "%s: is %s; such files are not merged", paths[0],
				 index_kind_words(kind));
	}
}

int dedup_merge(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct dedup_names names = { 0 };
	struct error err = { 0 };
	int status = dedup_names_gather(&names, a->names, a->n, DEDUP_SUFFIX, &err);

	if (status == DANA_OK)
		status = merge_files(s, &names, &err);
	dedup_names_free(&names);
	return status < 0 ? command_failed(a->command, &err) : EXIT_DONE;
}
