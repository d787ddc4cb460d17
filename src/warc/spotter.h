/*
 * Finds plausible record heads in bytes that may be anything, in any split and in linear time. Plausible is, for WARC:
 * a known version line and, up to the next blank line, WARC-Type, WARC-Record-ID, WARC-Date and a Content-Length that
 * is a number; for ARC: a head line. Runs at memchr speed where there is no 'W'.
 */
#ifndef DANA_WARC_SPOTTER_H
#define DANA_WARC_SPOTTER_H

#include "base/buf.h"

enum spotter_kind { SPOTTER_WARC, SPOTTER_ARC };

enum spotter_state {
	SPOTTER_IDLE,    /* no head under way */
	SPOTTER_MAGIC,   /* in "WARC/" */
	SPOTTER_VERSION, /* behind it, in the version line */
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
	size_t limit;         /* a longer head is none */
	unsigned seen;        /* set of mandatory fields */
	uint8_t line[64];     /* first bytes of the line under way */
	size_t line_len;      /* bytes in `line` */
	struct buf arc_line;
};

/** Begins anew at a line start. Memory of `s` is kept; a zeroed one is valid. */
void spotter_start(struct spotter *s, enum spotter_kind kind, bool line_start_only, size_t limit);
/**
 * Takes bytes that lie at `pos`. Answers how many: all, or up to the end of a plausible head, and then s->state is
 * SPOTTER_FOUND and no more may be fed.
 */
size_t spotter_feed(struct spotter *s, struct slice bytes, uint64_t pos);
void spotter_free(struct spotter *s);

/** A head is under way or found: the bytes from s->start on may be needed again. */
static inline bool spotter_holds(const struct spotter *s)
{
	return s->state != SPOTTER_IDLE;
}

#endif
