/* SPDX-License-Identifier: MIT */
/* Names of hosts in the form in which they are compared. */
#ifndef DANA_PLUGINS_URL_LISTS_H
#define DANA_PLUGINS_URL_LISTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "archive/codec/codec.h"
#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"

enum { HOST_MOST = 253 }; /* bytes of a name, RFC 1035 */

/**
 * Writes the name in lower case, in the form of IDNA (xn--...) if it has letters beyond ASCII, without a dot at its
 * end, and an IPv6 address without its brackets. Returns its length; 0 if it is not a host name (too long, an empty
 * label, or a character that is not allowed).
 */
size_t host_normal(struct slice name, char out[HOST_MOST + 1]);

/*
 * A set of hashes of 64 bits: an open table, at most six tenths full, 8 bytes a place. Of n members and a random other
 * hash, one in 2^64 / n is taken for a member: with five million, one in 3,700,000,000,000.
 */

/** Zero-initialised it is empty; hash_set_free frees it. Threads: any number may look up while nobody adds. */
struct hash_set {
	uint64_t *place; /* 0: free */
	size_t cap, n;   /* cap: a power of two */
};

/** Prefetches the place of a hash that will be looked up or added: waiting for memory takes most of the time here. */
static inline void hash_set_expect(const struct hash_set *s, uint64_t hash)
{
	if (s->cap)
		__builtin_prefetch(&s->place[(size_t)hash & (s->cap - 1)]);
}

/* A list of domains; a domain matches itself and all its subdomains. Threads: any number may look up. */

struct psl_library;

/** Zeroed: empty. Owner: domains_free. */
struct domains {
	const struct psl_library *psl; /* set by domains_ready */
	struct hash_set set;
	uint64_t suffixes; /* short entries that were left out because they are public suffixes ("com", "co.uk") */
	bool single;       /* an entry has no dot: "localhost" */
	uint64_t *waiting; /* hashes that domains_settle adds to the set, which grows once for all of them */
	size_t n_waiting, waiting_cap;
};

/** Loads libpsl and libidn2; must be called first. Returns 0, or DANA_ELIBRARY or DANA_ENOMEM with a text. */
int domains_ready(struct domains *d, struct error *err);

/**
 * Adds the entries of a file: "example.com", "*.example.com", ".example.com", or lines of a hosts file, "0.0.0.0
 * example.com". Returns 0, or a negative status with a text.
 */
int domains_read(struct domains *d, const char *file, struct error *err);

/** Adds one entry, with `name` as a user writes it. Returns 0, DANA_ENOMEM, or DANA_ECONFIG if it is not a domain. */
int domains_add(struct domains *d, struct slice name);

/**
 * Must be called after domains_add and before domains_find, which would miss these entries. Returns 0 or
 * DANA_ENOMEM.
 */
int domains_settle(struct domains *d);

/**
 * Returns the longest parent domain of `host`, or `host` itself, that is listed and not a public suffix; empty if no
 * domain is. `host` is in normal form (host.h) and terminated.
 */
struct slice domains_find(const struct domains *d, struct slice host);

void domains_free(struct domains *d);

/* The bytes of a list, decoded if the file is gzip, of one or more members. */

enum { LIST_BLOCK = 256 << 10 };

struct list_bytes {
	int fd;
	struct codec *gzip; /* NULL: the file is plain */
	bool end;           /* of the file */
	bool between;       /* between members, or before the first */
	struct codec_in in;
	uint8_t data[LIST_BLOCK];
};

/*
 * Lists with one entry per line, plain or gzip. A '#' at the beginning of a line or after white space starts a comment.
 */

enum { LIST_LINE_MOST = 64 << 10 };

/** The place of an entry, for messages. */
struct list_place {
	const char *file;
	unsigned long line;
};

/**
 * Calls `entry` for each line that is not empty, without white space at its ends. Stops if `entry` does not return 0,
 * and returns that; or DANA_EIO with a text if the file cannot be read, is damaged, or has a line of LIST_LINE_MOST
 * bytes.
 */
int list_file_read(const char *file,
		   int (*entry)(void *arg, struct slice text, const struct list_place *place, struct error *err),
		   void *arg, struct error *err);

/* Texts that are searched for anywhere in a URL, ignoring ASCII case. Threads: any number may search. */

enum { SUBSTRING_BUCKETS = 4096 };

/** Zero-initialised it is empty; substrings_free frees it. */
struct substrings {
	struct buf texts;     /* in lower case, one after the other */
	struct substring *at; /* place in `texts`, and the next of the same bucket */
	size_t n, cap;
	uint32_t bucket[SUBSTRING_BUCKETS]; /* by the first three bytes: number of the first text, from 1; 0: empty */
	uint32_t shorter;                   /* first of the texts of one and two bytes */
};

int substrings_add(struct substrings *s, struct slice text);

/** Adds the entries of a file. Returns 0, or a negative status with a text. */
int substrings_read(struct substrings *s, const char *file, struct error *err);

/** Returns the text that occurs first in the URL; empty if no text does. */
struct slice substrings_find(const struct substrings *s, struct slice url);

void substrings_free(struct substrings *s);

/* Regular expressions (PCRE2) that are searched for in a URL. */

struct pattern;

/** Zero-initialised it is empty; patterns_free frees it. Threads: any number may search, each with its own matcher. */
struct patterns {
	struct pattern *at;
	size_t n, cap;
};

/** Memory that one thread needs to search. */
struct matcher;

/**
 * Adds a pattern. Returns 0, DANA_ENOMEM, or DANA_ECONFIG with the place and the reason in `err` if it cannot be
 * parsed.
 */
int patterns_add(struct patterns *p, struct slice text, struct error *err);

/**
 * Adds the entries of a file. A '#' starts a comment at the beginning of a line or after white space; elsewhere it is
 * part of the pattern.
 */
int patterns_read(struct patterns *p, const char *file, struct error *err);

/**
 * Returns the text of the first pattern that matches, in the order in which they were added; empty if no pattern
 * matches. A pattern that takes more than PATTERN_STEPS steps does not match, and is counted in *stopped.
 */
struct slice patterns_find(const struct patterns *p, struct matcher *m, struct slice url, uint64_t *stopped);

void patterns_free(struct patterns *p);

enum { PATTERN_STEPS = 100000 };

/** Returns NULL if memory is exhausted. */
struct matcher *matcher_new(void);

void matcher_free(struct matcher *m);

#endif
