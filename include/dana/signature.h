/* SPDX-License-Identifier: MIT */
/*
 * Part of libdana-archive: MinHash signatures of texts, by which near-duplicates are found, the same as of the plugin
 * dedup-near (doc/DEDUP.md says how they are computed).
 *
 * Two texts are candidates when they have a bucket in common; the lowest bytes estimate how similar they are.
 */
#ifndef DANA_SIGNATURE_H
#define DANA_SIGNATURE_H

#include "archive.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DANA_SIGNATURE_BANDS 14 /* what dedup-near has without other options */
#define DANA_SIGNATURE_ROWS 8
#define DANA_SIGNATURE_MOST 128 /* numbers: bands times rows */

struct dana_signer;

/** Borrowed until the next call on its signer. */
struct dana_signature {
	const uint8_t *lowest;   /* bands * rows: the lowest byte of each number */
	const uint64_t *buckets; /* one for each band */
};

/**
 * Makes a signer: one for each thread. Returns 0, DANA_BAD_OPTION (bands * rows is 0 or above DANA_SIGNATURE_MOST) or
 * DANA_OUT_OF_MEMORY.
 */
DANA_API int dana_signer_new(struct dana_signer **signer, unsigned bands, unsigned rows);
/**
 * Signs a text of UTF-8. Returns 1; 0: it has no words, and so no duplicates; or DANA_OUT_OF_MEMORY.
 */
DANA_API int dana_signer_text(struct dana_signer *signer, const char *text, size_t len,
			      struct dana_signature *signature);
/** NULL allowed. */
DANA_API void dana_signer_free(struct dana_signer *signer);

#ifdef __cplusplus
}
#endif

#endif
