/*
 * Bytes in, records out: WARC 0.17 to 1.1 (WARC 1.1, section 4) and ARC, in any split, lenient where the world is, each
 * damage reported once. Push; the pump tells it where the members of a compressed input lie. One thread at a time.
 *
 * A record's `end` is held back until its boundary is sure: the next head begins, its member is verified, or the input
 * ends. A Content-Length that leads to no boundary makes the record damaged, and the framer goes back to the first
 * plausible head inside what it took for the block.
 */
#ifndef DANA_WARC_FRAMER_H
#define DANA_WARC_FRAMER_H

#include "base/status.h"
#include "stream/limits.h"
#include "stream/record_sink.h"

/** Answers besides 0 and the negative statuses (the sink's, and DANA_ENOMEM), after which only free is allowed. */
enum framer_answer {
	FRAMER_SEEK = 1, /* drop what is left of the bytes; read on from warc_framer_seek_offset */
};

struct warc_framer;

/** `seekable`: the caller can obey FRAMER_SEEK. Keeps `next` and `limits`. NULL when memory is exhausted. */
struct warc_framer *warc_framer_new(struct record_sink *next, const struct limits *limits, bool seekable);

/** What follows is not compressed and begins at `offset` of the input, which ends at `size` (UINT64_MAX: not known). */
int warc_framer_plain(struct warc_framer *f, uint64_t offset, uint64_t size);
/** What follows is the content of the member (frame) that begins at `offset`. */
int warc_framer_member_begin(struct warc_framer *f, uint64_t offset);
/**
 * The member just begun is decoded and verified, and this will be its content. Not needed; where its end proves a record's length,
 * that record's block is not searched for heads.
 */
void warc_framer_member_content(struct warc_framer *f, struct slice content);
/** The member is complete and verified; `offset` is the first byte behind it. 0, FRAMER_SEEK or negative. */
int warc_framer_member_end(struct warc_framer *f, uint64_t offset);
/** The member is damaged: what it held since its last finished record is, too. `detail`: plain ASCII. */
int warc_framer_member_bad(struct warc_framer *f, enum damage_reason reason, const char *detail);
/** Bytes of the input from `offset` on belong to no member and have been passed over. */
int warc_framer_garbage(struct warc_framer *f, uint64_t offset, const char *detail);
/** Takes all of `bytes`. 0, FRAMER_SEEK or negative. */
int warc_framer_write(struct warc_framer *f, struct slice bytes);
/** The input is over. 0, FRAMER_SEEK (read on from there, then finish again), or negative. */
int warc_framer_finish(struct warc_framer *f);

/**
 * After FRAMER_SEEK: where to read on. In a compressed input a member begins there, whose begin is to be told again;
 * the framer itself passes over the part of it that it knows.
 */
uint64_t warc_framer_seek_offset(const struct warc_framer *f);
/** Heads recognised and damaged regions so far. */
uint64_t warc_framer_records(const struct warc_framer *f);
/** Heads recognised so far, damaged ones too. */
uint64_t warc_framer_heads(const struct warc_framer *f);
/** Decoded bytes taken; those read again count once. */
uint64_t warc_framer_bytes(const struct warc_framer *f);
void warc_framer_free(struct warc_framer *f);

#endif
