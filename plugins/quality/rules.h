/* SPDX-License-Identifier: MIT */
/*
 * A table of 64-bit hashes: whether and how often each was seen, and the number of its first occurrence. A look-up
 * reads at most 64 slots; if all of them hold other hashes, the hash counts as not seen. So hashes made to collide cost
 * little and lead to a defined result.
 */
#ifndef DANA_PLUGINS_QUALITY_RULES_H
#define DANA_PLUGINS_QUALITY_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/quality/words.h"

/** A value of `first` that is not a valid number, for the caller's own use. */
#define SEEN_VISITED UINT32_MAX

struct seen_slot {
	uint64_t hash;
	uint32_t use; /* the slot is free unless this equals `use` of the table */
	uint32_t count;
	uint32_t first;
};

/** Zero-initialised it is empty; seen_free() frees it. It keeps its memory from text to text. */
struct seen {
	struct seen_slot *slots;
	size_t cap, mask;
	uint32_t use; /* number of the last seen_begin() */
};

/*
 * The rules by which `quality` drops a page: one row each, in the order in which they are applied.
 *
 * Sources: "Gopher": Rae et al. 2021, appendix A.1.1 and table A1; "C4": Raffel et al. 2020, section 2.2; "FineWeb":
 * Penedo et al. 2024, section 3.6. Names of rules, and details that these papers leave open, are datatrove's, so that
 * its users can compare (doc/QUALITY.md says where the definitions differ).
 */

enum rule_group { GROUP_REPETITION, GROUP_GOPHER, GROUP_C4, GROUP_FINEWEB, RULE_GROUPS };

/** The comparison of measure and limit that drops the page. */
enum rule_test { IF_BELOW, IF_ABOVE, IF_AT_MOST, IF_AT_LEAST };

