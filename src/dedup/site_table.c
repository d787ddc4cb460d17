/* SPDX-License-Identifier: MIT */
#include "dedup/site_table.h"

#include <stdlib.h>

#include "base/diagnostics.h"
#include "base/library.h"
#include "dedup/line_table.h"
#include "dedup/normal_text.h"
#include "dedup/page_lines.h"

struct site_table {
	struct line_table lines;
	struct site_sources sources;
};

/* Of one thread. */
struct site_reader {
	struct site_source source;
	const struct line_table *table;
	struct text_hasher *hasher;
	struct buf site;
	uint64_t scope; /* the page's site */
};

/* A count of the table without the page itself. */
static uint32_t others_of(uint64_t pages)
{
	return pages == 0 ? 0 : pages > UINT32_MAX ? UINT32_MAX : (uint32_t)(pages - 1);
}

static int take_page(void *arg, struct slice url, uint32_t *others)
{
	struct site_reader *r = arg;
	buf_clear(&r->site);
	int status = site_of_url(url, &r->site);
	r->scope = line_scope(buf_slice(&r->site));
	*others = status < 0 || r->site.len == 0 ? 0 : others_of(line_table_pages(r->table, r->scope));
	return status;
}

/* Of several lines the one on the fewest pages counts. */
static int take_text(void *arg, struct slice text, uint32_t *pages)
{
	struct site_reader *r = arg;
	uint32_t least = UINT32_MAX;
	while (text.len && least) {
		const size_t len = slice_until(text, "\n");
		uint64_t key;
		size_t chars;
		int status = line_hash(r->hasher, slice_first(text, len), r->scope, &key, &chars);
		if (status < 0)
			return status;
		const uint32_t others = chars ? others_of(line_table_count(r->table, key | (key == 0))) : least;
		least = others < least ? others : least;
		text = slice_skip(text, len < text.len ? len + 1 : len);
	}
	*pages = least == UINT32_MAX ? 0 : least;
	return DANA_OK;
}

static void close_source(const struct site_source *source)
{
	struct site_reader *r = source ? source->arg : NULL;
	if (!r)
		return;
	text_hasher_free(r->hasher);
	buf_free(&r->site);
	free(r);
}

static const struct site_source *open_source(void *table)
{
	const struct site_table *t = table;
	struct site_reader *r = calloc(1, sizeof(*r));
	if (!r)
		return NULL;
	r->source = (struct site_source){ take_page, take_text, r };
	r->table = &t->lines;
	r->hasher = text_hasher_new(NORMAL_SMALL);
	if (r->hasher)
		return &r->source;
	close_source(&r->source);
	return NULL;
}

struct site_table *site_table_empty(struct error *err)
{
	struct site_table *t = calloc(1, sizeof(*t));
	struct buf site = { 0 };
	/* loads libpsl, for which it may be too late in a thread */
	int status = t ? site_of_url(slice_from_text("http://example.org/"), &site) : DANA_ENOMEM;
	buf_free(&site);
	if (status == DANA_OK) {
		t->sources = (struct site_sources){ open_source, close_source, t };
		return t;
	}
	(void)error_set(err, (enum dana_status)status, "--site: %s", library_status_text(status));
	free(t);
	return NULL;
}

struct site_table *site_table_open(const char *path, struct error *err)
{
	struct site_table *t = site_table_empty(err);
	int status = t ? line_table_open(&t->lines, path, err) : (int)err->status;
	if (status == DANA_OK && !t->lines.by_site)
		status = error_set(err, DANA_ECONFIG,
				   "%s counts lines of all pages, not by site; dana site learn makes a table by site",
				   path);
	if (status == DANA_OK)
		return t;
	site_table_free(t);
	return NULL;
}

void site_table_take(struct site_table *t, const struct line_table *lines)
{
	line_table_close(&t->lines);
	t->lines = *lines;
}

uint64_t site_table_identity(const struct site_table *t)
{
	return t->lines.identity;
}

const struct site_sources *site_table_sources(const struct site_table *t)
{
	return &t->sources;
}

void site_table_free(struct site_table *t)
{
	if (!t)
		return;
	line_table_close(&t->lines);
	free(t);
}
