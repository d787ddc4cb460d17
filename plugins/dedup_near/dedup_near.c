/* SPDX-License-Identifier: MIT */
/*
 * Drops near-duplicates in two runs: signatures=DIR writes the MinHash signatures of all pages beside the output; `dana
 * dedup cluster` makes a list of rows to drop from them; drop=FILE drops the pages on the list.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "dedup/minhash.h"
#include "plugins/dedup_near/near.h"

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
