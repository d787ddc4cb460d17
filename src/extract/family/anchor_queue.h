/* SPDX-License-Identifier: MIT */
/*
 * AdDANAg's substitution (KDIR 2012, section 3): the attributes of an anchor count as many characters of code as its
 * text is long, minus five. The length is known only at the anchor's end, so its content waits here.
 */
#ifndef DANA_FAMILY_ANCHOR_QUEUE_H
#define DANA_FAMILY_ANCHOR_QUEUE_H

#include "extract/family/content_stream.h"
#include "extract/family/segmenter.h"

struct anchor_queue;

/**
 * `next` gets the stream with the anchors substituted. `read`: where what it gets stands in the page, set before each
 * content of an anchor; NULL if nobody needs it.
 */
struct anchor_queue *anchor_queue_new(const struct content_sink *next, struct segmenter_place *read);
/** Returns the sink that the content stream writes to. */
struct content_sink anchor_queue_sink(struct anchor_queue *q);
/** Takes a piece of an <a ...> start tag, instead of content_stream_run. */
int anchor_queue_opening(struct anchor_queue *q, struct content_stream *stream, const struct html_run *run);
/** Takes each tag, after its runs: </a> and </body> end an anchor. */
int anchor_queue_tag(struct anchor_queue *q, const struct html_tag_event *event);
/** Ends the page. */
int anchor_queue_close(struct anchor_queue *q);
void anchor_queue_reset(struct anchor_queue *q);
void anchor_queue_free(struct anchor_queue *q);

#endif
