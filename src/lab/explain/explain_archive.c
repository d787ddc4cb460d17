/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "lab/explain/explain_archive.h"

#include <stdlib.h>

#include "archive/plugin/plugins.h"
#include "base/utf8.h"
#include "dana/dana.h"
#include "lab/explain/overview.h"
#include "lab/explain/report.h"
#include "lab/explain/traced_run.h"
#include "run/methods.h"
#include "run/pipeline.h"

/* Receives the documents of both walks: it is used like an output format, but writes nothing. */
struct walk {
	struct overview overview;
	struct overview_strip strips[2 * OVERVIEW_SHOWN];
	size_t n_strips;
	uint64_t number; /* of the next document, in the second walk */
	bool second;
	const char *method;
	struct model_reader models;
	struct notices lines;
	struct buf page; /* the last page as UTF-8 */
	struct dana_extractor *plain;
};

struct walk_sink {
	struct sink sink;
	struct walk *walk;
};

static int plain_text(struct walk *w, struct dana_text *text)
{
	dana_reset(w->plain);
	int status = dana_feed(w->plain, w->page.data, w->page.len);
	return status < 0 ? status : dana_finish(w->plain, text);
}

static int count_page(struct walk *w, const struct document *doc)
{
	struct dana_text text;
	int status;
	struct overview_page *page = overview_next(&w->overview, &status);
	if (!page)
		return status;
	status = plain_text(w, &text);
	if (status < 0)
		return status;
	overview_name(page, doc->record->target_uri, doc->content_type, doc->charset);
	page->visible = utf8_count(slice_of(text.data, text.len));
	page->kept = doc->text_chars;
	return DANA_OK;
}

static int draw_page(struct walk *w, struct overview_strip *strip, unsigned id, struct slice url)
{
	struct traced_run run;
	struct dana_text text;
	struct dana_options wish = { .struct_size = sizeof(wish),
				     .method = w->method,
				     .read_file = model_reader_read,
				     .read_arg = &w->models };
	int status = traced_run_make(&run, &wish, buf_slice(&w->page), url);
	if (status >= 0)
		status = plain_text(w, &text);
	if (status >= 0) {
		const struct report_method m = { .spec = w->method,
						 .made = run.text.method,
						 .recording = &run.recording,
						 .text = slice_of(run.text.data, run.text.len) };
		status = report_strip(&strip->picture, &m, slice_of(text.data, text.len), id);
	}
	traced_run_free(&run);
	return status;
}

static int on_document(const struct sink *sink, struct document *doc, struct buf *out)
{
	struct walk *w = ((const struct walk_sink *)sink)->walk;
	(void)out;
	if (!w->second)
		return count_page(w, doc);
	uint64_t number = w->number++;
	for (size_t i = 0; i < w->n_strips; i++) {
		if (w->strips[i].page->number == number)
			return draw_page(w, &w->strips[i], (unsigned)i + 1, doc->record->target_uri);
	}
	return DANA_OK;
}

static struct sink *walk_open(const struct sink_config *config)
{
	struct walk_sink *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->walk = config->arg;
	return &s->sink;
}

static void walk_close(struct sink *sink)
{
	free(sink);
}

static const struct sink_ops walk_ops = {
	.name = "overview", .suffix = "", .open = walk_open, .document = on_document, .close = walk_close
};

/* Walks over the pages that `filter` takes by default, in their order. The second walk needs no text of the method. */
static int walk_archive(struct walk *w, const char *file, struct error *err)
{
	static const struct limits limits = LIMITS_DEFAULT;
	static const struct plugins_config choice; /* the filters' defaults */
	struct pipeline_result result;
	struct plugins *plugins = plugins_new(&choice, err);
	if (!plugins)
		return (int)err->status;
	const struct pipeline_config config = {
		.limits = &limits,
		.plugins = plugins,
		.method = w->second ? "plain" : w->method,
		.read_file = model_reader_read,
		.read_arg = &w->models,
		.page = &w->page,
		.format = &walk_ops,
		.sink = { .software = PACKAGE_NAME "/" PACKAGE_VERSION, .method = w->method, .arg = w },
		.encoding = encoder_find(slice_from_text("none")),
		.reporter = { .line = w->lines.line, .arg = w->lines.arg, .quiet = w->second },
	};
	struct pipeline *p = pipeline_new(&config, err);
	if (!p) {
		plugins_free(plugins);
		return (int)err->status;
	}
	const struct pipeline_job job = { .inputs = &file, .n_inputs = 1 };
	pipeline_run(p, &job, &result);
	pipeline_free(p);
	plugins_free(plugins);
	if (result.model_refused)
		return model_reader_refused(&w->models, err);
	return result.failed ? DANA_EIO : stats_faults(&result.stats) ? DANA_EFORMAT : DANA_OK;
}

int explain_archive(struct html_out *out, const char *file, const char *method, struct notices lines, struct error *err)
{
	struct walk w = { .method = method, .lines = lines };
	model_reader_init(&w.models, &method, 1);
	const struct dana_options plain = { .struct_size = sizeof(plain), .method = "plain" };
	int status = dana_new(&w.plain, &plain) < 0 ? error_no_memory(err) : walk_archive(&w, file, err);
	if (status == DANA_OK || status == DANA_EFORMAT) {
		w.n_strips = overview_choose(&w.overview, w.strips);
		w.second = true;
		int again = walk_archive(&w, file, err);
		if (again != DANA_OK && again != DANA_EFORMAT)
			status = again;
		else if (again != status)
			status = error_set(err, DANA_EIO, "%s: the file changed while it was being read", file);
		else if (overview_write(out, &w.overview, file, method, w.strips, w.n_strips) == DANA_ENOMEM)
			status = error_no_memory(err);
	}
	for (size_t i = 0; i < w.n_strips; i++)
		buf_free(&w.strips[i].picture.buf);
	overview_free(&w.overview);
	buf_free(&w.page);
	dana_free(w.plain);
	model_reader_free(&w.models);
	return status;
}
