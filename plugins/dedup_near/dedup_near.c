/* SPDX-License-Identifier: MIT */
/*
 * Drops near-duplicates in two runs. With signatures=DIR workers compute the MinHash signatures of all pages; in the
 * order of the input these go into a journal, with what else the file of signatures holds for a document. At the end of
 * the run, when its outputs are complete, the file is made from the journal; the journal is removed once the run cannot
 * be resumed any more.
 *
 * A checkpoint is the length of the journal and the name of the file. `dana dedup cluster` makes a list of rows to drop
 * from such files; drop=FILE drops the pages on the list, which are counted in the same way as when the signatures were
 * made. A checkpoint is the input and the count then.
 *
 * An entry of the journal: the origin (origin_entry_put), characters (4), score as IEEE 754 single (4), and what
 * `prepare` attached.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/ascii.h"
#include "dedup/rows.h"
#include "dedup/signatures.h"
#include "plugins/dedup_common/dedup_run.h"

static const struct dana_host *host;

enum { SIGNED, WITHOUT_WORDS };
static const char *const counters[] = { "signed", "without_words", NULL };

/* The position in the list or the name of the file, and what follows it, change with the pages. */
struct near_plugin {
	struct dedup_run run; /* the pool: struct minhash; the journal is opened with the first page */
	const char *folder;   /* signatures=; NULL if the plugin drops rows */
	struct bands shape;
	size_t memory;
	struct rows_file rows; /* drop= */
	struct row_cursor cursor;
	char *name; /* of the file of signatures, without suffix; NULL before the first page */
	struct buf entry;
};

/* ---- settings ---- */

static void *make_hasher(const void *arg)
{
	return minhash_new((unsigned)shape_numbers(*(const struct bands *)arg));
}

static void free_hasher(void *hasher)
{
	minhash_free(hasher);
}

static int choose_shape(struct near_plugin *near, struct dana_context *c)
{
	struct buf curve = { 0 };
	near->shape =
		(struct bands){ (unsigned)host->option_integer(c, "bands"), (unsigned)host->option_integer(c, "rows") };
	if (shape_numbers(near->shape) > BANDS_NUMBERS_MOST)
		return host->fail(c, "bands x rows is %u x %u = %u; at most %d", near->shape.bands, near->shape.rows,
				  near->shape.bands * near->shape.rows, BANDS_NUMBERS_MOST);
	if (!host->option_is_set(c, "threshold"))
		return 0;
	near->shape = bands_for(host->option_number(c, "threshold"));
	if (bands_curve(near->shape, &curve) == DANA_OK && buf_append_byte(&curve, 0) == DANA_OK)
		for (char *line = (char *)curve.data, *end; (end = strchr(line, '\n')); line = end + 1)
			host->log(c, DANA_LOG_WARNING, "%u bands of %u rows: similarity and detection rate %.*s",
				  near->shape.bands, near->shape.rows, (int)(end - line), line);
	buf_free(&curve);
	return 0;
}

static int open_files(struct near_plugin *near, struct dana_context *c)
{
	const char *list = host->option_text(c, "drop");
	struct error err = { 0 };
	near->folder = host->option_text(c, "signatures");
	if (!near->folder == !list)
		return host->fail(c, "expected one of signatures=DIR and drop=FILE");
	if (list && rows_file_open(&near->rows, list, &err) < 0)
		return host->fail(c, "%s", err.text);
	if (near->folder && mkdir(near->folder, 0777) < 0 && errno != EEXIST)
		return host->fail(c, "signatures: %s: %s", near->folder, system_text(errno));
	row_cursor_begin(&near->cursor, &near->rows);
	return 0;
}

