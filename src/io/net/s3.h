/* SPDX-License-Identifier: MIT */
/* Addresses s3://bucket/key as https requests, with what libcurl signs them with (AWS signature version 4). */
#ifndef DANA_IO_NET_S3_H
#define DANA_IO_NET_S3_H

#include "base/buf.h"
#include "base/status.h"

/** Texts of the environment; they stay valid while nobody changes it. */
struct s3_access {
	const char *region;
	const char *key, *secret, *token; /* key and secret NULL: unsigned; token NULL: none */
};

/** Returns whether this is an address that begins with s3:// . */
bool s3_is_address(const char *address);
/** Returns what the environment says: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION. */
struct s3_access s3_access(void);
/**
 * Appends the URL of the object, with a NUL. AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL names another store than Amazon's.
 * Returns 0, DANA_ENOMEM, or DANA_ECONFIG: no bucket, no key, or an endpoint that is not an http(s) URL.
 */
int s3_url(const char *address, const struct s3_access *access, struct buf *out, struct error *err);

#endif
