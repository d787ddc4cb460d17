/* SPDX-License-Identifier: MIT */
#include "plugins/dedup_lines/history.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file/path.h"

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

int line_history_open(struct line_history *s, const struct line_history_settings *settings, struct error *err)
{
	*s = (struct line_history){ .settings = *settings, .counts = { .most_bytes = settings->memory } };
	if (settings->bloom && bloom_make(&s->bloom, settings->memory) < 0)
		return error_no_memory(err);
	int status = open_journal(s, err);
	return status < 0 ? status : open_index(s, err);
}

void line_history_close(struct line_history *s, bool run_is_over)
{
	line_table_close(&s->index);
	run_journal_close(s->journal, s->over && run_is_over);
	hash_map_free(&s->counts);
	bloom_free(&s->bloom);
	buf_free(&s->entry);
	*s = (struct line_history){ 0 };
}

int line_history_begin(struct line_history *s, struct slice first_input, struct error *err)
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

int line_history_line(struct line_history *s, uint64_t key, struct error *err)
{
	int status = put(s, key, err);

	if (status == 0 && s->journal && buf_append(&s->entry, &key, sizeof(key)) < 0)
		return error_no_memory(err);
	return status;
}

int line_history_end_page(struct line_history *s, struct error *err)
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

int line_history_restore(struct line_history *s, struct slice state, struct error *err)
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

int line_history_finish(struct line_history *s, struct error *err)
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
