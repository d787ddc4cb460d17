/* SPDX-License-Identifier: MIT */
/*
 * Drops lines that occur on many pages of one site: menus, notices, footers. learn=FILE counts lines into a table;
 * table=FILE drops those that a table lists; streaming=1 counts during the run and drops by the counts so far. A page
 * that would lose all its text stays as it is.
 *
 * Repetition is one sign of boilerplate, the method's probability another: for a line that the method doubts two pages
 * are enough, for one that it takes for content many are needed. The numbers were chosen on real sites (doc/DEDUP.md).
 * And how much of a page must be left: most of the text of plain may be boilerplate, but not most of what another
 * method found to be main content, unless that method also shows which lines it doubts.
 *
 * What a page has changed is an entry of the journal: with a sketch the number of the site and all keys, with
 * keep=first the keys of the lines that the page has kept.
 */
#include <stdlib.h>

#include "dedup/line_table.h"
#include "plugins/dedup_common/dedup_run.h"

static const struct dana_host *host;

enum { SPARED_PAGES = LINES_COUNTERS, UNKNOWN_PAGES };
static const char *const counters[] = { "dropped_lines", "dropped_chars",      "changed_pages",
					"spared_pages",  "pages_before_known", NULL };

/* Pages that make a line boilerplate. */
enum { USUAL = 5, DOUBTED = 2, SURE = 15 };
static const double doubted_below = 0.6; /* probability */

struct boilerplate {
	struct dedup_run run; /* without a journal only table= can be resumed */
	uint64_t min_pages;   /* of a line; 0: depends on the method's probability for it */
	double share;         /* of the pages of its site, that a line must occur on too */
	size_t min_chars, memory;
	double min_left; /* share of a page's characters; negative: depends on the method */
	double most_error;
	bool keep_first, annotate;

	bool is_begun;                /* a page has come */
	struct line_table table;      /* table= */
	struct line_counter *counter; /* learn= */
	struct sketch sketch;         /* streaming=1 */
	struct hash_map sites;        /* streaming=1: pages of each */
	struct hash_map kept;         /* keep=first: lines that a page has kept */
	struct attached_lines lines;
	struct buf entry;
};

/* The number of pages that makes a line boilerplate if the method gives no probability for it. */
static uint64_t usual_pages(const struct boilerplate *b)
{
	return b->min_pages ? b->min_pages : USUAL;
}

/* ---- before the run ---- */

static void unload(void *shared)
{
	struct boilerplate *b = shared;
	if (!b)
		return;
	dedup_run_free(&b->run, host);
	line_table_close(&b->table);
	line_counter_abandon(b->counter);
	sketch_free(&b->sketch);
	hash_map_free(&b->sites);
	hash_map_free(&b->kept);
	lines_free(&b->lines);
	buf_free(&b->entry);
	free(b);
}

static int open_files(struct boilerplate *b, struct dana_context *c, struct error *err)
{
	const char *table = host->option_text(c, "table"), *learn = host->option_text(c, "learn"),
		   *journal = host->option_text(c, "journal");
	const bool streaming = host->option_boolean(c, "streaming");
	int status = DANA_OK;
	if ((table != NULL) + (learn != NULL) + streaming != 1)
		return error_set(err, DANA_ECONFIG, "expected one of table=FILE, learn=FILE and streaming=1");
	if (learn) {
		const struct line_counter_settings settings = {
			.by_site = !option_is(host, c, "scope", "all"),
			.least = (uint64_t)host->option_integer(c, "least"),
			.size = (uint64_t)host->option_integer(c, "size"),
			.memory = b->memory,
			.force = host->option_boolean(c, "force"),
		};
		b->counter = line_counter_new(learn, &settings, err);
		return b->counter ? DANA_OK : err->status;
	}
	if (table) {
		status = line_table_open(&b->table, table, err);

		if (status == DANA_OK && !b->table.by_site)
			status = error_set(err, DANA_ECONFIG, "%s counts lines of all pages, not by site", table);
		if (status == DANA_OK && b->table.least > usual_pages(b))
			status = error_set(err, DANA_ECONFIG,
					   "%s holds only lines on %llu pages and more; raise min-pages=, or make it "
					   "with a larger --size",
					   table, (unsigned long long)b->table.least);
	} else if (sketch_make(&b->sketch, b->memory) < 0)
		status = error_no_memory(err);
	if (status < 0 || !journal)
		return status;
	b->run.journal = journal_open(journal, err);
	return b->run.journal ? DANA_OK : err->status;
}

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	host = h;
	struct error err = { 0 };
	struct boilerplate *b = calloc(1, sizeof(*b));
	if (!b)
		return host->fail(c, "%s", status_text(DANA_ENOMEM));
	b->run.loaded = c;
	lines_pool_init(&b->run.pool);
	b->min_pages = (uint64_t)host->option_integer(c, "min-pages");
	b->share = host->option_number(c, "share");
	b->min_chars = (size_t)host->option_integer(c, "min-chars");
	b->min_left = host->option_is_set(c, "min-left") ? host->option_number(c, "min-left") : -1;
	b->keep_first = option_is(host, c, "keep", "first");
	b->annotate = host->option_boolean(c, "annotate");
	b->memory = (size_t)host->option_integer(c, "memory");
	b->most_error = host->option_number(c, "max-error");
	b->sites.most_bytes = b->kept.most_bytes = b->memory;
	int status = open_files(b, c, &err);
	*shared = status < 0 ? NULL : b;
	if (status == DANA_OK)
		return 0;
	unload(b);
	return host->fail(c, "%s", err.text);
}

