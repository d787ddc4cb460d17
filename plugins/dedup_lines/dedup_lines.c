/* SPDX-License-Identifier: MIT */
/*
 * Drops lines that were seen before: on the page, on pages of the same site, or on any page. Workers hash the lines; in
 * the order of the input each is counted, up to a bound: exactly in a table, or approximately in a Bloom filter.
 * Those that were seen often enough are dropped.
 *
 * What a page has counted is an entry of a journal, from which the state
 * can be rebuilt, and which is added to an index at the end. With keep=none a table holds how often a line occurs.
 */
#include "config.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "dedup/line_table.h"
#include "plugins/dedup_common/dedup_run.h"

static const struct dana_host *host;

enum { DROPPED_PAGES = LINES_COUNTERS };
static const char *const counters[] = { "dropped_lines", "dropped_chars", "changed_pages", "dropped_pages", NULL };

enum scope { SCOPE_PAGE, SCOPE_HOST, SCOPE_ALL };

/* What is before `lines` does not change after load. */
struct state {
	struct dedup_run run; /* without a journal the run cannot be resumed */
	enum scope scope;
	bool keep_none, annotate, is_bloom;
	uint64_t max_count;
	size_t min_chars, memory;
	double min_left, most_false;
	const char *index, *journal; /* paths */
	struct line_table table;     /* keep=none; or the index as it was before the run */
	bool has_index;

	struct attached_lines lines;
	struct hash_map counts; /* of the lines of this run; with scope=page of the page */
	struct bloom bloom;
	struct buf entry; /* keys of the page that were counted */
};

/* ---- before the run ---- */

static void unload(void *shared)
{
	struct state *s = shared;
	if (!s)
		return;
	dedup_run_free(&s->run, host);
	line_table_close(&s->table);
	lines_free(&s->lines);
	hash_map_free(&s->counts);
	bloom_free(&s->bloom);
	buf_free(&s->entry);
	free(s);
}

static int open_table(struct state *s, const char *path, struct error *err)
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

/* With an index the journal is also a lock: it keeps other runs from changing the index. */
static int open_index(struct state *s, struct error *err)
{
	const char *name = s->index ? s->index : s->journal;
	if (s->is_bloom && (s->max_count != 1 || s->index))
		return error_set(err, DANA_ECONFIG, "set=bloom excludes index= and max-count= above 1");
	if (s->is_bloom && bloom_make(&s->bloom, s->memory) < 0)
		return error_no_memory(err);
	if (!name)
		return DANA_OK;
	char *path = path_with(name, s->index ? ".journal" : "");
	s->run.journal = path ? journal_open(path, err) : NULL;
	free(path);
	if (!s->run.journal)
		return err->status ? (int)err->status : error_no_memory(err);
	if (!s->index || access(s->index, F_OK) < 0)
		return DANA_OK;
	int status = line_table_open(&s->table, s->index, err);
	if (status == DANA_OK && s->table.by_site != (s->scope == SCOPE_HOST))
		status = error_set(err, DANA_ECONFIG, "%s was made with scope=%s", s->index,
				   s->table.by_site ? "host" : "all");
	s->has_index = status == DANA_OK;
	return status;
}

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	host = h;
	struct error err = { 0 };
	struct state *s = calloc(1, sizeof(*s));
	if (!s)
		return host->fail(c, "%s", status_text(DANA_ENOMEM));
	s->run.loaded = c;
	lines_pool_init(&s->run.pool);
	s->scope = option_is(host, c, "scope", "page")   ? SCOPE_PAGE
		   : option_is(host, c, "scope", "host") ? SCOPE_HOST
							 : SCOPE_ALL;
	s->keep_none = option_is(host, c, "keep", "none");
	s->annotate = host->option_boolean(c, "annotate");
	s->max_count = (uint64_t)host->option_integer(c, "max-count");
	s->min_chars = (size_t)host->option_integer(c, "min-chars");
	s->min_left = host->option_number(c, "min-left");
	s->index = host->option_text(c, "index");
	s->journal = host->option_text(c, "journal");
	s->is_bloom = option_is(host, c, "set", "bloom");
	s->memory = (size_t)host->option_integer(c, "memory");
	s->most_false = host->option_number(c, "false-positives");
	s->counts.most_bytes = s->scope == SCOPE_PAGE ? SIZE_MAX : s->memory;
	int status = s->scope == SCOPE_PAGE ? DANA_OK
		     : s->keep_none         ? open_table(s, host->option_text(c, "table"), &err)
					    : open_index(s, &err);
	*shared = status < 0 ? NULL : s;
	if (status == DANA_OK)
		return 0;
	unload(s);
	return host->fail(c, "%s", err.text);
}

