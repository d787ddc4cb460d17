/* SPDX-License-Identifier: MIT */
/*
 * MHTML (RFC 2557), what browsers save as "Webpage, Single File": a MIME message whose parts are a page and what
 * belongs to it. Bytes of the message in, bytes of the page out, from any split, in bounded memory. Bad data is never
 * an error: what can be read is passed on. One message at a time for each object.
 */
#ifndef DANA_ARCHIVE_MHTML_H
#define DANA_ARCHIVE_MHTML_H

#include "archive/byte_sink.h"
#include "base/slice.h"
#include "base/status.h"

struct mhtml;

/** The page, as the heads of its part and of the message name it. Valid during the call of `root`. */
struct mhtml_page {
	struct slice content_type;
	struct slice location; /* its address, absolute; empty: not known */
	bool encoded;          /* as quoted-printable or base64, which any characters can hold */
};

struct mhtml_target {
	/** Called once, when the page is found and before its first byte. Returns 0 or a negative status. */
	int (*page)(void *arg, const struct mhtml_page *page);
	void *arg;
	struct byte_sink *next; /* takes the page; its finish is not called */
};

enum { MHTML_NO_PAGE = 1 };

/** Returns whether a body of this Content-Type is MHTML, or a message that may hold it. */
bool mhtml_is_type(struct slice content_type);
/** Returns whether the head of such a message begins here: by the first 512 bytes, or all of a shorter file. */
bool mhtml_begins(struct slice first);
/** Returns NULL if memory is exhausted. `target` is copied. */
struct mhtml *mhtml_new(const struct mhtml_target *target);
/**
 * The next message. `content_type`: that it was sent with, borrowed until its end; it counts where the message does not
 * begin with a head of its own, as `first`, its first bytes as of mhtml_begins, shows.
 */
int mhtml_begin(struct mhtml *m, struct slice content_type, struct slice first);
/** Returns 0, or a negative status: DANA_ENOMEM, or what the target returned. */
int mhtml_write(struct mhtml *m, struct slice bytes);
/** Ends the message. Returns as mhtml_write, or MHTML_NO_PAGE: it holds no page. */
int mhtml_finish(struct mhtml *m);
void mhtml_free(struct mhtml *m);

#endif
