/* SPDX-License-Identifier: MIT */
/*
 * The files that `dana features` writes: a folder with pages.tsv and plain arrays, little-endian. Zeroed it is closed.
 */
#ifndef DANA_LAB_TRAIN_FEATURES_FILES_H
#define DANA_LAB_TRAIN_FEATURES_FILES_H

#include <stdio.h>

#include "base/status.h"
#include "lab/measure/gold.h"

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
/** False: not all that was put is in the files; errno says why. */
bool features_files_close(struct features_files *f);

#endif
