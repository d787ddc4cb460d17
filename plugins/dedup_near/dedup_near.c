/* SPDX-License-Identifier: MIT */
/*
 * What the files of this plugin share: its settings, and its two ways to work.
 *
 * Workers compute signatures; in the order of the input these go into a journal, with what else the file of signatures
 * holds for a document. At the end of the run, when its outputs are complete, the file is made from the journal; the
 * journal is removed once the run cannot be resumed any more. A checkpoint is the length of the journal and the name of
 * the file.
 *
 * An entry of the journal: offset (8), characters (4), score as IEEE 754 single (4), length of the id (4) and of the
 * file's name (4), both, then what signing_prepare attached.
 *
 * Counts pages in the same way as when the signatures were made (row_cursor.h). A checkpoint is the input and the
 * count.
 *
 * Drops near-duplicates in two runs: signatures=DIR writes the MinHash signatures of all pages beside the output; `dana
 * dedup cluster` makes a list of rows to drop from them; drop=FILE drops the pages on the list.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/little_endian.h"
#include "dedup/journal.h"
#include "dedup/minhash.h"
#include "dedup/rows.h"
#include "dedup/signatures.h"
#include "plugins/dedup_common/ordered.h"

enum near_counter { NEAR_SIGNED, NEAR_WITHOUT_WORDS, NEAR_COUNTERS };

/** State of the run: not changed after load, except for the journal, which belongs to the instance. */
struct near {
	const struct dana_host *host;
	const struct dana_context *context;
	const char *folder; /* signatures=; NULL: the plugin drops rows */
	struct bands shape;
	size_t memory;
	struct pool hashers; /* struct minhash */
	struct rows_file rows;
	struct journal *journal; /* of the signatures; NULL before the first page */
	bool over;               /* the file contains what the journal holds */
};

/** Signatures of pages, collected in a journal, that become a file at the end. */
struct signing;

/** The position in a list of rows to drop. */
struct dropping;

enum { ENTRY_HEAD = 24 };

struct signing {
	struct near *near;
	struct dana_context *context;
	char *name; /* of the file, without suffix; NULL before the first page */
	bool begun; /* the journal belongs to this unfinished run */
	struct buf entry;
};

/* ---- the signature of a page ---- */

/* What is attached: whether there are shingles (1), the lowest byte of each number, the buckets. */
static size_t attached_len(struct bands shape)
{
	return 1 + shape_numbers(shape) + shape.bands * sizeof(uint64_t);
}

/** Attaches the signature of the page's text. Any thread. */
static int signing_prepare(struct near *near, struct dana_page *p)
{
	uint8_t attached[1 + BANDS_NUMBERS_MOST * (1 + sizeof(uint64_t))];
	uint64_t buckets[BANDS_NUMBERS_MOST];
	const uint32_t *numbers;
	size_t shingles, n = shape_numbers(near->shape);
	struct minhash *hasher = pool_take(&near->hashers);
	int status =
		hasher ? minhash_text(hasher, slice_of_view(near->host->text(p)), &numbers, &shingles) : DANA_ENOMEM;

	if (status == DANA_OK) {
		attached[0] = shingles != 0;
		for (size_t i = 0; i < n; i++)
			attached[1 + i] = (uint8_t)numbers[i];
		bands_buckets(near->shape, numbers, buckets);
		for (unsigned i = 0; i < near->shape.bands; i++)
			little_endian_put_64(attached + 1 + n + i * sizeof(uint64_t), buckets[i]);
	}
	if (hasher)
		pool_give(&near->hashers, hasher);
	return status < 0 ? near->host->page_fail(p, "%s", status_text(status))
			  : near->host->attach(p, attached, attached_len(near->shape));
}

/*
 * Returns how sure the method is of the text: the mean probability of its characters; 0 if it gives no probabilities.
 */
static float score_of(const struct dana_host *host, const struct dana_page *p)
{
	double sum = 0, bytes = 0;

	for (size_t i = 0, n = host->block_count(p); i < n; i++) {
		struct dana_block block = host->block(p, i);
		if (block.probability < 0)
			return 0;
		sum += block.probability * (double)block.text.len;
		bytes += (double)block.text.len;
	}
	return bytes > 0 ? (float)(sum / bytes) : 0;
}