/* X(identifier, group, "name of the rule", "its option", "key of its measure", default, test, "help") */
/* clang-format off */
#define RULE_LIST(X) \
	X(DUP_PARA, REPETITION, "dup_para_frac", "max-dup-paragraphs", "dup_paragraphs", "0.3", IF_ABOVE, \
		"largest share of paragraphs that are copies of earlier ones") \
	X(DUP_PARA_CHARS, REPETITION, "dup_para_char_frac", "max-dup-paragraph-chars", "dup_paragraph_chars", \
		"0.2", IF_ABOVE, \
		"largest share of characters in such paragraphs") \
	X(DUP_LINE, REPETITION, "dup_line_frac", "max-dup-lines", "dup_lines", "0.3", IF_ABOVE, \
		"largest share of lines that are copies of earlier ones") \
	X(DUP_LINE_CHARS, REPETITION, "dup_line_char_frac", "max-dup-line-chars", "dup_line_chars", "0.2", IF_ABOVE, \
		"largest share of characters in such lines") \
	X(TOP_2, REPETITION, "top_2_gram", "max-top-2-gram", "top_2_gram", "0.2", IF_ABOVE, \
		"largest share of characters of the most frequent pair of words") \
	X(TOP_3, REPETITION, "top_3_gram", "max-top-3-gram", "top_3_gram", "0.18", IF_ABOVE, "the same of 3 words") \
	X(TOP_4, REPETITION, "top_4_gram", "max-top-4-gram", "top_4_gram", "0.16", IF_ABOVE, "the same of 4 words") \
	X(DUP_5, REPETITION, "duplicated_5_n_grams", "max-dup-5-grams", "dup_5_grams", "0.15", IF_ABOVE, \
		"largest share of characters in sequences of 5 words that are copies of earlier ones") \
	X(DUP_6, REPETITION, "duplicated_6_n_grams", "max-dup-6-grams", "dup_6_grams", "0.14", IF_ABOVE, \
		"the same of 6 words") \
	X(DUP_7, REPETITION, "duplicated_7_n_grams", "max-dup-7-grams", "dup_7_grams", "0.13", IF_ABOVE, \
		"the same of 7 words") \
	X(DUP_8, REPETITION, "duplicated_8_n_grams", "max-dup-8-grams", "dup_8_grams", "0.12", IF_ABOVE, \
		"the same of 8 words") \
	X(DUP_9, REPETITION, "duplicated_9_n_grams", "max-dup-9-grams", "dup_9_grams", "0.11", IF_ABOVE, \
		"the same of 9 words") \
	X(DUP_10, REPETITION, "duplicated_10_n_grams", "max-dup-10-grams", "dup_10_grams", "0.1", IF_ABOVE, \
		"the same of 10 words") \
	X(SHORT, GOPHER, "gopher_short_doc", "min-words", "words", "50", IF_BELOW, "fewest words") \
	X(LONG, GOPHER, "gopher_long_doc", "max-words", NULL, "100000", IF_ABOVE, "most words") \
	X(MEAN_LEAST, GOPHER, "gopher_below_avg_threshold", "min-mean-word", "mean_word", "3", IF_BELOW, \
		"least mean length of words, in characters") \
	X(MEAN_MOST, GOPHER, "gopher_above_avg_threshold", "max-mean-word", NULL, "10", IF_ABOVE, \
		"largest mean length of words, in characters") \
	X(HASHES, GOPHER, "gopher_too_many_hashes", "max-hashes", "hashes", "0.1", IF_ABOVE, "most # to a word") \
	X(ELLIPSES, GOPHER, "gopher_too_many_ellipsis", "max-ellipses", "ellipses", "0.1", IF_ABOVE, \
		"most ellipses to a word") \
	X(BULLETS, GOPHER, "gopher_too_many_bullets", "max-bullet-lines", "bullet_lines", "0.9", IF_ABOVE, \
		"largest share of lines that begin with a bullet or -") \
	X(ELLIPSIS_LINES, GOPHER, "gopher_too_many_end_ellipsis", "max-ellipsis-lines", "ellipsis_lines", \
		"0.3", IF_ABOVE, \
		"largest share of lines that end with an ellipsis") \
	X(ALPHA, GOPHER, "gopher_below_alpha_threshold", "min-alpha-words", "alpha_words", "0.8", IF_BELOW, \
		"least share of words that have a letter") \
	X(STOP_WORDS, GOPHER, "gopher_enough_stop_words", "min-stop-words", "stop_words", "2", IF_BELOW, \
		"fewest different stop words of the page's language") \
	X(LOREM_IPSUM, C4, "lorem_ipsum", "max-lorem-ipsum", "lorem_ipsum", "0", IF_ABOVE, \
		"most lines with \"lorem ipsum\"") \
	X(CURLY_BRACKET, C4, "curly_bracket", "max-curly-brackets", "curly_brackets", "0", IF_ABOVE, \
		"most lines with a curly bracket") \
	X(SENTENCES, C4, "too_few_sentences", "min-sentences", "sentences", "5", IF_BELOW, \
		"fewest sentences in the lines kept") \
	X(PUNCT_LINES, FINEWEB, "line_punct_ratio", "min-punct-lines", "punct_lines", "0.12", IF_AT_MOST, \
		"share of lines that end a sentence; the page needs more") \
	X(SHORT_LINES, FINEWEB, "short_line_ratio", "max-short-lines", "short_lines", "0.67", IF_AT_LEAST, \
		"share of lines of at most 30 characters; the page needs less") \
	X(DUP_CHARS, FINEWEB, "char_dup_ratio", "max-dup-chars", "dup_chars", "0.01", IF_AT_LEAST, \
		"largest share of characters in lines that are copies of earlier ones (exclusive)") \
	X(NEWLINES, FINEWEB, "list_ratio", "max-newlines", "newlines", "0.3", IF_ABOVE, "most line ends to a word")

/* clang-format on */

enum rule {
#define RULE_ENUM(identifier, group, name, option, key, standard, test, help) RULE_##identifier,
	RULE_LIST(RULE_ENUM)
#undef RULE_ENUM
		RULES /* their number */
};

struct rule_row {
	enum rule_group group;
	const char *name, *option, *key; /* key NULL: the rule before has the same measure */
	enum rule_test test;
};

extern const struct rule_row rule_rows[RULES];

extern const char *const rule_group_names[RULE_GROUPS];

/*
 * The measures of a page, by rule (rules.h); doc/QUALITY.md defines each. NAN: the measure is not defined for this
 * page, and the rule does not drop it. `text` is well-formed UTF-8 of less than 4 GiB whose blocks are joined by LF,
 * without one at its end.
 */

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
struct quality_line {
	const char *data;
	size_t len;
};

/** Most lines that are listed when a text is first read by lines; further lines are searched each time. */
enum { LINES_LISTED = 1 << 16 };

/** The lines of a text, and how many of them are repetitions. */
struct quality_lines {
	struct text text; /* the text that the other members belong to; data NULL: not set */
	struct quality_line *list;
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
	struct quality_lines lines;
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

/** Finds the next line, after lines_begin(); zero-initialise *walk. Returns false after the last line. */
struct line_walk {
	size_t i, at;
};

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
