/* SPDX-License-Identifier: MIT */
/*
 * `dana explain --boilerplate`: on how many pages of its site each line of the page occurs, by a table of `dana dedup
 * learn`. The key of a line depends on its site, whose name is not in the table. If it is unknown, each site of the
 * table is tried with some lines of the page.
 */
#include "config.h"

#include <stdlib.h>

#include "base/library.h"
#include "dedup/line_table.h"
#include "dedup/normal_text.h"
#include "dedup/page_lines.h"
#include "lab/report.h"

enum { TRIED = 200 }; /* lines of the page */

struct line_pages {
	struct line_table table;
	struct text_hasher *hasher;
	uint64_t scope;
};

struct line_pages *line_pages_open(const char *path, struct slice url, struct slice text, struct error *err)
{
	struct line_pages *p = calloc(1, sizeof(*p));
	int status = p ? line_table_open(&p->table, path, err) : error_no_memory(err);
	if (status == DANA_OK) {
		p->scope = LINE_SCOPE_ALL;
		p->hasher = text_hasher_new(NORMAL_SMALL);
		status = p->hasher ? DANA_OK : error_no_memory(err);
	}
	if (status == DANA_OK && p->table.by_site && url.len) {
		struct buf site = { 0 };
		status = site_of_url(url, &site);
		p->scope = line_scope(buf_slice(&site));
		buf_free(&site);
		if (status < 0)
			(void)error_set(err, status, "%s", library_status_text(status));
	} else if (status == DANA_OK && p->table.by_site) {
		/* find the site with most of the first lines of the text */
		size_t best = 0, first = 0;
		status = DANA_OK;
		for (size_t lines = 0; first < text.len && lines < TRIED; first++)
			lines += text.data[first] == '\n';
		for (size_t i = 0; i < p->table.n_scopes && status == DANA_OK; i++) {
			uint64_t scope = pair_read(p->table.scopes + i * PAIR_BYTES).key;
			struct page_lines lines = { 0 };
			size_t found = 0;
			status = page_lines_add(&lines, p->hasher, slice_first(text, first), scope);
			for (size_t k = 0; k < lines.n; k++)
				found += lines.items[k].key && line_table_count(&p->table, lines.items[k].key);
			if (found > best) {
				best = found;
				p->scope = scope;
			}
			page_lines_free(&lines);
		}
		status = status < 0 ? error_no_memory(err) : DANA_OK;
	}
	if (status == DANA_OK)
		return p;
	line_pages_close(p);
	return NULL;
}

uint64_t line_pages_count(const struct line_pages *p, struct slice line)
{
	uint64_t key;
	size_t chars;
	if (line.len == 0)
		return p->table.by_site ? line_table_pages(&p->table, p->scope) : p->table.pages;
	if (line_hash(p->hasher, line, p->scope, &key, &chars) < 0 || chars == 0)
		return 0;
	return line_table_count(&p->table, key | (key == 0));
}

void line_pages_close(struct line_pages *p)
{
	if (!p)
		return;
	line_table_close(&p->table);
	text_hasher_free(p->hasher);
	free(p);
}
