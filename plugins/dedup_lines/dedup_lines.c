/* SPDX-License-Identifier: MIT */
/*
 * Counts how often each line was seen, up to a bound: exactly in a table, or approximately in a Bloom filter. Counted
 * lines also go into a journal, from which the state can be rebuilt, and which is added to an index at the end.
 *
 * Drops lines that were seen before: on the page, on pages of the same site, or on any page. Workers hash the lines; in
 * the order of the input each is counted, and those that were seen often enough are dropped.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file/path.h"
#include "dedup/counts.h"
#include "dedup/journal.h"
#include "dedup/line_table.h"
#include "plugins/dedup_common/ordered.h"

struct line_history_settings {
	const char *index, *journal; /* paths, or NULL. With an index the journal is beside it */
	bool by_site, bloom;
	uint64_t max_count;
	size_t memory;
	double most_false; /* greatest false-positive rate of the Bloom filter */
};

/** Zero-initialise it before line_history_open; then the caller must call line_history_close. */
struct line_history {
	struct line_history_settings settings;
	struct line_table index; /* as it was before the run */
	bool has_index;
	struct journal *journal; /* NULL: the run cannot be resumed */
	bool begun;              /* the journal belongs to this unfinished run */
	bool over;               /* the index contains what the journal holds */
	struct hash_map counts;
	struct bloom bloom;
	struct buf entry; /* keys of the current page */
};

/* ---- files ---- */

/* With an index the journal is also a lock: it keeps other runs from changing the index. */
static int open_journal(struct line_history *s, struct error *err)
{
	const char *name = s->settings.index ? s->settings.index : s->settings.journal;

	if (!name)
		return DANA_OK;
	char *path = path_with(name, s->settings.index ? ".journal" : "");
	if (path)
		s->journal = journal_open(path, err);
	else
		(void)error_no_memory(err);
	free(path);
	return s->journal ? DANA_OK : err->status;
}

static int open_index(struct line_history *s, struct error *err)
{
	if (!s->settings.index || access(s->settings.index, F_OK) < 0)
		return DANA_OK;
	int status = line_table_open(&s->index, s->settings.index, err);
	if (status == DANA_OK && s->index.by_site != s->settings.by_site)
		status = error_set(err, DANA_ECONFIG, "%s was made with scope=%s", s->settings.index,
				   s->index.by_site ? "host" : "all");
	s->has_index = status == DANA_OK;
	return status;
}

static int line_history_open(struct line_history *s, const struct line_history_settings *settings, struct error *err)
{
	*s = (struct line_history){ .settings = *settings, .counts = { .most_bytes = settings->memory } };
	if (settings->bloom && bloom_make(&s->bloom, settings->memory) < 0)
		return error_no_memory(err);
	int status = open_journal(s, err);
	return status < 0 ? status : open_index(s, err);
}

/** Keeps the journal unless the run is over: another run may resume from it. */
static void line_history_close(struct line_history *s, bool run_is_over)
{
	line_table_close(&s->index);
	run_journal_close(s->journal, s->over && run_is_over);
	hash_map_free(&s->counts);
	bloom_free(&s->bloom);
	buf_free(&s->entry);
	*s = (struct line_history){ 0 };
}

/** Must be called before the first page. */
static int line_history_begin(struct line_history *s, struct slice first_input, struct error *err)
{
	int status =
		s->begun || !s->journal ? DANA_OK : run_journal_begin(s->journal, first_input, s->index.identity, err);

	s->over = false;
	s->begun = status == DANA_OK;
	return status;
}

/* ---- counting ---- */

static int put_bloom(struct line_history *s, uint64_t key, struct error *err)
{
	if (bloom_put(&s->bloom, key))
		return 1;
	if (bloom_rate(&s->bloom) > s->settings.most_false)
		return error_set(
			err, DANA_ELIMIT,
			"the Bloom filter of %zu bytes takes more than %g of new lines for old ones; raise memory= "
			"or false-positives=, or split the run",
			s->settings.memory, s->settings.most_false);
	return 0;
}

