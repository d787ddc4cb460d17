/* SPDX-License-Identifier: MIT */
/* Digests of bytes, ids made from them, and bytes as text. Example: sha1 and sha1_base32 give the digest of a WARC
 * head. */
#ifndef DANA_BASE_DIGEST_H
#define DANA_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"

/* SHA-1 as WARC digests want it: "sha1:" and base32 (RFC 4648, section 6), 32 characters without padding. */

enum { SHA1_BYTES = 20, SHA1_BASE32 = 32 };

/** Returns 0, DANA_ELIBRARY, or DANA_ENOMEM if libcrypto fails (only without memory or without the algorithm). */
int sha1(struct slice data, uint8_t digest[SHA1_BYTES]);
/** Writes the digest in base32, with a final NUL. */
void sha1_base32(const uint8_t digest[SHA1_BYTES], char out[SHA1_BASE32 + 1]);

/* SHA-256 (FIPS 180-4) as hexadecimal text: identifies contents in dana's own files. */

enum { SHA256_BYTES = 32, SHA256_TEXT = 2 * SHA256_BYTES };

/** Writes the digest of `data` in lower case, with a final NUL. */
void sha256_text(struct slice data, char out[SHA256_TEXT + 1]);

/* Name-based UUIDs, version 5 (RFC 4122, section 4.3), in dana's own namespace: ids that are the same in every run. */

enum { UUID_TEXT = 36 };

/** Writes the UUID of `name` in dana's namespace, in lower case, with a final NUL. Returns 0 or a status like sha1. */
int uuid_of_name(struct slice name, char out[UUID_TEXT + 1]);
/** The same in any namespace. */
int uuid5(const uint8_t space[16], struct slice name, char out[UUID_TEXT + 1]);

/*
 * Checks the digest that a record's head gives of its block (WARC 1.1, section 5.8) while the block streams. It knows
 * the algorithms of libcrypto by their names there ("sha1", "SHA-384", "blake2b512"), in hexadecimal or base32, in any
 * case, or in base64. One owner, one thread.
 */

enum block_digest_result {
	BLOCK_DIGEST_NONE,    /* the record has no digest, or its block is not whole */
	BLOCK_DIGEST_UNKNOWN, /* it has one whose algorithm or form is not known */
	BLOCK_DIGEST_GOOD,
	BLOCK_DIGEST_BAD,
};

struct block_digest;

/** Returns the text of libcrypto, or that it is not built in; NULL if it cannot be loaded. */
const char *digest_library_version(void);
/** Returns NULL if memory is exhausted or libcrypto cannot be loaded; `err` says which. */
struct block_digest *block_digest_new(struct error *err);
/**
 * Begins a block of `length` bytes. `field`: value of WARC-Block-Digest, as "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5";
 * empty if the record has no digest. Borrowed until block_digest_end.
 */
int block_digest_begin(struct block_digest *d, struct slice field, uint64_t length);
/** Takes bytes of the block, split anywhere. */
int block_digest_write(struct block_digest *d, struct slice bytes);
/**
 * Ends the block. If it had more than `length` bytes (as in Common Crawl 2018-34, whose lengths are 2 too small), the
 * digest may be of all bytes or of the first `length` ones. A shorter block can be checked only if it is `whole`: then
 * `length` was wrong. Returns an enum block_digest_result or DANA_ENOMEM.
 */
int block_digest_end(struct block_digest *d, bool whole);
void block_digest_free(struct block_digest *d);

/* Base64 (RFC 4648, section 4) to bytes; white space between its characters is passed over, padding is needed. */

/** Appends the bytes. 0, DANA_EFORMAT or DANA_ENOMEM. */
int base64_decode(struct slice text, struct buf *out);

/* Digests as text: hexadecimal, base32 and base64 without padding (RFC 4648, sections 4 and 6). */

/** Number of characters for `n` bytes, without the NUL. */
#define DIGEST_HEX_LEN(n) (2 * (n))

#define DIGEST_BASE32_LEN(n) ((8 * (n) + 4) / 5)

#define DIGEST_BASE64_LEN(n) ((8 * (n) + 5) / 6)

#endif
