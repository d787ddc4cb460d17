/* SPDX-License-Identifier: MIT */
/*
 * Makes digests of bytes as they come, for digest.c. There are two files that do: configure takes digest_crypto.c, or
 * digest_plain.c where there is no libcrypto. Both also have sha1 and digest_library_version of digest.h.
 */
#ifndef DANA_BASE_DIGEST_MAKER_H
#define DANA_BASE_DIGEST_MAKER_H

#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"
#include "base/status.h"

enum { DIGEST_MOST = 64 }; /* bytes of a digest */

struct digest_maker;

/** NULL if memory is exhausted or a library is missing; `err` says which. */
struct digest_maker *digest_maker_new(struct error *err);
/** The algorithm of a name as "sha1", "SHA-256", in any case of letters; NULL: it is not known. Static. */
const void *digest_algorithm(const struct digest_maker *m, struct slice name);
/** What digest_maker_begin returns besides 0 and DANA_ENOMEM: this system does not allow the algorithm. */
enum { DIGEST_REFUSED = 1 };
int digest_maker_begin(struct digest_maker *m, const void *algorithm);
/** 0 or DANA_ENOMEM, as the next two. */
int digest_maker_take(struct digest_maker *m, struct slice bytes);
/** `to` continues from where `from` is. */
int digest_maker_copy(struct digest_maker *to, const struct digest_maker *from);
/** Ends the digest, of *n bytes. */
int digest_maker_end(struct digest_maker *m, uint8_t digest[DIGEST_MOST], size_t *n);
/** NULL allowed. */
void digest_maker_free(struct digest_maker *m);

/** Of digest.c: adds 64 bytes to the state of a SHA-256. */
void sha256_block(uint32_t state[8], const uint8_t *bytes);

#endif
