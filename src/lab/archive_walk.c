/* SPDX-License-Identifier: MIT */
/* The walk is a pipeline whose output format hands each document on, and writes nothing. */
#include "config.h"

#include "lab/archive_walk.h"

#include <stdlib.h>

#include "archive/limits.h"
#include "archive/plugin/plugins.h"
#include "run/methods.h"
#include "run/pipeline.h"

struct walk_sink {
	struct sink sink;
	const struct archive_walk *walk;
};

static struct sink *walk_open(const struct sink_config *config)
{
	struct walk_sink *s = calloc(1, sizeof(*s));
	if (s)
		s->walk = *(const struct archive_walk *const *)config->arg;
	return s ? &s->sink : NULL;
}

static int walk_document(const struct sink *sink, struct document *doc, struct buf *out)
{
	const struct archive_walk *w = ((const struct walk_sink *)sink)->walk;
	(void)out;
	return w->document(w->arg, doc);
}

static void walk_close(struct sink *sink)
{
	free(sink);
}

static const struct sink_ops walk_ops = {
	.name = "walk", .suffix = "", .open = walk_open, .document = walk_document, .close = walk_close
};

int archive_walk_run(const struct archive_walk *w, const char *file, struct error *err)
{
	static const struct limits limits = LIMITS_DEFAULT;
	static const struct plugins_config choice; /* the filters' defaults */
	struct pipeline_result result;
	struct plugins *plugins = plugins_new(&choice, err);
	const struct pipeline_config config = {
		.processor = { .limits = &limits,
			       .plugins = plugins,
			       .method = w->method,
			       .read_file = w->models ? model_reader_read : NULL,
			       .read_arg = w->models,
			       .page = w->page },
		.format = &walk_ops,
		.sink = { .software = PACKAGE_NAME "/" PACKAGE_VERSION, .method = w->method, .arg = &w },
		.encoding = encoder_find(slice_from_text("none")),
		.reporter = { .line = w->lines.line, .arg = w->lines.arg, .quiet = w->quiet },
	};
	struct pipeline *p = plugins ? pipeline_new(&config, err) : NULL;
	const struct pipeline_job job = { .inputs = &file, .n_inputs = 1 };
	if (p)
		pipeline_run(p, &job, &result);
	pipeline_free(p);
	plugins_free(plugins);
	if (!p)
		return (int)err->status;
	if (result.model_refused && w->models)
		return model_reader_refused(w->models, err);
	return result.failed ? DANA_EIO : stats_faults(&result.stats) ? DANA_EFORMAT : DANA_OK;
}
