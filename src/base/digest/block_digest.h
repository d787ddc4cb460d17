/* SPDX-License-Identifier: MIT */
/*
 * Checks the digest that a record's head gives of its block (WARC 1.1, section 5.8) while the block streams. It knows
 * the algorithms of libcrypto by their names there ("sha1", "SHA-384", "blake2b512"), in hexadecimal or base32, in any
 * case, or in base64. One owner, one thread.
 */
#ifndef DANA_DIGEST_BLOCK_DIGEST_H
#define DANA_DIGEST_BLOCK_DIGEST_H

#include "base/slice.h"
#include "base/status.h"

enum block_digest_result {
	BLOCK_DIGEST_NONE,    /* the record has no digest, or its block is not whole */
	BLOCK_DIGEST_UNKNOWN, /* it has one whose algorithm or form is not known */
	BLOCK_DIGEST_GOOD,
	BLOCK_DIGEST_BAD,
};

struct block_digest;

/** Returns NULL if memory is exhausted or libcrypto cannot be loaded; `err` says which. */
struct block_digest *block_digest_new(struct error *err);
/**
 * Begins a block of `length` bytes. `field`: value of WARC-Block-Digest, as "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5";
 * empty if the record has no digest. Borrowed until block_digest_end. Returns 0 or DANA_ENOMEM.
 */
int block_digest_begin(struct block_digest *d, struct slice field, uint64_t length);
/** Takes bytes of the block, split anywhere. Returns 0 or DANA_ENOMEM. */
int block_digest_write(struct block_digest *d, struct slice bytes);
/**
 * Ends the block. If it had more than `length` bytes (as in Common Crawl 2018-34, whose lengths are 2 too small), the
 * digest may be of all bytes or of the first `length` ones. A shorter block can be checked only if it is `whole`: then
 * `length` was wrong. Returns an enum block_digest_result or DANA_ENOMEM.
 */
int block_digest_end(struct block_digest *d, bool whole);
/** `d` may be NULL. */
void block_digest_free(struct block_digest *d);

#endif