static int make_entry(struct signing *s, const struct dana_page *p)
{
	const struct dana_host *host = s->near->host;
	struct origin o = duplicate_origin(host, p);
	struct dana_view attached = host->attached(p);
	int64_t chars = host->number_item(p, DANA_TEXT_CHARS);
	float score = score_of(host, p);
	uint8_t head[ENTRY_HEAD];
	uint32_t bits;

	memcpy(&bits, &score, sizeof(bits));
	little_endian_put_64(head, o.offset);
	little_endian_put_32(head + 8, chars > 0 ? (uint32_t)chars : 0);
	little_endian_put_32(head + 12, bits);
	little_endian_put_32(head + 16, (uint32_t)o.id.len);
	little_endian_put_32(head + 20, (uint32_t)o.file.len);
	buf_clear(&s->entry);
	buf_append(&s->entry, head, sizeof(head));
	buf_append(&s->entry, o.id.data, o.id.len);
	buf_append(&s->entry, o.file.data, o.file.len);
	return buf_append(&s->entry, attached.data, attached.len);
}

/* ---- files ---- */

/* Returns "DIR/NAME.sig" or "DIR/NAME.sig.journal". */
static char *path_of(const struct signing *s, const char *suffix)
{
	struct buf path = { 0 };

	buf_printf(&path, "%s/%s%s", s->near->folder, s->name, suffix);
	buf_append_byte(&path, 0);
	if (buf_status(&path) < 0)
		buf_free(&path);
	return (char *)path.data;
}

static bool ends_with(struct slice name, const char *suffix)
{
	size_t len = strlen(suffix);

	return name.len > len && memcmp(name.data + name.len - len, suffix, len) == 0;
}

/*
 * Returns the base name of an input without its usual suffixes; characters that are special to a shell or a file system
 * become '_'.
 */
static char *name_of(struct slice file)
{
	static const char *const endings[] = { ".gz", ".zst", ".warc", ".arc" };
	const char *allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

	for (size_t i = file.len; i-- > 0;) {
		if (file.data[i] == '/') {
			file = slice_skip(file, i + 1);
			break;
		}
	}
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		if (ends_with(file, endings[i]))
			file.len -= strlen(endings[i]);
	}
	if (file.len == 0 || slice_equal(file, slice_from_text("-")))
		file = slice_from_text("stdin");
	char *name = strndup((const char *)file.data, file.len);
	for (char *c = name; c && *c; c++) {
		if (!strchr(allowed, *c) || (c == name && *c == '.'))
			*c = '_';
	}
	return name;
}

/* An existing file of that name may be overwritten only if it comes from an earlier run over the same input. */
static int check_file(struct signing *s, const char *path, struct slice input, struct error *err)
{
	struct signature_file f;
	struct error unread = { 0 };
	int status = signature_file_open(&f, path, &unread);

	if (status < 0)
		return status == DANA_EIO ? DANA_OK : error_set(err, (enum dana_status)status, "%s", unread.text);
	if (f.parts.n && !slice_equal(slice_from_text(f.parts.items[0].name), input))
		status = error_set(err, DANA_ECONFIG, "%s holds signatures of %s; choose another folder than %s", path,
				   f.parts.items[0].name, s->near->folder);
	signature_file_close(&f);
	return status;
}

static int open_journal(struct signing *s, struct error *err)
{
	char *path = path_of(s, ".sig.journal");
	int status = path ? DANA_OK : error_no_memory(err);

	if (status == DANA_OK && !s->near->journal) {
		s->near->journal = journal_open(path, err);
		status = s->near->journal ? DANA_OK : (int)err->status;
	}
	free(path);
	return status;
}

static int begin(struct signing *s, struct slice input, struct error *err)
{
	free(s->name);
	s->name = name_of(input);
	char *path = s->name ? path_of(s, ".sig") : NULL;
	int status = path ? check_file(s, path, input, err) : error_no_memory(err);

	if (status == DANA_OK)
		status = open_journal(s, err);
	if (status == DANA_OK)
		status = run_journal_begin(s->near->journal, input, 0, err);
	s->near->over = false;
	s->begun = status == DANA_OK;
	free(path);
	return status;
}

/* ---- the run ---- */

static struct signing *signing_new(struct near *near, struct dana_context *c)
{
	struct signing *s = calloc(1, sizeof(*s));

	if (s) {
		s->near = near;
		s->context = c;
	}
	return s;
}

