/* SPDX-License-Identifier: MIT */
/*
 * Tokens of a text, as numbers (doc/FORMATS.md, "Gold pages"; Gottron 2007). U+200B, 200E, 200F, 202A-202E, 2066-2069,
 * FEFF and 00AD are dropped; the rest is split at white space; every character of Thai, Lao, Myanmar, Khmer, Kana and
 * Han is a separate token. Case and punctuation count. Invalid UTF-8 reads as U+FFFD.
 *
 * Ownership: a table owns the spellings, a list its numbers. Equal numbers of one table mean equal tokens. Not for
 * concurrent use. Errors: DANA_OK or DANA_ENOMEM.
 */
#ifndef DANA_MEASURE_TOKENS_H
#define DANA_MEASURE_TOKENS_H

#include "base/slice.h"

struct token_table;

/** Returns NULL when memory is exhausted. */
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
/** `table` may be NULL. */
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

#endif
