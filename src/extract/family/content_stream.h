/* SPDX-License-Identifier: MIT */
/*
 * The visible text of a page as the tag-aware methods read it: white space collapses, white space alone between two
 * tags is nothing, none stands at a block's start. Code is counted beside it.
 */
#ifndef DANA_FAMILY_CONTENT_STREAM_H
#define DANA_FAMILY_CONTENT_STREAM_H

#include "extract/method/held_space.h"
#include "extract/method/method.h"

/** Takes the normalised page. Status as everywhere. */
struct content_sink {
	/**
	 * Content: `bytes` hold the first bytes of `chars` characters, of which each counts; a piece may begin and end
	 * inside a character. White space is single blanks, or one mark of what does not collapse. `ascii`: one byte a
	 * character.
	 */
	int (*content)(void *arg, struct slice bytes, size_t chars, bool ascii);
	/** White space that does not count: a blank that stood alone between inline tags, or what does not collapse. */
	int (*space)(void *arg, struct slice white);
	/** The next content begins a new block. */
	int (*block)(void *arg);
	/** Code: characters of a tag, white space collapsed. */
	int (*code)(void *arg, size_t chars);
	void *arg;
};

struct content_stream {
	struct content_sink sink;
	bool bytes;         /* code is counted in bytes instead of characters */
	bool block_pending; /* a block tag was seen since the last content */
	bool after_space;   /* the last content was a blank, or a block begins */
	bool unit_seen;     /* this text has shown something else than white space */
	bool unit_space;    /* this text began with white space */
	bool lone_space;    /* texts of white space alone stood since the last content */
	bool code_space;    /* the tag's last byte was white space */
	struct held_space held;
};

void content_stream_reset(struct content_stream *s);
int content_stream_run(struct content_stream *s, const struct html_run *run);
/** The text under way is over: for callers that keep a run from content_stream_run. */
void content_stream_unit_end(struct content_stream *s);
/** Call it at each tag, after its runs. Status. */
int content_stream_tag(struct content_stream *s, const struct html_tag_event *event);

#endif
