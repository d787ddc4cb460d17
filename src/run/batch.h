/* SPDX-License-Identifier: MIT */
/*
 * Records on their way to a worker and back: heads, blocks, and then what became of each. Copies of what the framer
 * delivers, packed one after the other in memory that the batch keeps when it is cleared, so that a run allocates
 * nothing for each record. Threads: one at a time. Ownership: slices of its records point into the batch until
 * batch_clear.
 */
#ifndef DANA_RUN_BATCH_H
#define DANA_RUN_BATCH_H

#include "archive/document_sink.h"
#include "archive/record.h"
#include "base/buf.h"
#include "run/checkpoint.h"

struct arena;

/** One record or damaged region. */
struct batch_record {
	struct batch_record *next;
	struct record record;
	struct slice warcinfo_date;
	size_t block_start, block_len; /* in batch.blocks: these bytes move while the batch grows */
	struct record_end end;
	bool is_region; /* a damaged region: its outcome is known from the start */

	/* The result. */
	int status;
	struct slice fault; /* when the status is negative: the stage's words for it */
	struct outcome outcome;
	struct document document; /* all of it, or what document_forget leaves */
	size_t formatted_len;     /* in batch.formatted, where the documents follow each other */
	bool kept;                /* the document is not formatted yet */
};

/** Zeroed: invalid, but batch_free takes it. */
struct batch {
	struct arena *arena;
	struct buf blocks, formatted;
	struct batch_record *first, *last; /* complete */
	struct batch_record *open;         /* its end has not come; NULL: no record is open */
	size_t bytes;                      /* of blocks and heads, with what the batch itself needs for them */
	struct resume_point point;         /* at or before its first record; kept by batch_clear */
};

/** `room`: bytes of blocks without growing. */
int batch_init(struct batch *b, size_t room);
/** Opens a record. */
int batch_begin(struct batch *b, const struct record *rec, struct slice warcinfo_date);
/** Opens a record whose outcome comes before its memory goes: of its head only what batch_keep copies stays. */
int batch_begin_borrowed(struct batch *b, const struct record *rec);
/** Appends to the block of the open record. */
int batch_body(struct batch *b, struct slice bytes);
/** Completes the open record. */
void batch_end(struct batch *b, const struct record_end *end);
/** Adds a damaged region; its outcome is set. */
int batch_region(struct batch *b, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
		 const struct record_end *end);
/** Copies a slice of a record that was just processed into the batch. */
int batch_keep(struct batch *b, struct slice *s);
/** Copies what the marks point to. */
int batch_keep_marks(struct batch *b, struct plugin_marks *marks, size_t n_counters);
/** Forgets the records after `last`, which had `formatted` bytes of documents with all before it; NULL: all records. */
void batch_cut(struct batch *b, struct batch_record *last, size_t formatted);
struct slice batch_block(const struct batch *b, const struct batch_record *r);
/** Forgets all records and keeps the memory, but not of blocks of more than `keep` bytes. */
void batch_clear(struct batch *b, size_t keep);
void batch_free(struct batch *b);

#endif
