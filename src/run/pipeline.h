/* SPDX-License-Identifier: MIT */
/*
 * One run from inputs to one output: source, pump, processor or workers, tail, encoder, output, on a loop of its own.
 * A value without globals: pipelines on different threads know nothing of each other.
 * Threads: that which made it, but for pipeline_stop. Ownership: borrows all that its config and job point to.
 */
#ifndef DANA_RUN_PIPELINE_H
#define DANA_RUN_PIPELINE_H

#include "archive/limits.h"
#include "archive/processor.h"
#include "archive/sink/sink.h"
#include "archive/stats.h"
#include "archive/texts.h"
#include "io/network.h"
#include "io/output.h"
#include "io/source.h"
#include "run/names.h"
#include "run/report.h"
#include "run/stats_file.h"
#include "run/timeline.h"

struct pipeline;
struct plugins;
struct survey;

struct pipeline_config {
	/**
	 * `page` needs jobs = 0; `dates` is the pipeline's. With an ordered plugin all pipelines but one would see its
	 * pages out of order.
	 */
	struct processor_config processor;
	unsigned jobs;                   /* 0: everything on this thread */
	uint64_t site_window;            /* bytes of pages that wait for each other (run/window.h); 0: none do */
	struct plugins *counted_plugins; /* with it: as site_window_config.plugins */
	const struct sink_ops *format;
	struct sink_config sink; /* `filename` is set for each job */
	const struct encoder_ops *encoding;
	int level;
	enum output_way way; /* about outputs of an earlier run */
	bool rejects;
	bool surveys; /* results have a survey */
	/**
	 * Lines "word value" (run/state_file.h): what outputs depend on besides their inputs. Empty: no
	 * FILE.state is written, and nothing can be resumed.
	 */
	struct slice run;
	uint64_t checkpoint_bytes; /* of input, between two checkpoints */
	bool keep_state; /* FILE.state stays when FILE is complete: outputs_remove_state when it has been reported */
	/** NULL, or called before an output gets its name: `counts` is a list of fields for pipeline_add_counts. */
	int (*complete)(void *complete_arg, const char *output, struct slice counts, struct error *err);
	void *complete_arg;
	struct reporter reporter;     /* as a start value */
	struct progress *progress;    /* NULL: nobody looks */
	struct metrics_file *metrics; /* the same */
	struct timeline *timeline;    /* the same */
	struct network *network;      /* NULL: inputs are paths only */
};

struct pipeline_job {
	const char *const *inputs;    /* paths and addresses, "-" = standard input; in this order; `file` in outputs */
	const char *const *addresses; /* where they are to be had, with user and password; NULL: as `inputs` */
	const struct source_part *const
		*parts; /* of those files, what each input is; NULL, in it too: the whole file */
	size_t n_inputs;
	const struct input_range *ranges; /* what is read of each input; NULL: all */
	bool *done;                       /* set for each input that was read to its end; NULL: not wanted */
	const struct input_piece *pieces; /* of `inputs`, in the order of the output; NULL: inputs are read as wholes */
	size_t n_pieces;
	const char *const *indexes; /* names of those that the pieces are from */
	const char *output;         /* FILE; NULL = standard output */
	struct slice
		restore; /* `counts` of the job before it, which another run has done: for ordered plugins; or empty */
};

/** Returns where an input is read from, by its number. */
static inline const char *pipeline_address(const struct pipeline_job *job, size_t input)
{
	return job->addresses ? job->addresses[input] : job->inputs[input];
}

/** Returns which part of that file an input is; NULL: all. */
static inline const struct source_part *pipeline_part(const struct pipeline_job *job, size_t input)
{
	return job->parts ? job->parts[input] : NULL;
}

struct pipeline_result {
	struct stats stats;
	struct survey *survey; /* of the pipeline, which has it until its next run; NULL: none is wanted */
	bool failed;           /* an input could not be read, or the output not written */
	bool output_refused;   /* FILE or FILE.part exists */
	bool plugin_failed;    /* its name and reason were reported */
	bool model_refused;    /* of a site, at its first page: read_file knows which and why */
	bool reader_gone;      /* of standard output */
	bool stopped;          /* by pipeline_stop */
	/** The output is not complete, or a plugin cannot continue after it; false where no input could be opened, and
	 * so none was made. */
	bool unfinished;
	bool resumable;   /* FILE.part and FILE.state are left */
	bool done_before; /* OUTPUT_RESUME: FILE is complete already; nothing was read */
	bool counted;     /* ... and its statistics are known */
	bool surveyed;    /* ... and its survey, where one is wanted */
};

/**
 * The statistics in `counts`, as `complete` got it; s->plugins is set already. Returns false if there are no
 * statistics.
 */
bool pipeline_counts(struct slice counts, struct stats *s);
/** Adds the survey in `counts` to `s`. Returns 0; DANA_EFORMAT: they have none; DANA_ENOMEM. */
int pipeline_survey(struct slice counts, struct survey *s);
struct pipeline *pipeline_new(const struct pipeline_config *config, struct error *err);
/** Runs one job after the other. Faults are reported, and stand in `result`. */
void pipeline_run(struct pipeline *p, const struct pipeline_job *job, struct pipeline_result *result);
/** Ordered plugins become as they were when an output was completed: `counts` as `complete` got it. */
int pipeline_restore(struct pipeline *p, struct slice counts, struct error *err);
/** After the last job, when all outputs are complete: ordered plugins finish. */
int pipeline_finish(struct pipeline *p, struct error *err);
/** From any thread: stop reading, finish what is complete, leave FILE.part as it is. Later jobs do nothing. */
void pipeline_stop(struct pipeline *p);
void pipeline_free(struct pipeline *p);

#endif
