/* SPDX-License-Identifier: MIT */
/*
 * What tells the language of a piece of text: CLD2, whose tables are part of its library, or a model in fastText's format.
 * Threads: one detector may be asked by several at a time.
 */
#ifndef DANA_LANGUAGE_DETECTOR_H
#define DANA_LANGUAGE_DETECTOR_H

#include <stddef.h>

#include "base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LANGUAGE_TAG = 24 };

/** An answer. Unknown: `tag` is empty. */
struct language_answer {
	char tag[LANGUAGE_TAG]; /* BCP 47, terminated; "fa", "zh-Hant", "pes-Arab" */
	double score;           /* 0 to 1 */
};

struct language_model;

/** Makes the functions below ready, and is called before them. 0, or DANA_ELIBRARY or DANA_ENOMEM with a text in `err`. */
int detectors_load(struct error *err);

/* The module shows them. */
#pragma GCC visibility push(default)

/** Asks CLD2 about `len` bytes of UTF-8 text. 0, or -1 when memory is exhausted. */
int cld2_detect(const char *text, size_t len, struct language_answer *answer);

/** Reads a model; NULL: it cannot be read, and `why` says why. */
struct language_model *language_model_open(const char *file, char why[200]);
/** Asks it about `len` bytes of UTF-8 text. 0, or -1 when memory is exhausted. */
int language_model_detect(const struct language_model *model, const char *text, size_t len,
			  struct language_answer *answer);
void language_model_free(struct language_model *model);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
