/* SPDX-License-Identifier: MIT */
/*
 * Joins source, codec and framer, in steps of at most 64 KiB decoded bytes: the only place where the flow stops.
 * One pump for each input; one thread at a time.
 */
#ifndef DANA_ARCHIVE_PUMP_H
#define DANA_ARCHIVE_PUMP_H

#include "archive/codec/codec.h"
#include "archive/limits.h"
#include "archive/record.h"
#include "archive/warc/framer.h"
#include "base/slice.h"
#include "base/status.h"

enum pump_answer {
	PUMP_HUNGRY = 0, /* all taken: give more */
	PUMP_PAUSED = 1, /* wants_input said no: call pump_resume later; the chunk must stay where it is */
	PUMP_SEEK =
		2, /* the framer goes back: drop the chunk and read on from pump_seek_offset (seekable inputs only) */
	PUMP_DONE = 3, /* all is delivered; before pump_finish only where `end` was reached, or a zip begins */
};

struct pump_config {
	struct record_sink *next;
	const struct limits *limits;
	bool (*wants_input)(void *arg); /* asked before every step; NULL = always */
	void *arg;
	bool seekable;        /* the source can obey PUMP_SEEK */
	uint64_t source_size; /* of a seekable source; else UINT64_MAX */
	uint64_t offset;      /* in the input, of the first byte that is pushed */
	/*
	 * Only records whose member (not compressed: whose first byte) lies in [begin, end) of the input; `end` 0: to
	 * the end. A seekable input is not read from its start to `begin`: PUMP_SEEK leaps over what is not needed.
	 */
	uint64_t begin, end;
	uint64_t look_back; /* bytes before `begin` to start at; 0: 1 MiB. Changes only what is read, no result */
	/* What is wrong with an input that is a zip, at most 119 bytes of ASCII; NULL: that it comes as a stream. */
	const char *zip_fault;
	/** Called for each record before `begin` that was read all the same. NULL: nobody wants to know. */
	int (*before)(void *before_arg, const struct record *rec);
	void *before_arg;
	/**
	 * Is asked wherever pump_border is true, before the member there is read; it may call pump_pass. Returns 0 to
	 * continue, PUMP_PAUSED, or a negative status. NULL: nobody wants to know. Needs a seekable source.
	 */
	int (*at_border)(void *border_arg);
	void *border_arg;
};

struct pump_counts {
	uint64_t bytes_in, bytes_decoded; /* a seek back does not count twice */
	uint64_t records;                 /* heads recognised and damaged regions */
};

/**
 * Where a record begins, and what had been learned of the input by then: another pump that starts there delivers what
 * this one did from that record on. Numbers only.
 */
struct pump_place {
	struct warc_place warc;
	unsigned container;  /* of the member: number in codec_containers + 1; 0: not compressed */
	bool has_dictionary; /* of zstd: the one that is in use is the frame at `dictionary` of the input */
	uint64_t dictionary;
	struct codec_memory memory;
	uint64_t furthest, reread;
	uint64_t range_decoded; /* decoded bytes before the first record of the range; 0 without one */
};

struct pump;
struct pump *pump_new(const struct pump_config *config);
/**
 * Takes the next chunk of the input, which is kept until PUMP_HUNGRY or PUMP_SEEK. Returns an enum pump_answer or a
 * negative status.
 */
int pump_push(struct pump *p, struct slice chunk);
/** Continues after PUMP_PAUSED. */
int pump_resume(struct pump *p);
/**
 * What came of the input is not what its container says (an entry of a zip): it ends with a damaged region, bad_member
 * at offset 0, after all records. `why`: at most 119 bytes of ASCII, borrowed; NULL: nothing. Before pump_finish.
 */
void pump_damaged(struct pump *p, const char *why);
/** Ends the input. Returns PUMP_DONE, PUMP_PAUSED, PUMP_SEEK (then push and finish again), or negative status. */
int pump_finish(struct pump *p);
/** Returns the offset in the source to read from, in bytes: after PUMP_SEEK, and before the first chunk. */
uint64_t pump_seek_offset(const struct pump *p);
/** Gets the place of the record in a call of `begin` of config.next. Returns false if one cannot start from there. */
bool pump_place(const struct pump *p, struct pump_place *place);
/**
 * Starts at a place of a seekable source: all that was read is dropped, and pump_seek_offset returns what to push
 * first. Returns 0, DANA_EFORMAT (invalid place) or DANA_ENOMEM.
 */
int pump_start_at(struct pump *p, const struct pump_place *place);
/**
 * Between two members: gets the place of what begins there. Returns false where anything is open, or where others could
 * not continue from there with the place alone: in plain bytes, in a range, after damage.
 */
bool pump_border(const struct pump *p, struct pump_place *place);
/** Does a segmented record wait for its continuations (warc/segments.h)? */
bool pump_waits(const struct pump *p);
/** At a border: what lies from the place `from` to the place `to`, which another pump has read, counts as read. */
void pump_pass(struct pump *p, const struct pump_place *from, const struct pump_place *to);
struct pump_counts pump_counts(const struct pump *p);
void pump_free(struct pump *p);

#endif
