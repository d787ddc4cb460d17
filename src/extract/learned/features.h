/* SPDX-License-Identifier: MIT */
/* Numbers about each block of a page, a byte each, for the first stage of trees; and the sums that they are made of. */
#ifndef DANA_EXTRACT_LEARNED_FEATURES_H
#define DANA_EXTRACT_LEARNED_FEATURES_H

#include <stdint.h>

#include "base/hash.h"
#include "extract/learned/blocks.h"

/* Features are bytes. These scale numbers of any size to 0..255, with integers only: equal on every machine. */

extern const uint8_t scale_log_fraction[64];

/** Returns 8 log2(1 + v), rounded down. */
static inline uint8_t scale_log(uint32_t v)
{
	uint64_t x = (uint64_t)v + 1;
	unsigned exponent = 63U - (unsigned)__builtin_clzll(x);
	unsigned fraction = (unsigned)((x << (63 - exponent)) >> 57) & 63;
	unsigned log = exponent * 8 + scale_log_fraction[fraction];
	return (uint8_t)(log > 255 ? 255 : log);
}

/** Returns 255 a / b, rounded down, at most 255; 0 if b is 0. */
static inline uint8_t scale_share(uint32_t a, uint32_t b)
{
	if (a >= b)
		return b ? 255 : 0;
	if (a <= UINT32_MAX / 255) /* short divisions are faster */
		return (uint8_t)(a * 255U / b);
	return (uint8_t)(a * (uint64_t)255 / b);
}

/** Like scale_share, in 64-bit numbers. a is at most 2^56. */
static inline uint8_t scale_share64(uint64_t a, uint64_t b)
{
	if (a >= b)
		return b ? 255 : 0;
	if (b < 1U << 24) /* short divisions are faster */
		return (uint8_t)((uint32_t)a * 255U / (uint32_t)b);
	return (uint8_t)(a * 255U / b);
}

/** A number by which many others are divided. */
struct scale_whole {
	uint64_t whole;
	uint64_t inverse; /* 2^64 / whole, rounded up; 0 if unknown */
};

static inline struct scale_whole scale_whole_of(uint64_t whole)
{
	return (struct scale_whole){ whole, whole > 1 && whole < 1U << 24 ? UINT64_MAX / whole + 1 : 0 };
}

/** Returns a / whole, rounded down; a is below 2^32. The inverse is too large by less than 2^-40: harmless. */
static inline uint64_t scale_divide(uint32_t a, const struct scale_whole *w)
{
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 wide;
	if (w->inverse)
		return (uint64_t)((wide)a * w->inverse >> 64);
#endif
	return a / w->whole;
}

/** Like scale_share64, for a and a whole. */
static inline uint8_t scale_part(uint64_t a, const struct scale_whole *w)
{
	if (a >= w->whole || !w->inverse)
		return scale_share64(a, w->whole);
	return (uint8_t)scale_divide((uint32_t)a * 255U, w);
}

static inline uint8_t scale_cap(uint32_t v, uint8_t most)
{
	return (uint8_t)(v > most ? most : v);
}

/** Returns v + 128, limited to a byte. */
static inline uint8_t scale_signed(int32_t v)
{
	return (uint8_t)(v > 127 ? 255 : v < -128 ? 0 : v + 128);
}

/*
 * The features of both stages, in their order, and the meaning of their values in words for `explain`: X(identifier,
 * reading, zero, words, full). "#" in `words` is replaced by the value; `zero` and `full`, unless NULL, replace `words`
 * at the two ends of the range. tools/feature_table.sh makes the table of doc/LEARNED.md from these lines. Twice as
 * many were tried; trees do worse without any of these (doc/HISTORY.md).
 */

/** How a byte is read. */
enum feature_reading {
	READ_FLAG,    /* 0 = no, otherwise yes */
	READ_LOG,     /* 8 log2(1 + v) */
	READ_QUARTER, /* 8 log2(1 + 4 v) */
	READ_SHARE,   /* 255 = all */
	READ_COUNT,   /* as it is */
	READ_BLOCKS,  /* blocks or steps; no such block from 99 on */
	READ_SIGN,    /* blocks; 250 = no such block */
	READ_PLACE,   /* 50 = at that place, 0 = no such place */
	READ_SCORE,   /* 128 = 0, in 1/8 */
	READ_OWN,     /* 128 = 0, in 1/16: scores of single elements, log odds */
	READ_PERCENT, /* 128 = 0, in 1/127 of the page */
	READ_POINTS,  /* 128 = 0, in 1/128 of a probability */
	READ_TYPE,    /* enum og_type */
};