/* ---- what makes a line boilerplate ---- */

static uint32_t needed_pages(const struct boilerplate *b, double probability)
{
	if (b->min_pages || probability < 0)
		return (uint32_t)usual_pages(b);
	return probability < doubted_below ? DOUBTED : SURE;
}

/* Returns a line's mark: its count if it is boilerplate, else 0. */
static uint32_t mark_of(const struct boilerplate *b, uint64_t needed, uint64_t count, uint64_t pages)
{
	if (count < needed || (double)count < b->share * (double)pages)
		return 0;
	return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

/* ---- by a table ---- */

static int mark_by_table(struct boilerplate *b, struct error *err)
{
	const uint64_t pages = line_table_pages(&b->table, b->lines.scope);
	for (size_t i = 0; i < b->lines.lines.n; i++) {
		struct page_line *line = &b->lines.lines.items[i];
		const uint64_t needed = line->mark;
		line->mark = 0;
		if (!line->key || line->chars < b->min_chars)
			continue;
		line->mark = mark_of(b, needed, line_table_count(&b->table, line->key), pages);
		if (line->mark && b->keep_first) { /* the first copy is kept */
			uint64_t *place;
			int status = hash_map_put(&b->kept, line->key, &place);
			if (status == DANA_ELIMIT)
				return error_set(err, DANA_ELIMIT,
						 "memory is full after %zu lines; raise memory=", b->kept.n);
			if (status < 0 ||
			    (status == 0 && b->run.journal && buf_append(&b->entry, &line->key, sizeof(line->key)) < 0))
				return error_no_memory(err);
			if (status == 0)
				line->mark = 0;
		}
	}
	return DANA_OK;
}

/* ---- by counting ---- */

static int learn(struct boilerplate *b, struct error *err)
{
	size_t n;
	const uint64_t *keys = lines_keys(&b->lines, b->min_chars, &n);
	int status = keys ? line_counter_page(b->counter, b->lines.scope, err) : error_no_memory(err);
	for (size_t i = 0; i < n && status == DANA_OK; i++)
		status = line_counter_add(b->counter, keys[i], err);
	return status;
}

static int count_page(struct boilerplate *b, uint64_t scope, uint64_t **pages, struct error *err)
{
	int status = hash_map_put(&b->sites, scope, pages);
	if (status == DANA_ELIMIT)
		return error_set(err, DANA_ELIMIT, "memory is full after %zu sites; raise memory=", b->sites.n);
	if (status < 0)
		return error_no_memory(err);
	++**pages;
	return DANA_OK;
}

/* Counts the keys of a page in the sketch, and collects their counts, to be looked up for each line. */
static int count_keys(struct boilerplate *b, struct hash_map *counts, struct error *err)
{
	size_t n;
	uint64_t *count;
	const uint64_t *keys = lines_keys(&b->lines, b->min_chars, &n);
	if (!keys)
		return error_no_memory(err);
	for (size_t i = 0; i < n; i++) {
		uint32_t now = sketch_add(&b->sketch, keys[i]);
		if (hash_map_put(counts, keys[i], &count) < 0)
			return error_no_memory(err);
		*count = now;
	}
	if (b->run.journal) {
		buf_append(&b->entry, &b->lines.scope, sizeof(b->lines.scope));
		buf_append(&b->entry, keys, n * sizeof(*keys));
	}
	if (buf_status(&b->entry) < 0)
		return error_no_memory(err);
	if (sketch_error(&b->sketch) <= b->most_error)
		return DANA_OK;
	return error_set(err, DANA_ELIMIT,
			 "the sketch of %zu bytes counts up to %.1f pages too many after %llu lines; raise memory= or "
			 "max-error=, or split the run",
			 b->memory, sketch_error(&b->sketch), (unsigned long long)b->sketch.sum);
}

static int mark_by_sketch(struct boilerplate *b, struct dana_page *p, struct error *err)
{
	struct hash_map counts = { .most_bytes = SIZE_MAX };
	uint64_t *pages;
	int status = count_page(b, b->lines.scope, &pages, err);
	if (status < 0)
		return status;
	host->count(p, UNKNOWN_PAGES, *pages < usual_pages(b));
	status = count_keys(b, &counts, err);
	for (size_t i = 0; i < b->lines.lines.n && status == DANA_OK; i++) {
		struct page_line *line = &b->lines.lines.items[i];
		const uint64_t *count = line->key ? hash_map_get(&counts, line->key) : NULL;
		/* a count may be too high by the sketch's error, so that much more is needed */
		const uint64_t needed = line->mark + (uint64_t)sketch_error(&b->sketch);
		line->mark = count ? mark_of(b, needed, *count, *pages) : 0;
	}
	hash_map_free(&counts);
	return status;
}

/* ---- pages ---- */

static int prepare(void *shared, struct dana_page *p)
{
	struct boilerplate *b = shared;
	return lines_attach(host, &b->run.pool, p, !b->counter || line_counter_by_site(b->counter));
}

static int mark(struct boilerplate *b, struct dana_page *p, struct error *err)
{
	if (lines_take(&b->lines, host, p) < 0)
		return error_no_memory(err);
	int status = dedup_run_begin(&b->run, host, p, b->table.identity, err);
	if (status < 0)
		return status;
	b->is_begun = true;
	buf_clear(&b->entry);
	if (b->counter)
		return learn(b, err);
	/* set the mark of each line to the number of pages that make it boilerplate. A block holds one line, several
	 * where line ends are kept, or one of the cells of a line, of which the surest counts. */
	struct page_lines *lines = &b->lines.lines;
	const char *text = host->text(p).data;
	size_t line = 0;
	for (size_t i = 0, blocks = host->block_count(p); i < blocks; i++) {
		const struct dana_block block = host->block(p, i);
		const size_t start = (size_t)(block.text.data - text), end = start + block.text.len;
		const uint32_t needed = needed_pages(b, block.probability);
		struct page_line *last = line ? &lines->items[line - 1] : NULL;
		if (last && start < last->start + (size_t)last->len && last->mark < needed)
			last->mark = needed;
		for (; line < lines->n && lines->items[line].start <= end; line++)
			lines->items[line].mark = needed;
	}
	for (; line < lines->n; line++)
		lines->items[line].mark = needed_pages(b, -1);
	status = b->sketch.counters ? mark_by_sketch(b, p, err) : mark_by_table(b, err);
	if (status == DANA_OK && b->entry.len)
		status = journal_put(b->run.journal, buf_slice(&b->entry), err);
	return status;
}

static int page(void *instance, struct dana_page *p)
{
	struct boilerplate *b = instance;
	struct error err = { 0 };
	if (mark(b, p, &err) < 0)
		return host->page_fail(p, "%s", err.text);
	const struct lines_left left = lines_left_of(&b->lines);
	if (left.dropped == 0)
		return DANA_KEEP;
	if (b->annotate)
		return lines_put_marks(&b->lines, host, p);
	double least = b->min_left;
	if (least < 0) {
		const bool all = slice_equal(slice_of_view(host->text_item(p, DANA_METHOD)), slice_from_text("plain"));
		least = all || host->block(p, 0).probability >= 0 ? 0.1 : 0.5;
	}
	if (!lines_left_too_little(&left, least))
		return lines_drop(&b->lines, host, p, &left);
	host->count(p, SPARED_PAGES, 1);
	return DANA_KEEP;
}

/* ---- checkpoints and the end ---- */

static int save(void *instance, struct dana_store *store)
{
	struct boilerplate *b = instance;
	if (b->run.journal ? !journal_is_begun(b->run.journal) : !b->table.identity)
		return 0;
	return dedup_run_save(&b->run, host, store, b->table.identity);
}

static int restore(void *instance, struct dana_view stored)
{
	struct boilerplate *b = instance;
	struct error err = { 0 };
	const struct slice state = slice_of_view(stored);
	const char *table = host->option_text(b->run.context, "table");
	struct slice entry;
	if (b->counter)
		return host->fail(b->run.context,
				  "a run with learn= cannot be resumed: start it again with --force, or "
				  "make the table from the archives with dana dedup learn");
	if ((b->sketch.counters || b->keep_first) && !b->run.journal)
		return host->fail(b->run.context, "a run without journal= cannot be resumed");
	if (state.len == 0)
		return 0;
	if (!b->run.journal)
		return dedup_run_result(&b->run, host, journal_state_check(state, table, b->table.identity, &err),
					&err);
	int status = journal_resume(b->run.journal, state, table, b->table.identity, &err);
	while (status >= 0 && (status = journal_next(b->run.journal, &entry, &err)) == 1) {
		/* count an entry of the journal again */
		uint64_t number, *place;
		status = DANA_OK;
		for (size_t at = 0; at + sizeof(number) <= entry.len && status == DANA_OK; at += sizeof(number)) {
			memcpy(&number, entry.data + at, sizeof(number));
			if (!b->sketch.counters)
				status = hash_map_put(&b->kept, number, &place) < 0 ? error_no_memory(&err) : DANA_OK;
			else if (at == 0)
				status = count_page(b, number, &place, &err);
			else
				(void)sketch_add(&b->sketch, number);
		}
	}
	return dedup_run_result(&b->run, host, status, &err);
}

static int finish(void *instance)
{
	struct boilerplate *b = instance;
	struct error err = { 0 };
	int status = DANA_OK;
	/* A run resumed after its last page counts nothing: the run before has counted all pages. */
	if (b->counter && !b->is_begun)
		return host->fail(b->run.context, "no page was counted, so %s is not written",
				  host->option_text(b->run.context, "learn"));
	if (b->counter) {
		status = line_counter_finish(b->counter, &err);
		b->counter = NULL;
	}
	if (b->sketch.counters) {
		host->report(b->run.context, "sites", (double)b->sites.n);
		host->report(b->run.context, "count_error", sketch_error(&b->sketch));
	}
	if (b->run.journal && journal_is_begun(b->run.journal))
		status = journal_end(b->run.journal, b->table.identity, &err);
	else if (b->run.journal)
		journal_look_if_over(b->run.journal, b->table.identity);
	return dedup_run_result(&b->run, host, status, &err);
}

static const struct dana_option options[] = {
	{ "table", DANA_FILE, "FILE", NULL, "drop lines by this table of dana dedup learn", 0, 0 },
	{ "streaming", DANA_BOOLEAN, NULL, "0", "drop lines by what was counted so far", 0, 0 },
	{ "learn", DANA_FILE_WRITTEN, "FILE", NULL,
	  "drop nothing, count lines into a table: what dana dedup learn does", 0, 0 },
	{ "min-pages", DANA_INTEGER, "N", NULL,
	  "drop a line found on at least N pages of its site; default 5, with the method learned 2 for lines of a "
	  "probability below 0.6, 15 for others",
	  2, 1e9 },
	{ "share", DANA_NUMBER, "SHARE", "0.1", "and on at least this share of them", 0, 1 },
	{ "min-chars", DANA_INTEGER, "N", "1", "leave lines with fewer characters", 1, 1e9 },
	{ "min-left", DANA_NUMBER, "SHARE", NULL,
	  "leave a page as it is if less than this share of it, or nothing, would be left; default 0.1 with the "
	  "methods plain "
	  "and learned, 0.5 with others",
	  0, 1 },
	{ "keep", DANA_CHOICE, "none|first", "none", "with table=: first keeps a line on the first page that has it", 0,
	  0 },
	{ "annotate", DANA_BOOLEAN, NULL, "0",
	  "drop nothing, write the numbers of the lines and their counts into the document", 0, 0 },
	{ "memory", DANA_SIZE, "BYTES", "64M", "for the sketch of streaming, for counting, for keep=first", 1 << 12,
	  1e15 },
	{ "max-error", DANA_NUMBER, "PAGES", "2", "stop when a count may be too high by more than this many pages",
	  0.01, 1e9 },
	{ "journal", DANA_FILE_WRITTEN, "FILE", NULL,
	  "a file for the state of the run; without it a run with streaming or keep=first cannot be resumed", 0, 0 },
	{ "scope", DANA_CHOICE, "host|all", "host", "learn: count by site, or over all pages", 0, 0 },
	{ "least", DANA_INTEGER, "N", "2", "learn: leave out lines on fewer pages", 1, 1e9 },
	{ "size", DANA_SIZE, "BYTES", "1G", "learn: size of the table at most; lines on the fewest pages are left out",
	  1 << 10, 1e15 },
	{ "force", DANA_BOOLEAN, NULL, "0", "learn: overwrite a table that exists", 0, 0 },
	{ .name = NULL },
};

DANA_PLUGIN(boilerplate) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_ORDERED | DANA_PLUGIN_BLOCKS,
	.name = "boilerplate",
	.version = "1",
	.help = "drops lines that occur on many pages of one site",
	.options = options,
	.counters = counters,
	.load = load,
	.open = dedup_run_open,
	.prepare = prepare,
	.page = page,
	.save = save,
	.restore = restore,
	.finish = finish,
	.unload = unload,
};
