/* SPDX-License-Identifier: MIT */
/*
 * Undoes one content coding (RFC 9110, section 8.4.1): a byte sink that writes decoded bytes to the next one. Codec
 * objects with small windows and buffers are kept from message to message. One owner, one thread. Bad data is never an
 * error: decoded bytes are passed, and a problem is noted.
 *
 * A body of one gzip member, which most coded bodies are, is decoded at once by libdeflate, three times as fast as by
 * steps. Whether it is does not depend on how the body is cut: up to CODING_WHOLE bytes are collected for it.
 */
#ifndef DANA_HTTP_CODING_H
#define DANA_HTTP_CODING_H

#include "archive/byte_sink.h"
#include "archive/codec/codec.h"
#include "archive/limits.h"
#include "base/buf.h"

enum {
	CODING_WINDOW = 64 << 10,     /* decoded bytes that are passed at once */
	CODING_PIECE = 4096,          /* the codec gets the body in pieces of this size, however it arrives */
	CODING_WHOLE = 256 << 10,     /* a gzip-coded body of at most this size is collected, and decoded at once */
	CODING_LOOK = 512,            /* first bytes that decide whether a body is coded at all */
	CODING_MAGIC_MAX = 4,         /* bytes that decide whether a member follows */
	CODING_FORMATS = 4,           /* gzip, deflate, br, zstd */
	CODING_FREE_OUTPUT = 1 << 20, /* this much output is always allowed */
	CODING_KEPT_OUTPUT = 1 << 20, /* a codec that made more holds a window of that size, and is not kept */
};

enum coding_state {
	CODING_START,   /* are the first bytes coded at all? */
	CODING_MEMBER,  /* inside a member */
	CODING_BETWEEN, /* a member ended; another may follow */
	CODING_PLAIN,   /* not coded: all is passed as it is */
	CODING_OVER,    /* damaged or complete: the rest is ignored */
};

struct coding {
	struct byte_sink sink;
	struct byte_sink *next;
	const struct limits *limits;
	unsigned problems;
	/* private */
	enum coding_state state;
	const struct codec_ops *ops;
	struct codec *codec;
	struct codec *kept[CODING_FORMATS];
	bool renew;          /* a skippable frame was read: a dictionary in it must not reach the next message */
	uint64_t max_output; /* of this body */
	uint64_t output;
	uint64_t pieces; /* number of pieces begun */
	size_t n_magic;  /* CODING_BETWEEN */
	uint8_t magic[CODING_MAGIC_MAX];
	size_t n_piece;
	uint8_t piece[CODING_PIECE]; /* collected, when the body comes in smaller slices */
	uint8_t *window;
	bool collects;            /* the body may be decoded at once */
	struct buf body, decoded; /* collected, and decoded at once */
	struct libdeflate_decompressor *decompressor;
};

/** Returns NULL if memory is exhausted. `limits` is borrowed. */
struct coding *coding_new(const struct limits *limits);
/**
 * Prepares for a body. `max_output`: further decoded bytes are cut off (PROBLEM_TRUNCATED_LIMIT). Returns 0 or
 * DANA_ENOMEM.
 */
int coding_reset(struct coding *c, const struct codec_ops *ops, struct byte_sink *next, uint64_t max_output);
/** Frees the memory of a large window after a body. The problems stay. */
void coding_release(struct coding *c);
void coding_free(struct coding *c);

#endif
