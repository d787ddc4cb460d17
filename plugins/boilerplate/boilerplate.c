/* SPDX-License-Identifier: MIT */
/*
 * What the files of this plugin share: its settings, and its three ways to work.
 *
 * How many pages make a line boilerplate. Repetition is one sign, the method's probability another: for a line that the
 * method doubts two pages are enough, for one that it takes for content many are needed. The numbers were chosen on
 * real sites (doc/DEDUP.md).
 *
 * And how much of a page must be left: most of the text of plain may be boilerplate, but not most of what another
 * method found to be main content, unless that method also says which lines it doubts.
 *
 * Counts lines and marks those that are boilerplate. What a page has changed goes into b->entry: with a sketch the
 * number of the site and all keys, with keep=first the keys of the lines that the page has kept.
 *
 * Drops lines that occur on many pages of one site: menus, notices, footers. learn=FILE counts lines into a table;
 * table=FILE drops those that a table lists; streaming=1 counts during the run and drops by the counts so far. A page
 * that would lose all its text stays as it is.
 */
#include <stdlib.h>

#include "dedup/counts.h"
#include "dedup/journal.h"
#include "dedup/line_table.h"
#include "plugins/dedup_common/ordered.h"

enum boilerplate_counter { BOILER_LINES, BOILER_CHARS, BOILER_CHANGED, BOILER_SPARED, BOILER_UNKNOWN, BOILER_COUNTERS };

/** A line is boilerplate if it occurs on at least so many pages of its site, and on at least this share of them. */
struct boilerplate_rule {
	uint64_t min_pages; /* 0: depends on the method's probability for the line */
	double share;
	size_t min_chars;
	double min_left; /* share of a page's characters; negative: depends on the method */
};

static inline bool boilerplate_is(const struct boilerplate_rule *r, uint64_t needed, uint64_t count, uint64_t pages)
{
	return count >= needed && (double)count >= r->share * (double)pages;
}

/** State of the run. Only the instance changes what it counts. */
struct boilerplate {
	const struct dana_context *context;
	struct boilerplate_rule rule;
	bool keep_first, annotate;
	size_t memory;
	struct pool makers;

	struct line_table table;      /* table= */
	struct line_counter *counter; /* learn= */
	struct sketch sketch;         /* streaming=1 */
	struct hash_map sites;        /* streaming=1: pages of each */
	double most_error;

	struct hash_map kept;    /* keep=first: lines that a page has kept */
	struct journal *journal; /* NULL: no journal */
	bool begun;              /* a page has come; the journal belongs to this unfinished run */
	bool over;               /* the journal is no longer needed */
	struct buf entry;
};

enum { USUAL = 5, DOUBTED = 2, SURE = 15 };

static const double doubted_below = 0.6; /* probability */

/** Returns the number of pages that makes a line boilerplate if the method gives no probability for it. */
static uint64_t boilerplate_usual_pages(const struct boilerplate_rule *r)
{
	return r->min_pages ? r->min_pages : USUAL;
}

static uint32_t needed(const struct boilerplate_rule *r, double probability)
{
	if (r->min_pages || probability < 0)
		return (uint32_t)boilerplate_usual_pages(r);
	return probability < doubted_below ? DOUBTED : SURE;
}

/* A block holds one line or, where line ends are kept, several. */
static void boilerplate_mark_needed(const struct boilerplate_rule *r, const struct dana_host *host,
				    const struct dana_page *page, struct lines *l)
{
	const char *text = host->text(page).data;
	const size_t blocks = host->block_count(page);
	size_t line = 0;

	for (size_t i = 0; i < blocks; i++) {
		const struct dana_block block = host->block(page, i);
		const size_t end = (size_t)(block.text.data - text) + block.text.len;
		for (; line < l->lines.n && l->lines.items[line].start <= end; line++)
			l->lines.items[line].mark = needed(r, block.probability);
	}
	for (; line < l->lines.n; line++)
		l->lines.items[line].mark = needed(r, -1);
}

