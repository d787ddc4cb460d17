/* SPDX-License-Identifier: MIT */
/*
 * What the report of a run shows besides its counters (--report): histograms, tables of words (sites, charsets, kinds
 * of page, languages, rules), and samples of documents and of records that gave none.
 *
 * All of it adds up: the survey of parts of a run, added in any order, is the survey of the whole. Histograms have
 * fixed bins. A sample is chosen by a hash of the place of its record, so that it depends on no order and no part.
 * Tables of words are exact as long as there are few enough words, and have a known error beyond (struct tally in
 * survey.c).
 *
 * Threads: one at a time. Memory: bounded by the constants below; with 100,000 sites about 12 MB.
 */
#ifndef DANA_ARCHIVE_SURVEY_H
#define DANA_ARCHIVE_SURVEY_H

#include "archive/document.h"
#include "base/buf.h"
#include "base/json.h"

enum {
	SURVEY_SITES = 100000, /* so many sites are counted exactly */
	SURVEY_WORDS = 1000,   /* ... and words of each other table */
	SURVEY_LENGTHS = 40,   /* bins: texts of 0, 1, 2 to 3, 4 to 7, ... characters */
	SURVEY_SHARES = 20,    /* bins of 1/20 each */
	SURVEY_RANDOM = 30,    /* documents in the sample that is chosen by hash alone */
	SURVEY_EACH = 10,      /* ... with the smallest margin, and for each reason and problem */
};

struct survey;

/** Returns NULL if memory is exhausted. */
struct survey *survey_new(void);
/** Makes it as new. */
void survey_clear(struct survey *s);
void survey_free(struct survey *s);
/** Notes with what settings (lines of text) the documents were made. */
int survey_settings(struct survey *s, struct slice lines);
/**
 * Takes the outcome of a record of `file`. Of a document it uses the beginning of the text and what
 * document_keep_start has of it. `plugins` as in struct stats.
 */
int survey_outcome(struct survey *s, const struct outcome *outcome, const char *file,
		   const struct plugin_names *plugins);
/** Adds all that `from` has. */
int survey_add(struct survey *to, const struct survey *from);
/** Appends the survey as a JSON object (doc/SEE.md). */
int survey_json(const struct survey *s, struct buf *out);
/** Adds what survey_json has written. Returns DANA_EFORMAT if it is not that; what was added then is not known. */
int survey_read(struct survey *s, struct json_value object);

#endif
