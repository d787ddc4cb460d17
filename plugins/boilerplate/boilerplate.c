/* SPDX-License-Identifier: MIT */
/*
 * Drops lines that occur on many pages of one site: menus, notices, footers. learn=FILE counts lines into a table;
 * table=FILE drops those that a table lists; streaming=1 counts during the run and drops by the counts so far. A page
 * that would lose all its text stays as it is.
 */
#include "plugins/boilerplate/boilerplate.h"

#include <stdlib.h>

#include "plugins/dedup_common/ordered.h"

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