/** Returns the least share of the page's characters that must be left. */
static double boilerplate_least_left(const struct boilerplate_rule *r, const struct dana_host *host,
				     const struct dana_page *page)
{
	const struct dana_view method = host->text_item(page, DANA_METHOD);

	if (r->min_left >= 0)
		return r->min_left;
	const bool all = slice_equal(slice_of_view(method), slice_from_text("plain"));
	return all || host->block(page, 0).probability >= 0 ? 0.1 : 0.5;
}

/** Counts the page's lines for the table. Returns 0, or a negative status with `err` set. */
static int boilerplate_learn(struct boilerplate *b, struct lines *l, struct error *err)
{
	size_t n;
	const uint64_t *keys = lines_keys(l, b->rule.min_chars, &n);
	int status = keys ? line_counter_page(b->counter, l->scope, err) : error_no_memory(err);
	for (size_t i = 0; i < n && status == DANA_OK; i++)
		status = line_counter_add(b->counter, keys[i], err);
	return status;
}

/* ---- by a table ---- */

/* Returns 1 if this is the first copy, which is kept; 0 if an earlier page has kept one; or a negative status. */
static int keep_first(struct boilerplate *b, uint64_t key, struct error *err)
{
	uint64_t *place;
	int status = hash_map_put(&b->kept, key, &place);
	if (status == DANA_ELIMIT)
		return error_set(err, DANA_ELIMIT, "memory is full after %zu lines; raise memory=", b->kept.n);
	if (status < 0)
		return error_no_memory(err);
	if (status == 0 && b->journal && buf_append(&b->entry, &key, sizeof(key)) < 0)
		return error_no_memory(err);
	return !status;
}

/**
 * Replaces the marks that boilerplate_mark_needed has set: a line that is boilerplate by the table gets its count, any
 * other 0.
 */
static int boilerplate_mark(struct boilerplate *b, struct lines *l, struct error *err)
{
	uint64_t pages = line_table_pages(&b->table, l->scope);
	for (size_t i = 0; i < l->lines.n; i++) {
		struct page_line *line = &l->lines.items[i];
		const uint64_t needed = line->mark;
		line->mark = 0;
		if (!line->key || line->chars < b->rule.min_chars)
			continue;
		uint64_t count = line_table_count(&b->table, line->key);
		if (!boilerplate_is(&b->rule, needed, count, pages))
			continue;
		int first = b->keep_first ? keep_first(b, line->key, err) : 0;
		if (first < 0)
			return first;
		line->mark = first ? 0 : count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
	}
	return DANA_OK;
}

/* ---- by a sketch ---- */

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

static int check_error(const struct boilerplate *b, struct error *err)
{
	if (sketch_error(&b->sketch) <= b->most_error)
		return DANA_OK;
	return error_set(err, DANA_ELIMIT,
			 "the sketch of %zu bytes counts up to %.1f pages too many after %llu lines; raise memory= or "
			 "max-error=, or split the run",
			 b->memory, sketch_error(&b->sketch), (unsigned long long)b->sketch.sum);
}

/* Collects the counts of all keys, so that they can be looked up for each line. */
static int count_keys(struct boilerplate *b, struct lines *l, struct hash_map *counts, struct error *err)
{
	size_t n;
	uint64_t *count;
	const uint64_t *keys = lines_keys(l, b->rule.min_chars, &n);
	if (!keys)
		return error_no_memory(err);
	for (size_t i = 0; i < n; i++) {
		uint32_t now = sketch_add(&b->sketch, keys[i]);
		if (hash_map_put(counts, keys[i], &count) < 0)
			return error_no_memory(err);
		*count = now;
	}
	if (b->journal) {
		buf_append(&b->entry, &l->scope, sizeof(l->scope));
		buf_append(&b->entry, keys, n * sizeof(*keys));
	}
	return buf_status(&b->entry) < 0 ? error_no_memory(err) : check_error(b, err);
}

/**
 * Counts the page's lines in the sketch and marks them by it as boilerplate_mark does. *known is true if the site had
 * enough pages.
 */
