/* SPDX-License-Identifier: MIT */
/*
 * The part of its input that a pump has in memory: the current chunk, and before it the bytes kept of earlier ones. It
 * is addressed by the offset in the source, so that a reader does not see where chunks begin; but `unread` is one
 * piece, and crosses such a border only as far as `join` has made it.
 *
 *     held:   [held_offset ............)
 *     chunk:              [chunk_offset ...................)
 *
 * `held` begins where the last `keep` asked, and reaches at least to the chunk, without a gap. After `join` has copied
 * the first bytes of the chunk to the end of `held`, both contain these. A zero-initialised window is at the start of
 * an input. Ownership: the chunk is borrowed until `keep` or `seek`. One thread at a time.
 */
#ifndef DANA_ARCHIVE_MEMBER_H
#define DANA_ARCHIVE_MEMBER_H

#include "archive/codec/codec.h"
#include "base/buf.h"

struct input_window {
	uint64_t offset;   /* of the next byte to read */
	uint64_t furthest; /* greatest `offset` so far, so that bytes read again do not count twice */
	struct slice chunk;
	uint64_t chunk_offset;
	struct buf held;
	uint64_t held_offset;
};

/** Adds the next chunk of the source. The one before must have been released by `keep` or `seek`. */
void input_window_push(struct input_window *w, struct slice chunk);
/**
 * Returns the bytes from `offset` on, in one piece, from the chunk if possible; borrowed until the next call that
 * changes the window.
 */
struct slice input_window_unread(const struct input_window *w);
/** Makes `unread` at least `want` bytes long, if the chunk has so many. */
int input_window_join(struct input_window *w, size_t want);
/** Returns whether only `n` bytes are left before the end of the chunk. */
bool input_window_is_all(const struct input_window *w, size_t n);
void input_window_advance(struct input_window *w, size_t n);
/** Moves back to an offset that is still held or in the chunk. */
void input_window_go_back(struct input_window *w, uint64_t offset);
/**
 * Moves back to an offset that need not be in memory any more: `bytes` lie there, up to what is. Returns 0 or
 * DANA_ENOMEM.
 */
int input_window_put_back(struct input_window *w, uint64_t offset, struct slice bytes);
/** Returns the number of bytes in memory from an offset on that is still held or in the chunk. */
uint64_t input_window_bytes_from(const struct input_window *w, uint64_t offset);
/** Releases the chunk: copies the bytes from `from` on, which must be in memory, and drops the others. */
int input_window_keep(struct input_window *w, uint64_t from);
/** Drops all bytes: the next chunk comes from another place of the source. */
void input_window_seek(struct input_window *w, uint64_t offset);
void input_window_free(struct input_window *w);

/*
 * Decodes the current member in pieces: at once if the codec can, which is faster, else step by step. The output is the
 * same: either way a member of at most MEMBER_KNOWN bytes is verified before its first byte is returned, unless it is
 * damaged. One owner; one thread at a time. Ownership: borrows the codec.
 */

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

/*
 * Finds the first member, and so the container, of an input that does not begin with a member. A codec of each
 * container searches until one has found a member: it begins with a record, or all of it decodes and another member
 * follows. One owner; one thread at a time. Zero-initialised means closed.
 */

enum { MEMBER_PROBES_MAX = 4 };

struct member_probe {
	struct codec *codec; /* NULL: unused */
	size_t searched;     /* so many of the next bytes contain no member of it */
	bool seems;          /* one seems to begin after them; and it begins with a record */
	bool found;          /* one begins after them */
	bool verifying;      /* one that begins there, without a record, is being decoded ... */
	bool ended;          /* ... or has been decoded, and the bytes after it must be checked */
	size_t taken;        /* bytes of it ... */
	size_t decoded;      /* ... and what they were decoded to */
	uint64_t verified;   /* how many were verified, good or not */
};

struct member_probes {
	struct member_probe of[MEMBER_PROBES_MAX];
	uint8_t *out;    /* for decoded bytes that are dropped */
	uint64_t passed; /* bytes before the first member */
};

/** Opens the codecs. */
int member_probes_open(struct member_probes *m, const struct codec_limits *limits);
/** Returns how many bytes the next look needs, if there are so many; it should not get many more. */
size_t member_probes_wants(const struct member_probes *m);
/**
 * Searches `bytes`. *before: how many of them are certainly before the first member; the others must be given again,
 * with more. *found: the codec whose member begins there, ready for it; NULL if not yet known. `last`: no input
 * follows.
 */
int member_probes_look(struct member_probes *m, struct slice bytes, bool last, size_t *before, struct codec **found);
/**
 * Does a member of another container than `own` (NULL: of any) begin with these bytes, with a record or as a
 * skippable frame before another one, and not with something that only looks like a member's magic? *found: its codec,
 * open; NULL: no. Returns 0, MEMBER_STARVED if it needs more bytes (never with `last`, or with CODEC_LOOKAHEAD), or
 * DANA_ENOMEM.
 */
int member_begins(struct slice bytes, bool last, const struct codec_ops *own, const struct codec_limits *limits,
		  struct codec **found);
/** Closes all codecs but `keep` (one of them or NULL), which the caller owns from now on. */
void member_probes_close(struct member_probes *m, const struct codec *keep);

#endif
