/* SPDX-License-Identifier: MIT */
/* The inside of a pipeline, shared by the files that make it up. Threads: that of the loop, but for `stop`. */
#ifndef DANA_RUN_PIPELINE_STATE_H
#define DANA_RUN_PIPELINE_STATE_H

#include <stdatomic.h>

#include "archive/archive_dates.h"
#include "archive/plugin/chain.h"
#include "archive/processor.h"
#include "archive/pump.h"
#include "base/digest/sha256.h"
#include "io/loop.h"
#include "io/source.h"
#include "run/done_records.h"
#include "run/handoff.h"
#include "run/outputs.h"
#include "run/piece_records.h"
#include "run/pipeline.h"
#include "run/tail.h"

struct fields;

#define CHECKPOINT_PLUGIN "plugin:" /* field: what an ordered plugin has saved; its name follows */

enum {
	CHECKPOINT_NAME = 16,        /* letters of a digest by which inputs differ */
	CHECKPOINT_NOT_OPENED = '-', /* instead of each of them */
};

/* How the job under way can be resumed. Zeroed between jobs. */
struct checkpoint {
	const struct pipeline_job *job;
	struct commit *commit; /* NULL: it cannot */
	bool frozen;           /* none is taken any more: reading has broken off, and what follows may be of no use */
	char names[SHA256_TEXT + 1]; /* digest of the names of all inputs */
	size_t input;                /* number of the one under way */
	bool any_input;              /* was opened */
	struct buf done_inputs;      /* CHECKPOINT_NAME letters of each before it */
	bool reading;                /* it is open */
	struct buf identity;         /* of it (io/source.h); empty: not known */
	uint64_t noted;              /* bytes of input before the last checkpoint */
	uint64_t members;            /* encoder_members then, or at the snapshot */
	struct buf snapshot;         /* a checkpoint that is not written, unless a signal ends the run */

	/* What an earlier run has left. */
	bool resumed;
	bool complete;       /* but for the names of the outputs */
	bool in_input;       /* within the one under way, which this run has not opened yet */
	struct buf expected; /* identity of that input */
	struct resume_point from;
	uint64_t next;      /* record */
	bool begun;         /* what comes before the first document is written */
	uint64_t documents; /* bytes */
};

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
	struct archive_dates dates;
	struct tail *tail;
	struct outputs outputs;
	struct sink *sink;
	struct encoder *encoder;
	struct pipeline_result *result;
	struct stats shown; /* what progress has counted */
	struct checkpoint checkpoint;
	struct done_records done;

	/* Of the input under way. */
	const char *file;
	struct source *source;
	struct pump *pump;
	struct stats before_input;
	struct source_counts counted;      /* what the statistics have of the source's */
	struct input_range range;          /* what is read of it */
	const struct piece_records *piece; /* the input is read by pieces; NULL: as a whole */
	uint64_t left;                     /* bytes that are to be read of it; UINT64_MAX: all */
	bool paused;                       /* the pump waits for pump_resume */
	bool input_done;
	bool job_over;      /* no further input: a fault, a stop, or the reader has gone */
	bool source_failed; /* reading broke off */
	bool input_failed;  /* so it was with any input of the job */
	bool stage_failed;  /* what was counted and what was written may differ */
};

/* pipeline_stages.c */

/** Makes processor or handoff, whose outcomes go to the tail. Returns false with a text in `err` on failure. */
bool pipeline_open_stages(struct pipeline *p, struct error *err);
/** Returns what the plugin that failed has said. */
const char *pipeline_plugin_fault(const struct pipeline *p);

/** Returns where an input is read from, by its number. */
static inline const char *pipeline_address(const struct pipeline_job *job, size_t input)
{
	return job->addresses ? job->addresses[input] : job->inputs[input];
}

/** No further input is read, and no more of this one. */
static inline void pipeline_end_job(struct pipeline *p)
{
	p->job_over = p->input_done = true;
}

/* pipeline_state.c */

/** Reports a fault, and ends the job. */
void pipeline_fault(struct pipeline *p, const char *text);
/** A stage has answered a negative status: the output knows why, or it is memory. */
void pipeline_stage_failed(struct pipeline *p, int status);
/** The input is not the one that was read before, or memory is exhausted: the job ends. */
void pipeline_input_refused(struct pipeline *p, const struct error *err);
/** Brings bytes_in and bytes_decoded of the result up to the input under way. */
void pipeline_count_input(struct pipeline *p);

/* pipeline_identity.c: 0, or a negative status with a text in `err`; DANA_ECONFIG: the run or an input is another one
 */

