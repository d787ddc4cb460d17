/* SPDX-License-Identifier: MIT */
/*
 * A page for the batch oracles of the methods: all of its words and tags in one list, found by plain code that has the
 * whole page in memory. It uses the tokeniser's events and the decoder of references, and none of the methods' code.
 */
#ifndef DANA_TESTS_ORACLE_PAGE_H
#define DANA_TESTS_ORACLE_PAGE_H

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "extract/html/entity.h"
#include "extract/html/tokenizer.h"

struct oracle_item {
	bool is_tag;
	/* word */
	struct slice text;
	size_t chars;
	struct slice
		white; /* before it, where the page keeps white space: the last line end, and what stands after it */
	bool breaks, space, link;
	/* both */
	bool newline;        /* the source had a new line in text since the item before */
	uint64_t start, end; /* source of the tag, or of the text between two tags that the word stands in */
	/* tag */
	enum html_tag tag;
	bool closing;
	size_t source_chars;
	struct slice source, name;
};

struct oracle_page {
	struct oracle_item *items;
	size_t count;
	uint64_t bytes;
	uint8_t **memory; /* texts and tags */
	size_t used;
};

struct oracle_page *oracle_page_new(struct slice html);
void oracle_page_free(struct oracle_page *page);

/** What becomes of a word. */
enum oracle_fate { WORD_DROPPED, WORD_KEPT, WORD_BEGINS_BLOCK };

/** The text that a method gives, by the fate of each item. */
void oracle_keep(const struct oracle_page *page, const enum oracle_fate *fate, struct buf *out);

/**
 * Elements of the page: element[i] is the innermost open one at item i (0 = the page); a tag counts in its own
 * element.
 */
struct oracle_tree {
	struct oracle_element {
		size_t parent, first, last; /* items first..last, both included; last < first: none */
		enum html_tag tag;
		struct slice source;
	} * elements;
	size_t count;
	size_t *of; /* element by item */
};

struct oracle_tree *oracle_tree_new(const struct oracle_page *page);
void oracle_tree_free(struct oracle_tree *tree);

/** An oracle: sets the fate of each word, all dropped before; false = the method finds nothing. */
typedef bool (*oracle_fn)(const struct oracle_page *page, enum oracle_fate *fate);

struct oracle {
	const char *method;
	oracle_fn run;
};

/** NULL-name ended. */
extern const struct oracle oracle_table[];

bool oracle_run_bte(const struct oracle_page *page, enum oracle_fate *fate);
bool oracle_run_dsc(const struct oracle_page *page, enum oracle_fate *fate);
bool oracle_run_ccb(const struct oracle_page *page, enum oracle_fate *fate);
bool oracle_run_accb_40(const struct oracle_page *page, enum oracle_fate *fate);
bool oracle_run_tccb_18(const struct oracle_page *page, enum oracle_fate *fate);
bool oracle_run_tccb_25(const struct oracle_page *page, enum oracle_fate *fate);
bool oracle_run_lqf_25(const struct oracle_page *page, enum oracle_fate *fate);
bool oracle_run_lqf_50(const struct oracle_page *page, enum oracle_fate *fate);
bool oracle_run_lqf_75(const struct oracle_page *page, enum oracle_fate *fate);
bool oracle_run_crunch(const struct oracle_page *page, enum oracle_fate *fate);
bool oracle_run_fe(const struct oracle_page *page, enum oracle_fate *fate);
bool oracle_run_kfe(const struct oracle_page *page, enum oracle_fate *fate);
bool oracle_run_density(const struct oracle_page *page, enum oracle_fate *fate);
bool oracle_run_cetr(const struct oracle_page *page, enum oracle_fate *fate);
bool oracle_run_wlr(const struct oracle_page *page, enum oracle_fate *fate);
bool oracle_run_mountain(const struct oracle_page *page, enum oracle_fate *fate);
/* Under other rules than the paper's: the name of the model is the rule. */
bool oracle_run_mountain_low(const struct oracle_page *page, enum oracle_fate *fate);
bool oracle_run_mountain_high(const struct oracle_page *page, enum oracle_fate *fate);

#endif
