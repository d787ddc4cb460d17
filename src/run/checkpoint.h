/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints of a job: FILE.state has how far FILE.part is, and what another run needs to resume it from there.
 *
 * The order of the records ties everything together: when the tail has taken record N, the outputs, the counters and
 * the ordered plugins are as after record N, and the point is the place of a record at or before it.
 *
 * A resumed run begins to read at that point, and passes over the records up to N. Example: the tail has taken record
 * 800 of the second input, whose batch began at record 790, in the member at offset 1,234,567: the state names input 1,
 * that place and 801 as the next record.
 *
 * Threads: the loop's. Ownership: borrows all that is saved; the functions return 0 or a negative status, with a text
 * in `err` where they have one.
 */
#ifndef DANA_RUN_CHECKPOINT_H
#define DANA_RUN_CHECKPOINT_H

#include "archive/pump.h"
#include "archive/record.h"
#include "base/buf.h"
#include "base/digest.h"
#include "base/status.h"

struct fields;
struct pipeline_config;
struct pipeline_job;
struct plugin_chain;
struct site_window;
struct source;

/** Where inputs are read by pieces: the beginning of a piece. */
struct piece_point {
	uint64_t number;    /* of the piece, among the job's */
	uint64_t first;     /* number of its first record in the input */
	uint64_t before[2]; /* bytes read and decoded before it, as the statistics have them */
};

/** Where in an input a run can be resumed. Zeroed: the beginning of the input. */
struct resume_point {
	bool in_middle; /* else the input's beginning, or a piece's */
	bool of_piece;
	struct piece_point piece;
	struct pump_place place;
	struct buf warcinfo_date; /* WARC-Date of the last warcinfo before that record */
};

/** Returns the offset in the input at which a run begins to read that starts there. */
uint64_t resume_point_offset(const struct resume_point *p);
int resume_point_copy(struct resume_point *to, const struct resume_point *from);
/** Appends fields to `list` (run/state_file.h). */
void resume_point_save(const struct resume_point *p, struct buf *list);
/** Reads them; list->bad when the fields are not a place. */
int resume_point_load(struct resume_point *p, struct fields *list);

/**
 * A sink between the pump and what takes its records: notes the point of each, and passes over those that an earlier
 * run has done.
 */
struct done_records {
	struct record_sink sink;
	struct record_sink *next;    /* what takes the records from `until` on */
	const struct pump *pump;     /* of the input under way */
	struct archive_dates *dates; /* notes the records that are passed over; `next` notes the others */
	uint64_t until;              /* records with a smaller number are done */
	bool passing;                /* the one under way is */
	bool date_changed;           /* the last record was a warcinfo */
	struct resume_point point;   /* the last one, at or before the record under way */
};

/** Zeroed before the first. An input begins, at `from`. */
int done_records_input(struct done_records *d, const struct resume_point *from, uint64_t until);
/** A piece of this input begins: a resumed run begins with it. */
int done_records_piece(struct done_records *d, const struct piece_point *piece);
/** Records from `place` on are taken without passing here; `dated`: a warcinfo is among them. */
int done_records_pass(struct done_records *d, const struct pump_place *place, bool dated);

struct survey;

/** How the job under way can be resumed. Zeroed between jobs. */
struct checkpoint {
	/* What is saved and restored; set before checkpoint_open. */
	const struct pipeline_config *config;
	const struct pipeline_job *job;
	struct pipeline_result *result;
	struct outputs *outputs;
	struct reporter *reporter;
	struct archive_dates *dates;
	struct plugin_chain *ordered;     /* NULL: no plugin is */
	const struct stats *before_input; /* the counters when the input under way began */
	const struct resume_point *point; /* of the record that the tail took last, or of one before it */
	struct loop *loop;
	void (*count)(void *arg); /* brings result->stats up to the bytes read by now */
	void *arg;
	struct tail *tail;
	struct encoder *encoder;          /* set before the first checkpoint */
	const struct site_window *window; /* NULL: pages do not wait for others */

	struct commit *commit; /* NULL: the job cannot be resumed */
	bool frozen;           /* none is taken any more: reading has broken off, and what follows may be of no use */
	char names[SHA256_TEXT + 1]; /* digest of the names of all inputs */
	size_t input;                /* number of the one under way */
	bool any_input;              /* was opened */
	struct buf done_inputs;      /* letters of a digest for each before it */
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
	uint64_t first;     /* record of the window under way, which is read again as a whole */
	bool begun;         /* what comes before the first document is written */
	uint64_t documents; /* bytes */
};

/**
 * With OUTPUT_RESUME, before the outputs are opened: returns whether FILE is complete. Then the result has the
 * counters, if they are still known, and `err` a fault.
 */
bool checkpoint_is_complete(struct checkpoint *c, struct error *err);
/**
 * The outputs are open: finds out how they can be resumed, and with OUTPUT_RESUME makes all as the earlier run has left
 * it. DANA_ECONFIG: that was another run, its inputs have changed, or what it has left is damaged.
 */
int checkpoint_open(struct checkpoint *c, struct error *err);
/** Ordered plugins become as they were when a job was completed with these `counts`. */
int checkpoint_restore(struct plugin_chain *ordered, struct slice counts, struct error *err);
/**
 * Adds the survey that a state or the `counts` of a job have. Returns 0; DANA_EFORMAT: it is missing or damaged;
 * DANA_ENOMEM.
 */
int checkpoint_survey(struct fields *list, struct survey *s);
/** Before anything is written. Waits for the disk. */
int checkpoint_first(struct checkpoint *c, struct error *err);
/** The input's source is open: notes its identity, and compares it with the earlier run's. */
int checkpoint_input(struct checkpoint *c, struct source *source, const char *file, struct error *err);
/** The input under way is over, or could not be opened. */
int checkpoint_input_end(struct checkpoint *c);
/** The tail has taken a record. */
int checkpoint_taken(struct checkpoint *c);
/** A signal ends the run. Waits for the disk. */
int checkpoint_last(struct checkpoint *c, struct error *err);
/** All has been written, and the outputs get their names then. Waits for the disk. */
int checkpoint_complete(struct checkpoint *c, struct error *err);
void checkpoint_close(struct checkpoint *c);

#endif
