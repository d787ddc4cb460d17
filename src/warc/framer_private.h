/* The inside of the framer. framer.c: flow; framer_states.c: heads, search; framer_block.c; framer_report.c: sink. */
#ifndef DANA_WARC_FRAMER_PRIVATE_H
#define DANA_WARC_FRAMER_PRIVATE_H

#include "warc/framer.h"
#include "warc/framer_match.h"
#include "warc/head.h"
#include "warc/replay.h"
#include "warc/spotter.h"

enum framer_state {
	FRAMER_BETWEEN, /* blank lines, then the first bytes of a head */
	FRAMER_HEAD,    /* in a head */
	FRAMER_BLOCK,   /* in a block */
	FRAMER_CLOSING, /* right behind a block: is this a record boundary? */
	FRAMER_SEARCH,  /* in bytes that are no record, looking for a plausible head */
};

/* A member or frame; of an input that is not compressed, all of it. */
struct framer_member {
	bool plain;
	uint64_t offset; /* in the input */
	uint64_t pos;    /* position of its first decoded byte */
	bool clean;      /* nothing but blank lines seen in it */
	uint64_t
		closed; /* position of the line breaks that end its content as those behind a block; 0: there are none, or not known */
};

/* Which bytes of a block have been seen that tell of the Common Crawl 2018-34 fault. */
enum quirk_state {
	QUIRK_START,  /* before "HTTP/" */
	QUIRK_HEAD,   /* in the HTTP head */
	QUIRK_BEHIND, /* behind its blank line */
	QUIRK_YES,    /* a CRLF too much follows it */
	QUIRK_NO,
};

/* The record under way. */
struct framer_record {
	struct record rec;
	bool open;   /* begin was called, end is due */
	bool silent; /* its head was damaged and reported: only its block is passed over */
	bool wanted;
	bool doomed;       /* it claims more than the input holds */
	bool unsure;       /* ARC: the block ended, and no line break followed */
	bool proven;       /* the block ends where its member does, but for the line breaks behind it */
	const char *wrong; /* its length leads to no boundary: damaged, unless its member is, which then is the cause */
	bool alone;        /* nothing came before it in its member */
	uint64_t member_pos;
	uint64_t pos, head_len;
	uint64_t left;   /* bytes of the block still to come */
	uint64_t passed; /* bytes of the block taken */
	bool block_cut;
	enum quirk_state quirk;
	unsigned quirk_bytes; /* of "HTTP/", or of the line under way (0, 1: only a CR, 2: more) */
};

struct warc_framer {
	struct record_sink *next;
	const struct limits *limits;
	bool seekable;
	enum framer_state state;
	int status; /* 0, or what ended the work */

	/* places */
	uint64_t pos;      /* decoded bytes before the next one */
	uint64_t furthest; /* the largest pos so far */
	uint64_t end;      /* pos at the end of the input; UINT64_MAX: not known */
	uint64_t skip_to;  /* after a seek: bytes before this position are known already */
	uint64_t seek_offset;
	struct framer_member member;
	bool member_starts; /* the next byte is the first of a member that began inside something */

	/* what is under way */
	struct head head;      /* that is being read */
	struct head open_head; /* to which the record under way points */
	uint64_t head_pos, head_offset;
	uint64_t head_member_pos; /* of the member in which it begins */
	bool head_first;          /* nothing came before it there */
	struct framer_record now;
	const char *arc_version; /* NULL: no ARC */
	uint8_t arc_start[4];    /* first bytes of the filedesc block: the version */

	/* going back */
	struct spotter spotter;
	struct framer_member spotted; /* the member in which the spotter's head begins, which is at spotted_pos */
	uint64_t spotted_pos;
	struct framer_member line_member; /* in which the line of that head that is under way begins */
	struct replay replay;
	struct framer_member hole_member; /* in which a hole of the replay ends */
	bool go_back;                     /* to spotter.start, now */
	uint64_t reread;                  /* bytes read again so far, from blocks */

	/* accounts */
	uint64_t seq;
	uint64_t heads; /* recognised */
	bool in_fault;  /* a damage was reported and no head recognised since */
	bool region;    /* a region without a head is under way and not yet reported */
	bool padding;   /* FRAMER_SEARCH: nothing but NULs so far */
	uint64_t region_offset;
};

enum { STEP_NEEDS_MORE = -1, LOOKAHEAD = 16 };

/* framer_states.c */

/**
 * One state's work on bytes that lie at f->pos. Answers how many it took (0: only the state changed), or STEP_NEEDS_MORE
 * when `last` (nothing follows in this member, or at all) is false and fewer than LOOKAHEAD bytes decide nothing.
 */
ptrdiff_t framer_step(struct warc_framer *f, struct slice bytes, bool last);
/** From here on, which is taken for a line start. A head that fills half of what can be kept is not gone back to. */
void framer_start_spotter(struct warc_framer *f, bool line_start_only);
/** The record's length leads to no boundary: back to the head seen inside, or on from here. */
void framer_leave_wrong_block(struct warc_framer *f, const char *detail);
/** Into FRAMER_SEARCH. `anywhere`: heads count in the middle of a line, too. */
void framer_search(struct warc_framer *f, bool anywhere);

/** The input or the member ends inside an ARC head line: what there is of it is judged. May set f->go_back. */
void framer_end_arc_line(struct warc_framer *f);

/** What was taken for an ARC head line is none: its bytes are passed over. */
void framer_no_arc_line(struct warc_framer *f);

/* framer_block.c: steps as framer_step, for the states BLOCK and CLOSING */

ptrdiff_t framer_step_block(struct warc_framer *f, struct slice bytes);
ptrdiff_t framer_step_closing(struct warc_framer *f, struct slice bytes, bool last);

/* framer_report.c: all but framer_offset set f->status when the sink fails */

/** Offset in the input that a record or region at `pos` of the member under way is reported with. */
uint64_t framer_offset(const struct warc_framer *f, uint64_t pos);
/** What is wrong with a length that leads there, in words. */
const char *framer_beyond_end(const struct warc_framer *f);
void framer_begin(struct warc_framer *f);
void framer_body(struct warc_framer *f, struct slice bytes);
/** The record under way ended well. `in_member`: its member ended with it, at `offset`. */
void framer_end_good(struct warc_framer *f, bool in_member, uint64_t offset);
/** The record under way is damaged; once more of a silent one is nothing. */
void framer_end_bad(struct warc_framer *f, enum damage_reason reason, const char *detail);
/** The record under way is damaged when its length was wrong: nothing else can be the cause any more. */
void framer_end_wrong(struct warc_framer *f);
/** A damaged head or region; `rec` may be NULL. */
void framer_damage(struct warc_framer *f, enum damage_reason reason, uint64_t offset, const struct record *rec,
		   const char *detail);
/** Reports what there is of a head that never ended. */
void framer_damage_head(struct warc_framer *f, enum damage_reason reason, const char *detail);
/** A region without a head begins at the next byte, unless it belongs to a fault that was reported. */
void framer_open_region(struct warc_framer *f, uint64_t offset);
void framer_close_region(struct warc_framer *f, enum damage_reason reason, const char *detail);

#endif
