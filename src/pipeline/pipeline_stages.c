/* SPDX-License-Identifier: MIT */
/* What stands between framer and tail: one processor, or workers with one each. */
#include "config.h"

#include "pipeline/pipeline_state.h"

static void *stage_open(void *arg, struct document_sink *next, struct error *err)
{
	const struct pipeline *p = arg;
	struct processor_config config = { .limits = p->config.limits,
					   .filters = p->config.filters,
					   .method = p->config.method,
					   .read_file = p->config.read_file,
					   .read_arg = p->config.read_arg };
	return processor_new(&config, next, err);
}

static struct record_sink *stage_records(void *stage)
{
	return processor_records(stage);
}

static void stage_context(void *stage, const char *file, struct slice warcinfo_date)
{
	processor_input(stage, file);
	processor_warcinfo_date(stage, warcinfo_date);
}

static void stage_close(void *stage)
{
	processor_free(stage);
}

static const struct handoff_stage_ops stage_ops = { stage_open, stage_records, stage_context, stage_close };

static bool refuses(void *arg, const struct record *rec)
{
	const struct pipeline *p = arg;
	return processor_refuses(p->config.filters, rec) != SKIP_NONE;
}

static int format(void *arg, struct document *doc, struct buf *out)
{
	const struct pipeline *p = arg;
	return tail_format(p->tail, doc, out);
}

static int take(void *arg, const struct outcome *outcome, struct slice formatted)
{
	struct pipeline *p = arg;
	return tail_take(p->tail, outcome, formatted);
}

static void wake(void *arg)
{
	struct pipeline *p = arg;
	loop_wake(p->loop);
}

bool pipeline_open_stages(struct pipeline *p, struct error *err)
{
	if (p->config.jobs == 0) {
		struct processor_config config = { .limits = p->config.limits,
						   .filters = p->config.filters,
						   .method = p->config.method,
						   .page = p->config.page,
						   .origin = &p->origin,
						   .read_file = p->config.read_file,
						   .read_arg = p->config.read_arg };
		p->processor = processor_new(&config, tail_documents(p->tail), err);
		return p->processor != NULL;
	}
	struct handoff_config config = {
		.jobs = p->config.jobs,
		.in_flight = p->config.limits->in_flight,
		.origin = &p->origin,
		.stage = &stage_ops,
		.arg = p,
		.refuses = refuses,
		.format = format,
		.take = take,
		.wake = wake,
	};
	p->handoff = handoff_new(&config, err);
	return p->handoff != NULL;
}
