/* SPDX-License-Identifier: MIT */
/*
 * Records a page for the writers, in one pass over the tokeniser's events, beside the method that chooses its text. It
 * knows nothing of methods, and keeps text, marks and containers of the whole page (page.h). The same page gives the
 * same record, however it is cut. Work: constant for each tag, linear in text. Errors: DANA_ENOMEM.
 */
#ifndef DANA_STRUCTURE_RECORDER_H
#define DANA_STRUCTURE_RECORDER_H

#include "extract/html/tokenizer.h"

struct recorder;
struct structure_page;

/** `max_text`: bytes of text that are kept; `max_depth`: open elements. Returns NULL when memory is exhausted. */
struct recorder *recorder_new(size_t max_text, unsigned max_depth);
int recorder_run(struct recorder *r, const struct html_run *run);
int recorder_tag(struct recorder *r, const struct html_tag_event *event);
int recorder_unit(struct recorder *r, const struct html_unit *unit);
/** Ends the page. The record is valid until the recorder is reset; its writers set parts of it. */
int recorder_finish(struct recorder *r, struct structure_page **page);
/** Makes a page of paragraphs, all of them kept, of the lines of a text. As recorder_finish. */
int recorder_take_lines(struct recorder *r, struct slice text, struct structure_page **page);
/** Prepares for the next page; keeps memory. */
void recorder_reset(struct recorder *r);
/** NULL allowed. */
void recorder_free(struct recorder *r);

#endif
