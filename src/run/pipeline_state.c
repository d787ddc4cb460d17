/* SPDX-License-Identifier: MIT */
/* What each part of a pipeline may find: that the job has to end, and how much was read. */
#include "config.h"

#include "run/pipeline_state.h"

#include "base/ondemand/library.h"
#include "io/output.h"

static void fault_in(struct pipeline *p, const char *file, const char *text)
{
	p->stage_failed = true;
	if (!p->result->failed || !p->job_over)
		report_fault(&p->reporter, file, text);
	p->result->failed = true;
	pipeline_end_job(p);
}

void pipeline_fault(struct pipeline *p, const char *text)
{
	fault_in(p, NULL, text);
}

void pipeline_stage_failed(struct pipeline *p, int status)
{
	struct error err = { 0 };
	p->stage_failed = true;
	if (outputs_failed(&p->outputs, &err) < 0 ||
	    (p->checkpoint.commit && commit_failed(p->checkpoint.commit, &err) < 0)) {
		pipeline_fault(p, err.text);
	} else if (status == DANA_ECONFIG) {
		p->result->model_refused = true;
		pipeline_end_job(p);
	} else if (status == DANA_EPLUGIN) {
		p->result->plugin_failed = true;
		pipeline_fault(p, pipeline_plugin_fault(p));
	} else {
		fault_in(p, status == DANA_EFILES ? p->file : NULL, library_status_text(status));
	}
}

void pipeline_input_refused(struct pipeline *p, const struct error *err)
{
	p->result->output_refused = err->status == DANA_ECONFIG;
	report_fault(&p->reporter, NULL, err->text);
	p->result->failed |= err->status != DANA_ECONFIG;
	p->stage_failed = true;
	pipeline_end_job(p);
}

void pipeline_count_input(struct pipeline *p)
{
	struct source_counts cost = source_counts(p->source);
	p->result->stats.http_requests += cost.requests - p->counted.requests;
	p->result->stats.http_retries += cost.retries - p->counted.retries;
	p->result->stats.bytes_fetched += cost.bytes - p->counted.bytes;
	p->counted = cost;
	if (!p->pump)
		return;
	struct pump_counts counts = pump_counts(p->pump);
	p->result->stats.bytes_in = p->before_input.bytes_in + counts.bytes_in;
	p->result->stats.bytes_decoded = p->before_input.bytes_decoded + counts.bytes_decoded;
}