static int put_exact(struct line_history *s, uint64_t key, struct error *err)
{
	uint64_t *count;
	uint64_t before = s->has_index ? line_table_count(&s->index, key) : 0;

	if (before >= s->settings.max_count)
		return 1;
	int status = hash_map_put(&s->counts, key, &count);
	if (status == DANA_ELIMIT)
		return error_set(err, DANA_ELIMIT,
				 "memory is full after %zu lines; raise memory=, set=bloom, or split the run",
				 s->counts.n);
	if (status < 0)
		return error_no_memory(err);
	if (before + *count >= s->settings.max_count)
		return 1;
	++*count;
	return 0;
}

static int put(struct line_history *s, uint64_t key, struct error *err)
{
	return s->settings.bloom ? put_bloom(s, key, err) : put_exact(s, key, err);
}

/**
 * Counts a line. Returns 1 if it was already seen max_count times, else 0; or a negative status, also if the bound on
 * memory or on the false-positive rate is exceeded.
 */
static int line_history_line(struct line_history *s, uint64_t key, struct error *err)
{
	int status = put(s, key, err);

	if (status == 0 && s->journal && buf_append(&s->entry, &key, sizeof(key)) < 0)
		return error_no_memory(err);
	return status;
}

/** Ends a page. */
static int line_history_end_page(struct line_history *s, struct error *err)
{
	int status = s->journal && s->entry.len ? journal_put(s->journal, buf_slice(&s->entry), err) : DANA_OK;

	buf_clear(&s->entry);
	return status;
}

/* ---- checkpoints ---- */

/*
 * Calls `each` for every key of the journal. The entry that marks the end of the run holds no keys; its length
 * identifies it.
 */
static int read_journal(struct line_history *s, int (*each)(void *arg, uint64_t key, struct error *err), void *arg,
			struct error *err)
{
	struct slice entry;
	int status;

	while ((status = journal_next(s->journal, &entry, err)) == 1) {
		for (size_t at = 0; entry.len % sizeof(uint64_t) == 0 && at < entry.len && status >= 0;
		     at += sizeof(uint64_t)) {
			uint64_t key;
			memcpy(&key, entry.data + at, sizeof(key));
			status = each(arg, key, err);
		}
		if (status < 0)
			return status;
	}
	return status;
}

static int put_again(void *arg, uint64_t key, struct error *err)
{
	return put(arg, key, err);
}

/** Counts the lines of the journal again. `state`: what run_journal_save has written. */
static int line_history_restore(struct line_history *s, struct slice state, struct error *err)
{
	const bool has_index = s->has_index;
	const char *file = s->settings.index ? s->settings.index : s->settings.journal;
	int status = run_journal_resume(s->journal, state, file, s->index.identity, err);

	s->over = status == RUN_FINISHED;
	s->begun = status == DANA_OK;
	if (s->over) {
		s->has_index = false; /* it already holds the journal's lines, which are counted again for --stats */
		status = run_journal_rewind(s->journal, err);
	}
	if (status == DANA_OK)
		status = read_journal(s, put_again, s, err);
	s->has_index = has_index;
	return status;
}

/* ---- the end ---- */

static int count_again(void *arg, uint64_t key, struct error *err)
{
	return line_counter_add(arg, key, err);
}

/* Writes the lines of the old index and of the journal. */
static int write_index(struct line_history *s, struct error *err)
{
	const struct line_counter_settings settings = { .by_site = s->settings.by_site,
							.least = 1,
							.size = UINT64_MAX,
							.memory = s->settings.memory,
							.force = true,
							.ready = { run_journal_end, s->journal } };
	struct line_counter *c = line_counter_new(s->settings.index, &settings, err);
	int status = c ? run_journal_rewind(s->journal, err) : (int)err->status;

	if (status == DANA_OK && s->has_index)
		status = line_counter_add_table(c, &s->index, err);
	if (status == DANA_OK)
		status = read_journal(s, count_again, c, err);
	if (status == DANA_OK)
		return line_counter_finish(c, err);
	line_counter_abandon(c);
	return status;
}

