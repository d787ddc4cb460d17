/* SPDX-License-Identifier: MIT */
/*
 * Records the part of a page that matters for the writers: its text, marks and containers (page.h). It knows nothing of
 * methods. What is before the part is passed, first: only what is open at its beginning counts. Then it gets the
 * events of the part one after the other. Work: constant for each tag, linear in text. Errors: DANA_ENOMEM.
 */
#ifndef DANA_STRUCTURE_RECORDER_H
#define DANA_STRUCTURE_RECORDER_H

#include "extract/html/tokenizer.h"

struct page_log;
struct recorder;
struct structure_page;

/** `max_text`: bytes of text that are kept; `max_depth`: open elements. Returns NULL when memory is exhausted. */
struct recorder *recorder_new(size_t max_text, unsigned max_depth);
/** Passes the first `to` entries of the log, which is that of all calls up to the end of the page. */
void recorder_pass(struct recorder *r, const struct page_log *log, uint32_t to);
/**
 * Goes back before the outermost open element that has to be recorded as a whole: a table, a block of code, an item
 * with a box. Returns the entry of its tag, or `to` where no such element is open.
 */
uint32_t recorder_pass_back(struct recorder *r, const struct page_log *log, uint32_t to);
/** Ends what is passed. */
int recorder_resume(struct recorder *r, const struct page_log *log);
/** Takes text at `offset` of the page; `skipped`: in a skipped element. */
int recorder_text(struct recorder *r, struct slice text, uint64_t offset, bool skipped);
int recorder_tag(struct recorder *r, const struct html_tag_event *event);
/** Takes what is neither text nor a tag. */
int recorder_gap(struct recorder *r, struct slice bytes);
/**
 * Returns whether the record may end after a tag that divides text: the last piece has words and begins at or after
 * `place`, and no table, block of code or item is open.
 */
bool recorder_may_end(const struct recorder *r, uint64_t place);
/** Reads what the whole page says of its addresses and formulas; after recorder_finish. */
int recorder_page_facts(struct recorder *r, const struct page_log *log);
/** Ends the page. The record is valid until the recorder is reset; its writers set parts of it. */
int recorder_finish(struct recorder *r, struct structure_page **page);
/** Makes a page of paragraphs, all of them kept, of the lines of a text. As recorder_finish. */
int recorder_take_lines(struct recorder *r, struct slice text, struct structure_page **page);
/** Prepares for the next page, whose source ends at `limit`; keeps memory. */
void recorder_reset(struct recorder *r, const uint8_t *limit);
/** NULL allowed. */
void recorder_free(struct recorder *r);

#endif
