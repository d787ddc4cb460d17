/* SPDX-License-Identifier: MIT */
/*
 * What `dana features` writes for the trainer: the tokens of blocks (features_tokens), and how much of each block is in
 * the reference text (features_label).
 *
 * Tokens (words of class, id and the like) of each element and of each block, noted while a page is read: to what a
 * tag's tokens belong is known only after the tag. Zeroed it is empty. One thread.
 */
#ifndef DANA_LAB_TRAINING_DATA_H
#define DANA_LAB_TRAINING_DATA_H

#include <stdio.h>

#include "base/status.h"
#include "extract/learned/blocks.h"
#include "lab/gold.h"
#include "lab/measure.h"

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
/** The blocks have taken a tag. `opened`: it became an element. */
int features_tokens_tag(struct features_tokens *t, bool opened);
/** The blocks are finished. */
int features_tokens_finish(struct features_tokens *t);
/** After finish: u16 of a list, in the order of the page. */
struct slice features_tokens_at(const struct token_lists *lists, uint32_t i);
void features_tokens_free(struct features_tokens *t);

/* How much of each block of a page is in its gold text. Zeroed it is empty. One thread. */

struct features_label {
	uint32_t tokens, matched; /* of the block; among them in the gold text, in its order */
};

struct features_labels {
	struct features_label *label; /* of each block */
	size_t cap;
	struct token_table *table;
	struct tokens page, gold;
	struct buf text; /* of a block */
};

int features_labels_init(struct features_labels *l);
/** Fills `label`. 0, DANA_ENOMEM, or DANA_ELIMIT: the texts are too long to be aligned. */
int features_labels_make(struct features_labels *l, const struct blocks *blocks, struct slice gold_text);
void features_labels_free(struct features_labels *l);

/*
 * The files that `dana features` writes: a folder with pages.tsv and plain arrays, little-endian. Zeroed it is closed.
 */

enum features_file {
	FILE_PAGES,
	FILE_LABELS,
	FILE_COUNTS,
	FILE_TOKENS, /* with --tokens */
	FILE_STAGE1,
	FILE_STAGE2,
	FILE_MARGINS,
	FILE_WORDS,
	FILE_KINDS, /* without */
	FEATURES_FILES,
};

struct features_files {
	FILE *file[FEATURES_FILES];
	bool failed;
};

/** Makes the folder if it is missing, and the files of either kind in it. DANA_OK or DANA_EIO with a text. */
int features_files_open(struct features_files *f, const char *folder, bool tokens, struct error *err);

/* features_files_close reports failures of these. */
void features_files_put(struct features_files *f, enum features_file which, const void *data, size_t len);
void features_files_put_number(struct features_files *f, enum features_file which, uint32_t number);
/** A line of pages.tsv. */
void features_files_put_page(struct features_files *f, const struct gold_page *page, uint32_t blocks,
			     size_t gold_tokens);
/** Returns false if not all that was put is in the files, with the reason in errno. */
bool features_files_close(struct features_files *f);

#endif
