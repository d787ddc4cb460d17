/* SPDX-License-Identifier: MIT */
/*
 * The key of a line depends on its site, whose name is not in the table. If it is unknown, each site of the table is
 * tried with some lines of the page.
 */
#include "config.h"

#include "lab/explain/explain_boilerplate.h"

#include <stdlib.h>

#include "base/ondemand/library.h"
#include "dedup/line_table.h"
#include "dedup/normal_text.h"
#include "dedup/page_lines.h"

enum { TRIED = 200 }; /* lines of the page */

struct explain_boilerplate {
	struct line_table table;
	struct text_hasher *hasher;
	uint64_t scope;
};

/* ---- the site ---- */

static int scope_of_url(struct slice url, uint64_t *scope, struct error *err)
{
	struct buf site = { 0 };
	int status = site_of_url(url, &site);

	*scope = line_scope(buf_slice(&site));
	buf_free(&site);
	return status < 0 ? error_set(err, status, "%s", library_status_text(status)) : DANA_OK;
}

/* Counts the lines of the text that are in the table as lines of a site. */
static int count_lines(struct explain_boilerplate *b, struct slice text, uint64_t scope, size_t *found,
		       struct error *err)
{
	struct page_lines lines = { 0 };
	int status = page_lines_add(&lines, b->hasher, text, scope);

	*found = 0;
	for (size_t i = 0; i < lines.n; i++)
		*found += lines.items[i].key && line_table_count(&b->table, lines.items[i].key);
	page_lines_free(&lines);
	return status < 0 ? error_no_memory(err) : DANA_OK;
}

static struct slice first_lines(struct slice text)
{
	size_t lines = 0, at = 0;

	while (at < text.len && lines < TRIED)
		lines += text.data[at++] == '\n';
	return slice_first(text, at);
}

static int best_scope(struct explain_boilerplate *b, struct slice text, struct error *err)
{
	size_t found, best = 0;
	int status = DANA_OK;

	for (size_t i = 0; i < b->table.n_scopes && status == DANA_OK; i++) {
		uint64_t scope = pair_read(b->table.scopes + i * PAIR_BYTES).key;
		status = count_lines(b, first_lines(text), scope, &found, err);
		if (found > best) {
			best = found;
			b->scope = scope;
		}
	}
	return status;
}

/* ---- the lines ---- */

static uint64_t count(void *arg, struct slice line)
{
	struct explain_boilerplate *b = arg;
	uint64_t key;
	size_t chars;

	if (line_hash(b->hasher, line, b->scope, &key, &chars) < 0 || chars == 0)
		return 0;
	return line_table_count(&b->table, key | (key == 0));
}

struct explain_boilerplate *explain_boilerplate_open(const char *path, struct slice url, struct slice text,
						     struct line_pages *lines, struct error *err)
{
	struct explain_boilerplate *b = calloc(1, sizeof(*b));
	int status = b ? line_table_open(&b->table, path, err) : error_no_memory(err);

	if (status == DANA_OK) {
		b->scope = LINE_SCOPE_ALL;
		b->hasher = text_hasher_new(NORMAL_SMALL);
		status = b->hasher ? DANA_OK : error_no_memory(err);
	}
	if (status == DANA_OK && b->table.by_site)
		status = url.len ? scope_of_url(url, &b->scope, err) : best_scope(b, text, err);
	if (status < 0) {
		explain_boilerplate_close(b);
		return NULL;
	}
	*lines =
		(struct line_pages){ .file = path,
				     .pages = b->table.by_site ? line_table_pages(&b->table, b->scope) : b->table.pages,
				     .count = count,
				     .arg = b };
	return b;
}

void explain_boilerplate_close(struct explain_boilerplate *b)
{
	if (!b)
		return;
	line_table_close(&b->table);
	text_hasher_free(b->hasher);
	free(b);
}