/** Sets `err` to "FILE cannot be resumed", `why`, and how to start anew. Returns DANA_ECONFIG. */
int pipeline_refuse(const struct pipeline *p, struct error *err, const char *why);
/** Compares program, options and names with those of FILE.state. Returns 0, or DANA_ECONFIG if they differ. */
int pipeline_compare_run(const struct pipeline *p, struct fields *state, struct error *err);
/**
 * Compares the inputs that were read to their end, and the one that was being read. Returns 0, DANA_ECONFIG if one has
 * changed, or another negative status.
 */
int pipeline_compare_inputs(struct pipeline *p, struct error *err);
/** Compares the identity of the input that was being read. Returns 0, or DANA_ECONFIG if it differs. */
int pipeline_identity_compare(struct pipeline *p, const char *input, struct slice identity, struct error *err);
/**
 * Appends the identity of an input, by its number, that is not open; nothing for inputs of the network, which are not
 * asked. Returns 0, or a negative status: DANA_EIO also if it cannot be opened.
 */
int pipeline_identity_read(struct pipeline *p, size_t input, struct buf *lines, struct error *err);
/** Appends the letters that stand for an input of this identity. Returns 0 or DANA_ENOMEM, without a text. */
int pipeline_identity_name(struct slice identity, struct buf *out);

/* pipeline_checkpoint.c: 0, or a negative status with a text in `err` */

/** Called when the outputs are open: finds out how they can be resumed. Returns 0 or a negative status. */
int pipeline_checkpoint_open(struct pipeline *p, const struct pipeline_job *job, struct error *err);
/** Called before anything is written. Waits for the disk. Returns 0 or a negative status. */
int pipeline_checkpoint_first(struct pipeline *p, struct error *err);
/**
 * Called when the input's source is open: notes its identity, and compares it with that of the earlier run. Returns 0
 * or a negative status.
 */
int pipeline_checkpoint_input(struct pipeline *p, struct error *err);
/** The input under way is over, or could not be opened. Returns 0 or DANA_ENOMEM. */
int pipeline_checkpoint_input_end(struct pipeline *p);
/** Called when the tail has taken a record. Returns 0 or a negative status. */
int pipeline_checkpoint_taken(void *pipeline);
/** Called when a signal ends the run. Waits for the disk. Returns 0 or a negative status. */
int pipeline_checkpoint_last(struct pipeline *p, struct error *err);
/**
 * Called when all has been written, before the outputs get their names. Waits for the disk. Returns 0 or a negative
 * status.
 */
int pipeline_checkpoint_complete(struct pipeline *p, struct error *err);
void pipeline_checkpoint_close(struct pipeline *p);

/* pipeline_resume.c */

/**
 * With OUTPUT_RESUME: returns whether FILE is complete. Then the result says so, with the counters if they are still
 * known.
 */
bool pipeline_resume_done(struct pipeline *p, const struct pipeline_job *job);
/**
 * With OUTPUT_RESUME, when the outputs are open: makes all as the earlier run has left it. Returns 0; DANA_ECONFIG when
 * that was another run, or what it has left is damaged; DANA_EIO or DANA_ENOMEM.
 */
int pipeline_resume(struct pipeline *p, struct error *err);

/* pipeline_pieces.c */

/** Reads the pieces of a job. */
void pipeline_pieces(struct pipeline *p, const struct pipeline_job *job);

/* pipeline_input.c */

/** Reads an input of the job to its end, or reports that it could not be opened. */
void pipeline_input(struct pipeline *p, const struct pipeline_job *job, size_t input);
/**
 * Says that what comes belongs to p->file, and begins at `from`. All earlier records must be drained. `resuming`: it is
 * the input that the earlier run was at. Returns the sink that takes its records; NULL if memory is exhausted.
 */
struct record_sink *pipeline_input_begin(struct pipeline *p, const struct resume_point *from, bool resuming);
/**
 * Events of p->source: it is open, and its first byte is at `offset` of the input (returns 0, or DANA_ENOMEM, also for
 * `next` NULL); it has a chunk; it is over.
 */
int pipeline_open_pump(struct pipeline *p, struct record_sink *next, uint64_t offset);
void pipeline_take_chunk(struct pipeline *p, struct slice bytes);
void pipeline_take_end(struct pipeline *p);
/** The session of the network, made at first. Returns NULL with a text in `err` on failure. */
struct network_session *pipeline_session(struct pipeline *p, struct error *err);
/** Waits for the records that workers have, and takes them. */
void pipeline_drain(struct pipeline *p);
/** The loop was woken: a worker is done, or somebody wants us to stop. */
void pipeline_woken(void *pipeline);
/** The outputs have written something, or failed. */
void pipeline_output_moved(void *pipeline);

#endif