/** NULL allowed. The journal of an unfinished run stays. */
static void signing_free(struct signing *s)
{
	if (!s)
		return;
	buf_free(&s->entry);
	free(s->name);
	free(s);
}

static int signing_page(struct signing *s, struct dana_page *p)
{
	const struct dana_host *host = s->near->host;
	struct error err = { 0 };
	int status = s->begun ? DANA_OK : begin(s, slice_of_view(host->text_item(p, DANA_FILE_NAME)), &err);

	if (status == DANA_OK && make_entry(s, p) < 0)
		status = error_no_memory(&err);
	if (status == DANA_OK)
		status = journal_put(s->near->journal, buf_slice(&s->entry), &err);
	if (status < 0)
		return host->page_fail(p, "%s", err.text);
	host->count(p, NEAR_SIGNED, 1);
	host->count(p, NEAR_WITHOUT_WORDS, host->attached(p).data[0] == 0);
	return DANA_KEEP;
}

static int signing_save(struct signing *s, struct dana_store *store)
{
	const struct dana_host *host = s->near->host;

	if (!s->begun)
		return 0;
	int status = ordered_save(host, s->context, store, s->near->journal, 0);
	return status < 0 ? status : host->store(store, s->name, strlen(s->name));
}

static int signing_restore(struct signing *s, struct slice state)
{
	struct error err = { 0 };

	if (state.len <= RUN_STATE)
		return state.len == 0 ? 0 : s->near->host->fail(s->context, "the saved state is incomplete");
	s->name = strndup((const char *)state.data + RUN_STATE, state.len - RUN_STATE);
	int status = s->name ? open_journal(s, &err) : error_no_memory(&err);
	if (status == DANA_OK)
		status = run_journal_resume(s->near->journal, slice_first(state, RUN_STATE), s->name, 0, &err);
	s->near->over = status == RUN_FINISHED;
	s->begun = status == DANA_OK;
	return status < 0 ? s->near->host->fail(s->context, "%s", err.text) : 0;
}

/* ---- the end ---- */

static int add_entry(struct signing *s, struct signature_maker *m, struct slice entry, struct error *err)
{
	struct bands shape = s->near->shape;
	uint64_t buckets[BANDS_NUMBERS_MOST];
	size_t n = shape_numbers(shape);

	if (entry.len < ENTRY_HEAD)
		return error_set(err, DANA_EFORMAT, "the journal is damaged");
	uint64_t id_len = little_endian_32(entry.data + 16), file_len = little_endian_32(entry.data + 20);
	if (entry.len != ENTRY_HEAD + id_len + file_len + attached_len(shape))
		return error_set(err, DANA_EFORMAT, "the journal belongs to a run with other options");
	const uint8_t *id = entry.data + ENTRY_HEAD, *attached = id + id_len + file_len;
	uint32_t bits = little_endian_32(entry.data + 12);
	struct signature signature = {
		.origin = { slice_of(id, (size_t)id_len), slice_of(id + id_len, (size_t)file_len),
			    little_endian_64(entry.data) },
		.chars = little_endian_32(entry.data + 8),
		.lowest = attached + 1,
		.buckets = attached[0] ? buckets : NULL,
	};
	memcpy(&signature.score, &bits, sizeof(bits));
	for (unsigned i = 0; i < shape.bands; i++)
		buckets[i] = little_endian_64(attached + 1 + n + i * sizeof(uint64_t));
	return signature_maker_add(m, &signature, err);
}

static int make_file(struct signing *s, const char *path, struct error *err)
{
	struct signature_maker *m = signature_maker_new(path, s->near->shape, s->near->memory, true, err);
	struct slice entry;
	int status = m ? run_journal_rewind(s->near->journal, err) : err->status;

	while (status >= 0 && (status = journal_next(s->near->journal, &entry, err)) == 1)
		status = add_entry(s, m, entry, err);
	if (status == DANA_OK)
		return signature_maker_finish(m, err);
	signature_maker_abandon(m);
	return status;
}

static int signing_finish(struct signing *s)
{
	struct error err = { 0 };

	if (!s->begun) /* there was no page, or the run being resumed has already made the file */
		return 0;
	char *path = path_of(s, ".sig");
	int status = path ? make_file(s, path, &err) : error_no_memory(&err);
	free(path);
	if (status == DANA_OK)
		status = run_journal_end(s->near->journal, 0, &err);
	s->near->over = status == DANA_OK;
	return status < 0 ? s->near->host->fail(s->context, "%s", err.text) : 0;
}

