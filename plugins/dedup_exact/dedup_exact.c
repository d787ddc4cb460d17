/* SPDX-License-Identifier: MIT */
/*
 * Drops pages with the text of an earlier page, in this run or in one that left an index.
 *
 * Workers hash the text and look it up in the index; in the order of the input new texts go into a table in memory and
 * into a journal. At the end of the run, when its outputs are complete, the index is rewritten with the contents of the
 * journal added; the journal is removed once the run cannot be resumed any more.
 *
 * A checkpoint is the length of the journal, so the index never holds a text whose page is not in a complete output.
 */
#include "config.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "dedup/normal_text.h"
#include "dedup/text_index.h"
#include "plugins/dedup_common/dedup_run.h"

static const struct dana_host *host;

enum counter { NEW_TEXTS, DUPLICATES };
static const char *const counters[] = { "texts", "duplicates", NULL };

/* What is before `seen` does not change after load. */
struct exact {
	struct dedup_run run; /* the pool: struct text_hasher */
	const char *path;     /* of the index; NULL without one */
	bool small;
	size_t memory;
	struct text_index index; /* as it was before the run; count 0: it did not exist */
	struct hash_map seen;    /* maps a key made of the hash to a position in the journal */
	struct buf entry;
	bool finished; /* the run being resumed has already written the index */
};

/* ---- before the run ---- */

static void *make_hasher(const void *arg)
{
	return text_hasher_new(*(const bool *)arg ? NORMAL_SMALL : 0);
}

static void free_hasher(void *hasher)
{
	text_hasher_free(hasher);
}

static void unload(void *shared)
{
	struct exact *x = shared;
	if (!x)
		return;
	dedup_run_free(&x->run, host);
	text_index_close(&x->index);
	hash_map_free(&x->seen);
	buf_free(&x->entry);
	free(x);
}

/* The journal comes first: it keeps other runs from changing the index. */
static int open_files(struct exact *x, struct error *err)
{
	char *path = x->path ? path_with(x->path, ".journal") : NULL;
	if (x->path && !path)
		return error_no_memory(err);
	x->run.journal = journal_open(path, err);
	free(path);
	if (!x->run.journal)
		return err->status;
	if (!x->path || access(x->path, F_OK) < 0)
		return DANA_OK;
	int status = text_index_open(&x->index, x->path, err);
	if (status == DANA_OK && x->index.small != x->small)
		status = error_set(err, DANA_ECONFIG, "%s was made with small=%d: use the same, or another file",
				   x->path, x->index.small);
	return status;
}

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	host = h;
	struct error err = { 0 };
	struct exact *x = calloc(1, sizeof(*x));
	if (!x)
		return host->fail(c, "%s", status_text(DANA_ENOMEM));
	x->run.loaded = c;
	x->index.file.fd = -1;
	x->path = host->option_text(c, "index");
	x->small = host->option_boolean(c, "small");
	x->memory = x->seen.most_bytes = (size_t)host->option_integer(c, "memory");
	pool_init(&x->run.pool, make_hasher, free_hasher, &x->small);
	*shared = x;
	if (open_files(x, &err) == DANA_OK)
		return 0;
	unload(x);
	*shared = NULL;
	return host->fail(c, "%s", err.text);
}

/* ---- the hash of a page ---- */

/*
 * The first byte that is attached. EMPTY is alone; NEW is followed by the hash as a journal entry without origin;
 * KNOWN by the entry with its origin from the index.
 */
enum { EMPTY, NEW, KNOWN };

static int prepare(void *shared, struct dana_page *p)
{
	struct exact *x = shared;
	struct text_entry e = { .origin = { .offset = UINT64_MAX } };
	struct buf attached = { 0 }, id = { 0 };
	struct error err = { 0 };
	bool empty;
	struct text_hasher *hasher = pool_take(&x->run.pool);
	int status = hasher ? text_hash(hasher, slice_of_view(host->text(p)), &e.hash, &empty) : DANA_ENOMEM;
	pool_give(&x->run.pool, hasher);
	if (status == DANA_OK && !empty && x->index.count)
		status = text_index_find(&x->index, e.hash, &id, &e.origin, &err);
	if (status >= 0) {
		buf_append_byte(&attached, empty ? EMPTY : status ? KNOWN : NEW);
		status = text_entry_put(&attached, &e);
	}
	status = status < 0 ? host->page_fail(p, "%s", err.text[0] ? err.text : status_text(status))
			    : host->attach(p, attached.data, attached.len);
	buf_free(&id);
	buf_free(&attached);
	return status;
}

/* ---- pages in order ---- */

/*
 * Returns 1 if the text is known, with its first entry in *e; 0 if it is new, with its place in *place; or a negative
 * status. Texts whose hashes share the upper half are distinguished by the lower one: each attempt has another key.
 */