static int boilerplate_stream(struct boilerplate *b, struct lines *l, bool *known, struct error *err)
{
	struct hash_map counts = { .most_bytes = SIZE_MAX };
	uint64_t *pages;
	int status = count_page(b, l->scope, &pages, err);
	if (status == DANA_OK) {
		*known = *pages >= boilerplate_usual_pages(&b->rule);
		status = count_keys(b, l, &counts, err);
	}
	for (size_t i = 0; i < l->lines.n && status == DANA_OK; i++) {
		struct page_line *line = &l->lines.items[i];
		const uint64_t *count = line->key ? hash_map_get(&counts, line->key) : NULL;
		/* a count may be too high by the sketch's error, so that much more is needed */
		const uint64_t needed = line->mark + (uint64_t)sketch_error(&b->sketch);
		line->mark = count && boilerplate_is(&b->rule, needed, *count, *pages) ? (uint32_t)*count : 0;
	}
	hash_map_free(&counts);
	return status;
}

/* ---- after a kill ---- */

static int boilerplate_again(struct boilerplate *b, struct slice entry, struct error *err)
{
	uint64_t number, *place;
	int status = DANA_OK;
	for (size_t at = 0; at + sizeof(number) <= entry.len && status == DANA_OK; at += sizeof(number)) {
		memcpy(&number, entry.data + at, sizeof(number));
		if (!b->sketch.counters)
			status = hash_map_put(&b->kept, number, &place) < 0 ? error_no_memory(err) : DANA_OK;
		else if (at == 0)
			status = count_page(b, number, &place, err);
		else
			(void)sketch_add(&b->sketch, number);
	}
	return status;
}

static const struct dana_host *host;

static const char *const counters[BOILER_COUNTERS + 1] = { "dropped_lines", "dropped_chars",      "changed_pages",
							   "spared_pages",  "pages_before_known", NULL };

struct instance {
	struct boilerplate *all;
	struct dana_context *context;
	struct lines lines;
};

/* ---- settings ---- */

static void unload(void *shared)
{
	struct boilerplate *b = shared;
	if (!b)
		return;
	pool_free(&b->makers);
	line_table_close(&b->table);
	line_counter_abandon(b->counter);
	sketch_free(&b->sketch);
	hash_map_free(&b->sites);
	hash_map_free(&b->kept);
	run_journal_close(b->journal, b->over && host->run_is_over(b->context));
	buf_free(&b->entry);
	free(b);
}

static int open_table(struct boilerplate *b, const char *path, struct error *err)
{
	int status = line_table_open(&b->table, path, err);
	if (status < 0)
		return status;
	if (!b->table.by_site)
		return error_set(err, DANA_ECONFIG, "%s counts lines of all pages, not by site", path);
	if (b->table.least > boilerplate_usual_pages(&b->rule))
		return error_set(
			err, DANA_ECONFIG,
			"%s holds only lines on %llu pages and more; raise min-pages=, or make it with a larger --size",
			path, (unsigned long long)b->table.least);
	return DANA_OK;
}

static int open_counter(struct boilerplate *b, struct dana_context *c, const char *path, struct error *err)
{
	const struct line_counter_settings settings = { .by_site = !option_is(host, c, "scope", "all"),
							.least = (uint64_t)host->option_integer(c, "least"),
							.size = (uint64_t)host->option_integer(c, "size"),
							.memory = b->memory,
							.force = host->option_boolean(c, "force") };
	b->counter = line_counter_new(path, &settings, err);
	return b->counter ? DANA_OK : err->status;
}

