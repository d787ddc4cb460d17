/* SPDX-License-Identifier: MIT */
/*
 * State of the framer, shared by its files: framer.c feeds the states and goes back, framer_states.c reads heads,
 * framer_search.c searches for them, framer_block.c passes blocks on and finds their ends, framer_report.c calls the
 * sink.
 *
 * Two kinds of place: an `offset` counts bytes of the input as it is stored, a `pos` counts decoded bytes. In an input
 * that is not compressed they differ by a constant only.
 */
#ifndef DANA_WARC_FRAMER_PRIVATE_H
#define DANA_WARC_FRAMER_PRIVATE_H

#include "archive/warc/framer.h"
#include "archive/warc/framer_match.h"
#include "archive/warc/head.h"
#include "archive/warc/replay.h"
#include "archive/warc/spotter.h"

enum framer_state {
	FRAMER_BETWEEN, /* blank lines, then the first bytes of a head */
	FRAMER_HEAD,    /* in a head */
	FRAMER_BLOCK,   /* in a block */
	FRAMER_CLOSING, /* directly after a block: is this a record boundary? */
	FRAMER_SEARCH,  /* in bytes that belong to no record, looking for a plausible head */
};

/* A member or frame; of an input that is not compressed, all of it. */
struct framer_member {
	bool plain;
	bool verified;        /* it was decoded to its end before its first byte came, and found good */
	bool checksum;        /* also by a checksum */
	uint64_t offset;      /* in the input */
	uint64_t pos;         /* position of its first decoded byte */
	bool clean;           /* nothing but blank lines seen in it */
	uint64_t closed;      /* pos of the CRLF CRLF at the end of its content; 0: not there, or not known */
	struct slice content; /* if that is known: all of it, until the member ends */
};

/*
 * How far a block matches the fault of Common Crawl 2018-34: its HTTP head is followed by one CRLF too many, which
 * Content-Length does not count.
 */
enum quirk_state {
	QUIRK_START, /* before "HTTP/" */
	QUIRK_HEAD,  /* in the HTTP head */
	QUIRK_AFTER, /* after its blank line */
	QUIRK_YES,   /* one CRLF too many follows the blank line */
	QUIRK_NO,
};

/* The current record. */
struct framer_record {
	struct record rec;
	bool open;       /* the sink's `begin` was called, and its `end` not yet */
	bool silent;     /* its head was damaged and is reported already: its block is skipped without a word */
	bool wanted;     /* by the sink */
	bool doomed;     /* it claims more than the input holds */
	bool unsure;     /* ARC: no line break followed the block, or a head was seen inside: the next line decides */
	unsigned closed; /* ARC: bytes of the line break that followed the block */
	bool proven;     /* the block ends where its member does, apart from the line breaks after it */
	/*
	 * Its length leads to no boundary: what to report, unless its member turns out damaged, which is the cause
	 * then.
	 */
	const char *wrong;
	bool alone; /* nothing came before it in its member */
	uint64_t member_pos;
	uint64_t pos, head_len;
	uint64_t left;   /* bytes of the block still to come */
	uint64_t passed; /* bytes of the block taken */
	bool block_cut;
	/* Of a WARC block that is not proven, what may lie behind the record's end is withheld (framer_block.c). */
	uint64_t out;        /* position of the first byte that was not passed on */
	uint32_t last;       /* the last four bytes of the block so far */
	uint64_t border;     /* position after CRLF CRLF at which the spotter met a magic; 0: it did not */
	uint64_t payload;    /* position after an HTTP head at the block's start, or of the block */
	unsigned claims;     /* bit n: a head inside has a length that leads to n bytes before the block's end */
	uint64_t member_end; /* position at which the member in which the record begins ended, inside the block */
	uint64_t member_len; /* length of that member in the input */
	bool rest_lost;      /* what follows the block under a wrong length was too much to be kept */
	enum quirk_state quirk;
	unsigned quirk_bytes; /* matched of "HTTP/" or of the CRLF; in a line: 0 nothing, 1 only a CR, 2 more */
};

