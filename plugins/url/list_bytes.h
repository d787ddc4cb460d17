/* SPDX-License-Identifier: MIT */
/* The bytes of a list, decoded if the file is gzip, of one or more members. */
#ifndef DANA_PLUGINS_URL_LIST_BYTES_H
#define DANA_PLUGINS_URL_LIST_BYTES_H

#include "archive/codec/codec.h"
#include "base/status.h"

enum { LIST_BLOCK = 256 << 10 };

struct list_bytes {
	int fd;
	struct codec *gzip; /* NULL: the file is plain */
	bool end;           /* of the file */
	bool between;       /* between members, or before the first */
	struct codec_in in;
	uint8_t data[LIST_BLOCK];
};

/**
 * Opens a file; `shown` is its name in messages. Returns 0; or DANA_EIO or DANA_ENOMEM with a text, and nothing stays
 * open.
 */
int list_bytes_open(struct list_bytes *b, const char *file, const char *shown, struct error *err);
/** Reads at most `room` bytes. Returns their number, 0 at the end, or DANA_EIO or DANA_ENOMEM with a text. */
int list_bytes_read(struct list_bytes *b, uint8_t *to, size_t room, const char *shown, struct error *err);
void list_bytes_close(struct list_bytes *b);

#endif
