/* SPDX-License-Identifier: MIT */
/*
 * Compression formats as step functions: a step moves a cursor over the input and one over the output. It calls nobody
 * back and does no I/O. A codec object has one owner and may be used by one thread at a time.
 */
#ifndef DANA_CODEC_CODEC_H
#define DANA_CODEC_CODEC_H

#include "base/slice.h"
#include "base/status.h"

struct codec_in {
	const uint8_t *data;
	size_t len, pos;
};

struct codec_out {
	uint8_t *data;
	size_t len, pos;
};

/** What a step returns, besides negative statuses. */
enum codec_result {
	CODEC_MORE_INPUT = 1,  /* all input is taken: give more, or say `last` */
	CODEC_MORE_OUTPUT = 2, /* the output is full: give room */
	CODEC_MEMBER_END = 3,  /* a member (gzip) or frame (zstd) ended and is verified; in->pos is directly after it */
	CODEC_SKIPPED = 4,     /* a skippable frame or padding ended; in->pos is directly after it */
	CODEC_END = 5,         /* with `last`: nothing is left */
};

struct codec;

/** Most bytes that resync leaves unread. */
enum { CODEC_LOOKAHEAD = 4096 };

/**
 * What a member that resync finds has to begin with. Where each record has a member of its own, a record: a compressed
 * file that was archived, and so stands inside a member, is not taken for one then. Where members are cut anywhere,
 * any bytes.
 */
enum resync_start {
	RESYNC_AT_RECORD,
	RESYNC_ANYWHERE,
};

/** What a decoder remembers of earlier searches (resync), which bounds the cost of later ones. */
struct codec_memory {
	uint64_t passed; /* bytes, by searches that are over */
	uint64_t tried;  /* places, with a result */
};

/** Settings of a decoder. */
struct codec_limits {
	size_t window; /* most bytes of a zstd window, and of the dictionary */
};

/** All members must be there but those that are said to be optional. */
struct codec_ops {
	const char *name, *suffix; /* "gzip", ".gz" */
	/**
	 * How many bits of `first` identify this format; 0: it is another one; -1: more bytes are needed. More bytes
	 * never change a result of 0 or above.
	 */
	int (*bid)(struct slice first);
	/** Sets codec.ops. NULL when memory is exhausted. */
	struct codec *(*open)(const struct codec_limits *limits);
	/**
	 * Decodes. Stops at each member's end with CODEC_MEMBER_END. After a negative status (DANA_EFORMAT: data
	 * damaged; DANA_ELIMIT: window or dictionary too large; DANA_ECONFIG: dictionary needed and not there;
	 * DANA_ENOMEM) only resync and close may be called. `last`: no input follows what is in `in`; a member that is
	 * cut off then is DANA_EFORMAT, and `cut` returns true.
	 */
	int (*step)(struct codec *c, struct codec_in *in, struct codec_out *out, bool last);
	/**
	 * Optional (NULL). Decodes the member that begins at in->pos in one call, which is faster than steps.
	 * CODEC_MEMBER_END: in->pos is directly after it, and *decoded holds its bytes until the next call. Otherwise
	 * nothing is taken. CODEC_MORE_INPUT: call again with more input, for example twice as much.
	 * CODEC_MORE_OUTPUT: decode this member by steps; do not call again for it. Which members go by steps does not
	 * depend on how much input each call had.
	 */
	int (*whole)(struct codec *c, struct codec_in *in, bool last, struct slice *decoded);
	/**
	 * After damage: skips input up to the next place where a member seems to begin. 0: found, in->pos is there and
	 * the object is ready for a new member, which begins as `start` says. CODEC_MORE_INPUT: not in this input;
	 * fewer than CODEC_LOOKAHEAD bytes may be left unread at its end, which must be given again with more (with
	 * `last` none are left). So as not to find the damaged member again, the caller first moves in->pos to one
	 * byte after its start.
	 */
	int (*resync)(struct codec *c, struct codec_in *in, enum resync_start start, bool last);
	/** After a negative status: a short text of what is wrong, owned by the codec. */
	const char *(*fault)(const struct codec *c);
	/** After DANA_EFORMAT: true when the input ended inside a member. */
	bool (*cut)(const struct codec *c);
	/**
	 * Optional (NULL): none has one. After CODEC_SKIPPED or a negative status: was this frame a dictionary, which
	 * later ones may need? Who begins to read after it has to give it to `step` first.
	 */
	bool (*was_dictionary)(const struct codec *c);
	/** Optional, both or none: to begin in the middle of an input as this object would go on there. */
	struct codec_memory (*memory)(const struct codec *c);
	void (*remember)(struct codec *c, struct codec_memory memory);
	/** Forgets the member under way and gets ready for a new one; a dictionary is kept. */
	void (*reset)(struct codec *c);
	void (*close)(struct codec *c);
};

/** First member of every codec object. */
struct codec {
	const struct codec_ops *ops;
};

/**
 * The containers of WARC files that can be recognised: gzip, zstd. Ends with NULL. The highest bid decides, not the
 * order.
 */
extern const struct codec_ops *const codec_containers[];
/**
 * HTTP content codings by name (RFC 9110, section 8.4.1): gzip, x-gzip, deflate, br, zstd. NULL: unknown, or not built
 * in. After the end of a br stream in->pos may be too far: up to 511 bytes that follow the stream are skipped with it.
 */
const struct codec_ops *codec_for_coding(struct slice name);
/** The container that begins with these bytes; NULL: not compressed. *need_more: more bytes could change the result. */
const struct codec_ops *codec_detect(struct slice first, bool *need_more);

/**
 * Encoders. Units (documents or blocks of documents) become gzip members or zstd frames. Deterministic: the same units
 * and level give the same bytes.
 */
struct encoder_codec;
struct buf;
struct encoder_ops {
	const char *name, *suffix;               /* "none" "", "gzip" ".gz", "zstd" ".zst" */
	int level_min, level_max, level_default; /* all 0: there are no levels */
	/** `level`: level_min to level_max. NULL: another level, or memory is exhausted. */
	struct encoder_codec *(*open)(int level);
	/**
	 * Appends one complete member or frame that holds `unit` to `out`: gzip without name and time, zstd with
	 * content size and checksum.
	 */
	int (*unit)(struct encoder_codec *e, struct slice unit, struct buf *out);
	void (*close)(struct encoder_codec *e);
};
extern const struct encoder_ops *const encoder_table[]; /* ends with NULL */
/** By name; NULL when unknown. */
const struct encoder_ops *encoder_find(struct slice name);

#endif
