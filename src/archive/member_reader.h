/* SPDX-License-Identifier: MIT */
/*
 * Decodes the current member in pieces: at once if the codec can, which is faster, else step by step. The output is the
 * same: either way a member of at most MEMBER_KNOWN bytes is verified before its first byte is returned, unless it is
 * damaged. One owner; one thread at a time. Ownership: borrows the codec.
 */
#ifndef DANA_ARCHIVE_MEMBER_READER_H
#define DANA_ARCHIVE_MEMBER_READER_H

#include "archive/codec/codec.h"
#include "archive/input_window.h"

enum {
	STEP_BYTES = 64 << 10,  /* decoded bytes in one piece at most */
	MEMBER_KNOWN = 4 << 20, /* decoded bytes of a member that is verified before any of it is passed on */
};

/** Results besides 0 (continue) and negative statuses: DANA_ENOMEM, or the codec's for a damaged member. */
enum member_answer {
	MEMBER_STARVED = 1, /* all input is used: more is needed */
	MEMBER_END = 2,     /* verified; the window is directly after it */
	MEMBER_NONE = 3,    /* padding, or a frame without content, ended; or, with `last`, no input is left */
};

struct member_reader {
	struct codec *codec;
	uint8_t *out;       /* output of steps; kept from member to member */
	size_t room;        /* of it */
	bool by_steps;      /* the codec cannot decode the member at once */
	size_t tried;       /* input that was not yet enough to decode it at once */
	bool decoded;       /* `whole` is the whole member, verified */
	struct slice whole; /* the codec's, or in `out` */
	bool gathers;       /* no byte has been passed on yet */
	size_t gathered;    /* bytes in `out` */
	int result;         /* of the step that ended the gathering */
	size_t passed;      /* bytes passed on, of `whole` or of the gathered ones */
};

/** Returns 0 or DANA_ENOMEM. */
int member_reader_init(struct member_reader *r);
/** Begins a member. */
void member_reader_begin(struct member_reader *r, struct codec *codec);
/**
 * Continues at the window's offset. `last`: no input follows the chunk. *bytes: a piece, possibly empty, valid until
 * the next call. Returns 0, an enum member_answer or a negative status.
 */
int member_reader_read(struct member_reader *r, struct input_window *window, bool last, struct slice *bytes);
/** Returns the whole content of the member once it is verified; else an empty slice. */
struct slice member_reader_whole(const struct member_reader *r);
void member_reader_free(struct member_reader *r);

#endif