/* ---- lines that were seen ---- */

/* Whether lines of earlier pages are remembered. */
static bool has_history(const struct state *s)
{
	return s->scope != SCOPE_PAGE && !s->keep_none;
}

/* Counts a line. Returns 1 if it was already seen max_count times, else 0. */
static int count_line(struct state *s, uint64_t key, struct error *err)
{
	uint64_t *count;
	if (s->is_bloom) {
		if (bloom_put(&s->bloom, key))
			return 1;
		if (bloom_rate(&s->bloom) > s->most_false)
			return error_set(err, DANA_ELIMIT,
					 "the Bloom filter of %zu bytes takes more than %g of new lines for old ones; "
					 "raise memory= or false-positives=, or split the run",
					 s->memory, s->most_false);
		return 0;
	}
	uint64_t before = s->has_index ? line_table_count(&s->table, key) : 0;
	if (before >= s->max_count)
		return 1;
	int status = hash_map_put(&s->counts, key, &count);
	if (status == DANA_ELIMIT)
		return error_set(err, DANA_ELIMIT,
				 "memory is full after %zu lines; raise memory=, set=bloom, or split the run",
				 s->counts.n);
	if (status < 0)
		return error_no_memory(err);
	if (before + *count >= s->max_count)
		return 1;
	++*count;
	return 0;
}

/* Takes every key of the journal: counts it again or, with a counter, adds it there. */
static int read_journal(struct state *s, struct line_counter *counter, struct error *err)
{
	struct slice entry;
	int status;
	while ((status = journal_next(s->run.journal, &entry, err)) == 1) {
		for (size_t at = 0; at + sizeof(uint64_t) <= entry.len && status >= 0; at += sizeof(uint64_t)) {
			uint64_t key;
			memcpy(&key, entry.data + at, sizeof(key));
			status = counter ? line_counter_add(counter, key, err) : count_line(s, key, err);
		}
		if (status < 0)
			break;
	}
	return status;
}

/* ---- pages ---- */

static int prepare(void *shared, struct dana_page *p)
{
	struct state *s = shared;
	return lines_attach(host, &s->run.pool, p, s->scope == SCOPE_HOST);
}

static int mark_on_page(struct state *s, struct error *err)
{
	hash_map_free(&s->counts);
	for (int round = 0; round <= s->keep_none; round++) {
		for (size_t i = 0; i < s->lines.lines.n; i++) {
			struct page_line *line = &s->lines.lines.items[i];
			uint64_t *count;
			if (!line->key || line->chars < s->min_chars)
				continue;
			if (hash_map_put(&s->counts, line->key, &count) < 0)
				return error_no_memory(err);
			*count += round == 0;
			line->mark = *count > s->max_count;
		}
	}
	return DANA_OK;
}

static int mark_seen(struct state *s, struct error *err)
{
	int status = DANA_OK;
	buf_clear(&s->entry);
	for (size_t i = 0; i < s->lines.lines.n && status >= 0; i++) {
		struct page_line *line = &s->lines.lines.items[i];
		if (!line->key || line->chars < s->min_chars)
			continue;
		status = s->keep_none ? line_table_count(&s->table, line->key) > s->max_count
				      : count_line(s, line->key, err);
		line->mark = status == 1;
		if (status == 0 && s->run.journal)
			buf_append(&s->entry, &line->key, sizeof(line->key));
	}
	if (status >= 0 && buf_status(&s->entry) < 0)
		return error_no_memory(err);
	if (status >= 0 && s->entry.len)
		return journal_put(s->run.journal, buf_slice(&s->entry), err);
	return status;
}

