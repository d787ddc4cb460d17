/* SPDX-License-Identifier: MIT */
/*
 * The measures of a page, by rule (rules.h); doc/QUALITY.md defines each. NAN: it cannot be told of this page, and the rule
 * does not drop it. `text` is well-formed UTF-8 of less than 4 GiB whose blocks are joined by LF, without one at its end.
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

/** Parts of a text that stand in it more than once. */
struct duplicates {
	uint64_t parts, again; /* how many parts there are, and how many of them stood before */
	uint64_t chars;        /* characters of those that stood before */
};

/** A line or a paragraph of a text, without the line ends around it; never empty. */
struct line {
	const char *data;
	size_t len;
};

/** So many lines of a text are listed when it is first read by lines; the others are looked for each time. */
enum { LINES_LISTED = 1 << 16 };

/** The lines of a text, and how many of them stood before. */
struct lines {
	struct text text; /* the rest is of this one; data NULL: of none that is known */
	struct line *list;
	size_t n, cap;
	bool apart; /* some are parted by more than one line end, as far as they are listed, or not all are listed */
	bool counted;
	struct duplicates found;
};

/** What a thread uses over and over. */
struct scratch {
	struct words words, line_words; /* of the text, of a line of it */
	struct seen seen;
	struct places { /* words at which a sequence begins that may stand in the text twice, in their order */
		uint64_t *hashes;
		uint32_t *at, *slots;
		size_t n, cap;
	} places;
	struct bits { /* one for each hash that was met, up to collisions */
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
	double sentences;         /* so many are counted; more need not be */
	const struct phrases *phrases;
};

/** The lines of the text, which are not looked for again until another one is asked for. False: memory is exhausted. */
bool lines_begin(struct lines *lines, struct text text);
/** The next line after lines_begin(); *walk is zero at first. False after the last. */
struct line_walk {
	size_t i, at;
};
bool next_line(const struct lines *lines, struct line_walk *walk, struct line *line);
/** After lines_begin(): lines that stood before, in lines->found. False: memory is exhausted. */
bool count_duplicate_lines(struct lines *lines, struct seen *seen);
/** The same of paragraphs, which two LF or more part. */
bool count_duplicate_paragraphs(struct text text, struct seen *seen, struct duplicates *d);
uint64_t count_chars(const char *data, size_t len);
/** Whether the line ends with the mark of a sentence's end, or with a quotation mark. */
bool ends_sentence(struct line line);
/**
 * Sentences of a line: what a run of marks ends that white space follows (or anything, after Chinese and Japanese marks),
 * and what stands after the last of these.
 */
uint64_t count_sentences(struct line line);

/* Each fills its measures; 0, or -1 when memory is exhausted. Before repetition, gopher and fineweb: words_split(). */

/**
 * `limits`: NULL, or those of the rules: then rules that the page surely does not break are not measured, which a quick
 * estimate tells of most pages.
 */
int repetition_measure(struct scratch *s, struct text text, const double *limits, double measures[RULES]);
/** After stop_count_begin(). Stop words are counted until there are `enough`. */
int gopher_measure(struct scratch *s, struct text text, double enough, double measures[RULES]);
/** Leaves in *text the lines that stay (in s->kept, where some do not), and in s->words the numbers of their words. */
int c4_lines(struct scratch *s, struct text *text, const struct line_rules *rules, double measures[RULES]);
int fineweb_measure(struct scratch *s, struct text text, double measures[RULES]);

void scratch_free(struct scratch *s);

#endif
