/* SPDX-License-Identifier: MIT */
/*
 * Checks the digest that a record's head gives of its block (WARC 1.1, section 5.8) while the block streams. Known are
 * sha1, sha256 and md5, in hexadecimal or base32, in any case. What is written otherwise cannot be checked. One owner,
 * one thread.
 */
#ifndef DANA_DIGEST_BLOCK_DIGEST_H
#define DANA_DIGEST_BLOCK_DIGEST_H

#include "base/slice.h"
#include "base/status.h"

enum block_digest_result {
	BLOCK_DIGEST_NONE, /* nothing that can be checked was given */
	BLOCK_DIGEST_GOOD,
	BLOCK_DIGEST_BAD,
};

struct block_digest;

/** NULL: memory is exhausted, or libcrypto cannot be loaded; `err` says which. */
struct block_digest *block_digest_new(struct error *err);
/**
 * A block of `length` bytes begins. `field`: value of WARC-Block-Digest, as "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5";
 * empty: none. Borrowed until block_digest_end. 0 or DANA_ENOMEM.
 */
int block_digest_begin(struct block_digest *d, struct slice field, uint64_t length);
/** Bytes of the block, any split. 0 or DANA_ENOMEM. */
int block_digest_write(struct block_digest *d, struct slice bytes);
/**
 * The block is over. More bytes than `length` (as in Common Crawl 2018-34, whose lengths are 2 too small) count both
 * ways: the digest may be of all bytes or of the first `length` ones. Fewer cannot be checked. enum block_digest_result
 * or DANA_ENOMEM.
 */
int block_digest_end(struct block_digest *d);
/** NULL allowed. */
void block_digest_free(struct block_digest *d);

#endif
