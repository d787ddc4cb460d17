/* SPDX-License-Identifier: MIT */
/*
 * Compression formats as step functions: a step moves a cursor over the input and one over the output. There are no
 * callbacks and no I/O. A codec object has one owner and may be used by one thread at a time.
 */
#ifndef DANA_ARCHIVE_CODEC_CODEC_H
#define DANA_ARCHIVE_CODEC_CODEC_H

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
	CODEC_MORE_INPUT = 1,  /* all input is taken: give more, or set `last` */
	CODEC_MORE_OUTPUT = 2, /* the output is full: give room */
	CODEC_MEMBER_END = 3,  /* a member (gzip) or frame (zstd) ended and is verified; in->pos is directly after it */
	CODEC_SKIPPED = 4,     /* a skippable frame or padding ended; in->pos is directly after it */
	CODEC_END = 5,         /* with `last`: no input is left */
};

struct codec;

/** Most bytes that resync leaves unread. */
enum { CODEC_LOOKAHEAD = 4096 };

/**
 * What a member that resync finds must begin with. In files with a member for each record: with a record, so that an
 * archived compressed file inside a member is not taken for a member. In files that are cut into members anywhere: with
 * any bytes.
 */
enum resync_start {
	RESYNC_AT_RECORD,
	RESYNC_ANYWHERE,
};

/** The cost of a decoder's earlier searches (resync), which bounds the cost of later ones. */
struct codec_memory {
	uint64_t passed; /* bytes that finished searches have passed */
	uint64_t tried;  /* places that were tried, with a result */
};

/** Settings of a decoder. */
struct codec_limits {
	size_t window; /* most bytes of a zstd window, and of the dictionary */
};

/** All members are required unless a comment says that they are optional. */
struct codec_ops {
	const char *name, *suffix; /* "gzip", ".gz" */
	/**
	 * Returns how many bits of `first` identify this format; 0 if it is another format; -1 if more bytes are
	 * needed. More bytes never change a result of 0 or above.
	 */
	int (*bid)(struct slice first);
	/** Makes a codec and sets its `ops`. */
	struct codec *(*open)(const struct codec_limits *limits);
	/**
	 * Decodes. Stops at each member's end with CODEC_MEMBER_END. After a negative status (DANA_EFORMAT: data
	 * damaged; DANA_ELIMIT: window or dictionary too large; DANA_ECONFIG: a needed dictionary is missing;
	 * DANA_ENOMEM) only resync and close may be called. `last`: no input follows `in`; a member that is cut off is
	 * then DANA_EFORMAT, and the codec is `cut`.
	 */
	int (*step)(struct codec *c, struct codec_in *in, struct codec_out *out, bool last);
	/**
	 * Optional (NULL). Decodes the member that begins at in->pos in one call, which is faster than steps. Returns
	 * CODEC_MEMBER_END with in->pos directly after it and its bytes in *decoded until the next call. Otherwise no
	 * input is taken: on CODEC_MORE_INPUT call again with more input, for example twice as much; on
	 * CODEC_MORE_OUTPUT decode this member by steps instead. Which members need steps does not depend on how much
	 * input each call had.
	 */
	int (*whole)(struct codec *c, struct codec_in *in, bool last, struct slice *decoded);
	/**
	 * After damage: skips input up to the next place where a member seems to begin. Returns 0 if it is found:
	 * in->pos is there and the object is ready for a new member, which begins as `start` demands.
	 *
	 * Returns CODEC_MORE_INPUT if it is not in this input; fewer than CODEC_LOOKAHEAD bytes may be left unread at
	 * its end, which must be given again with more (with `last` no bytes are left). The caller first moves in->pos
	 * to one byte after the start of the damaged member, so that this is not found again.
	 */
	int (*resync)(struct codec *c, struct codec_in *in, enum resync_start start, bool last);
	/** Drops the current member and prepares for a new one; a dictionary is kept. */
	void (*reset)(struct codec *c);
	void (*close)(struct codec *c);
};

/** First member of every codec object. */
struct codec {
	const struct codec_ops *ops;
	const char *fault; /* what is wrong, after a negative status; else "" */
	bool cut;          /* after DANA_EFORMAT: the input ended inside a member */
	bool unchecked;    /* the member that ended last has no checksum of its content */
	/*
	 * After CODEC_SKIPPED or a negative status: the frame is a dictionary, which later frames may need. To begin
	 * reading after it, give it to `step` first.
	 */
	bool was_dictionary;
	struct codec_memory memory; /* set it to begin in the middle of an input as another codec would be there */
};

/**
 * The containers of WARC files that can be recognised: gzip, zstd. Ends with NULL. The highest bid decides, not the
 * order.
 */
extern const struct codec_ops *const codec_containers[];
/**
 * The content codings of HTTP, in the order in which first bytes are tried: magic numbers, then zlib's and raw deflate,
 * which only a trial recognises, as it does "br". Ends with NULL.
 */
extern const struct codec_ops *const codec_codings[];
/**
 * Returns the codec of an HTTP content coding by its name (RFC 9110, section 8.4.1): gzip, x-gzip, deflate, br, zstd;
 * NULL if it is unknown, or not built in. After a br stream in->pos may be too far: up to 511 bytes after the stream
 * are skipped.
 */
const struct codec_ops *codec_for_coding(struct slice name);
/**
 * Returns the container that begins with these bytes; NULL if they are not compressed. *need_more: more bytes could
 * change the result.
 */
const struct codec_ops *codec_detect(struct slice first, bool *need_more);
/**
 * Encoders: units (documents or blocks of documents) become gzip members or zstd frames. Deterministic: the same units
 * and level give the same bytes.
 */
struct encoder_codec;
struct buf;
struct encoder_ops {
	const char *name, *suffix;               /* "none" "", "gzip" ".gz", "zstd" ".zst" */
	int level_min, level_max, level_default; /* all 0: there are no levels */
	/** `level`: level_min to level_max. Returns NULL for another level, or if memory is exhausted. */
	struct encoder_codec *(*open)(int level);
	/**
	 * Appends one complete member or frame that holds `unit` to `out`: gzip without name and time, zstd with
	 * content size and checksum.
	 */
	int (*unit)(struct encoder_codec *e, struct slice unit, struct buf *out);
	void (*close)(struct encoder_codec *e);
};
extern const struct encoder_ops *const encoder_table[]; /* ends with NULL */
/** Returns the encoder of that name; NULL if it is unknown. */
const struct encoder_ops *encoder_find(struct slice name);

#endif
