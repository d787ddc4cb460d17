/* SPDX-License-Identifier: MIT */
/* Addresses of inputs, without the network: what is shown of them, and addresses of stores (S3). Pure. */
#ifndef DANA_IO_ADDRESS_H
#define DANA_IO_ADDRESS_H

#include "base/buf.h"
#include "base/status.h"

/*
 * Addresses of inputs: http://, https:// and s3://. Pure.
 */

bool address_is_network(const char *name);
/**
 * Returns whether '\' ends the host: a browser goes to "a" for "http://a\@b/", libcurl to "b". Such an address is not
 * fetched, and not shown from there on.
 */
bool address_is_ambiguous(const char *address);
/**
 * Appends the address as people and outputs may see it: without user and password, and with "***" in place of every
 * value of the query, of the fragment and of parameters of the path (;jsessionid=). Names that are not addresses are
 * appended as they are.
 */
int address_without_secrets(const char *address, struct buf *out);
/** Appends the address of a page, which its query is a part of: without user and password. Names as above. */
int address_of_page(const char *address, struct buf *out);
/**
 * Appends what distinguishes the address from others, for a digest: values as they are, but for tokens and for what is
 * signed anew when the same file is asked for later.
 */
int address_identity(const char *address, struct buf *out);
/**
 * Returns whether a segment of the name is ".." from byte `from` on; of an address also as servers may read it: "%2e",
 * and '\' or "%2f" for '/'. What follows the path of an http address does not count.
 */
bool address_climbs(const char *name, size_t from);
/** Appends "scheme://host:port" in small letters, as url_parts finds them: what is one host to host_gate_find. */
int address_host(const char *address, struct buf *out);
/** Returns the part of the name that outputs are called after: for an address its path's last segment, else `name`. */
struct slice address_path(const char *name);

/* Addresses s3://bucket/key as https requests, with what libcurl signs them with (AWS signature version 4). */

/** Texts of the environment; they stay valid while nobody changes it. */
struct s3_access {
	const char *region;
	const char *key, *secret, *token; /* key and secret NULL: unsigned; token NULL: none */
};

bool s3_is_address(const char *address);
/** Returns the variables of the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION.
 */
struct s3_access s3_access(void);
/**
 * Appends the URL of the object, with a NUL. AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL names another store than Amazon's.
 * Returns 0, DANA_ENOMEM, or DANA_ECONFIG: no bucket, no key, or an endpoint that is not an http(s) URL.
 */
int s3_url(const char *address, const struct s3_access *access, struct buf *out, struct error *err);

#endif
