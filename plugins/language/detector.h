/* SPDX-License-Identifier: MIT */
/*
 * Detects the language of a text: by CLD2, whose tables are part of its library, or by a model in fastText's format.
 * Threads: several may use one detector at the same time.
 */
#ifndef DANA_PLUGINS_LANGUAGE_DETECTOR_H
#define DANA_PLUGINS_LANGUAGE_DETECTOR_H

#include <stddef.h>

#include "base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LANGUAGE_TAG = 24 };

/** The result of a detection. An empty `tag` means unknown. */
struct language_answer {
	char tag[LANGUAGE_TAG]; /* BCP 47, terminated; "fa", "zh-Hant", "pes-Arab" */
	double score;           /* 0 to 1 */
};

struct language_model;

/** Must be called before the functions below. Returns 0, or DANA_ELIBRARY or DANA_ENOMEM with a text in `err`. */
int detectors_load(struct error *err);

/* Exported by the module. */
#pragma GCC visibility push(default)

/** Detects the language of `len` bytes of UTF-8 by CLD2. Returns 0, or -1 if memory is exhausted. */
int cld2_detect(const char *text, size_t len, struct language_answer *answer);

/** Reads a model. Returns NULL with the reason in `why` if it cannot be read. */
struct language_model *language_model_open(const char *file, char why[200]);
/** Detects the language of `len` bytes of UTF-8 by the model. Returns 0, or -1 if memory is exhausted. */
int language_model_detect(const struct language_model *model, const char *text, size_t len,
			  struct language_answer *answer);
void language_model_free(struct language_model *model);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