static void unload(void *shared)
{
	struct near_plugin *near = shared;
	if (!near)
		return;
	dedup_run_free(&near->run, host);
	row_cursor_free(&near->cursor);
	rows_file_close(&near->rows);
	buf_free(&near->entry);
	free(near->name);
	free(near);
}

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	host = h;
	struct near_plugin *near = calloc(1, sizeof(*near));
	if (!near)
		return host->fail(c, "%s", status_text(DANA_ENOMEM));
	near->run.loaded = c;
	near->rows.file.fd = -1;
	near->memory = (size_t)host->option_integer(c, "memory");
	pool_init(&near->run.pool, make_hasher, free_hasher, &near->shape);
	int status = choose_shape(near, c);
	if (status == 0)
		status = open_files(near, c);
	*shared = status < 0 ? NULL : near;
	if (status < 0)
		unload(near);
	return status;
}

/* ---- the signature of a page ---- */

/* What is attached: whether there are shingles (1), the lowest byte of each number, the buckets. */
static size_t attached_len(struct bands shape)
{
	return 1 + shape_numbers(shape) + shape.bands * sizeof(uint64_t);
}

static int prepare(void *shared, struct dana_page *p)
{
	struct near_plugin *near = shared;
	uint8_t attached[1 + BANDS_NUMBERS_MOST * (1 + sizeof(uint64_t))];
	uint64_t buckets[BANDS_NUMBERS_MOST];
	const uint32_t *numbers;
	size_t shingles, n = shape_numbers(near->shape);
	if (!near->folder)
		return 0;
	struct minhash *hasher = pool_take(&near->run.pool);
	int status = hasher ? minhash_text(hasher, slice_of_view(host->text(p)), &numbers, &shingles) : DANA_ENOMEM;
	if (status == DANA_OK) {
		attached[0] = shingles != 0;
		for (size_t i = 0; i < n; i++)
			attached[1 + i] = (uint8_t)numbers[i];
		bands_buckets(near->shape, numbers, buckets);
		for (unsigned i = 0; i < near->shape.bands; i++)
			little_endian_put_64(attached + 1 + n + i * sizeof(uint64_t), buckets[i]);
	}
	pool_give(&near->run.pool, hasher);
	return status < 0 ? host->page_fail(p, "%s", status_text(status))
			  : host->attach(p, attached, attached_len(near->shape));
}

/* ---- the file of signatures ---- */

/* Returns "DIR/NAME.sig" or "DIR/NAME.sig.journal". */
static char *path_of(const struct near_plugin *near, const char *suffix, struct error *err)
{
	struct buf path = { 0 };
	buf_printf(&path, "%s/%s%s", near->folder, near->name, suffix);
	buf_append_byte(&path, 0);
	if (buf_status(&path) == DANA_OK)
		return (char *)path.data;
	buf_free(&path);
	(void)error_no_memory(err);
	return NULL;
}

/* An existing file of that name may be overwritten only if it comes from an earlier run over the same input. */
static int check_file(struct near_plugin *near, const char *path, struct slice input, struct error *err)
{
	struct signature_file f;
	struct error unread = { 0 };
	int status = signature_file_open(&f, path, &unread);
	if (status < 0)
		return status == DANA_EIO ? DANA_OK : error_set(err, (enum dana_status)status, "%s", unread.text);
	if (f.parts.n && !slice_equal(slice_from_text(f.parts.items[0].name), input))
		status = error_set(err, DANA_ECONFIG, "%s holds signatures of %s; choose another folder than %s", path,
				   f.parts.items[0].name, near->folder);
	signature_file_close(&f);
	return status;
}

static int open_journal(struct near_plugin *near, struct error *err)
{
	char *path = near->run.journal ? NULL : path_of(near, ".sig.journal", err);
	if (path)
		near->run.journal = journal_open(path, err);
	free(path);
	return near->run.journal ? DANA_OK : err->status;
}

static bool is_begun(const struct near_plugin *near)
{
	return near->run.journal && journal_is_begun(near->run.journal);
}

