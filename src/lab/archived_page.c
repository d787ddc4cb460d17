/* SPDX-License-Identifier: MIT */
/*
 * The page of one record: the input is read from its place by a pipeline that takes all records that hold a page, whose
 * output format keeps the first one. Where many records begin at one place, in a file compressed as one piece, it is
 * the one with the wanted URL, or the first of them.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "archive/plugin/plugins.h"
#include "archive/sink/sink.h"
#include "base/ascii.h"
#include "lab/gold.h"
#include "run/pipeline.h"

/* What the processor writes to while it reads the next page, and the first one. */
struct archived {
	struct buf page;
	struct page_decoder *to;
	bool found, wanted; /* there is one; it has the wanted URL */
	struct error fault; /* the archive cannot be read */
};

struct archived_sink {
	struct sink sink;
	struct archived *archived;
};

static void keep_text(struct archived *a, struct buf *to, struct slice text)
{
	buf_append(to, text.data, text.len);
	buf_latch(&a->to->page, buf_append_byte(to, 0));
}

static int on_document(const struct sink *sink, struct document *doc, struct buf *out)
{
	struct archived *a = ((const struct archived_sink *)sink)->archived;
	(void)out;
	const bool wanted = a->to->wanted.len && slice_equal(doc->record->target_uri, a->to->wanted);
	a->to->is_first = a->found && !a->wanted && !wanted;
	if (a->found && (a->wanted || !wanted))
		return DANA_OK;
	a->found = true;
	a->wanted = wanted;
	buf_clear(&a->to->page);
	buf_clear(&a->to->url);
	buf_clear(&a->to->charset);
	keep_text(a, &a->to->url, doc->record->target_uri);
	if (doc->charset)
		keep_text(a, &a->to->charset, slice_from_text(doc->charset));
	return buf_append(&a->to->page, a->page.data, a->page.len);
}

static struct sink *archived_open(const struct sink_config *config)
{
	struct archived_sink *s = calloc(1, sizeof(*s));
	if (s)
		s->archived = config->arg;
	return s ? &s->sink : NULL;
}

static void archived_close(struct sink *sink)
{
	free(sink);
}

static const struct sink_ops archived_ops = {
	.name = "page", .suffix = "", .open = archived_open, .document = on_document, .close = archived_close
};

static void keep_line(void *archived, const char *line)
{
	struct archived *a = archived;
	if (a->fault.status == DANA_OK)
		(void)error_set(&a->fault, DANA_EFORMAT, "%s", line + (strncmp(line, "dana: ", 6) == 0 ? 6 : 0));
}

/* "crawl.warc.gz@4711", unless a file has this name. */
bool page_decoder_place(const char *path, struct buf *file, uint64_t *offset)
{
	const char *at = strrchr(path, '@');
	struct stat st;
	if (!at || at == path || !decimal_number(slice_from_text(at + 1), UINT64_MAX - 1, offset) ||
	    stat(path, &st) == 0)
		return false;
	return buf_append(file, path, (size_t)(at - path)) == DANA_OK && buf_append_byte(file, 0) == DANA_OK;
}

int page_decoder_archived(struct page_decoder *d, const char *file, uint64_t offset, struct error *err)
{
	static const struct limits limits = LIMITS_DEFAULT;
	static const struct plugins_config all = { .choice = { .types = "any", .statuses = "any", .mimes = "any" } };
	struct archived a = { .to = d };
	struct pipeline_result result = { .failed = false };
	struct plugins *plugins = plugins_new(&all, err);
	const struct pipeline_config config = {
		.processor = { .limits = &limits,
			       .plugins = plugins,
			       .take_unreadable = true,
			       .method = "plain",
			       .page = &a.page },
		.format = &archived_ops,
		.sink = { .arg = &a },
		.encoding = encoder_find(slice_from_text("none")),
		.reporter = { .line = keep_line, .arg = &a, .quiet = true },
	};
	const struct input_range range = { offset, offset + 1 };
	const struct pipeline_job job = { .inputs = &file, .n_inputs = 1, .ranges = &range };
	struct pipeline *p = plugins ? pipeline_new(&config, err) : NULL;
	if (p)
		pipeline_run(p, &job, &result);
	pipeline_free(p);
	plugins_free(plugins);
	buf_free(&a.page);
	if (p && !a.found && a.fault.status < 0)
		*err = a.fault;
	else if (p && !a.found)
		(void)error_set(err, DANA_EFORMAT, "%s: no record with a page begins at offset %" PRIu64, file, offset);
	else if (p && buf_status(&d->page) < 0)
		(void)error_no_memory(err);
	return (int)err->status;
}
