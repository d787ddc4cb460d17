/* SPDX-License-Identifier: MIT */
/*
 * One run from inputs to one output: source, pump, processor or workers, tail, encoder, output, on a loop of its own.
 * A value without globals: pipelines on different threads know nothing of each other.
 * Threads: that which made it, but for pipeline_stop. Ownership: borrows all that its config and job point to.
 */
#ifndef DANA_PIPELINE_PIPELINE_H
#define DANA_PIPELINE_PIPELINE_H

#include "io/net/network.h"
#include "io/output.h"
#include "pipeline/encoder.h"
#include "pipeline/progress.h"
#include "pipeline/report.h"
#include "pipeline/stats.h"
#include "sink/sink.h"
#include "stream/limits.h"

struct pipeline;
struct plugins;

struct pipeline_config {
	const struct limits *limits;
	struct plugins *plugins; /* with an ordered one all pipelines but one would see its pages out of order */
	bool take_unreadable, require_digest; /* as in processor_config */
	const char *method;
	struct buf *page; /* as in processor_config; needs jobs = 0 */
	unsigned jobs;    /* 0: everything on this thread */
	const struct sink_ops *format;
	struct sink_config sink; /* `filename` is set for each job */
	const struct encoder_ops *encoding;
	int level;
	enum output_way way; /* about outputs of an earlier run */
	bool rejects;
	struct reporter reporter;  /* as a start value */
	struct progress *progress; /* NULL: nobody looks */
	struct network *network;   /* NULL: inputs are paths only */
	int (*read_file)(void *read_arg, const char *name, char **data,
			 size_t *len); /* as dana_options.read_file; any thread */
	void *read_arg;
};

struct pipeline_job {
	const char *const *inputs;    /* paths and addresses, "-" = standard input; in this order; `file` in outputs */
	const char *const *addresses; /* where they are to be had, with user and password; NULL: as `inputs` */
	size_t n_inputs;
	const char *output; /* FILE; NULL = standard output */
};

struct pipeline_result {
	struct stats stats;
	bool failed;         /* an input could not be read, or the output not written */
	bool output_refused; /* FILE or FILE.part exists */
	bool plugin_failed;  /* its name and reason were reported */
	bool model_refused;  /* of a site, at its first page: read_file knows which and why */
	bool reader_gone;    /* of standard output */
	bool stopped;        /* by pipeline_stop */
	bool unfinished; /* the output is not complete; false where no input could be opened, and so none was made */
};

/** NULL with a text in `err`. */
struct pipeline *pipeline_new(const struct pipeline_config *config, struct error *err);
/** Faults are reported, and told by `result`; one job after the other. */
void pipeline_run(struct pipeline *p, const struct pipeline_job *job, struct pipeline_result *result);
/** After the last job, when all outputs are complete: ordered plugins finish. 0 or DANA_EPLUGIN. */
int pipeline_finish(struct pipeline *p, struct error *err);
/** From any thread: stop reading, finish what is complete, leave FILE.part as it is. Later jobs do nothing. */
void pipeline_stop(struct pipeline *p);
/** NULL allowed. */
void pipeline_free(struct pipeline *p);

#endif
