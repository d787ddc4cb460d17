/* Collects a record head in any split, within the limits, and reads it. Its memory is used again. */
#ifndef DANA_WARC_HEAD_H
#define DANA_WARC_HEAD_H

#include "base/buf.h"
#include "stream/limits.h"
#include "warc/field.h"

enum head_answer {
	HEAD_MORE,      /* all taken, the head goes on */
	HEAD_DONE,      /* the blank line (ARC: the line) was taken */
	HEAD_RESTART,   /* a version line inside: what came before is a head cut off; see head_restart */
	HEAD_TOO_LARGE, /* limits->head bytes were taken and no end seen */
};

struct head {
	bool arc;                 /* one line of ARC, not WARC */
	bool cut;                 /* a line was longer than limits->head_line */
	struct buf text;          /* the kept part of all lines, each with its LF */
	struct field_list fields; /* slices into text */
	uint64_t raw;             /* bytes taken */
	size_t line;              /* in text: where the line under way begins */
	uint64_t line_raw;        /* bytes taken of that line */
	size_t inner;             /* in text: a version that may begin another head; 0 = none */
	uint64_t inner_raw;       /* the same in bytes taken */
};

/** What a head was found to be. */
struct head_verdict {
	bool damaged;
	enum damage_reason reason;
	const char *detail; /* static */
	bool length_usable; /* content_length can be trusted though the head is damaged */
};

void head_start(struct head *h, bool arc);
/** Takes bytes up to the end of the head. Answers how many, *answer says why it stopped. -1: memory exhausted. */
ptrdiff_t head_take(struct head *h, struct slice bytes, const struct limits *limits, enum head_answer *answer);
/** True after HEAD_DONE when a second head, complete by itself, begins behind the cut-off rest of this one. */
bool head_has_inner(const struct head *h);
/** Reads what there is (of a head with an inner one: the part before) to `rec`, but seq, offset. 0 or DANA_ENOMEM. */
int head_read(struct head *h, struct record *rec, struct head_verdict *verdict);
/** After HEAD_RESTART, or with an inner head: forgets the part before. Answers how many bytes that were. */
uint64_t head_restart(struct head *h);
void head_free(struct head *h);

#endif
