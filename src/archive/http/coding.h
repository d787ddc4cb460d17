/* SPDX-License-Identifier: MIT */
/*
 * A stage that undoes one content coding (RFC 9110, section 8.4.1). Bad data is never an error: decoded bytes are
 * passed, and a problem is noted. The bytes decide where the label is wrong, or missing.
 */
#ifndef DANA_ARCHIVE_HTTP_CODING_H
#define DANA_ARCHIVE_HTTP_CODING_H

#include "archive/byte_sink.h"
#include "archive/codec/codec.h"
#include "archive/limits.h"

struct coding;

/** What a stage is told of a body. */
struct coding_body {
	const struct codec_ops *label; /* the coding that the head names; NULL: it names none for this stage */
	struct byte_sink *next;
	uint64_t max_output; /* decoded bytes */
	/* Optional (NULL). Called before the first output when a body without a label is coded: 0, or an error. */
	int (*on_coded)(void *arg);
	void *arg;
};

/** Returns NULL if memory is exhausted. `limits` stays the caller's. */
struct coding *coding_new(const struct limits *limits);
/** Prepares for a body, and keeps buffers and codecs of the one before. */
void coding_begin(struct coding *c, const struct coding_body *body);
/** Where the coded body is written to; it finishes `next`, too. */
struct byte_sink *coding_sink(struct coding *c);
/** Changes where output goes; only before the first output. */
void coding_redirect(struct coding *c, struct byte_sink *next);
void coding_limit(struct coding *c, uint64_t max_output);
/** Returns a set of enum document_problem, complete after finish. */
unsigned coding_problems(const struct coding *c);
/** Frees a codec with a large window. After the body's end. */
void coding_release(struct coding *c);
void coding_free(struct coding *c);

#endif
