/* SPDX-License-Identifier: MIT */
/*
 * Bytes in, records out: WARC 0.17 to 1.1 (WARC 1.1, section 4) and ARC, with the same records however the bytes are
 * cut into chunks. The caller pushes bytes and says where the members of a compressed input begin and end. Each damage
 * is reported once. One thread at a time.
 *
 * A record's `end` is held back until its boundary is sure: the next head begins, its member is verified, or the input
 * ends. Under a Content-Length that leads to no boundary a WARC record ends where its border is certain otherwise
 * (record_end.wrong_length), or it is damaged, and the framer goes back to the first plausible head inside what it took
 * for the block.
 */
#ifndef DANA_ARCHIVE_WARC_FRAMER_H
#define DANA_ARCHIVE_WARC_FRAMER_H

#include "archive/limits.h"
#include "archive/record.h"
#include "base/status.h"

/**
 * What is returned besides 0 and negative statuses: those of the sink, and DANA_ENOMEM. After a negative one, only
 * free.
 */
enum framer_result {
	FRAMER_SEEK = 1,  /* drop what is left of the bytes; read on from warc_framer_seek_offset */
	FRAMER_JOINT = 6, /* the same, from warc_framer_joint; only after warc_framer_find_joints */
};

struct warc_framer;

/** `seekable`: the caller can obey FRAMER_SEEK. Keeps `next` and `limits`. Returns NULL if memory is exhausted. */
struct warc_framer *warc_framer_new(struct record_sink *next, const struct limits *limits, bool seekable);
/** Before the first byte: how many bytes may be kept to be read again, in place of 16 MiB (the tests use few). */
void warc_framer_keep_most(struct warc_framer *f, size_t most);

/**
 * Before the first byte: where uncompressed records are followed by what begins like a compressed file, FRAMER_JOINT is
 * returned by warc_framer_plain, _write, _finish and those that say where members begin. Without this call that is
 * garbage.
 */
void warc_framer_find_joints(struct warc_framer *f);
/**
 * After FRAMER_JOINT: returns the offset of what seems to be a member. *unread: those bytes from there on that come
 * before the last chunk that was written; borrowed until the next call.
 */
uint64_t warc_framer_joint(const struct warc_framer *f, struct slice *unread);
/** Says whether a member begins there. What is written next comes from that offset on. */
void warc_framer_decide_joint(struct warc_framer *f, bool is_one);

/**
 * What follows is not compressed and begins at `offset` of the input, which ends at `size` (UINT64_MAX: not known). No
 * record goes over this border. Returns as warc_framer_write.
 */
int warc_framer_plain(struct warc_framer *f, uint64_t offset, uint64_t size);
/**
 * Says that what follows is the content of the member (frame) that begins at `offset`. Returns 0 or a negative status.
 */
int warc_framer_member_begin(struct warc_framer *f, uint64_t offset);
/**
 * Optional: the member just begun is already decoded and verified, and `content` is all of it. It still has to be
 * written. Where the end of the member proves that a record's length is right, the record's block is not searched for
 * heads. Without this call records that end before the member does are `unverified`. `checksum`: the member has one, so
 * that the records which begin in it need no digest (record.verified).
 */
void warc_framer_member_content(struct warc_framer *f, struct slice content, bool checksum);
/**
 * Says that the member is complete and verified; `offset` is the first byte after it. Returns 0, FRAMER_SEEK or a
 * negative status.
 */
int warc_framer_member_end(struct warc_framer *f, uint64_t offset);
/**
 * Says that the member is damaged, and so what it held after its last finished record. `detail`: plain ASCII. Returns
 * 0, FRAMER_SEEK or a negative status.
 */
int warc_framer_member_bad(struct warc_framer *f, enum damage_reason reason, const char *detail);
/**
 * Says that bytes of the input from `offset` on belong to no member and were passed over. Returns 0, FRAMER_SEEK or a
 * negative status.
 */
int warc_framer_garbage(struct warc_framer *f, uint64_t offset, const char *detail);
/** Takes all of `bytes`. Returns 0, FRAMER_SEEK or a negative status. */
int warc_framer_write(struct warc_framer *f, struct slice bytes);
/**
 * Says that the input is over. Returns 0, FRAMER_SEEK (read on from there, then finish again), or a negative status.
 */
int warc_framer_finish(struct warc_framer *f);

/**
 * Where a record begins, and what the framer knew by then. A fresh framer that starts there, with the same input,
 * delivers what the first one did from that record on. Numbers only, so that they can be written down.
 */
struct warc_place {
	bool plain;          /* the record is not compressed */
	uint64_t offset;     /* of the member in which the record begins; plain: of the record */
	uint64_t member_pos; /* decoded bytes before that member; plain: before the record */
	uint64_t
		skip_to; /* decoded bytes before the first one of interest: those of the member before it are skipped */
	uint64_t seq;    /* of the record */
	uint64_t heads, furthest, reread, members_between, members_inside, members_counted;
	unsigned arc; /* version of an ARC, 0 of WARC; more where both follow one another */
};

/** Gets the place of the record in a call of the sink's `begin`. Returns false if one cannot start from there. */
bool warc_framer_place(const struct warc_framer *f, struct warc_place *place);
/**
 * Before the first byte: what follows begins at place->offset of the input. Then as at the start: warc_framer_plain or
 * warc_framer_member_begin. Returns false if these numbers are not a place.
 */
bool warc_framer_start_at(struct warc_framer *f, const struct warc_place *place);

/**
 * Between two members: gets the place of what begins at `offset`, the next one. Returns false while anything is open:
 * a record, a region, bytes to go back to; or where members may begin inside records.
 */
bool warc_framer_border(const struct warc_framer *f, uint64_t offset, struct warc_place *place);
/**
 * At a border: what lies between the places `from` and `to`, which another framer has read from this border on, counts
 * as read.
 */
void warc_framer_pass(struct warc_framer *f, const struct warc_place *from, const struct warc_place *to);

/**
 * Before the first byte: what follows may begin inside of anything, and is searched for a head. `like`: a framer that
 * has read the start of the same input.
 */
void warc_framer_start_inside(struct warc_framer *f, const struct warc_framer *like);
/**
 * In a call of the sink's `begin`: returns how many decoded bytes come before the member in which the record begins;
 * plain: before the record.
 */
uint64_t warc_framer_record_pos(const struct warc_framer *f);

/**
 * After FRAMER_SEEK: returns where to read on. In a compressed input a member begins there: call
 * warc_framer_member_begin for it again. The framer itself skips the part of it that it has already delivered.
 */
uint64_t warc_framer_seek_offset(const struct warc_framer *f);
/** Returns the record heads recognised and damaged regions reported so far. */
uint64_t warc_framer_records(const struct warc_framer *f);
/** Returns the record heads recognised so far, damaged ones included. */
uint64_t warc_framer_heads(const struct warc_framer *f);
/**
 * Returns false if no fewer members so far ended inside a record than between two, as in a file that was cut into
 * members of equal size; a member may begin inside a record. So also before the first member has ended.
 */
bool warc_framer_members_hold_records(const struct warc_framer *f);
/** Returns the decoded bytes taken. Bytes that are read twice count once. */
uint64_t warc_framer_bytes(const struct warc_framer *f);
void warc_framer_free(struct warc_framer *f);

#endif