static int begin(struct near_plugin *near, const struct dana_page *p, struct error *err)
{
	const struct slice input = slice_of_view(host->text_item(p, DANA_FILE_NAME));
	free(near->name);
	struct slice file = input;
	static const char *const endings[] = { ".gz", ".zst", ".warc", ".arc" };
	const char *allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	for (size_t i = file.len; i-- > 0;) {
		if (file.data[i] == '/') {
			file = slice_skip(file, i + 1);
			break;
		}
	}
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		const size_t len = strlen(endings[i]);
		if (file.len > len && memcmp(file.data + file.len - len, endings[i], len) == 0)
			file.len -= len;
	}
	if (file.len == 0 || slice_equal(file, slice_from_text("-")))
		file = slice_from_text("stdin");
	char *name = strndup((const char *)file.data, file.len);
	for (char *c = name; c && *c; c++) {
		if (!strchr(allowed, *c) || (c == name && *c == '.'))
			*c = '_';
	}
	near->name = name;
	char *path = near->name ? path_of(near, ".sig", err) : NULL;
	int status = path ? check_file(near, path, input, err) : error_no_memory(err);
	free(path);
	if (status == DANA_OK)
		status = open_journal(near, err);
	return status == DANA_OK ? dedup_run_begin(&near->run, host, p, 0, err) : status;
}

static int put_entry(struct near_plugin *near, const struct dana_page *p, struct error *err)
{
	const struct origin o = duplicate_origin(host, p);
	const struct dana_view attached = host->attached(p);
	const int64_t chars = host->number_item(p, DANA_TEXT_CHARS);
	/* how sure the method is of the text: the mean probability of its characters; 0 without probabilities */
	double sum = 0, bytes = 0;
	bool known = true;
	for (size_t i = 0, n = host->block_count(p); i < n && known; i++) {
		const struct dana_block block = host->block(p, i);
		known = block.probability >= 0;
		sum += block.probability * (double)block.text.len;
		bytes += (double)block.text.len;
	}
	const float score = known && bytes > 0 ? (float)(sum / bytes) : 0;
	uint8_t numbers[8];
	uint32_t bits;
	memcpy(&bits, &score, sizeof(bits));
	little_endian_put_32(numbers, chars > 0 ? (uint32_t)chars : 0);
	little_endian_put_32(numbers + 4, bits);
	buf_clear(&near->entry);
	origin_entry_put(&near->entry, &o, numbers, sizeof(numbers));
	if (buf_append(&near->entry, attached.data, attached.len) < 0)
		return error_no_memory(err);
	return journal_put(near->run.journal, buf_slice(&near->entry), err);
}

static int take_entry(struct near_plugin *near, struct signature_maker *m, struct slice entry, struct error *err)
{
	uint64_t buckets[BANDS_NUMBERS_MOST];
	struct signature signature = { .buckets = buckets };
	struct slice numbers;
	if (!origin_entry_get(entry, &signature.origin, &numbers))
		return error_set(err, DANA_EFORMAT, "the journal is damaged");
	if (numbers.len != 8 + attached_len(near->shape))
		return error_set(err, DANA_EFORMAT, "the journal belongs to a run with other options");
	const uint32_t bits = little_endian_32(numbers.data + 4);
	memcpy(&signature.score, &bits, sizeof(bits));
	signature.chars = little_endian_32(numbers.data);
	signature.lowest = numbers.data + 9;
	for (unsigned i = 0; i < near->shape.bands; i++)
		buckets[i] = little_endian_64(signature.lowest + shape_numbers(near->shape) + i * sizeof(uint64_t));
	if (!numbers.data[8])
		signature.buckets = NULL;
	return signature_maker_add(m, &signature, err);
}

static int make_file(struct near_plugin *near, const char *path, struct error *err)
{
	struct signature_maker *m = signature_maker_new(path, near->shape, near->memory, true, err);
	struct slice entry;
	int status = m ? journal_rewind(near->run.journal, err) : err->status;
	while (status >= 0 && (status = journal_next(near->run.journal, &entry, err)) == 1)
		status = take_entry(near, m, entry, err);
	if (status == DANA_OK)
		return signature_maker_finish(m, err);
	signature_maker_abandon(m);
	return status;
}

/* ---- the run ---- */

