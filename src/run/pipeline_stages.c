/* SPDX-License-Identifier: MIT */
/* What stands between framer and tail: one processor, or workers with one each. */
#include "config.h"

#include "run/pipeline_state.h"

static struct processor_config processor_settings(struct pipeline *p)
{
	return (struct processor_config){ .limits = p->config.limits,
					  .plugins = p->config.plugins,
					  .needs_uri = p->config.format->needs_uri,
					  .take_unreadable = p->config.take_unreadable,
					  .check_digests = p->config.check_digests,
					  .require_digest = p->config.require_digest,
					  .method = p->config.method,
					  .texts = p->config.texts,
					  .read_file = p->config.read_file,
					  .read_arg = p->config.read_arg };
}

static void *stage_open(void *arg, struct document_sink *next, struct error *err)
{
	const struct processor_config config = processor_settings(arg);
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

static const char *stage_fault(void *stage)
{
	return processor_fault(stage);
}

static const struct handoff_stage_ops stage_ops = { stage_open, stage_records, stage_context, stage_close,
						    stage_fault };

static int refuses(void *arg, const struct record *rec)
{
	const struct pipeline *p = arg;
	return processor_refuses(p->gate, p->config.format->needs_uri, rec);
}

static int format(void *arg, struct document *doc, struct buf *out)
{
	const struct pipeline *p = arg;
	return tail_format(p->tail, doc, out);
}

static int take(void *arg, const struct outcome *outcome, const struct slice *formatted)
{
	struct pipeline *p = arg;
	struct document_sink *front = tail_documents(p->tail);
	return p->ordered || !formatted ? front->ops->outcome(front, outcome) : tail_take(p->tail, outcome, *formatted);
}

static int passed(void *arg, const struct pump_place *place, bool dated)
{
	struct pipeline *p = arg;
	return done_records_pass(&p->done, place, dated);
}

static void wake(void *arg)
{
	struct pipeline *p = arg;
	loop_wake(p->loop);
}

static bool open_workers(struct pipeline *p, struct error *err)
{
	struct handoff_config config = {
		.jobs = p->config.jobs,
		.in_flight = p->config.limits->in_flight,
		.dates = &p->dates,
		.stage = &stage_ops,
		.arg = p,
		.refuses = refuses,
		.point = &p->done.point,
		.n_counters = plugins_names(p->config.plugins)->n_counters,
		.keep_documents = p->ordered != NULL,
		.limits = p->config.limits,
		.numbers_documents = p->config.format->uses_numbers,
		.passed = passed,
		.format = format,
		.take = take,
		.wake = wake,
	};
	p->gate = plugin_chain_new(p->config.plugins, PLUGIN_GATE, err);
	p->handoff = p->gate ? handoff_new(&config, err) : NULL;
	return p->handoff != NULL;
}

bool pipeline_open_stages(struct pipeline *p, struct error *err)
{
	if (plugins_ordered(p->config.plugins)) {
		p->ordered = plugin_chain_new(p->config.plugins, PLUGIN_TAIL, err);
		if (!p->ordered)
			return false;
	}
	if (p->config.jobs)
		return open_workers(p, err);
	struct processor_config config = processor_settings(p);
	config.page = p->config.page;
	config.dates = &p->dates;
	p->processor = processor_new(&config, tail_documents(p->tail), err);
	return p->processor != NULL;
}

const char *pipeline_plugin_fault(const struct pipeline *p)
{
	const char *early = p->handoff ? handoff_fault(p->handoff) : processor_fault(p->processor);
	return early[0] || !p->ordered ? early : plugin_chain_fault(p->ordered);
}
