/* SPDX-License-Identifier: MIT */
/*
 * One interface to raw deflate (RFC 1951), so that ISA-L and zlib are interchangeable.
 * An inflater has one owner and may be used by one thread at a time.
 */
#ifndef DANA_CODEC_INFLATE_H
#define DANA_CODEC_INFLATE_H

#include "archive/codec/codec.h"

enum inflate_result {
	INFLATE_MORE_INPUT = 1,
	INFLATE_MORE_OUTPUT = 2,
	INFLATE_END = 3, /* the final block is decoded and all of it is in the output */
	INFLATE_CUT = 4, /* with `last`: the input ends inside the stream; all that can be decoded is in the output */
};

enum { INFLATE_SURPLUS_MAX = 8 };

struct inflater;

struct inflate_ops {
	const char *name;
	/** Returns NULL if memory is exhausted. */
	struct inflater *(*open)(void);
	/**
	 * Returns an inflate_result, or DANA_EFORMAT if the data is damaged. All bytes before the damage are written
	 * first, the same ones however the input is cut.
	 */
	int (*run)(struct inflater *x, struct codec_in *in, struct codec_out *out, bool last);
	/**
	 * After INFLATE_END: copies the bytes after the stream that were already taken from the input. Returns their
	 * number.
	 */
	size_t (*surplus)(const struct inflater *x, uint8_t bytes[INFLATE_SURPLUS_MAX]);
	/** Returns the CRC-32 of gzip, continued from `crc` (0 to begin). */
	uint32_t (*crc)(uint32_t crc, const uint8_t *data, size_t len);
	void (*reset)(struct inflater *x);
	void (*close)(struct inflater *x);
};

/** The inflaters that are built in, fastest first; ends with NULL. The decoders use the first. */
extern const struct inflate_ops *const inflate_built_in[];
extern const struct inflate_ops inflate_isal, inflate_zlib;

/** Returns a gzip decoder that uses a certain inflater, so that tests can compare them; NULL if memory is exhausted. */
struct codec *gzip_decoder_open(const struct inflate_ops *inflate);

#endif