static int look_for(struct exact *x, struct text_entry *e, uint64_t **place, struct error *err)
{
	for (uint64_t key = e->hash.high;; key += UINT64_C(0x9E3779B97F4A7C15)) {
		struct slice entry;
		struct text_entry known;
		int status = hash_map_put(&x->seen, key, place);
		if (status == DANA_ELIMIT)
			return error_set(err, DANA_ELIMIT,
					 "memory is full after %zu texts; raise memory=, or split the run", x->seen.n);
		if (status <= 0)
			return status < 0 ? error_set(err, (enum dana_status)status, "%s", status_text(status)) : 0;
		status = journal_entry_at(x->run.journal, **place, &entry, err);
		if (status < 0)
			return status;
		if (text_entry_get(entry, &known) && hash128_equal(known.hash, e->hash)) {
			*e = known;
			return 1;
		}
	}
}

static int page(void *instance, struct dana_page *p)
{
	struct exact *x = instance;
	struct error err = { 0 };
	struct text_entry e;
	uint64_t *place;
	const struct slice attached = slice_of_view(host->attached(p));
	int status = dedup_run_begin(&x->run, host, p, x->index.file.identity, &err);
	if (status < 0 || attached.len == 0 || !text_entry_get(slice_skip(attached, 1), &e))
		return host->page_fail(p, "%s", status < 0 ? err.text : "the hash is missing");
	if (attached.data[0] == EMPTY)
		return DANA_KEEP;
	status = attached.data[0] == KNOWN ? 1 : look_for(x, &e, &place, &err);
	if (status == 1) {
		host->count(p, DUPLICATES, 1);
		status = duplicate_put(host, p, &e.origin);
		return status < 0 ? status : host->drop(p, "duplicate");
	}
	if (status == 0) {
		e.origin = duplicate_origin(host, p);
		*place = journal_length(x->run.journal);
		buf_clear(&x->entry);
		status = text_entry_put(&x->entry, &e) < 0 ? error_no_memory(&err)
							   : journal_put(x->run.journal, buf_slice(&x->entry), &err);
	}
	if (status < 0)
		return host->page_fail(p, "%s", err.text);
	host->count(p, NEW_TEXTS, 1);
	return DANA_KEEP;
}

/* ---- checkpoints and the end ---- */

static int save(void *instance, struct dana_store *store)
{
	struct exact *x = instance;
	if (!x->path || !journal_is_begun(x->run.journal))
		return 0;
	return dedup_run_save(&x->run, host, store, x->index.file.identity);
}

/* Fills the table from the journal. */
static int read_again(struct exact *x, struct error *err)
{
	struct journal *j = x->run.journal;
	struct slice entry;
	struct text_entry e;
	uint64_t at = journal_position(j), *place;
	int status;
	while ((status = journal_next(j, &entry, err)) == 1) {
		if (!text_entry_get(entry, &e))
			return error_set(err, DANA_EFORMAT, "the journal was not written by this plugin");
		status = look_for(x, &e, &place, err);
		if (status < 0)
			return status;
		if (status == 0)
			*place = at;
		at = journal_position(j);
	}
	return status;
}

static int restore(void *instance, struct dana_view state)
{
	struct exact *x = instance;
	struct error err = { 0 };
	if (!x->path)
		return host->fail(x->run.context, "a run without index= cannot be resumed");
	if (state.len == 0)
		return 0;
	int status = journal_resume(x->run.journal, slice_of_view(state), x->path, x->index.file.identity, &err);
	x->finished = status == JOURNAL_FINISHED;
	if (status == DANA_OK)
		status = read_again(x, &err);
	return dedup_run_result(&x->run, host, status, &err);
}

/* To sort takes no more memory than the table did, or 1 MiB, and a quarter of what is allowed. */
static int write_index(struct exact *x, struct error *err)
{
	enum { LEAST = 1 << 20 };
	const struct index_ready ready = { journal_end, x->run.journal };
	size_t memory = hash_map_bytes(x->seen.n);
	memory = memory < LEAST ? LEAST : memory;
	hash_map_free(&x->seen);
	int status = journal_rewind(x->run.journal, err);
	if (status < 0)
		return status;
	return text_index_add(x->index.file.fd >= 0 ? &x->index : NULL, x->run.journal, x->small, x->path,
			      memory < x->memory / 4 ? memory : x->memory / 4, &ready, err);
}

static int finish(void *instance)
{
	struct exact *x = instance;
	struct error err = { 0 };
	if (!x->path)
		return 0;
	const bool begun = journal_is_begun(x->run.journal);
	if (begun || x->finished)
		host->report(x->run.context, "index_texts", (double)(x->index.count + x->seen.n));
	if (begun)
		return dedup_run_result(&x->run, host, write_index(x, &err), &err);
	journal_look_if_over(x->run.journal, x->index.file.identity);
	return 0;
}

static const struct dana_option options[] = {
	{ "index", DANA_FILE_WRITTEN, "FILE", NULL,
	  "texts of earlier runs; this run adds its own; made if it is missing. Without it the run cannot be resumed",
	  0, 0 },
	{ "small", DANA_BOOLEAN, NULL, "0", "ignore the case of letters", 0, 0 },
	{ "memory", DANA_SIZE, "BYTES", "1G",
	  "for the new texts of this run: 1G holds 25,165,824; the run stops when it is full", 1 << 16, 1e15 },
	{ .name = NULL },
};

DANA_PLUGIN(dedup_exact) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_ORDERED,
	.name = "dedup-exact",
	.version = "1",
	.help = "drops pages with the same text as an earlier page",
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