static int page(void *instance, struct dana_page *p)
{
	struct near_plugin *near = instance;
	struct row_link link;
	struct error err = { 0 };
	int status;
	if (near->folder) {
		status = is_begun(near) ? DANA_OK : begin(near, p, &err);
		if (status == DANA_OK)
			status = put_entry(near, p, &err);
		if (status < 0)
			return host->page_fail(p, "%s", err.text);
		host->count(p, SIGNED, 1);
		host->count(p, WITHOUT_WORDS, host->attached(p).data[0] == 0);
		return DANA_KEEP;
	}
	status = row_cursor_next(&near->cursor, slice_of_view(host->text_item(p, DANA_FILE_NAME)),
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

static int save(void *instance, struct dana_store *store)
{
	const struct near_plugin *near = instance;
	uint8_t position[12];
	if (near->folder && !is_begun(near))
		return 0;
	int status = dedup_run_save(&near->run, host, store, near->rows.file.identity);
	if (status < 0)
		return status;
	if (near->folder)
		return host->store(store, near->name, strlen(near->name));
	little_endian_put_64(position, near->cursor.part);
	little_endian_put_32(position + 8, near->cursor.row);
	return host->store(store, position, sizeof(position));
}

static int restore(void *instance, struct dana_view stored)
{
	struct near_plugin *near = instance;
	struct error err = { 0 };
	const struct slice state = slice_of_view(stored), run = slice_first(state, JOURNAL_STATE);
	const struct slice rest = slice_skip(state, run.len);
	int status;
	if (near->folder) {
		if (rest.len == 0)
			return state.len == 0 ? 0 : host->fail(near->run.context, "the saved state is incomplete");
		near->name = strndup((const char *)rest.data, rest.len);
		status = near->name ? open_journal(near, &err) : error_no_memory(&err);
		if (status == DANA_OK)
			status = journal_resume(near->run.journal, run, near->name, 0, &err);
		return dedup_run_result(&near->run, host, status, &err);
	}
	status = journal_state_check(run, near->rows.file.path, near->rows.file.identity, &err);
	if (status < 0)
		return dedup_run_result(&near->run, host, status, &err);
	if (rest.len == 12) {
		near->cursor.part = (size_t)little_endian_64(rest.data);
		near->cursor.row = little_endian_32(rest.data + 8);
	}
	if (rest.len != 12 || (near->cursor.part != SIZE_MAX && near->cursor.part >= near->rows.parts.n))
		return host->fail(near->run.context, "the saved state was not written by this plugin");
	return 0;
}

static int finish(void *instance)
{
	struct near_plugin *near = instance;
	struct error err = { 0 };
	if (!near->folder)
		return dedup_run_result(&near->run, host, row_cursor_end(&near->cursor, &err), &err);
	if (!is_begun(near)) /* there was no page, or the run being resumed has already made the file */
		return 0;
	char *path = path_of(near, ".sig", &err);
	int status = path ? make_file(near, path, &err) : err.status;
	free(path);
	if (status == DANA_OK)
		status = journal_end(near->run.journal, 0, &err);
	return dedup_run_result(&near->run, host, status, &err);
}

static const struct dana_option options[] = {
	{ "signatures", DANA_FILE_WRITTEN, "DIR", NULL,
	  "write a file of signatures into this folder, for dana dedup cluster", 0, 0 },
	{ "drop", DANA_FILE, "FILE", NULL, "drop the pages that this list of dana dedup cluster names", 0, 0 },
	{ "bands", DANA_INTEGER, "N", "14", "bands of a signature", 1, BANDS_NUMBERS_MOST },
	{ "rows", DANA_INTEGER, "N", "8", "rows of a band", 1, BANDS_NUMBERS_MOST },
	{ "threshold", DANA_NUMBER, "SHARE", NULL,
	  "choose bands and rows for this similarity, and print the detection rates", 0.05, 0.99 },
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
	.open = dedup_run_open,
	.prepare = prepare,
	.page = page,
	.save = save,
	.restore = restore,
	.finish = finish,
	.unload = unload,
};