/** Writes the index. */
static int line_history_finish(struct line_history *s, struct error *err)
{
	if (!s->journal)
		return DANA_OK;
	if (!s->begun) {
		s->over = run_journal_is_over(s->journal, s->index.identity);
		return DANA_OK;
	}
	hash_map_free(&s->counts);
	int status = s->settings.index ? write_index(s, err) : run_journal_end(s->journal, 0, err);
	s->over = status == DANA_OK;
	return status;
}

static const struct dana_host *host;

enum { DROPPED_LINES, DROPPED_CHARS, CHANGED_PAGES, DROPPED_PAGES };

static const char *const counters[] = { "dropped_lines", "dropped_chars", "changed_pages", "dropped_pages", NULL };

enum scope { SCOPE_PAGE, SCOPE_HOST, SCOPE_ALL };

/* Settings of the run. */
struct settings {
	const struct dana_context *context;
	enum scope scope;
	bool keep_none, annotate;
	uint64_t max_count;
	size_t min_chars;
	double min_left;
	struct line_table table;     /* keep=none */
	struct line_history history; /* belongs to the instance */
	struct pool makers;
};

struct instance {
	struct settings *settings;
	struct dana_context *context;
	struct lines lines;
	struct hash_map page; /* counts of the page's lines, for scope=page */
};

/* ---- settings ---- */

static void unload(void *shared)
{
	struct settings *s = shared;
	if (!s)
		return;
	pool_free(&s->makers);
	line_table_close(&s->table);
	line_history_close(&s->history, host->run_is_over(s->context));
	free(s);
}

static int open_table(struct settings *s, const char *path, struct error *err)
{
	if (!path)
		return error_set(
			err, DANA_ECONFIG,
			"keep=none needs table=FILE, made by dana dedup learn: how often a line occurs is not known "
			"before the end (not needed with scope=page)");
	int status = line_table_open(&s->table, path, err);
	if (status < 0)
		return status;
	if (s->table.by_site != (s->scope == SCOPE_HOST))
		return error_set(err, DANA_ECONFIG, "%s was made with --scope %s", path,
				 s->table.by_site ? "host" : "all");
	if (s->table.least > s->max_count + 1)
		return error_set(err, DANA_ECONFIG,
				 "%s holds only lines on %llu pages and more; raise max-count=, or make it "
				 "with a lower --least and a larger --size",
				 path, (unsigned long long)s->table.least);
	return DANA_OK;
}

static int open_seen(struct settings *s, struct dana_context *c, struct error *err)
{
	const struct line_history_settings settings = { .index = host->option_text(c, "index"),
							.journal = host->option_text(c, "journal"),
							.by_site = s->scope == SCOPE_HOST,
							.bloom = option_is(host, c, "set", "bloom"),
							.max_count = s->max_count,
							.memory = (size_t)host->option_integer(c, "memory"),
							.most_false = host->option_number(c, "false-positives") };
	if (settings.bloom && (settings.max_count != 1 || settings.index))
		return error_set(err, DANA_ECONFIG, "set=bloom excludes index= and max-count= above 1");
	return line_history_open(&s->history, &settings, err);
}

static int read_options(struct settings *s, struct dana_context *c, struct error *err)
{
	s->scope = option_is(host, c, "scope", "page")   ? SCOPE_PAGE
		   : option_is(host, c, "scope", "host") ? SCOPE_HOST
							 : SCOPE_ALL;
	s->keep_none = option_is(host, c, "keep", "none");
	s->annotate = host->option_boolean(c, "annotate");
	s->max_count = (uint64_t)host->option_integer(c, "max-count");
	s->min_chars = (size_t)host->option_integer(c, "min-chars");
	s->min_left = host->option_number(c, "min-left");
	if (s->scope == SCOPE_PAGE)
		return DANA_OK;
	return s->keep_none ? open_table(s, host->option_text(c, "table"), err) : open_seen(s, c, err);
}

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	host = h;
	struct error err = { 0 };
	struct settings *s = calloc(1, sizeof(*s));
	if (!s)
		return host->fail(c, "%s", status_text(DANA_ENOMEM));
	s->context = c;
	lines_pool_init(&s->makers);
	*shared = s;
	if (read_options(s, c, &err) == DANA_OK)
		return 0;
	unload(s);
	*shared = NULL;
	return host->fail(c, "%s", err.text);
}

