/* SPDX-License-Identifier: MIT */
/*
 * Tokens (words of class, id and the like) of each element and of each block, noted while a page is read: to what a
 * tag's tokens belong is known only after the tag. Zeroed it is empty. One thread.
 */
#ifndef DANA_LAB_TRAIN_FEATURES_TOKENS_H
#define DANA_LAB_TRAIN_FEATURES_TOKENS_H

#include "extract/learned/blocks.h"

/** Lists, one after the other. */
struct token_lists {
	struct buf tokens; /* u16 */
	struct buf ends;   /* u32, of each list: how many tokens there are up to there */
};

struct features_tokens {
	const struct blocks *blocks;
	struct token_lists of_elements; /* by number */
	struct token_lists
		of_blocks;  /* by serial: of inline elements in the block, which are no elements of their own */
	struct buf fresh;   /* u16: of the tag that is being read */
	struct buf waiting; /* u16: of inline elements, for the open block */
	uint32_t begun;     /* the open block, as in `blocks` */
	int status;         /* the first failure */
};

/** A page begins: `blocks` are reset. They must stay where they are. */
void features_tokens_begin(struct features_tokens *t, const struct blocks *blocks);
/** token_sink.seen; `arg` is the features_tokens. */
void features_tokens_seen(void *arg, uint32_t id);
/** The blocks have taken a tag. `opened`: it became an element. 0 or DANA_ENOMEM. */
int features_tokens_tag(struct features_tokens *t, bool opened);
/** The blocks are finished. 0 or DANA_ENOMEM. */
int features_tokens_finish(struct features_tokens *t);
/** After finish: u16 of a list, in the order of the page. */
struct slice features_tokens_at(const struct token_lists *lists, uint32_t i);
void features_tokens_free(struct features_tokens *t);

#endif
