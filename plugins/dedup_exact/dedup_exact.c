/* SPDX-License-Identifier: MIT */
/*
 * Drops pages whose text equals that of an earlier page, in this run or in one that left an index. Workers hash the
 * text and look it up in the index; in the order of the input new texts go into a table in memory and into a journal.
 * At the end of the run, when its outputs are complete, the index is rewritten with the contents of the journal added;
 * the journal is removed once the run cannot be resumed any more. A checkpoint is the length of the journal, so the
 * index never holds a text whose page is not in a complete output.
 */
#include "config.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file/path.h"
#include "dedup/normal_text.h"
#include "dedup/page_lines.h"
#include "dedup/text_index.h"
#include "plugins/dedup_common/ordered.h"

static const struct dana_host *host;

enum counter { NEW_TEXTS, DUPLICATES };
static const char *const counters[] = { "texts", "duplicates", NULL };

/* State of the run: not changed after load, except for the journal, which belongs to the instance. */
struct exact {
	const struct dana_context *context;
	const char *path; /* of the index; NULL: no index */
	bool small;
	size_t memory;
	struct text_index index; /* as it was before the run; count 0: it did not exist */
	struct journal *journal;
	bool over;           /* the index contains what the journal holds */
	struct pool hashers; /* struct text_hasher */
};

struct instance {
	struct exact *exact;
	struct dana_context *context;
	bool begun;           /* the journal belongs to this unfinished run */
	bool finished;        /* the run being resumed has already written the index */
	struct hash_map seen; /* maps a key made of the hash to a position in the journal */
	struct buf entry;
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
	pool_free(&x->hashers);
	text_index_close(&x->index);
	run_journal_close(x->journal, x->over && host->run_is_over(x->context));
	free(x);
}

static int open_journal(struct exact *x, struct error *err)
{
	if (!x->path) {
		x->journal = journal_new();
		return x->journal ? DANA_OK : error_no_memory(err);
	}
	char *path = path_with(x->path, ".journal");
	if (path)
		x->journal = journal_open(path, err);
	else
		(void)error_no_memory(err);
	free(path);
	return x->journal ? DANA_OK : err->status;
}

/* The journal comes first: it keeps other runs from changing the index. */
static int open_files(struct exact *x, struct error *err)
{
	int status = open_journal(x, err);
	if (status < 0 || !x->path || access(x->path, F_OK) < 0)
		return status;
	status = text_index_open(&x->index, x->path, err);
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
	x->context = c;
	x->index.file.fd = -1;
	x->path = host->option_text(c, "index");
	x->small = host->option_boolean(c, "small");
	x->memory = (size_t)host->option_integer(c, "memory");
	pool_init(&x->hashers, make_hasher, free_hasher, &x->small);
	*shared = x;
	if (open_files(x, &err) == DANA_OK)
		return 0;
	unload(x);
	*shared = NULL;
	return host->fail(c, "%s", err.text);
}

static int open_instance(void **instance, void *shared, const struct dana_host *h, struct dana_context *c)
{
	(void)h;
	struct instance *x = calloc(1, sizeof(*x));
	if (!x)
		return host->fail(c, "%s", status_text(DANA_ENOMEM));
	x->exact = shared;
	x->context = c;
	x->seen.most_bytes = x->exact->memory;
	*instance = x;
	return 0;
}

static void close_instance(void *instance)
{
	struct instance *x = instance;
	hash_map_free(&x->seen);
	buf_free(&x->entry);
	free(x);
}

/* ---- the hash of a page ---- */

/*
 * The first byte that is attached. EMPTY stands alone; NEW is followed by the hash as a journal entry without origin;
 * KNOWN by the entry with its origin from the index.
 */
enum { EMPTY, NEW, KNOWN };

static int look_up(const struct exact *x, struct text_entry *e, struct buf *id, struct error *err)
{
	return x->index.count ? text_index_find(&x->index, e->hash, id, &e->origin, err) : 0;
}

static int hash_page(struct exact *x, struct dana_page *p, struct buf *attached, struct error *err)
{
	struct text_entry e = { .origin = { .offset = UINT64_MAX } };
	struct buf id = { 0 };
	bool empty;
	struct text_hasher *hasher = pool_take(&x->hashers);
	int status = hasher ? text_hash(hasher, slice_of_view(host->text(p)), &e.hash, &empty) : DANA_ENOMEM;
	if (hasher)
		pool_give(&x->hashers, hasher);
	if (status == DANA_OK && !empty)
		status = look_up(x, &e, &id, err);
	if (status >= 0)
		buf_append_byte(attached, empty ? EMPTY : status ? KNOWN : NEW);
	if (status >= 0)
		status = text_entry_put(attached, &e);
	buf_free(&id);
	return status < 0 ? error_set(err, (enum dana_status)status, "%s", status_text(status)) : DANA_OK;
}

static int prepare(void *shared, struct dana_page *p)
{
	struct buf attached = { 0 };
	struct error err = { 0 };
	int status = hash_page(shared, p, &attached, &err) < 0 ? host->page_fail(p, "%s", err.text)
							       : host->attach(p, attached.data, attached.len);
	buf_free(&attached);
	return status;
}

/* ---- pages in order ---- */

/* Returns the key of the hash in the table; a different one for each attempt, for texts whose keys collide. */
static uint64_t key_of(struct hash128 hash, uint64_t attempt)
{
	return hash.high + attempt * UINT64_C(0x9E3779B97F4A7C15);
}

