/* SPDX-License-Identifier: MIT */
/*
 * Tokens of a text, as numbers (doc/FORMATS.md, "Reference pages"; Gottron 2007). U+200B, 200E, 200F, 202A-202E,
 * 2066-2069, FEFF and 00AD are dropped; the rest is split at white space; every character of Thai, Lao, Myanmar, Khmer,
 * Kana and Han is a separate token. Case and punctuation count. Invalid UTF-8 reads as U+FFFD.
 *
 * Ownership: a table owns the spellings, a list its numbers. Equal numbers of one table mean equal tokens. Not for
 * concurrent use.
 */
#ifndef DANA_LAB_MEASURE_H
#define DANA_LAB_MEASURE_H

#include "base/slice.h"

struct token_table;

struct token_table *token_table_new(void);
/** Drops all tokens: earlier lists become meaningless. */
void token_table_reset(struct token_table *table);
/** Returns the next number: all numbers so far are below it. */
uint32_t token_table_count(const struct token_table *table);
/**
 * Returns how often a spelling was compared with a different one since the last reset: at most 86 for a token and 8 for
 * each of its bytes.
 */
uint64_t token_table_steps(const struct token_table *table);
void token_table_free(struct token_table *table);

/** A sequence of tokens. A zeroed one is empty and valid. */
struct tokens {
	uint32_t *ids;
	size_t len, cap;
};

/** Appends the tokens of `text`, whose end also ends a token: call it once per text or per block. */
int tokens_append(struct tokens *tokens, struct token_table *table, struct slice text);
/** Appends one token spelt `token`, whatever it contains (a sentence, a line). */
int tokens_append_whole(struct tokens *tokens, struct token_table *table, struct slice token);
/** Drops the numbers and keeps the memory. */
void tokens_clear(struct tokens *tokens);
void tokens_free(struct tokens *tokens);

/*
 * Longest common subsequence of two token sequences, bit-parallel (Crochemore et al. 2001; Hyyro 2004): time O(n m /
 * 64), and much less when few tokens repeat. A common beginning and end are removed first.
 *
 * Both sequences must come from one token_table, whose token_table_count is `ids`. Pure functions: any thread.
 */

int lcs_length(const struct tokens *a, const struct tokens *b, uint32_t ids, size_t *length);
/**
 * Also marks the tokens on one longest common subsequence: on_a has a->len bytes, on_b b->len bytes, each set to 0 or
 * 1; one of them may be NULL. Memory: about 8 MiB and linear in the sequences.
 */
int lcs_marks(const struct tokens *a, const struct tokens *b, uint32_t ids, uint8_t *on_a, uint8_t *on_b,
	      size_t *length);
struct score {
	double precision, recall, f1;
};

/**
 * Returns precision, recall and F1 of `common` out of `output` and `gold`: 1 if both are empty, 0 if one is
 * (doc/FORMATS.md, "Reference pages").
 */
struct score score_of(double common, double output, double gold);

/*
 * Edit distance (insert, delete, replace: 1 each), bit-parallel in blocks of 64 (Myers 1999; Hyyro 2003). Time O(n m /
 * 64) after a common beginning and end are removed, memory linear.
 */

/** Both sequences come from one table, whose token_table_count is `ids`. */
int levenshtein_distance(const struct tokens *a, const struct tokens *b, uint32_t ids, size_t *distance);
/*
 * Alignment of a page's tokens with its gold text, for the labels of training: a longest common subsequence that
 * favours runs. A match counts 2, and 5 if it continues a run, so that scattered matches (menu words that also occur in
 * the text) lose against the text itself. Of equal alignments the one with the earliest tokens of the page wins.
 */

/**
 * Sets on_page[i] (page->len bytes) to 1 if token i is matched, otherwise 0. Returns 0, DANA_ELIMIT if the sequences
 * are too long, or DANA_ENOMEM.
 */
int align_runs(const struct tokens *page, const struct tokens *gold, uint8_t *on_page);

/*
 * The sentence measure of the Mountain Model paper: precision and recall count whole sentences that are equal letter
 * for letter. If the gold text has no sentences (lists of names), the edit distance of the characters is used instead.
 *
 * Our reading: a sentence ends at . ! ? before white space or the end, at U+3002 FF01 FF1F 061F 06D4 0964, and at the
 * end of a line; white space collapses; characters that are invisible (tokens.h) do not count; a sentence found twice
 * must be in the gold twice. A token_table is their only memory: one thread at a time for each table.
 */

/**
 * Computes the score of a page. *by_distance (may be NULL) is true if it comes from the edit distance: all three
 * numbers are then equal. Resets the table.
 */
int sentence_measure(struct token_table *table, struct slice output, struct slice gold, struct score *score,
		     bool *by_distance);

/*
 * The block measure of the WLR + media paper: precision and recall count blocks of the page, where a block is a line of
 * its visible text with at least one token, or one picture, film or sound.
 *
 * Our reading: a line is relevant when at least half of its tokens lie on the longest common subsequence of page and
 * gold, and retrieved when at least half lie on the LCS of page and output. A medium is relevant when its address is in
 * the gold list, and retrieved when the output names it. If nothing is retrieved the result is 0 %/0 %, as in the
 * paper, unless nothing is relevant either.
 */

/** Input of the measure. Lists of media: addresses, one a line, each counted once. */
struct block_page {
	struct slice visible; /* all visible text of the page, one block a line (method `plain`) */
	struct slice output, gold;
	struct slice output_media, gold_media;
};

struct block_counts {
	size_t retrieved, relevant, both;
};

/** Resets the table. */
int block_measure(struct token_table *table, const struct block_page *page, struct block_counts *counts);

#endif