static int open_instance(void **instance, void *shared, const struct dana_host *h, struct dana_context *c)
{
	(void)h;
	struct instance *x = calloc(1, sizeof(*x));
	if (!x)
		return host->fail(c, "%s", status_text(DANA_ENOMEM));
	x->settings = shared;
	x->context = c;
	x->page.most_bytes = SIZE_MAX;
	*instance = x;
	return 0;
}

static void close_instance(void *instance)
{
	struct instance *x = instance;
	lines_free(&x->lines);
	hash_map_free(&x->page);
	free(x);
}

/* ---- which lines ---- */

static int mark_on_page(struct instance *x, struct error *err)
{
	const struct settings *s = x->settings;
	uint64_t *count;
	hash_map_free(&x->page);
	for (size_t i = 0; i < x->lines.lines.n; i++) {
		struct page_line *line = &x->lines.lines.items[i];
		if (!line->key || line->chars < s->min_chars)
			continue;
		if (hash_map_put(&x->page, line->key, &count) < 0)
			return error_no_memory(err);
		line->mark = ++*count > s->max_count;
	}
	for (size_t i = 0; s->keep_none && i < x->lines.lines.n; i++) {
		struct page_line *line = &x->lines.lines.items[i];
		const uint64_t *all =
			line->key && line->chars >= s->min_chars ? hash_map_get(&x->page, line->key) : NULL;
		line->mark = all && *all > s->max_count;
	}
	return DANA_OK;
}

static int mark_seen(struct instance *x, struct error *err)
{
	struct settings *s = x->settings;
	int status = DANA_OK;
	for (size_t i = 0; i < x->lines.lines.n && status >= 0; i++) {
		struct page_line *line = &x->lines.lines.items[i];
		if (!line->key || line->chars < s->min_chars)
			continue;
		status = s->keep_none ? line_table_count(&s->table, line->key) > s->max_count
				      : line_history_line(&s->history, line->key, err);
		line->mark = status == 1;
	}
	if (status >= 0)
		status = s->keep_none ? DANA_OK : line_history_end_page(&s->history, err);
	return status;
}

static int mark(struct instance *x, const struct dana_page *p, struct error *err)
{
	struct settings *s = x->settings;
	if (lines_take(&x->lines, host, p) < 0)
		return error_no_memory(err);
	if (s->scope == SCOPE_PAGE)
		return mark_on_page(x, err);
	int status = s->keep_none
			     ? DANA_OK
			     : line_history_begin(&s->history, slice_of_view(host->text_item(p, DANA_FILE_NAME)), err);
	return status < 0 ? status : mark_seen(x, err);
}

/* ---- pages ---- */

static int prepare(void *shared, struct dana_page *p)
{
	struct settings *s = shared;
	return lines_attach(host, &s->makers, p, s->scope == SCOPE_HOST);
}

static int change(struct instance *x, struct dana_page *p, struct lines_dropped d)
{
	const struct settings *s = x->settings;
	const uint64_t chars = x->lines.lines.chars, left = chars - d.chars;
	int status = lines_put_dropped(host, p, d);
	if (status < 0)
		return status;
	if (left == 0 || (double)left < s->min_left * (double)chars) {
		host->count(p, DROPPED_PAGES, 1);
		return host->drop(p, "little_left");
	}
	host->count(p, DROPPED_LINES, d.lines);
	host->count(p, DROPPED_CHARS, d.chars);
	host->count(p, CHANGED_PAGES, 1);
	return lines_set_left(&x->lines, host, p);
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
	return x->settings->annotate ? lines_put_marks(&x->lines, host, p, "lines") : change(x, p, d);
}

