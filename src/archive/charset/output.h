/* SPDX-License-Identifier: MIT */
/*
 * Collects the UTF-8 of decoders: long stretches are passed on as they are, short ones are gathered. One owner, one
 * thread.
 */
#ifndef DANA_CHARSET_OUTPUT_H
#define DANA_CHARSET_OUTPUT_H

#include "archive/byte_sink.h"

enum {
	OUTPUT_ROOM = 16 << 10, /* bytes gathered at most */
	OUTPUT_LONG = 256,      /* a stretch of this length is worth a call of its own */
};

struct output {
	struct byte_sink *next;
	size_t bad; /* characters that replace bytes */
	size_t len;
	uint8_t data[OUTPUT_ROOM];
};

/** These return 0, or the status of `next` if that is not 0. */
static inline int output_flush(struct output *out)
{
	size_t len = out->len;
	out->len = 0;
	return len ? byte_sink_write(out->next, slice_of(out->data, len)) : 0;
}

static inline int output_put(struct output *out, const uint8_t *data, size_t len)
{
	if (len >= OUTPUT_LONG) {
		int status = output_flush(out);
		return status ? status : byte_sink_write(out->next, slice_of(data, len));
	}
	if (len > OUTPUT_ROOM - out->len) {
		int status = output_flush(out);
		if (status)
			return status;
	}
	if (len)
		memcpy(out->data + out->len, data, len);
	out->len += len;
	return 0;
}

/** Writes U+FFFD for bytes that cannot be decoded. */
static inline int output_replace(struct output *out)
{
	out->bad++;
	return output_put(out, (const uint8_t *)"\xEF\xBF\xBD", 3);
}

#endif