/*
 * Returns 1 if the text is known, with its first entry in *e; 0 if it is new, with its place in *place; or a negative
 * status. Texts whose hashes share the upper half are distinguished by the lower one.
 */
static int look_for(struct instance *x, struct text_entry *e, uint64_t **place, struct error *err)
{
	for (uint64_t attempt = 0;; attempt++) {
		struct slice entry;
		struct text_entry known;
		int status = hash_map_put(&x->seen, key_of(e->hash, attempt), place);
		if (status == DANA_ELIMIT)
			return error_set(err, DANA_ELIMIT,
					 "memory is full after %zu texts; raise memory=, or split the run", x->seen.n);
		if (status <= 0)
			return status < 0 ? error_set(err, (enum dana_status)status, "%s", status_text(status)) : 0;
		status = journal_entry_at(x->exact->journal, **place, &entry, err);
		if (status < 0)
			return status;
		if (text_entry_get(entry, &known) && hash128_equal(known.hash, e->hash)) {
			*e = known;
			return 1;
		}
	}
}

static int begin(struct instance *x, const struct dana_page *p, struct error *err)
{
	int status = x->begun ? DANA_OK
			      : run_journal_begin(x->exact->journal, slice_of_view(host->text_item(p, DANA_FILE_NAME)),
						  x->exact->index.file.identity, err);
	x->exact->over = false;
	x->begun = status == DANA_OK;
	return status;
}

static int add_new(struct instance *x, const struct dana_page *p, struct text_entry *e, uint64_t *place,
		   struct error *err)
{
	e->origin = duplicate_origin(host, p);
	*place = journal_length(x->exact->journal);
	buf_clear(&x->entry);
	if (text_entry_put(&x->entry, e) < 0)
		return error_no_memory(err);
	return journal_put(x->exact->journal, buf_slice(&x->entry), err);
}

static int drop(struct dana_page *p, const struct origin *first)
{
	host->count(p, DUPLICATES, 1);
	int status = duplicate_put(host, p, first);
	return status < 0 ? status : host->drop(p, "duplicate");
}

static int page(void *instance, struct dana_page *p)
{
	struct instance *x = instance;
	struct error err = { 0 };
	struct text_entry e;
	uint64_t *place;
	const struct slice attached = slice_of_view(host->attached(p));
	int status = begin(x, p, &err);
	if (status < 0 || attached.len == 0 || !text_entry_get(slice_skip(attached, 1), &e))
		return host->page_fail(p, "%s", status < 0 ? err.text : "the hash is missing");
	if (attached.data[0] == EMPTY)
		return DANA_KEEP;
	if (attached.data[0] == KNOWN)
		return drop(p, &e.origin);
	status = look_for(x, &e, &place, &err);
	if (status == 1)
		return drop(p, &e.origin);
	if (status == 0)
		status = add_new(x, p, &e, place, &err);
	if (status < 0)
		return host->page_fail(p, "%s", err.text);
	host->count(p, NEW_TEXTS, 1);
	return DANA_KEEP;
}

/* ---- checkpoints ---- */

static int save(void *instance, struct dana_store *store)
{
	struct instance *x = instance;
	if (!x->exact->path || !x->begun)
		return 0;
	return ordered_save(host, x->context, store, x->exact->journal, x->exact->index.file.identity);
}

/* Fills the table from the journal, when a run is resumed. */
static int read_again(struct instance *x, struct error *err)
{
	struct journal *j = x->exact->journal;
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
	struct instance *x = instance;
	struct error err = { 0 };
	if (!x->exact->path)
		return host->fail(x->context, "a run without index= cannot be resumed");
	if (state.len == 0)
		return 0;
	int status = run_journal_resume(x->exact->journal, slice_of_view(state), x->exact->path,
					x->exact->index.file.identity, &err);
	x->finished = x->exact->over = status == RUN_FINISHED;
	x->begun = status == DANA_OK;
	if (x->begun)
		status = read_again(x, &err);
	return status < 0 ? host->fail(x->context, "%s", err.text) : 0;
}

/* ---- the end ---- */

static int write_index(struct exact *x, struct error *err)
{
	struct text_index added = { 0 };
	const struct index_ready ready = { run_journal_end, x->journal };
	const struct text_index *both[] = { &x->index, &added };
	bool had = x->index.file.fd >= 0;
	char *folder = path_folder(x->path);
	int status = folder ? run_journal_rewind(x->journal, err) : error_no_memory(err);
	if (status == DANA_OK)
		status = text_index_of_journal(x->journal, x->small, folder, x->memory / 4, &added.file, err);
	free(folder);
	if (status < 0)
		return status;
	status = text_index_adopt(&added, err);
	if (status == DANA_OK)
		status = text_indexes_merge(had ? both : both + 1, had ? 2 : 1, x->path, true, &ready, err);
	text_index_close(&added);
	x->over = status == DANA_OK;
	return status;
}

static int finish(void *instance)
{
	struct instance *x = instance;
	struct error err = { 0 };
	if (!x->exact->path)
		return 0;
	if (x->begun || x->finished)
		host->report(x->context, "index_texts", (double)(x->exact->index.count + x->seen.n));
	if (!x->begun) {
		x->exact->over = run_journal_is_over(x->exact->journal, x->exact->index.file.identity);
		return 0;
	}
	hash_map_free(&x->seen);
	if (write_index(x->exact, &err) == DANA_OK)
		return 0;
	return host->fail(x->context, "%s", err.text[0] ? err.text : status_text(DANA_ENOMEM));
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
	.help = "drops pages whose text equals that of an earlier page",
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
