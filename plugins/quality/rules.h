/* SPDX-License-Identifier: MIT */
/*
 * The rules by which `quality` drops a page: one row each, in the order in which they are applied.
 *
 * Sources: "Gopher": Rae et al. 2021, appendix A.1.1 and table A1; "C4": Raffel et al. 2020, section 2.2; "FineWeb":
 * Penedo et al. 2024, section 3.6. Names of rules, and details that these papers leave open, are datatrove's, so that
 * its users can compare (doc/QUALITY.md says where the definitions differ).
 */
#ifndef DANA_QUALITY_RULES_H
#define DANA_QUALITY_RULES_H

enum rule_group { GROUP_REPETITION, GROUP_GOPHER, GROUP_C4, GROUP_FINEWEB, RULE_GROUPS };

/** The comparison of measure and limit that drops the page. */
enum rule_test { IF_BELOW, IF_ABOVE, IF_AT_MOST, IF_AT_LEAST };

/* X(identifier, group, "name of the rule", "its option", "key of its measure", default, test, "help") */
/* clang-format off */
#define RULE_LIST(X) \
	X(DUP_PARA, REPETITION, "dup_para_frac", "max-dup-paragraphs", "dup_paragraphs", "0.3", IF_ABOVE, \
		"largest share of paragraphs that stood before") \
	X(DUP_PARA_CHARS, REPETITION, "dup_para_char_frac", "max-dup-paragraph-chars", "dup_paragraph_chars", \
		"0.2", IF_ABOVE, \
		"largest share of characters in such paragraphs") \
	X(DUP_LINE, REPETITION, "dup_line_frac", "max-dup-lines", "dup_lines", "0.3", IF_ABOVE, \
		"largest share of lines that stood before") \
	X(DUP_LINE_CHARS, REPETITION, "dup_line_char_frac", "max-dup-line-chars", "dup_line_chars", "0.2", IF_ABOVE, \
		"largest share of characters in such lines") \
	X(TOP_2, REPETITION, "top_2_gram", "max-top-2-gram", "top_2_gram", "0.2", IF_ABOVE, \
		"largest share of characters of the most frequent pair of words") \
	X(TOP_3, REPETITION, "top_3_gram", "max-top-3-gram", "top_3_gram", "0.18", IF_ABOVE, "the same of 3 words") \
	X(TOP_4, REPETITION, "top_4_gram", "max-top-4-gram", "top_4_gram", "0.16", IF_ABOVE, "the same of 4 words") \
	X(DUP_5, REPETITION, "duplicated_5_n_grams", "max-dup-5-grams", "dup_5_grams", "0.15", IF_ABOVE, \
		"largest share of characters in sequences of 5 words that stood before") \
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
		"share of characters in lines that stood before; the page needs less") \
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

#endif