static int open_files(struct boilerplate *b, struct dana_context *c, struct error *err)
{
	const char *table = host->option_text(c, "table"), *learn = host->option_text(c, "learn"),
		   *journal = host->option_text(c, "journal");
	const bool streaming = host->option_boolean(c, "streaming");
	int status = DANA_OK;
	if ((table != NULL) + (learn != NULL) + streaming != 1)
		return error_set(err, DANA_ECONFIG, "expected one of table=FILE, learn=FILE and streaming=1");
	if (table)
		status = open_table(b, table, err);
	else if (learn)
		status = open_counter(b, c, learn, err);
	else if (sketch_make(&b->sketch, b->memory) < 0)
		status = error_no_memory(err);
	if (status == DANA_OK && journal && !learn) {
		b->journal = journal_open(journal, err);
		status = b->journal ? DANA_OK : err->status;
	}
	return status;
}

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	host = h;
	struct error err = { 0 };
	struct boilerplate *b = calloc(1, sizeof(*b));
	if (!b)
		return host->fail(c, "%s", status_text(DANA_ENOMEM));
	b->context = c;
	lines_pool_init(&b->makers);
	b->rule = (struct boilerplate_rule){
		.min_pages = (uint64_t)host->option_integer(c, "min-pages"),
		.share = host->option_number(c, "share"),
		.min_chars = (size_t)host->option_integer(c, "min-chars"),
		.min_left = host->option_is_set(c, "min-left") ? host->option_number(c, "min-left") : -1,
	};
	b->keep_first = option_is(host, c, "keep", "first");
	b->annotate = host->option_boolean(c, "annotate");
	b->memory = (size_t)host->option_integer(c, "memory");
	b->most_error = host->option_number(c, "max-error");
	b->sites.most_bytes = b->kept.most_bytes = b->memory;
	*shared = b;
	if (open_files(b, c, &err) == DANA_OK)
		return 0;
	unload(b);
	*shared = NULL;
	return host->fail(c, "%s", err.text);
}

static int open_instance(void **instance, void *shared, const struct dana_host *h, struct dana_context *c)
{
	(void)h;
	struct instance *x = calloc(1, sizeof(*x));
	if (!x)
		return host->fail(c, "%s", status_text(DANA_ENOMEM));
	x->all = shared;
	x->context = c;
	*instance = x;
	return 0;
}

static void close_instance(void *instance)
{
	struct instance *x = instance;
	lines_free(&x->lines);
	free(x);
}

/* ---- pages ---- */

static int prepare(void *shared, struct dana_page *p)
{
	struct boilerplate *b = shared;
	return lines_attach(host, &b->makers, p, !b->counter || line_counter_by_site(b->counter));
}

static int begin(struct boilerplate *b, const struct dana_page *p, struct error *err)
{
	int status = b->begun || !b->journal
			     ? DANA_OK
			     : run_journal_begin(b->journal, slice_of_view(host->text_item(p, DANA_FILE_NAME)),
						 b->table.identity, err);
	b->over = false;
	b->begun = status == DANA_OK;
	buf_clear(&b->entry);
	return status;
}

static int mark(struct instance *x, struct dana_page *p, struct error *err)
{
	struct boilerplate *b = x->all;
	bool known = true;
	if (lines_take(&x->lines, host, p) < 0)
		return error_no_memory(err);
	int status = begin(b, p, err);
	if (!b->counter)
		boilerplate_mark_needed(&b->rule, host, p, &x->lines);
	if (status == DANA_OK)
		status = b->counter           ? boilerplate_learn(b, &x->lines, err)
			 : b->sketch.counters ? boilerplate_stream(b, &x->lines, &known, err)
					      : boilerplate_mark(b, &x->lines, err);
	if (status == DANA_OK && b->entry.len)
		status = journal_put(b->journal, buf_slice(&b->entry), err);
	if (!known)
		host->count(p, BOILER_UNKNOWN, 1);
	return status;
}

static int change(struct instance *x, struct dana_page *p, struct lines_dropped d)
{
	const uint64_t chars = x->lines.lines.chars, left = chars - d.chars;
	if (left == 0 || (double)left < boilerplate_least_left(&x->all->rule, host, p) * (double)chars) {
		host->count(p, BOILER_SPARED, 1);
		return DANA_KEEP;
	}
	host->count(p, BOILER_LINES, d.lines);
	host->count(p, BOILER_CHARS, d.chars);
	host->count(p, BOILER_CHANGED, 1);
	int status = lines_put_dropped(host, p, d);
	return status < 0 ? status : lines_set_left(&x->lines, host, p);
}

static int page(void *instance, struct dana_page *p)
{
	struct instance *x = instance;
	struct error err = { 0 };
	if (mark(x, p, &err) < 0)
		return host->page_fail(p, "%s", err.text);
	struct lines_dropped d = lines_count_marked(&x->lines);
	if (d.lines == 0)
		return DANA_KEEP;
	return x->all->annotate ? lines_put_marks(&x->lines, host, p, "lines") : change(x, p, d);
}

