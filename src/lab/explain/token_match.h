/* SPDX-License-Identifier: MIT */
/* The common tokens of two texts: those of one longest common subsequence. Zeroed, it is empty. */
#ifndef DANA_EXPLAIN_TOKEN_MATCH_H
#define DANA_EXPLAIN_TOKEN_MATCH_H

#include "lab/measure/tokens.h"

struct token_match {
	struct token_table *table;
	struct tokens tokens[2];
	uint8_t *common[2]; /* of each token, after token_match_run */
	int status;         /* 0, or DANA_ENOMEM if tokens are missing */
	bool ordered;       /* the n-th common tokens of both are the same; false if the texts were too long */
};

/**
 * Appends the tokens of a piece of text `which` (0 or 1), and returns their number. A failure is recorded in `status`.
 */
size_t token_match_add(struct token_match *m, int which, struct slice text);
/** Call it after all text was added. Returns 0 or DANA_ENOMEM, also if adding failed. */
int token_match_run(struct token_match *m);
void token_match_free(struct token_match *m);

#endif
