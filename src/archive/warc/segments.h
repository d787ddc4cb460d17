/* SPDX-License-Identifier: MIT */
/*
 * Segmented records (WARC 1.1, section 7): a stage between the framer and what takes its records, which joins the block
 * of a record with those of its continuations in the same input. All other records pass as they come. While a segmented
 * record waits for a continuation, what follows it waits, too: documents keep the order of the input.
 *
 *     response, segment 1 of A | a record | continuation, segment 2 of A, the last | ...
 *
 * comes out as the response with both blocks, the record, and the continuation, marked as `joined`.
 *
 * Bounds: what waits holds at most one block more than limits->head, and SEGMENTED_MOST records are open at once; then
 * the oldest one is passed on without what is missing (record.missing_segment). Which one that is depends on nothing
 * but the records from the oldest open one on. Threads: one. Ownership: borrows all that it is given.
 */
#ifndef DANA_ARCHIVE_WARC_SEGMENTS_H
#define DANA_ARCHIVE_WARC_SEGMENTS_H

#include "archive/limits.h"
#include "archive/record.h"

struct segments;

struct segments *segments_new(struct record_sink *next, const struct limits *limits);
struct record_sink *segments_records(struct segments *s);
/** Does a record wait for its continuations, or is what has waited being passed on? */
bool segments_wait(const struct segments *s);
/** What comes is beyond the end of a range: it is wanted for its continuations, and not passed on. */
void segments_beyond(struct segments *s, bool beyond);
/** The input is over: passes on what waits. Returns 0 or a negative status. */
int segments_finish(struct segments *s);
/** NULL is allowed. */
void segments_free(struct segments *s);

#endif
