/* SPDX-License-Identifier: MIT */
/*
 * Collects the lines of a record head, however they are cut into chunks and within the limits, then reads its fields.
 * A head object is used for one head after another and keeps its memory.
 */
#ifndef DANA_ARCHIVE_WARC_HEAD_H
#define DANA_ARCHIVE_WARC_HEAD_H

#include "archive/limits.h"
#include "archive/warc/field.h"
#include "base/buf.h"
#include "base/slice.h"

enum head_result {
	HEAD_MORE,      /* all bytes were taken, and the head continues */
	HEAD_DONE,      /* the blank line (ARC: the line) was taken */
	HEAD_RESTART,   /* a version line inside: what came before is a head that was cut off; see head_restart */
	HEAD_TOO_LARGE, /* limits->head bytes were taken without an end */
};

struct head {
	bool arc;                 /* one line of ARC, not WARC */
	bool expected;            /* it stands where one is expected: directly after a record */
	bool cut;                 /* a line was longer than limits->head_line */
	struct buf text;          /* the kept part of all lines, each with its LF */
	struct field_list fields; /* slices into text */
	size_t most_fields;       /* limits->head_fields */
	uint64_t raw;             /* bytes taken */
	size_t line;              /* in text: where the line under way begins */
	uint64_t line_raw;        /* bytes taken of that line */
	size_t inner;             /* in text: a version that may begin another head; 0: not seen */
	uint64_t inner_raw;       /* the same in bytes taken */
};

/** What a head was found to be. */
struct head_verdict {
	bool damaged;
	enum damage_reason reason;
	const char *detail; /* static */
	bool length_usable; /* content_length can be trusted though the head is damaged */
};

void head_start(struct head *h, bool arc, bool expected);

/**
 * Takes bytes up to the end of the head. Returns their number, with the reason it stopped in *result; -1 if memory is
 * exhausted.
 */
ptrdiff_t head_take(struct head *h, struct slice bytes, const struct limits *limits, enum head_result *result);

/**
 * After HEAD_DONE: returns whether this head was cut off inside a line and a second, complete head follows in the same
 * line.
 */
bool head_has_inner(const struct head *h);

/**
 * Fills `rec`, except seq and offset, from what there is; with an inner head, from the part before it. Returns 0 or
 * DANA_ENOMEM.
 */
int head_read(struct head *h, struct record *rec, struct head_verdict *verdict);

/**
 * After HEAD_RESTART, or with an inner head: forgets the part before it. Returns how many bytes of input that part
 * was.
 */
uint64_t head_restart(struct head *h);

void head_free(struct head *h);

/* Heads of ARC 1.0 and 1.1 files (Burner and Kahle, ARC File Format, 1996): one line of five or ten fields. */

struct head_verdict;

/**
 * Returns true when `line` is an ARC head line wherever it stands: URL, address and date (of which one may be odd where
 * a media type follows), media type, and *length.
 */
bool arc_head_plausible(struct slice line, uint64_t *length);

/**
 * Returns true when an input that begins with `first` is taken for ARC. *need_more: not yet, but more bytes (up to 16)
 * can make it so.
 */
bool arc_head_begins(struct slice first, bool *need_more);

/**
 * Reads a head line, of which address and date may both be odd where it is `expected`: a filedesc line becomes a
 * warcinfo record, each other one a response. rec->version is set by the framer. Returns 0 or DANA_ENOMEM; what is
 * wrong with the line is in `verdict`.
 */
int arc_head_read(struct slice line, bool expected, struct field_list *fields, struct record *rec,
		  struct head_verdict *verdict);

/*
 * Decides whether bytes begin a record head: "WARC/1.0" does (MATCH_YES), "WAR" may with more bytes (MATCH_PART),
 * "WARM" does not (MATCH_NO). Pure functions.
 */

enum match { MATCH_NO, MATCH_YES, MATCH_PART };

enum { FRAMER_MAGIC_LEN = 5 };

extern const char framer_magic[FRAMER_MAGIC_LEN + 1]; /* "WARC/" */

enum match head_match_magic(struct slice bytes, bool any_case);

/** ARC has no magic: tests for the URL schemes that are usual in it (arc_head_begins). */
enum match head_match_arc(struct slice bytes);

#endif
