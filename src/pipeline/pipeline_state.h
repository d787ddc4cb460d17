/* SPDX-License-Identifier: MIT */
/* The inside of a pipeline, shared by the files that make it up. Threads: that of the loop, but for `stop`. */
#ifndef DANA_PIPELINE_PIPELINE_STATE_H
#define DANA_PIPELINE_PIPELINE_STATE_H

#include <stdatomic.h>

#include "io/loop.h"
#include "io/source.h"
#include "pipeline/handoff.h"
#include "pipeline/origin.h"
#include "pipeline/outputs.h"
#include "pipeline/pipeline.h"
#include "pipeline/processor.h"
#include "pipeline/pump.h"
#include "pipeline/tail.h"
#include "plugin/chain.h"

struct pipeline {
	struct pipeline_config config;
	struct loop *loop;
	struct network_session *session; /* NULL until the first input of the network */
	atomic_bool stop;
	struct reporter reporter;

	/* For all jobs: either of the two. */
	struct processor *processor; /* without workers */
	struct handoff *handoff;
	struct plugin_chain *gate;    /* with workers */
	struct plugin_chain *ordered; /* NULL: no plugin is */

	/* Of the job under way. */
	struct origin origin;
	struct tail *tail;
	struct outputs outputs;
	struct sink *sink;
	struct encoder *encoder;
	struct pipeline_result *result;
	struct stats shown; /* what progress has been told */

	/* Of the input under way. */
	const char *file;
	struct source *source;
	struct pump *pump;
	struct stats before_input;
	bool paused; /* the pump waits for pump_resume */
	bool input_done;
	bool job_over;      /* no further input: a fault, a stop, or the reader has gone */
	bool source_failed; /* reading broke off */
	bool input_failed;  /* so it was with any input of the job */
};

/* pipeline_stages.c */

/** Makes processor or handoff, whose outcomes go to the tail. False with a text in `err`. */
bool pipeline_open_stages(struct pipeline *p, struct error *err);
/** What the plugin has told that failed. */
const char *pipeline_plugin_fault(const struct pipeline *p);

/* pipeline_input.c */

/** Reads an input, `file` in all outputs, to its end. False: it could not be opened, which is reported. */
bool pipeline_input(struct pipeline *p, const char *file, const char *address);
/** Brings bytes_in and bytes_decoded of the result up to the input under way. */
void pipeline_count_input(struct pipeline *p);
/** The loop was woken: a worker is done, or somebody wants us to stop. */
void pipeline_woken(void *pipeline);
/** The outputs have written something, or failed. */
void pipeline_output_moved(void *pipeline);
/** Ends the job. */
void pipeline_fault(struct pipeline *p, const char *text);
/** A stage has answered a negative status: the output knows why, or it is memory. */
void pipeline_stage_failed(struct pipeline *p, int status);

#endif
