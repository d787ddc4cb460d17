/* SPDX-License-Identifier: MIT */
/*
 * The measures of a page, by rule (rules.h); doc/QUALITY.md defines each. NAN: the measure is not defined for this
 * page, and the rule does not drop it. `text` is well-formed UTF-8 of less than 4 GiB whose blocks are joined by LF,
 * without one at its end.
 */
#ifndef DANA_QUALITY_MEASURE_H
#define DANA_QUALITY_MEASURE_H

#include "plugins/quality/phrases.h"
#include "plugins/quality/rules.h"
#include "plugins/quality/seen.h"
#include "plugins/quality/stop_words.h"
#include "plugins/quality/words.h"

struct text {
	const char *data;
	size_t len;
};

/** Parts of a text that occur more than once in it. */
struct duplicates {
	uint64_t parts, again; /* number of parts, and how many of them occurred before */
	uint64_t chars;        /* characters of the repeated parts */
};

/** A line or a paragraph of a text, without the line ends around it; never empty. */
struct line {
	const char *data;
	size_t len;
};

/** Most lines that are listed when a text is first read by lines; further lines are searched each time. */
enum { LINES_LISTED = 1 << 16 };

/** The lines of a text, and how many of them are repetitions. */
struct lines {
	struct text text; /* the text that the other members belong to; data NULL: not set */
	struct line *list;
	size_t n, cap;
	bool apart; /* listed lines are separated by more than one line end somewhere, or not all lines are listed */
	bool counted;
	struct duplicates found;
};

/** Memory that a thread uses again for each page. */
struct scratch {
	struct words words, line_words; /* of the text; of one of its lines */
	struct seen seen;
	struct places { /* words at which a sequence begins that may occur twice in the text, in order */
		uint64_t *hashes;
		uint32_t *at, *slots;
		size_t n, cap;
	} places;
	struct bits { /* a bit for each hash seen, up to collisions */
		uint64_t *words;
		size_t cap;
	} bits;
	struct lines lines;
	struct stop_count stops;
	struct buffer {
		char *data;
		size_t len, cap;
	} lower, kept;
};

/** Which lines c4_lines() takes out. */
struct line_rules {
	bool punctuation, javascript, policy, citations;
	long min_words, max_word; /* negative: off */
	double sentences;         /* sentences are counted up to this number */
	const struct phrases *phrases;
};

/** Lists the lines of the text, unless they are already listed. Returns false if memory is exhausted. */
bool lines_begin(struct lines *lines, struct text text);
/** Finds the next line, after lines_begin(); zero-initialise *walk. Returns false after the last line. */
struct line_walk {
	size_t i, at;
};
bool next_line(const struct lines *lines, struct line_walk *walk, struct line *line);
/** Counts repeated lines into lines->found, after lines_begin(). Returns false if memory is exhausted. */
bool count_duplicate_lines(struct lines *lines, struct seen *seen);
/** The same for paragraphs, which are separated by at least two LF. */
bool count_duplicate_paragraphs(struct text text, struct seen *seen, struct duplicates *d);
uint64_t count_chars(const char *data, size_t len);
/** Returns whether the line ends with a mark that ends a sentence, or with a quotation mark. */
bool ends_sentence(struct line line);
/**
 * Returns the number of sentences in a line. A sentence ends with a run of marks that white space follows (or anything,
 * after Chinese and Japanese marks); text after the last end counts as one more.
 */
uint64_t count_sentences(struct line line);

/*
 * Each function fills its measures. Returns 0, or -1 if memory is exhausted. repetition, gopher and fineweb need
 * words_split() first.
 */

/**
 * `limits`: NULL, or the limits of the rules. With limits, a quick estimate first excludes rules that the page cannot
 * break, which are then not measured.
 */
int repetition_measure(struct scratch *s, struct text text, const double *limits, double measures[RULES]);
/** Needs stop_count_begin() first. Stop words are counted until there are `enough`. */
int gopher_measure(struct scratch *s, struct text text, double enough, double measures[RULES]);
/** Sets *text to the lines that stay (a copy in s->kept if some do not), and s->words to their counts. */
int c4_lines(struct scratch *s, struct text *text, const struct line_rules *rules, double measures[RULES]);
int fineweb_measure(struct scratch *s, struct text text, double measures[RULES]);

void scratch_free(struct scratch *s);

#endif