/* ---- checkpoints and the end ---- */

static bool has_state(const struct settings *s)
{
	return s->scope != SCOPE_PAGE && !s->keep_none;
}

static int save(void *instance, struct dana_store *store)
{
	struct instance *x = instance;
	const struct line_history *history = &x->settings->history;
	const uint64_t table = x->settings->table.identity;
	if (table) /* which it was */
		return ordered_save(host, x->context, store, NULL, table);
	if (!has_state(x->settings) || !history->journal || !history->begun)
		return 0;
	return ordered_save(host, x->context, store, history->journal, history->index.identity);
}

static int restore(void *instance, struct dana_view state)
{
	struct instance *x = instance;
	struct error err = { 0 };
	const struct settings *s = x->settings;
	if (s->table.identity && state.len &&
	    run_state_check(slice_of_view(state), host->option_text(x->context, "table"), s->table.identity, &err) < 0)
		return host->fail(x->context, "%s", err.text);
	if (!has_state(s))
		return 0;
	if (!s->history.journal)
		return host->fail(x->context, "a run without index= and journal= cannot be resumed");
	if (state.len == 0)
		return 0;
	if (line_history_restore(&x->settings->history, slice_of_view(state), &err) < 0)
		return host->fail(x->context, "%s", err.text);
	return 0;
}

static int finish(void *instance)
{
	struct instance *x = instance;
	struct error err = { 0 };
	struct line_history *history = &x->settings->history;
	if (!has_state(x->settings))
		return 0;
	if (history->settings.bloom)
		host->report(x->context, "false_positive_rate", bloom_rate(&history->bloom));
	if (!history->settings.bloom)
		host->report(x->context, "lines_in_memory", (double)history->counts.n);
	return line_history_finish(history, &err) < 0 ? host->fail(x->context, "%s", err.text) : 0;
}

static const struct dana_option options[] = {
	{ "scope", DANA_CHOICE, "page|host|all", "all",
	  "what lines are compared with: lines of the page, of its site, of all pages", 0, 0 },
	{ "keep", DANA_CHOICE, "first|none", "first",
	  "keep the first copies, or none; with host and all, none needs table=", 0, 0 },
	{ "max-count", DANA_INTEGER, "N", "1",
	  "so many copies are kept; with none, lines that come no more often are left", 1, 1e9 },
	{ "min-chars", DANA_INTEGER, "N", "20", "leave lines with fewer characters", 1, 1e9 },
	{ "min-left", DANA_NUMBER, "SHARE", "0",
	  "drop a page of which less than this share of its characters would be left", 0, 1 },
	{ "annotate", DANA_BOOLEAN, NULL, "0", "drop nothing, write the numbers of the lines into the document", 0, 0 },
	{ "index", DANA_FILE_WRITTEN, "FILE", NULL,
	  "lines of earlier runs, which this run adds its own to; made when it is missing", 0, 0 },
	{ "table", DANA_FILE, "FILE", NULL, "for keep=none: how often lines come, by dana dedup learn", 0, 0 },
	{ "set", DANA_CHOICE, "exact|bloom", "exact",
	  "how lines are remembered; bloom takes some new lines for old ones", 0, 0 },
	{ "memory", DANA_SIZE, "BYTES", "256M", "for that; the run stops when it is full", 1 << 12, 1e15 },
	{ "false-positives", DANA_NUMBER, "SHARE", "0.001",
	  "with bloom the run stops when more new lines than this are taken for old ones", 1e-9, 1 },
	{ "journal", DANA_FILE_WRITTEN, "FILE", NULL,
	  "without index=: a file for the state of the run; without it the run cannot be resumed", 0, 0 },
	{ .name = NULL },
};

DANA_PLUGIN(dedup_lines) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_ORDERED,
	.name = "dedup-lines",
	.version = "1",
	.help = "drops lines that were seen before",
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