/* ---- checkpoints and the end ---- */

static int save(void *instance, struct dana_store *store)
{
	struct instance *x = instance;
	struct boilerplate *b = x->all;
	if (b->journal ? !b->begun : !b->table.identity)
		return 0;
	return ordered_save(host, x->context, store, b->journal, b->table.identity);
}

/* The entry that marks the end of a run is skipped: its length differs from those of this plugin. */
static int read_again(struct boilerplate *b, struct slice state, const char *table, struct error *err)
{
	struct slice entry;
	int status = run_journal_resume(b->journal, state, table, b->table.identity, err);
	b->over = status == RUN_FINISHED;
	b->begun = status == DANA_OK;
	if (b->over)
		status = run_journal_rewind(b->journal, err);
	while (status >= 0 && (status = journal_next(b->journal, &entry, err)) == 1)
		status = entry.len % sizeof(uint64_t) ? DANA_OK : boilerplate_again(b, entry, err);
	return status;
}

static int restore(void *instance, struct dana_view state)
{
	struct instance *x = instance;
	struct boilerplate *b = x->all;
	struct error err = { 0 };
	if (b->counter)
		return host->fail(x->context, "a run with learn= cannot be resumed: start it again with --force, or "
					      "make the table from the archives with dana dedup learn");
	if ((b->sketch.counters || b->keep_first) && !b->journal)
		return host->fail(x->context, "a run without journal= cannot be resumed");
	if (state.len == 0)
		return 0;
	const char *table = host->option_text(x->context, "table");
	int status = b->journal ? read_again(b, slice_of_view(state), table, &err)
				: run_state_check(slice_of_view(state), table, b->table.identity, &err);
	if (status < 0)
		return host->fail(x->context, "%s", err.text);
	return 0;
}

static int finish(void *instance)
{
	struct instance *x = instance;
	struct boilerplate *b = x->all;
	struct error err = { 0 };
	int status = DANA_OK;
	/* A run resumed after its last page counts nothing: the run before has counted all pages. */
	if (b->counter && !b->begun)
		return host->fail(x->context, "no page was counted, so %s is not written",
				  host->option_text(x->context, "learn"));
	if (b->counter) {
		status = line_counter_finish(b->counter, &err);
		b->counter = NULL;
	}
	if (b->sketch.counters) {
		host->report(x->context, "sites", (double)b->sites.n);
		host->report(x->context, "count_error", sketch_error(&b->sketch));
	}
	if (status == DANA_OK && b->journal && b->begun)
		status = run_journal_end(b->journal, b->table.identity, &err);
	if (status == DANA_OK && b->journal)
		b->over = b->begun || run_journal_is_over(b->journal, b->table.identity);
	return status < 0 ? host->fail(x->context, "%s", err.text) : 0;
}

static const struct dana_option options[] = {
	{ "table", DANA_FILE, "FILE", NULL, "drop lines by this table of dana dedup learn", 0, 0 },
	{ "streaming", DANA_BOOLEAN, NULL, "0", "drop lines by what was counted so far", 0, 0 },
	{ "learn", DANA_FILE_WRITTEN, "FILE", NULL,
	  "drop nothing, count lines into a table: what dana dedup learn does", 0, 0 },
	{ "min-pages", DANA_INTEGER, "N", NULL,
	  "a line on so many pages of its site is boilerplate; default 5, with the method learned 2 for lines of a "
	  "probability below 0.6, 15 for others",
	  2, 1e9 },
	{ "share", DANA_NUMBER, "SHARE", "0.1", "and on this share of them", 0, 1 },
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
	{ "max-error", DANA_NUMBER, "PAGES", "2", "streaming stops when its counts may be so much too high", 0.01,
	  1e9 },
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
	.open = open_instance,
	.prepare = prepare,
	.page = page,
	.save = save,
	.restore = restore,
	.finish = finish,
	.close = close_instance,
	.unload = unload,
};