static int page(void *instance, struct dana_page *p)
{
	struct state *s = instance;
	struct error err = { 0 };
	int status = lines_take(&s->lines, host, p) < 0 ? error_no_memory(&err) : DANA_OK;
	if (status == DANA_OK && has_history(s))
		status = dedup_run_begin(&s->run, host, p, s->table.identity, &err);
	if (status == DANA_OK)
		status = s->scope == SCOPE_PAGE ? mark_on_page(s, &err) : mark_seen(s, &err);
	if (status < 0)
		return host->page_fail(p, "%s", err.text);
	const struct lines_left left = lines_left_of(&s->lines);
	if (left.dropped == 0)
		return DANA_KEEP;
	if (s->annotate)
		return lines_put_marks(&s->lines, host, p);
	if (!lines_left_too_little(&left, s->min_left))
		return lines_drop(&s->lines, host, p, &left);
	status = lines_put_dropped(host, p, &left);
	if (status < 0)
		return status;
	host->count(p, DROPPED_PAGES, 1);
	return host->drop(p, "little_left");
}

/* ---- checkpoints and the end ---- */

static int save(void *instance, struct dana_store *store)
{
	struct state *s = instance;
	if (has_history(s) ? !s->run.journal || !journal_is_begun(s->run.journal) : !s->table.identity)
		return 0;
	return dedup_run_save(&s->run, host, store, s->table.identity); /* of keep=none: which table it was */
}

static int restore(void *instance, struct dana_view state)
{
	struct state *s = instance;
	struct error err = { 0 };
	int status = DANA_OK;
	if (has_history(s) && !s->run.journal)
		return host->fail(s->run.context, "a run without index= and journal= cannot be resumed");
	if (state.len == 0)
		return 0;
	if (has_history(s)) {
		const bool has_index = s->has_index;
		status = journal_resume(s->run.journal, slice_of_view(state), s->index ? s->index : s->journal,
					s->table.identity, &err);
		/* an index that holds the lines of the journal: they are counted again for --stats */
		if (status == JOURNAL_FINISHED)
			s->has_index = false;
		if (status >= 0)
			status = read_journal(s, NULL, &err);
		s->has_index = has_index;
	} else if (s->table.identity) {
		status = journal_state_check(slice_of_view(state), host->option_text(s->run.context, "table"),
					     s->table.identity, &err);
	}
	return dedup_run_result(&s->run, host, status, &err);
}

/* Writes the lines of the old index and of the journal. */
static int write_index(struct state *s, struct error *err)
{
	const struct line_counter_settings settings = { .by_site = s->scope == SCOPE_HOST,
							.least = 1,
							.size = UINT64_MAX,
							.memory = s->memory,
							.force = true,
							.ready = { journal_end, s->run.journal } };
	struct line_counter *c = line_counter_new(s->index, &settings, err);
	int status = c ? journal_rewind(s->run.journal, err) : (int)err->status;
	if (status == DANA_OK && s->has_index)
		status = line_counter_add_table(c, &s->table, err);
	if (status == DANA_OK)
		status = read_journal(s, c, err);
	if (status == DANA_OK)
		return line_counter_finish(c, err);
	line_counter_abandon(c);
	return status;
}

static int finish(void *instance)
{
	struct state *s = instance;
	struct error err = { 0 };
	int status = DANA_OK;
	if (!has_history(s))
		return 0;
	if (s->is_bloom)
		host->report(s->run.context, "false_positive_rate", bloom_rate(&s->bloom));
	else
		host->report(s->run.context, "lines_in_memory", (double)s->counts.n);
	if (s->run.journal && journal_is_begun(s->run.journal)) {
		hash_map_free(&s->counts);
		status = s->index ? write_index(s, &err) : journal_end(s->run.journal, 0, &err);
	} else if (s->run.journal) {
		journal_look_if_over(s->run.journal, s->table.identity);
	}
	return dedup_run_result(&s->run, host, status, &err);
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
	{ "table", DANA_FILE, "FILE", NULL, "for keep=none: line counts from dana dedup learn", 0, 0 },
	{ "set", DANA_CHOICE, "exact|bloom", "exact",
	  "how lines are remembered; bloom mistakes some new lines for old ones", 0, 0 },
	{ "memory", DANA_SIZE, "BYTES", "256M", "for the remembered lines; the run stops when it is full", 1 << 12,
	  1e15 },
	{ "false-positives", DANA_NUMBER, "SHARE", "0.001",
	  "with bloom the run stops when more new lines than this are mistaken for old ones", 1e-9, 1 },
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
	.open = dedup_run_open,
	.prepare = prepare,
	.page = page,
	.save = save,
	.restore = restore,
	.finish = finish,
	.unload = unload,
};