struct warc_framer {
	struct record_sink *next;
	const struct limits *limits;
	bool seekable;
	enum framer_state state;
	int status; /* 0, or what ended the work */

	/* Places. */
	uint64_t pos;      /* decoded bytes before the next one */
	uint64_t furthest; /* the largest pos so far */
	uint64_t end;      /* pos at the end of the input; UINT64_MAX: not known */
	uint64_t skip_to;  /* after a seek: bytes before this position were delivered already */
	uint64_t seek_offset;
	struct framer_member member;
	bool member_starts; /* the next byte is the first of a member that begins inside a head, a block or a search */

	/* What is being read. */
	struct head head;      /* the one being read */
	struct head open_head; /* the one that the slices of now.rec point to */
	uint64_t head_pos, head_offset;
	uint64_t head_member_pos; /* of the member in which it begins */
	bool head_first;          /* nothing came before the head in that member */
	bool head_moved;          /* it was cut off by another one, which is read now: head_member_pos is not its */
	struct framer_record now;
	struct buf rest;         /* bytes of its block, and behind it under a wrong length, that are withheld */
	const char *arc_version; /* NULL: the input is not ARC */
	uint8_t arc_start[4];    /* first bytes of the filedesc block: the version */

	/* Going back. */
	struct spotter spotter;
	struct spotter inner;         /* of the heads that follow the spotter's one in the block */
	struct framer_member spotted; /* the member in which the spotter's head begins, which is at spotted_pos */
	uint64_t spotted_pos;
	struct framer_member line_member; /* in which the last line of that head begins */
	struct replay replay;
	struct framer_member hole_member; /* in which a hole of the replay ends */
	bool go_back;                     /* now, to spotter.start */
	uint64_t reread;                  /* bytes of blocks read again so far */

	/* Accounts. */
	uint64_t seq;
	uint64_t heads; /* recognised */
	bool in_fault;  /* a damage was reported and no head recognised since */
	bool region;    /* a region without a head is under way and not yet reported */
	bool padding;   /* FRAMER_SEARCH: nothing but NULs so far */
	uint64_t region_pos, region_offset;
	bool broken_off;                          /* a member was damaged, and nothing but its report came since */
	uint64_t members_between, members_inside; /* that ended between records, and inside one */
	uint64_t members_counted;                 /* up to this pos: what is read again does not count again */
};

enum { STEP_NEEDS_MORE = -1, LOOKAHEAD = 16, BLOCK_CLOSING_LEN = 4 };

/* The position after the block, as Content-Length has it. */
static inline uint64_t framer_block_end(const struct framer_record *now)
{
	return now->pos + now->head_len + now->rec.content_length;
}

/* framer_states.c */

/**
 * One step of the state machine on the bytes at f->pos. Returns how many bytes it took (0: only the state changed), or
 * STEP_NEEDS_MORE when the few bytes there are (fewer than LOOKAHEAD) do not decide. With `last`, nothing follows them
 * in this member or in the input, and STEP_NEEDS_MORE is not returned.
 */
ptrdiff_t framer_step(struct warc_framer *f, struct slice bytes, bool last);
/** The input or the member ends inside an ARC head line: decides by the part that is there. May set f->go_back. */
void framer_end_arc_line(struct warc_framer *f);

/**
 * A head, or the end (`ends`), or something else lies at `pos` and decides whether the length of an ARC record was
 * wrong. Leaves its block if it was, and returns true.
 */
bool framer_leave_wrong_arc(struct warc_framer *f, bool ends, uint64_t pos);
/** What was taken for an ARC head line is not one: its bytes are skipped. */
void framer_no_arc_line(struct warc_framer *f);

/** Whether each member so far, or nearly, held one record. */
bool framer_one_record_a_member(const struct warc_framer *f);

/* framer_block.c: steps as framer_step, for the states BLOCK and CLOSING */

ptrdiff_t framer_step_block(struct warc_framer *f, struct slice bytes);
ptrdiff_t framer_step_closing(struct warc_framer *f, struct slice bytes, bool last);
/**
 * Line breaks of `len` bytes follow the block, then a head or the end (`ends`), or something else: do they close a
 * record that lies inside the block, and not the one under way? `exact`: they are as the standard has them.
 */