/* clang-format off */
#define LEVEL_WORDS(X, L, CONTAINER, OWN) \
	X(LEVEL##L##_UNITS, LOG, NULL, "its " CONTAINER " has # letters", NULL) \
	X(LEVEL##L##_LINKS, SHARE, "no links in its " CONTAINER, "# of its " CONTAINER " is links", \
	  "its " CONTAINER " is all links") \
	X(LEVEL##L##_SHARE, SHARE, NULL, "its " CONTAINER " has # of the page's text", \
	  "its " CONTAINER " has all of the page's text") \
	X(LEVEL##L##_MARKS, COUNT, "no sentence marks in its " CONTAINER, \
	  "# sentence marks in 1,000 letters of its " CONTAINER, NULL) \
	X(LEVEL##L##_PARAGRAPHS, SHARE, "no paragraphs in its " CONTAINER, "# of its " CONTAINER " is paragraphs", \
	  "its " CONTAINER " is all paragraphs") \
	X(LEVEL##L##_SCORE, SHARE, "its " CONTAINER " has no score", "its " CONTAINER " scores # of the best", \
	  "its " CONTAINER " scores as the best") \
	X(LEVEL##L##_REPEATS, LOG, "its " CONTAINER " is the only one of its kind", "# more containers like its " OWN, \
	  NULL) \
	X(LEVEL##L##_STAMPS, SHARE, "no dates in its " CONTAINER, "# of the blocks in its " CONTAINER " have a date", \
	  "all blocks in its " CONTAINER " have a date")

#define LEVEL2_WORDS(X, L, CONTAINER) \
	X(LEVEL##L##_MEAN, SHARE, "its " CONTAINER " looks like no text", "its " CONTAINER " looks like text to #", \
	  "its " CONTAINER " looks like text all over") \
	X(LEVEL##L##_FIT, SHARE, NULL, "its " CONTAINER " alone would fit # as well as the best", \
	  "its " CONTAINER " alone would fit best") \
	X(LEVEL##L##_TAKEN, SHARE, "nothing of its " CONTAINER " was kept", "# of its " CONTAINER " was kept", \
	  "all of its " CONTAINER " was kept")

#define UNIT_WORDS(X, U, OUTER) \
	X(U##_COUNT, LOG, "in no sequence of " OUTER "units", "one of # " OUTER "units", NULL) \
	X(U##_LENGTH, LOG, NULL, "the " OUTER "units around it have # letters on average", NULL) \
	X(U##_LINKS, SHARE, "no links in the " OUTER "units around it", "# of the " OUTER "units around it is links", \
	  "the " OUTER "units around it are all links") \
	X(U##_DATES, SHARE, "no dates in the " OUTER "units around it", \
	  "# of the " OUTER "units around it have a date", "all " OUTER "units around it have a date") \
	X(U##_SHARE, SHARE, NULL, "the " OUTER "units around it have # of the page's words", NULL) \
	X(U##_CHANCE, SHARE, "the " OUTER "units around it look like no text", \
	  "the " OUTER "units around it look like text to #", "the " OUTER "units around it look like text all over") \
	X(U##_REST, SHARE, "what is beside the " OUTER "units looks like no text", \
	  "what is beside the " OUTER "units looks like text to #", NULL) \
	X(U##_BEFORE, SHARE, NULL, "the block before the " OUTER "units has a probability of #", NULL) \
	X(U##_AFTER, SHARE, NULL, "the block after the " OUTER "units has a probability of #", NULL) \
	X(U##_TAKEN, SHARE, "nothing of the " OUTER "units was kept", "# of the " OUTER "units was kept", \
	  "all of the " OUTER "units was kept") \
	X(U##_OWN, SHARE, "its own " OUTER "unit looks like no text", "its own " OUTER "unit looks like text to #", \
	  NULL)

#define KIND_WORDS(X, KIND, A) \
	X(KIND_##KIND, SHARE, "the page is not " A, "the page is " A " with a probability of #", "the page is " A)

#define FEATURE_WORDS(X) \
	X(UNITS, LOG, "no letters", "# letters long", NULL) \
	X(LINKS, SHARE, "no links in it", "# of it is links", "nothing but links") \
	X(WORDS, LOG, "no words", "# words long", NULL) \
	X(ENDS_STOP, FLAG, "does not end with a full stop", "ends with a full stop", NULL) \
	X(CODE_BEFORE, LOG, NULL, "# bytes of code before it", NULL) \
	X(HIDDEN, FLAG, "not hidden", "hidden by its style", NULL) \
	X(DEPTH, COUNT, NULL, "# elements deep", NULL) \
	X(TAG_DIV, FLAG, "not directly in a div", "directly in a div", NULL) \
	X(BYTE_SHARE, SHARE, "at the page's first byte", "# of the page's bytes are before it", NULL) \
	X(TEXT_SHARE, SHARE, "no text before it", "# of the page's text is before it", NULL) \
	X(COPIES, COUNT, NULL, "its text is on the page # times", NULL) \
	X(AFTER_H1, PLACE, "no main heading on the page", "# the main heading", NULL) \
	X(BYTES_AFTER_H1, PERCENT, NULL, "# the main heading", NULL) \
	X(UNTIL_GOOD, BLOCKS, NULL, "# blocks to the next long sentence without links", \
	  "no long sentence without links after it") \
	X(SINCE_HEADING, BLOCKS, NULL, "# blocks after a heading", "no heading before it") \
	X(HEADING_LEVEL, COUNT, "no heading before it", "the heading before it is of level #", NULL) \
	X(HEADING_TOKENS, SCORE, NULL, "class names around the heading before it score #", NULL) \
	X(HEADING_DIGITS, COUNT, "no digits in the heading before it", "# digits in the heading before it", NULL) \
	X(HEADING_UNITS, LOG, NULL, "the heading before it has # letters", NULL) \
	X(TEXTAREAS_BEFORE, COUNT, "no text field before it", "# text fields before it", NULL) \
	X(TEXTAREAS_AFTER, COUNT, "no text field after it", "# text fields after it", NULL) \
	X(SINCE_STOP, SIGN, "ends with a full stop", "# blocks after one that ends with a full stop", \
	  "no full stop before it") \
	X(SINCE_BAD, SIGN, "the class names around it speak against it", \
	  "# blocks after one with bad class names around it", "no bad class names before it") \
	X(SINCE_LINK, SIGN, "nearly all links", "# blocks after one of links", "no block of links before it") \
	X(SINCE_INPUT, SIGN, "a field or button directly before it", "# blocks after a field or button", \
	  "no field or button before it") \
	X(SINCE_STAMP, SIGN, "a date or time in it", "# blocks after a date or time", "no date or time before it") \
	X(UNTIL_STOP, SIGN, "ends with a full stop", "# blocks before one that ends with a full stop", \
	  "no full stop after it") \
	X(UNTIL_BAD, SIGN, "the class names around it speak against it", \
	  "# blocks before one with bad class names around it", "no bad class names after it") \
	X(UNTIL_LINK, SIGN, "nearly all links", "# blocks before one of links", "no block of links after it") \
	X(UNTIL_INPUT, SIGN, "a field or button directly before it", "# blocks before a field or button", \
	  "no field or button after it") \
	X(UNTIL_STAMP, SIGN, "a date or time in it", "# blocks before a date or time", "no date or time after it") \
	X(STAMPS_BEFORE, LOG, "no date or time before it", "# blocks with a date or time before it", NULL) \
	X(EXCLAIMS_BEFORE, LOG, "no exclamation mark before it", "# blocks with an exclamation mark before it", NULL) \
	X(PARAGRAPHS_BEFORE, LOG, "no paragraph before it", "# paragraphs before it", NULL) \
	X(DIGITS_BEFORE, LOG, "no block with digits before it", "# blocks with digits before it", NULL) \
	X(LINKED_BEFORE, LOG, "no block with a link in its text before it", \
	  "# blocks with links in their text before it", NULL) \
	X(STAMPS16, COUNT, "no date or time near it", "# blocks with a date or time near it", NULL) \
	X(PAGE_STAMPS, LOG, "no date or time on the page", "# blocks with a date or time on the page", NULL) \
	X(PAGE_EXCLAIMS, LOG, "no exclamation mark on the page", "# blocks with an exclamation mark on the page", \
	  NULL) \
	X(PAGE_BLOCKS, LOG, NULL, "the page has # blocks", NULL) \
	X(PAGE_LINKS, SHARE, "no links on the page", "# of the page's text is links", "the page's text is all links") \
	X(PAGE_ARTICLES, COUNT, "no article element on the page", "# article elements on the page", NULL) \
	X(PAGE_MAIN, FLAG, "no main element on the page", "a main element on the page", NULL) \
	X(PAGE_IMAGES, LOG, "no pictures on the page", "# pictures on the page", NULL) \
	X(PAGE_CURRENCY, LOG, "no prices on the page", "# signs of currency on the page", NULL) \
	X(PAGE_KIND, TYPE, "the page does not say what kind it is", "the page calls itself #", NULL) \
	X(DECLARES_RECIPE, FLAG, "its data declare no recipe", "its data declare a recipe", NULL) \
	X(DECLARES_PRODUCT, FLAG, "its data declare no product", "its data declare a product", NULL) \
	X(DECLARES_ARTICLE, FLAG, "its data declare no article", "its data declare an article", NULL) \
	X(DECLARES_FORUM, FLAG, "its data declare no question or discussion", \
	  "its data declare a question or discussion", NULL) \
	X(DECLARES_LIST, FLAG, "its data declare no list", "its data declare a list", NULL) \
	X(DECLARES_SERVICE, FLAG, "its data declare no service", "its data declare a service", NULL) \
	X(PAGE_INPUTS, LOG, "no fields or buttons on the page", "# fields and buttons on the page", NULL) \
	X(PAGE_LI, SHARE, "no list items on the page", "# of the page's text is list items", NULL) \
	X(PAGE_STOPS, SHARE, "no block of the page ends with a full stop", \
	  "# of the page's blocks end with a full stop", NULL) \
	X(PAGE_LINKED_HEADINGS, LOG, "no linked headings on the page", "# linked headings on the page", NULL) \
	X(PAGE_HEADINGS, LOG, "no headings on the page", "# headings on the page", NULL) \
	X(PAGE_URL_LAST, LOG, "the page's address ends with a slash or is unknown", \
	  "the last part of its address has # characters", NULL) \
	X(PAGE_URL_DIGITS, COUNT, "no digits in the page's address", "# digits in the page's address", NULL) \
	X(PAGE_TOKENS, SCORE, NULL, "class names of the page's body score #", NULL) \
	X(PAGE_LINK_LENGTH, QUARTER, "no links on the page", "the page's links have # letters on average", NULL) \
	X(PAGE_TOKENS_BEST, SCORE, NULL, "the best class names around a long sentence of the page score #", NULL) \
	X(PAGE_PROSE, LOG, "no prose on the page", "the page has # letters of prose", NULL) \
	X(SHARE_OF_PAGE, SHARE, "hardly any of the page's text", "# of the page's text", "all of the page's text") \
	X(UNITS_RELATIVE, SHARE, "very short beside the longest block", "# as long as the longest block", \
	  "the longest block") \
	X(TOKENS_RELATIVE, SCORE, NULL, "class names around it score # against the page's best", NULL) \
	X(TOKENS_OVER_MEAN, SCORE, NULL, "class names around it score # against the page's mean", NULL) \
	X(PROSE_BEFORE, SHARE, "none of the page's prose is before it", "# of the page's prose is before it", \
	  "all of the page's prose is before it") \
	X(PATH_PROSE, SHARE, "its path has none of the page's prose", "its path has # as much prose as the best path", \
	  "its path has most of the page's prose") \
	X(DESCRIPTION_COVERED, SHARE, "nothing of the page's description in it", "# of the page's description in it", \
	  "all of the page's description in it") \
	X(AFTER_DESCRIPTION, PLACE, "the description is not in the page's text", "# the text of the description", \
	  NULL) \
	X(DESCRIPTION_MEETS, BLOCKS, "in the element of the description's text", \
	  "# elements up, one holds the description's text too", "no description to compare with") \
	X(DESCRIPTION_MEETS_SHARE, SHARE, "no element shared with the description's text", \
	  "the element shared with the description's text has # of the page's text", \
	  "only the whole page holds it and the description's text") \
	X(IN_ARTICLE, FLAG, "not in an article", "in an article", NULL) \
	X(IN_MAIN, FLAG, "not in a main element", "in a main element", NULL) \
	X(IN_FOOTER, FLAG, "not in a footer", "in a footer", NULL) \
	X(PATH_BLOCKS, LOG, NULL, "# blocks on its path", NULL) \
	X(PATH_MEAN, LOG, NULL, "blocks on its path have # letters on average", NULL) \
	X(PATH_LINKS, SHARE, "no links on its path", "# of the text on its path is links", \
	  "all text on its path is links") \
	X(PATH_SHARE, SHARE, "its path has hardly any of the page's text", "its path has # of the page's text", \
	  "its path has all of the page's text") \
	X(BEST_INSIDE, FLAG, "outside the best container", "in the best container", NULL) \
	X(BEST_STEPS, BLOCKS, "directly in the best container", "# elements below the best container", \
	  "outside the best container") \
	X(BEST_PARENT, FLAG, "outside the parent of the best container", "in the parent of the best container", NULL) \
	X(BEST_SCORE, LOG, NULL, "the page's best container scores #", NULL) \
	X(BEST_SHARE, SHARE, NULL, "the best container has # of the page's text", \
	  "the best container has all of the page's text") \
	X(BEST_MEETS, BLOCKS, "its element holds the best container too", \
	  "# elements up, one holds the best container too", NULL) \
	X(BEST_MEETS_SHARE, SHARE, NULL, "the element shared with the best container has # of the page's text", \
	  "only the whole page holds it and the best container") \
	X(H1_MEETS, BLOCKS, "in the element of the main heading", "# elements up, one holds the main heading too", \
	  "no main heading, or far from it") \
	X(H1_MEETS_SHARE, SHARE, "no element shared with a main heading", \
	  "the element shared with the main heading has # of the page's text", \
	  "only the whole page holds it and the main heading") \
	LEVEL_WORDS(X, 0, "container", "own") \
	LEVEL_WORDS(X, 1, "second container", "second one") \
	LEVEL_WORDS(X, 2, "third container", "third one") \
	LEVEL_WORDS(X, 3, "fourth container", "fourth one") \
	X(REPEATS_MOST, LOG, "no element around it is one of many", "an element around it has # others like it", NULL) \
	X(DENSITY2, SHARE, "hardly any text among the code near it", "# of the bytes within 2 blocks is text", NULL) \
	X(LINKS2, SHARE, "no links within 2 blocks", "# of the text within 2 blocks is links", \
	  "all text within 2 blocks is links") \
	X(DENSITY4, SHARE, "hardly any text among the code within 4 blocks", "# of the bytes within 4 blocks is text", \
	  NULL) \
	X(LINKS4, SHARE, "no links within 4 blocks", "# of the text within 4 blocks is links", \
	  "all text within 4 blocks is links") \
	X(LINKS8, SHARE, "no links within 8 blocks", "# of the text within 8 blocks is links", \
	  "all text within 8 blocks is links") \
	X(TOKENS, SCORE, NULL, "class names around it score #", NULL) \
	X(TOKENS_MOST, OWN, NULL, "the best class name around it scores #", NULL) \
	X(TOKENS_LEAST, OWN, NULL, "the worst class name around it scores #", NULL) \
	X(TOKENS_OWN, OWN, NULL, "class names of its element score #", NULL) \
	X(TOKENS_PARENT, OWN, NULL, "class names of its element's parent score #", NULL) \
	X(PREV_TOKENS, SCORE, "no block before it, or bad class names around that", \
	  "class names around the block before score #", NULL) \
	X(NEXT_TOKENS, SCORE, "no block after it, or bad class names around that", \
	  "class names around the next block score #", NULL) \
	X(TOKENS_BEFORE, LOG, "no text with good class names shortly before it", \
	  "# letters with good class names shortly before it", NULL) \
	X(GOOD_AFTER, LOG, "no prose shortly after it", "# letters of prose shortly after it", NULL) \
	X(TOKENS_AFTER, LOG, "no text with good class names shortly after it", \
	  "# letters with good class names shortly after it", NULL)

#define STAGE2_WORDS(X) \
	X(LOGIT, OWN, NULL, "its log odds after stage 1 are #", NULL) \
	X(OVER, POINTS, NULL, "its probability after stage 1 is # from the threshold", NULL) \
	X(SELECTED, FLAG, "dropped after stage 1", "kept after stage 1", NULL) \
	X(OVER_MEAN, OWN, NULL, "its log odds after stage 1 are # from the mean of the page", NULL) \
	LEVEL2_WORDS(X, 0, "container") \
	LEVEL2_WORDS(X, 1, "second container") \
	X(PATH_CHANCE, SHARE, "blocks on its path look like no text", "blocks on its path look like text to #", \
	  "blocks on its path look like text all over") \
	X(PATH1_CHANCE, SHARE, "elements like its second container look like no text", \
	  "elements like its second container look like text to #", NULL) \
	X(PATH2_CHANCE, SHARE, "elements like its third container look like no text", \
	  "elements like its third container look like text to #", NULL) \
	X(PATH_MASS, SHARE, "its path has hardly any of the expected text", "its path has # of the expected text", \
	  "its path has all of the expected text") \
	X(PATH_OVER, POINTS, NULL, "its path is # against the main one", NULL) \
	X(PAGE_EXPECTED, SHARE, NULL, "an F1 of # was expected after stage 1", NULL) \
	X(PAGE_FITTEST, SHARE, NULL, "the best single container has an expected F1 of #", NULL) \
	X(PAGE_MASS, LOG, NULL, "# words of text expected", NULL) \
	X(PAGE_WORDS, LOG, NULL, "# words on the page", NULL) \
	X(PAGE_RATIO, SHARE, NULL, "# of the page's words expected to be text", NULL) \
	X(PAGE_THRESHOLD, SHARE, NULL, "a threshold of # after stage 1", NULL) \
	X(PAGE_MOST, SHARE, NULL, "the page's surest block has #", NULL) \
	X(PAGE_TAKEN, SHARE, "nothing of the page was kept after stage 1", \
	  "# of the page's words were kept after stage 1", "all of the page was kept after stage 1") \
	UNIT_WORDS(X, UNIT, "") \
	UNIT_WORDS(X, GROUP, "outer ") \
	X(PREV_CHANCE, SHARE, NULL, "the block before has a probability of #", NULL) \
	X(NEXT_CHANCE, SHARE, NULL, "the next block has a probability of #", NULL) \
	X(AROUND2, SHARE, "no text within 2 blocks", "the blocks within 2 look like text to #", NULL) \
	X(AROUND8, SHARE, "no text within 8 blocks", "the blocks within 8 look like text to #", NULL) \
	X(MASS_BEFORE, SHARE, "none of the expected text is before it", "# of the expected text is before it", \
	  "all of the expected text is before it") \
	X(SINCE_TAKEN, BLOCKS, NULL, "# blocks after one that was kept", "nothing was kept before it") \
	X(UNTIL_TAKEN, BLOCKS, NULL, "# blocks before one that was kept", "nothing was kept after it") \
	X(STRETCH, BLOCKS, "not before the main stretch", "# blocks before the main stretch", \
	  "far before the main stretch") \
	X(AFTER_STRETCH, BLOCKS, "not after the main stretch", "# blocks after the main stretch", \
	  "far after the main stretch") \
	KIND_WORDS(X, ARTICLE, "an article") \
	KIND_WORDS(X, LIST, "a list") \
	KIND_WORDS(X, FORUM, "a forum") \
	KIND_WORDS(X, PRODUCT, "a product") \
	KIND_WORDS(X, DOCUMENTATION, "documentation") \
	KIND_WORDS(X, SERVICE, "a service") \
	KIND_WORDS(X, OTHER, "of another kind")
/* clang-format on */

struct feature_words {
	enum feature_reading reading;
	const char *zero, *words, *full; /* zero, full: may be NULL */
};

enum { FEATURE_TEXT = 160 };

/** Returns the words of a feature of `stage` (1 or 2). */
const struct feature_words *feature_words_of(int stage, unsigned feature);
/** Writes what `value` of that feature means for a block. */
void feature_words_put(char out[FEATURE_TEXT], const struct feature_words *words, uint8_t value);

/* Sums over elements and over paths (places of equal structure), made once a page is complete. */

struct element_sums {
	uint32_t units, linked, blocks, marks;
	uint32_t p_units; /* in <p> */
	uint32_t dates;   /* blocks with a time or a date in digits */
	uint32_t score;   /* as Mozilla Readability's: paragraphs inside add to their nearest ancestors */
	/*
	 * Nearest ancestor with more blocks; the number of elements if no ancestor has. Ancestors that only wrap this
	 * element are skipped: for the p in <main><div><div><p>, it is main if main also has other blocks.
	 */
	uint32_t wider;
	uint32_t path;        /* number of its path */
	uint32_t common_best; /* lowest common ancestor with the best element; inside of that, the element itself */
	uint32_t common_h1;   /* the same for the first <h1> */
	bool in_best, in_best_parent;
	bool wraps; /* all of its blocks are in one child: it is no block's element and no element's `wider` */
};

/** All elements with one path: the chain of tags and first classes from the root. */
struct path_sums {
	uint32_t elements, blocks, units, linked;
	uint32_t prose;
};

struct aggregates {
	struct element_sums *sum; /* one for each element, and an empty one that is its own `wider` */
	struct path_sums *path;
	uint32_t *text;       /* for each block the number of its text: equal texts have equal numbers */
	uint32_t *copies;     /* for each text the number of blocks that have it */
	struct key_trie keys; /* numbers paths, then texts */
	uint64_t steps;       /* of the page: nodes of `keys` that were passed */
	uint32_t n_paths, best, h1_block;
	uint64_t units, linked, links;
	size_t cap_elements, cap_blocks;
};

int aggregates_compute(struct aggregates *a, const struct blocks *b);
void aggregates_free(struct aggregates *a);

/*
 * Units that repeat: siblings of one shape (the same tag and first class under one parent) form a sequence, be they
 * rows of a table, items of a list, posts, comments, teasers or the paragraphs of an article. Shapes may alternate:
 * an element belongs to the sequence of the sibling before it or of the one before that.
 *
 * Example: in <ul><li>a<li>b<li>c</ul> the three items are a sequence; in <dl><dt><dd><dt><dd><dt><dd></dl> there are
 * two of three elements each.
 */

enum { NO_SEQUENCE = UINT32_MAX, SEQUENCE_LEAST = 3 };

struct sequence {
	uint32_t parent, members;
	uint32_t number; /* among sequences of SEQUENCE_LEAST members; NO_SEQUENCE for shorter ones */
	uint32_t units, linked, blocks, dates;
};

/** The place of an element among its siblings, and the units around the blocks in it. */
struct unit_place {
	uint32_t sequence;     /* of the element itself; NO_SEQUENCE for the page */
	uint32_t before, last; /* the sibling before it, its last child so far; 0 = none */
	uint32_t inner,
		outer; /* the element or nearest ancestor with SEQUENCE_LEAST like it, and the next above; 0 = none */
};

struct units {
	struct unit_place *place; /* for each element */
	struct sequence *sequence;
	uint32_t n, n_repeating;
	size_t cap;
};

/** Call it once per page, after aggregates_compute. */
int units_find(struct units *u, const struct blocks *b, const struct aggregates *a);
void units_free(struct units *u);

/*
 * Sums over all blocks of a page, and the block that has the page's description. A tree compares a feature with a
 * constant, but often a block must be compared with the best of its page: these totals make such features possible.
 */

struct page_totals {
	uint64_t prose, li_units;
	uint64_t scored, score_sum; /* units outside of links, and these weighted by score */
	uint32_t currency, stops, headings, linked_headings;
	uint32_t units_most, path_prose; /* of the longest block; of the path with most prose */
	uint32_t described;              /* the block with most of the description, or NO_BLOCK */
	bool has_description;            /* the page has a description, and its text */
	uint8_t tokens_best;             /* highest score of a good block */
	uint8_t tokens_mean;
	uint8_t *covered; /* share of the description in each block, if there is a description */
	uint32_t *common; /* for each element: its lowest common ancestor with the described block's */
	size_t cap_blocks, cap_elements;
};

/*
 * Boolean properties of blocks. The distance to the nearest block with a flag, and the number of earlier ones, show
 * where on its page a block is: after an article come blocks with dates, form fields and names of sections.
 */

enum block_flag {
	FLAG_STOP,      /* ends with a full stop, question or exclamation mark */
	FLAG_BAD,       /* the attribute tokens of its elements have a low score */
	FLAG_LINK,      /* nearly all of its text is in links */
	FLAG_INPUT,     /* <input> or <button> between the block before and this one */
	FLAG_DATE,      /* contains a time or a date in digits (dates_found) */
	FLAG_EXCLAIM,   /* contains an exclamation mark */
	FLAG_PARAGRAPH, /* is in a <p> */
	FLAG_DIGIT,     /* digits are at least 1/255 of its units */
	FLAG_LINKED,    /* some of its text is in links, but not nearly all */
	FLAGS,
	FLAGS_LOCATED = FLAG_DATE + 1,     /* flags below this have a distance */
	FLAGS_COUNTED = FLAGS - FLAG_DATE, /* flags from FLAG_DATE on are counted */
	FLAG_FAR = 250,                    /* the largest distance; also: no such block */
};

/** Follows the flags of a page's blocks, from the first block on or from the last one backwards. */
struct flag_tracker {
	uint32_t count[FLAGS_COUNTED]; /* from FLAG_DATE on */
	uint64_t distances;            /* blocks since the last one with the flag: byte k, from the lowest, of flag k */
};

void flag_tracker_reset(struct flag_tracker *s);
/** Returns the blocks since the last one with `flag`, which is below FLAGS_LOCATED. */
static inline uint8_t flag_tracker_distance(const struct flag_tracker *s, unsigned flag)
{
	return (uint8_t)(s->distances >> 8 * flag);
}

/** Returns the number of blocks so far with `flag`, which is FLAG_DATE or a later one. */
static inline uint32_t flag_tracker_count(const struct flag_tracker *s, enum block_flag flag)
{
	return s->count[flag - FLAG_DATE];
}

/** Takes the next block; the distances of its flags become 0. */
void flag_tracker_add(struct flag_tracker *s, unsigned flags);

/*
 * Features of the first stage: properties of a block, its neighbours, its containers and its page, one byte each.
 * Training (`dana features`) and extraction run the same code, so they see the same bytes.
 */

/**
 * Raised when the meaning of a feature of either stage, a token or a block changes under its old name: models trained
 * before are then rejected. test_learned fails if that was forgotten.
 */
enum { FEATURES_VERSION = 6 };

enum feature {
#define FEATURE_ENUM(id, ...) FEATURE_##id,
	FEATURE_WORDS(FEATURE_ENUM)
#undef FEATURE_ENUM
		FEATURE_COUNT
};

extern const char *const feature_names[FEATURE_COUNT];

/** Blocks whose features are adjacent: the trees compare many at a time. */
enum { TILE = 64 };

/*
 * Which block's features each column has. A run of short neighbours on one path, as the entries of a menu, is judged by
 * its first block: what is true of one of them is true of all, and about a third of the blocks of a page need no
 * features and no trees of their own.
 *
 * Example: of the blocks "Lamps", "Bulbs" and "Shades" in <li> of one list, and a paragraph, the first and the last are
 * judged.
 */
struct judged {
	uint32_t *block;  /* of each column, ascending */
	uint32_t *column; /* of each block */
	uint32_t n;       /* columns */
};

struct features {
	struct context_tile *context; /* for each tile of columns */
	struct block_marks *marks;    /* of each block, with one before the first and after the last */
	struct prefix_sums *prefix;
	struct element_view *view;
	struct path_view *path;
	size_t cap_tiles, cap_blocks, cap_prefix, cap_elements;
	uint32_t best_score;
	struct page_totals totals;
	struct flag_tracker tracker;                                   /* of all blocks */
	struct scale_whole units, prose, units_most, bytes, next_byte; /* of the page; next_byte: bytes + 1 */
	int32_t bias;                                                  /* of the token weights */
};

/** Call it once per page, after aggregates_compute. */
int features_prepare(struct features *f, const struct blocks *b, const struct aggregates *a, const struct judged *j);
/** Computes the features of columns first .. first + n - 1 (n at most TILE). */
void features_tile(const struct features *f, const struct blocks *b, const struct aggregates *a, const struct judged *j,
		   uint32_t first, uint32_t n, uint8_t tile[][TILE]);
void features_free(struct features *f);
enum { SIDE = 16 };
/** Turns rows of SIDE blocks into columns, from `at` on, of as many rows of the tile. */
void tile_turn(uint8_t (*tile)[TILE], uint32_t at, const uint8_t (*rows)[SIDE]);

#endif