struct dropping {
	const struct near *near;
	struct dana_context *context;
	struct row_cursor cursor;
};

static struct dropping *dropping_new(const struct near *near, struct dana_context *c)
{
	struct dropping *d = calloc(1, sizeof(*d));

	if (d) {
		*d = (struct dropping){ .near = near, .context = c };
		row_cursor_begin(&d->cursor, &near->rows);
	}
	return d;
}

/** NULL allowed. */
static void dropping_free(struct dropping *d)
{
	if (d)
		row_cursor_free(&d->cursor);
	free(d);
}

static int dropping_page(struct dropping *d, struct dana_page *p)
{
	const struct dana_host *host = d->near->host;
	struct row_link link;
	struct error err = { 0 };
	int status = row_cursor_next(&d->cursor, slice_of_view(host->text_item(p, DANA_FILE_NAME)),
				     slice_of_view(host->text_item(p, DANA_RECORD_ID)), &link, &err);

	if (status < 0)
		return host->page_fail(p, "%s", err.text);
	if (status == 0)
		return DANA_KEEP;
	status = duplicate_put(host, p, &link.kept);
	if (status == 0)
		status = host->put_number(p, "similarity", (double)link.similarity);
	return status < 0 ? status : host->drop(p, "duplicate");
}

static int dropping_save(struct dropping *d, struct dana_store *store)
{
	uint8_t state[RUN_STATE + 12];
	struct error err = { 0 };

	(void)run_journal_save(NULL, d->near->rows.file.identity, state, &err);
	little_endian_put_64(state + RUN_STATE, d->cursor.part);
	little_endian_put_32(state + RUN_STATE + 8, d->cursor.row);
	return d->near->host->store(store, state, sizeof(state));
}

static int dropping_restore(struct dropping *d, struct slice state)
{
	const struct rows_file *rows = &d->near->rows;
	struct error err = { 0 };

	if (run_state_check(slice_first(state, RUN_STATE), rows->file.path, rows->file.identity, &err) < 0)
		return d->near->host->fail(d->context, "%s", err.text);
	if (state.len != RUN_STATE + 12)
		return d->near->host->fail(d->context, "the saved state was not written by this plugin");
	d->cursor.part = (size_t)little_endian_64(state.data + RUN_STATE);
	d->cursor.row = little_endian_32(state.data + RUN_STATE + 8);
	if (d->cursor.part != SIZE_MAX && d->cursor.part >= rows->parts.n)
		return d->near->host->fail(d->context, "the saved state was not written by this plugin");
	return 0;
}

static int dropping_finish(struct dropping *d)
{
	struct error err = { 0 };

	return row_cursor_end(&d->cursor, &err) < 0 ? d->near->host->fail(d->context, "%s", err.text) : 0;
}

static const struct dana_host *host;

struct instance {
	struct signing *signing; /* only one of these two is set */
	struct dropping *dropping;
};

/* ---- settings ---- */

static void *make_hasher(const void *arg)
{
	const struct bands *shape = arg;
	return minhash_new(shape->bands * shape->rows);
}

static void free_hasher(void *hasher)
{
	minhash_free(hasher);
}

static int choose_shape(struct near *near, struct dana_context *c)
{
	struct buf curve = { 0 };
	near->shape =
		(struct bands){ (unsigned)host->option_integer(c, "bands"), (unsigned)host->option_integer(c, "rows") };
	if (near->shape.bands * near->shape.rows > BANDS_NUMBERS_MOST)
		return host->fail(c, "bands x rows is %u x %u = %u; at most %d", near->shape.bands, near->shape.rows,
				  near->shape.bands * near->shape.rows, BANDS_NUMBERS_MOST);
	if (!host->option_is_set(c, "threshold"))
		return 0;
	near->shape = bands_for(host->option_number(c, "threshold"));
	if (bands_curve(near->shape, &curve) == DANA_OK && buf_append_byte(&curve, 0) == DANA_OK)
		for (char *line = (char *)curve.data, *end; (end = strchr(line, '\n')); line = end + 1)
			host->log(c, DANA_LOG_WARNING, "%u bands of %u rows: similarity and chance %.*s",
				  near->shape.bands, near->shape.rows, (int)(end - line), line);
	buf_free(&curve);
	return 0;
}