bool framer_swallows(struct warc_framer *f, size_t len, bool ends, bool exact);
/** In a search under a wrong length: takes the bytes at f->pos, which may be the rest of the block. */
void framer_keep_rest(struct warc_framer *f, struct slice bytes);
/** A boundary follows the block: what was withheld of it is passed on. */
void framer_release(struct warc_framer *f);
/** Ends the record under way where the spotter has found a head, if that is a certain border. Returns whether it is. */
bool framer_end_at_head(struct warc_framer *f, const char *detail);
/**
 * A member ends during a search under a wrong length, or the input does: ends the record there, if that is its end. As
 * framer_end_good.
 */
void framer_end_searched(struct warc_framer *f, bool in_member, uint64_t offset);
/**
 * What follows begins a record, or is nothing (`over`): ends the record under way if the member in which it begins has
 * ended here, before its length was reached. Returns whether it is so.
 */
bool framer_end_with_member(struct warc_framer *f, bool over);

/* framer_search.c: the step is one as framer_step, for the state SEARCH */

/**
 * Starts the spotter at the next byte, as if a line began there. A head longer than half of the replay buffer does not
 * count.
 */
void framer_start_spotter(struct warc_framer *f, bool line_start_only);
/** The record's length leads to no boundary: goes back to the head seen inside the block, or searches on from here. */
void framer_leave_wrong_block(struct warc_framer *f, const char *detail);
/** Enters FRAMER_SEARCH. `anywhere`: a head may begin in the middle of a line, too. */
void framer_search(struct warc_framer *f, bool anywhere);
ptrdiff_t framer_step_search(struct warc_framer *f, struct slice bytes);

/* framer_report.c: all but framer_offset set f->status when the sink fails */

/** Returns the offset in the input that a record or region at `pos` of the member under way is reported with. */
uint64_t framer_offset(const struct warc_framer *f, uint64_t pos);
/** What is wrong with a record that its member ends before its length is reached. */
extern const char framer_short_member[];
/** Returns the message for a record whose length leads to no boundary. Static. */
const char *framer_no_boundary(const struct warc_framer *f);
/** Returns the message for a record whose length leads past the end of the input. Static. */
const char *framer_beyond_end(const struct warc_framer *f);
void framer_begin(struct warc_framer *f);
void framer_body(struct warc_framer *f, struct slice bytes);
/** Ends the current record as good. `in_member`: its member ended with it, at `offset`. */
void framer_end_good(struct warc_framer *f, bool in_member, uint64_t offset);
/** Ends the current record as damaged. Not reported again if its head was (`silent`). */
void framer_end_bad(struct warc_framer *f, enum damage_reason reason, const char *detail);
/**
 * If the length of the record under way was wrong, ends it now, for no other cause can turn up any more: at the head
 * that the spotter has found, or as damaged.
 */
void framer_end_wrong(struct warc_framer *f);
/**
 * Ends the current record, of which all is passed on, as good but for its length. `whole`: all of it was kept.
 * Otherwise as framer_end_good. `detail`: what is wrong.
 */
void framer_end_corrected(struct warc_framer *f, bool whole, bool in_member, uint64_t offset, const char *detail);
/** Reports a damaged head or region; `rec` may be NULL. */
void framer_damage(struct warc_framer *f, enum damage_reason reason, uint64_t offset, const struct record *rec,
		   const char *detail);
/** Reports a head that never ended, with the fields that were read. */
void framer_damage_head(struct warc_framer *f, enum damage_reason reason, const char *detail);
/**
 * A region without a head begins here, unless it follows a damage that was reported and is part of it. After a damaged
 * member it is a region of its own.
 */
void framer_open_region(struct warc_framer *f, uint64_t pos, uint64_t offset);
void framer_close_region(struct warc_framer *f, enum damage_reason reason, const char *detail);
/** Ends the region, if one is open, at `pos`, as garbage. */
void framer_close_garbage(struct warc_framer *f, uint64_t pos);

#endif
