/* SPDX-License-Identifier: MIT */
/* Merges files of signatures into one: the same documents, in the order of the names of the files' first inputs. */
#ifndef DANA_DEDUP_SIGNATURE_MERGE_H
#define DANA_DEDUP_SIGNATURE_MERGE_H

#include "dedup/signatures.h"

/** Returns 0; DANA_ECONFIG, DANA_EFORMAT, DANA_EIO, DANA_ELIMIT or DANA_ENOMEM with the text in `err`. */
int signature_files_merge(const char *const *paths, size_t n, const char *output, bool force, struct error *err);

#endif
