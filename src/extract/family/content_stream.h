/* SPDX-License-Identifier: MIT */
/*
 * The visible text of a page as the tag-aware methods read it: white space collapses, and does not count at a block's
 * start or alone between two tags. Code is counted separately.
 */
#ifndef DANA_EXTRACT_FAMILY_CONTENT_STREAM_H
#define DANA_EXTRACT_FAMILY_CONTENT_STREAM_H

#include "extract/family/references.h"
#include "extract/method.h"
#include "extract/text_writer.h"

/**
 * How much of a tag counts: its first bytes. What a tag carries (classes, styles, data) is not what it says; and what
 * follows links differs from what follows paragraphs by the length of their addresses.
 */
struct tag_limits {
	uint64_t tag, link; /* 1 to TAG_LIMIT_MOST bytes of other tags and declarations, of <a> and </a>; or all */
};
enum { TAG_LIMIT_MOST = 64 };
static const uint64_t NO_TAG_LIMIT = UINT64_MAX;

/** How much of the current tag is read. */
struct tag_progress {
	const struct tag_limits *limits;
	uint64_t at; /* bytes of it before the next run */
};
/** Returns the first part of a CODE run, which may be empty: the bytes that count. */
struct html_run tag_counted(struct tag_progress *tag, const struct html_run *run);

/** Takes the normalised page. All return 0 or a negative status. */
struct content_sink {
	/**
	 * Content: `bytes` has the first bytes of `chars` characters, each of which counts; a piece may begin and end
	 * inside a character. White space is single blanks, or one mark if it does not collapse. `ascii`: each
	 * character is one byte.
	 */
	int (*content)(void *arg, struct slice bytes, size_t chars, bool ascii);
	/** Content: a character that `source` names. */
	int (*reference)(void *arg, struct slice source, const struct reference *reference);
	/** White space that does not count: a blank alone between inline tags, or what does not collapse. */
	int (*space)(void *arg, struct slice white);
	/** The next content begins a new block. */
	int (*block)(void *arg);
	/** Code: characters of a tag, white space collapsed. */
	int (*code)(void *arg, size_t chars);
	void *arg;
};

struct content_stream {
	struct content_sink sink;
	struct tag_progress tag;
	bool bytes;         /* code is counted in bytes instead of characters */
	bool block_pending; /* a block tag was seen since the last content */
	bool after_space;   /* the last content was a blank, or a block begins */
	bool unit_seen;     /* this text has had something other than white space */
	bool unit_space;    /* this text began with white space */
	bool lone_space;    /* texts of only white space came since the last content */
	bool code_space;    /* the tag's last byte was white space */
	uint8_t last;       /* byte of this text */
	struct held_space held;
};

void content_stream_reset(struct content_stream *s);
int content_stream_run(struct content_stream *s, const struct html_run *run);
/** Takes a reference of a text that is not skipped. */
int content_stream_reference(struct content_stream *s, const struct html_run *run, const struct reference *reference);
/** Ends the current text: for callers that withhold a run from content_stream_run. */
void content_stream_unit_end(struct content_stream *s);
/** Call it at each tag, after its runs. Returns a status. */
int content_stream_tag(struct content_stream *s, const struct html_tag_event *event);

#endif
