/*
 * Compression formats as step functions with an in and an out cursor. No neighbour, no callback, no I/O.
 * A codec object has one owner and may be used by one thread at a time.
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

/** Answers of a step; or a negative status. */
enum codec_answer {
	CODEC_MORE_INPUT = 1,  /* all input is taken (or kept inside): give more, or say `last` */
	CODEC_MORE_OUTPUT = 2, /* the output is full: give room */
	CODEC_MEMBER_END =
		3, /* a member (gzip) or frame (zstd) ended and is verified; in->pos is just behind it. Encoders: unit closed */
	CODEC_SKIPPED = 4, /* a skippable frame or padding ended; in->pos is just behind it */
	CODEC_END = 5,     /* with `last`: nothing is left */
};

struct codec;

/** Bytes that resync may leave unread at most. */
enum { CODEC_LOOKAHEAD = 4096 };

/** Settings of a decoder. */
struct codec_limits {
	size_t window; /* bytes of zstd window and dictionary at most */
};

struct codec_ops {
	const char *name, *suffix; /* "gzip", ".gz" */
	/** How many bits of `first` speak for this format; 0 = not mine; -1 = need more bytes to tell. */
	int (*bid)(struct slice first);
	/** NULL when memory is exhausted. */
	struct codec *(*open)(const struct codec_limits *limits);
	/**
	 * Decodes. Stops at each member's end with CODEC_MEMBER_END. After a negative status (DANA_EFORMAT: data damaged;
	 * DANA_ELIMIT: window or dictionary too large; DANA_ECONFIG: dictionary needed and not there; DANA_ENOMEM) the
	 * object takes only resync or close. `last`: no input follows what is in `in`; a cut member is DANA_EFORMAT then,
	 * and codec_cut() answers true.
	 */
	int (*step)(struct codec *c, struct codec_in *in, struct codec_out *out, bool last);
	/**
	 * Optional (NULL). A member that begins at in->pos, decoded at once, faster than by steps. CODEC_MEMBER_END: in->pos is
	 * just behind it, and *decoded its bytes until the next call. Else nothing is taken. CODEC_MORE_INPUT: ask again with
	 * more input, twice as much for example. CODEC_MORE_OUTPUT: this member goes by steps; do not ask for it again. Which of
	 * them it is in the end does not depend on how much input was at hand.
	 */
	int (*whole)(struct codec *c, struct codec_in *in, bool last, struct slice *decoded);
	/**
	 * After damage: passes over input until the next place where a member may begin. 0: found, in->pos is there and
	 * the object is ready for a new member; CODEC_MORE_INPUT: not in this input (less than CODEC_LOOKAHEAD last bytes may
	 * be left unread: give them again with more, or say `last`; with `last` none are left). The caller first moves in->pos
	 * one byte behind the member's start.
	 */
	int (*resync)(struct codec *c, struct codec_in *in, bool last);
	/** A short text of what is wrong after a negative status; static memory. */
	const char *(*fault)(const struct codec *c);
	/** After DANA_EFORMAT: true when the input ended inside a member. */
	bool (*cut)(const struct codec *c);
	/** Forgets the member under way and makes ready for a new one; a dictionary is kept. */
	void (*reset)(struct codec *c);
	void (*close)(struct codec *c);
};

/** First member of every codec object. */
struct codec {
	const struct codec_ops *ops;
};

/** WARC containers that can be recognised, NULL ended: gzip, zstd. The order does not matter, bids decide. */
extern const struct codec_ops *const codec_containers[];
/**
 * HTTP content codings by name (RFC 9110, section 8.4.1): gzip, x-gzip, deflate, br, zstd. NULL: unknown, or not built in.
 * After the end of a br stream in->pos may be further: what follows the stream in its last 512 bytes is passed over.
 */
const struct codec_ops *codec_for_coding(struct slice name);
/** The container of these first bytes: NULL = none (plain); *need_more is true when more bytes could change the answer. */
const struct codec_ops *codec_detect(struct slice first, bool *need_more);

/**
 * Encoders. Units (documents or blocks of documents) become gzip members or zstd frames. Deterministic: the same units and
 * level give the same bytes.
 */
struct encoder_codec;
struct buf;
struct encoder_ops {
	const char *name, *suffix;               /* "none" "", "gzip" ".gz", "zstd" ".zst" */
	int level_min, level_max, level_default; /* all 0: there are no levels */
	/** `level`: level_min to level_max. NULL: another level, or memory is exhausted. */
	struct encoder_codec *(*open)(int level);
	/** Appends one complete member or frame that holds `unit` to `out`: gzip without name and time, zstd with content size and checksum. */
	int (*unit)(struct encoder_codec *e, struct slice unit, struct buf *out);
	void (*close)(struct encoder_codec *e);
};
extern const struct encoder_ops *const encoder_table[]; /* NULL ended */
/** By name; NULL when unknown. */
const struct encoder_ops *encoder_find(struct slice name);

#endif