static int open_files(struct near *near, struct dana_context *c)
{
	const char *list = host->option_text(c, "drop");
	struct error err = { 0 };
	near->folder = host->option_text(c, "signatures");
	if (!near->folder == !list)
		return host->fail(c, "expected one of signatures=DIR and drop=FILE");
	if (list)
		return rows_file_open(&near->rows, list, &err) < 0 ? host->fail(c, "%s", err.text) : 0;
	if (mkdir(near->folder, 0777) < 0 && errno != EEXIST)
		return host->fail(c, "signatures: %s: %s", near->folder, system_text(errno));
	return 0;
}

static void unload(void *shared)
{
	struct near *near = shared;
	if (!near)
		return;
	pool_free(&near->hashers);
	run_journal_close(near->journal, near->over && host->run_is_over(near->context));
	rows_file_close(&near->rows);
	free(near);
}

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	host = h;
	struct near *near = calloc(1, sizeof(*near));
	if (!near)
		return host->fail(c, "%s", status_text(DANA_ENOMEM));
	near->host = h;
	near->context = c;
	near->rows.file.fd = -1;
	near->memory = (size_t)host->option_integer(c, "memory");
	pool_init(&near->hashers, make_hasher, free_hasher, &near->shape);
	int status = choose_shape(near, c);
	if (status == 0)
		status = open_files(near, c);
	*shared = near;
	if (status < 0) {
		unload(near);
		*shared = NULL;
	}
	return status;
}

static int open_instance(void **instance, void *shared, const struct dana_host *h, struct dana_context *c)
{
	(void)h;
	struct near *near = shared;
	struct instance *x = calloc(1, sizeof(*x));
	if (!x)
		return host->fail(c, "%s", status_text(DANA_ENOMEM));
	if (near->folder)
		x->signing = signing_new(near, c);
	else
		x->dropping = dropping_new(near, c);
	*instance = x;
	return x->signing || x->dropping ? 0 : host->fail(c, "%s", status_text(DANA_ENOMEM));
}

static void close_instance(void *instance)
{
	struct instance *x = instance;
	signing_free(x->signing);
	dropping_free(x->dropping);
	free(x);
}

/* ---- pages ---- */

static int prepare(void *shared, struct dana_page *p)
{
	struct near *near = shared;
	return near->folder ? signing_prepare(near, p) : 0;
}

static int page(void *instance, struct dana_page *p)
{
	struct instance *x = instance;
	return x->signing ? signing_page(x->signing, p) : dropping_page(x->dropping, p);
}

static int save(void *instance, struct dana_store *store)
{
	struct instance *x = instance;
	return x->signing ? signing_save(x->signing, store) : dropping_save(x->dropping, store);
}

static int restore(void *instance, struct dana_view state)
{
	struct instance *x = instance;
	return x->signing ? signing_restore(x->signing, slice_of_view(state))
			  : dropping_restore(x->dropping, slice_of_view(state));
}

static int finish(void *instance)
{
	struct instance *x = instance;
	return x->signing ? signing_finish(x->signing) : dropping_finish(x->dropping);
}

static const char *const counters[NEAR_COUNTERS + 1] = { "signed", "without_words", NULL };

static const struct dana_option options[] = {
	{ "signatures", DANA_FILE_WRITTEN, "DIR", NULL,
	  "write a file of signatures into this folder, for dana dedup cluster", 0, 0 },
	{ "drop", DANA_FILE, "FILE", NULL, "drop the pages that this list of dana dedup cluster names", 0, 0 },
	{ "bands", DANA_INTEGER, "N", "14", "bands of a signature", 1, BANDS_NUMBERS_MOST },
	{ "rows", DANA_INTEGER, "N", "8", "rows of a band", 1, BANDS_NUMBERS_MOST },
	{ "threshold", DANA_NUMBER, "SHARE", NULL,
	  "choose bands and rows for this similarity instead, and print the chances to be found", 0.05, 0.99 },
	{ "memory", DANA_SIZE, "BYTES", "64M", "memory for sorting at the end", 1 << 16, 1e15 },
	{ .name = NULL },
};

DANA_PLUGIN(dedup_near) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_ORDERED | DANA_PLUGIN_BLOCKS,
	.name = "dedup-near",
	.version = "1",
	.help = "near-duplicates: writes signatures, or drops what dana dedup cluster has listed",
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
