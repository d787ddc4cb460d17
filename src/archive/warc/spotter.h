/* SPDX-License-Identifier: MIT */
/*
 * Finds plausible record heads in bytes that may be anything, in linear time and however they are cut into chunks. A
 * WARC head is plausible when a known version line is followed, up to the next blank line, by WARC-Type,
 * WARC-Record-ID, WARC-Date and a Content-Length that is a number; an ARC head, when its line has the fields of one
 * (with SPOTTER_ANY: and begins with a scheme that is usual in archives). One owner.
 */
#ifndef DANA_ARCHIVE_WARC_SPOTTER_H
#define DANA_ARCHIVE_WARC_SPOTTER_H

#include "base/buf.h"

enum spotter_kind {
	SPOTTER_WARC,
	SPOTTER_ARC,
	SPOTTER_ANY, /* until one is found: then it is the kind of that head */
};

enum spotter_state {
	SPOTTER_IDLE,    /* no head under way */
	SPOTTER_MAGIC,   /* in "WARC/" */
	SPOTTER_VERSION, /* after it, in the version line */
	SPOTTER_FIELDS,  /* in the fields */
	SPOTTER_ARC_LINE,
	SPOTTER_FOUND, /* a plausible head begins at `start` and has been read to its end */
};

struct spotter {
	enum spotter_kind kind;
	enum spotter_state state;
	bool line_start_only; /* a head is looked for at line starts only */
	bool at_line_start;   /* the next byte is the first of a line */
	uint64_t start;       /* position of the head, from SPOTTER_MAGIC on */
	uint64_t line_start;  /* position of the line under way */
	uint64_t length;      /* that the head names; when it is found */
	size_t limit;         /* bytes; a longer head does not count */
	unsigned seen;        /* which mandatory fields, as bits */
	uint8_t line[64];     /* first bytes of the line under way */
	size_t line_len;      /* bytes in `line` */
	struct buf arc_line;
};

/** Starts afresh; the next byte begins a line. A zeroed `s` is valid; its memory is kept. */
void spotter_start(struct spotter *s, enum spotter_kind kind, bool line_start_only, size_t limit);
/**
 * Takes bytes that lie at `pos`. Returns how many: all, or those up to the end of a plausible head. In that case
 * s->state is SPOTTER_FOUND, and no more may be fed.
 */
size_t spotter_feed(struct spotter *s, struct slice bytes, uint64_t pos);
/** Returns whether the bytes end with a plausible head that lacks its last line break only (of WARC: its blank line).
 */
bool spotter_lacks_line_break(struct spotter *s);
void spotter_free(struct spotter *s);

/** Returns whether a head is under way or found: the bytes from s->start on may be needed again. */
static inline bool spotter_holds(const struct spotter *s)
{
	return s->state != SPOTTER_IDLE;
}

#endif
