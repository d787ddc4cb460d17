/* SPDX-License-Identifier: MIT */
/*
 * Decodes the member under way, by pieces: at once where the codec can, which is faster, else step by step. Which of
 * the two does not show in what comes out: either way a member of at most MEMBER_KNOWN bytes is verified before the
 * first of its bytes comes out, unless it is damaged. One owner; one thread at a time. Ownership: borrows the codec.
 */
#ifndef DANA_ARCHIVE_MEMBER_READER_H
#define DANA_ARCHIVE_MEMBER_READER_H

#include "archive/codec/codec.h"
#include "archive/input_window.h"

enum {
	STEP_BYTES = 64 << 10,  /* decoded bytes in one piece at most */
	MEMBER_KNOWN = 4 << 20, /* decoded bytes of a member that is verified before any of it is passed on */
};

/** Besides 0 (go on) and negative statuses: DANA_ENOMEM, or the codec's, for a damaged member. */
enum member_answer {
	MEMBER_STARVED = 1, /* all input is looked at: more is needed */
	MEMBER_END = 2,     /* verified; the window is directly after it */
	MEMBER_NONE = 3,    /* padding, or a frame without content, ended; or, with `last`, nothing is left */
};

struct member_reader {
	struct codec *codec;
	uint8_t *out;       /* what steps decode; kept from member to member */
	size_t room;        /* of it */
	bool by_steps;      /* the codec cannot have the member whole */
	size_t tried;       /* so much input was not yet enough to have it whole */
	bool decoded;       /* `whole` is all of it, verified */
	struct slice whole; /* the codec's, or in `out` */
	bool gathers;       /* nothing was passed on yet */
	size_t gathered;    /* bytes in `out` */
	int result;         /* of the step after which no more was gathered */
	size_t passed;      /* of `whole`, or of what is gathered */
};

/** 0 or DANA_ENOMEM. */
int member_reader_init(struct member_reader *r);
/** A member begins. */
void member_reader_begin(struct member_reader *r, struct codec *codec);
/**
 * Reads on at the window's offset. `last`: no input follows the chunk. *bytes: a piece, may be empty, until the next
 * call.
 */
int member_reader_read(struct member_reader *r, struct input_window *window, bool last, struct slice *bytes);
/** All that the member holds, when it is verified; else, and before, nothing. */
struct slice member_reader_whole(const struct member_reader *r);
void member_reader_free(struct member_reader *r);

#endif
