/* SPDX-License-Identifier: MIT */
/*
 * Formatted documents to compressed members: JSONL is cut into independent members at the first document boundary at or
 * after 1 MiB, WARC has a member for each record. The same units give the same bytes. One owner, one thread at a time.
 */
#ifndef DANA_ARCHIVE_SINK_ENCODER_H
#define DANA_ARCHIVE_SINK_ENCODER_H

#include "archive/byte_sink.h"
#include "archive/codec/codec.h"

enum { ENCODER_MEMBER_BYTES = 1 << 20 };

struct encoder;

/**
 * `out` is borrowed. `level` as encoder_ops.open. `member_per_unit`: sink_ops.member_per_document. Returns NULL if
 * memory is exhausted.
 */
struct encoder *encoder_new(const struct encoder_ops *format, int level, bool member_per_unit, struct byte_sink *out);
/** Takes one formatted document (or the opening), whole. Returns 0 or a negative status (also: what `out` answered). */
int encoder_unit(struct encoder *e, struct slice unit);
/** Returns whether all units so far are in complete members. */
bool encoder_at_boundary(const struct encoder *e);
/**
 * Ends the member under way where that does not show in the output: where nothing is compressed. Returns as
 * encoder_unit.
 */
int encoder_settle(struct encoder *e);
/**
 * Returns how many members have ended so far; UINT64_MAX if each unit is a member, or members do not show: there is a
 * boundary after every unit.
 */
uint64_t encoder_members(const struct encoder *e);
/** Before the first unit: `bytes` of the output are there already. */
void encoder_go_on(struct encoder *e, uint64_t bytes);
/**
 * Writes what waits. An output without any unit becomes one empty member, so that it can be tested. Does not call
 * out->finish. Returns 0 or a negative status.
 */
int encoder_finish(struct encoder *e);
void encoder_free(struct encoder *e);

#endif
