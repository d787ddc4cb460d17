/*
 * Raw deflate (RFC 1951) behind one face, so that ISA-L and zlib can stand in for each other.
 * An inflater has one owner and may be used by one thread at a time.
 */
#ifndef DANA_CODEC_INFLATE_H
#define DANA_CODEC_INFLATE_H

#include "codec/codec.h"

enum inflate_answer {
	INFLATE_MORE_INPUT = 1,
	INFLATE_MORE_OUTPUT = 2,
	INFLATE_END = 3, /* the final block is decoded and all of it is in the output */
	INFLATE_CUT = 4, /* with `last`: the input ends inside the stream; all that can be decoded is in the output */
};

enum { INFLATE_SURPLUS_MAX = 8 };

struct inflater;

struct inflate_ops {
	const char *name;
	/** NULL when memory is exhausted. */
	struct inflater *(*open)(void);
	/**
	 * An inflate_answer, or DANA_EFORMAT when the data is damaged: not before all bytes in front of the damage are in
	 * the output, so that they never depend on the split.
	 */
	int (*run)(struct inflater *x, struct codec_in *in, struct codec_out *out, bool last);
	/** After INFLATE_END: the bytes behind the stream that were taken from the input too early; answers how many. */
	size_t (*surplus)(const struct inflater *x, uint8_t bytes[INFLATE_SURPLUS_MAX]);
	/** CRC-32 of gzip, continued from `crc` (0 to begin). */
	uint32_t (*crc)(uint32_t crc, const uint8_t *data, size_t len);
	void (*reset)(struct inflater *x);
	void (*close)(struct inflater *x);
};

/** What is built in, best first, NULL ended. The first is the one that the decoders use. */
extern const struct inflate_ops *const inflate_built_in[];
extern const struct inflate_ops inflate_isal, inflate_zlib;

/** A gzip decoder on a certain inflater: tests compare them. */
struct codec *gzip_decoder_open(const struct inflate_ops *inflate);

#endif
