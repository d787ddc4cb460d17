/* SPDX-License-Identifier: MIT */
/* A list of domains; a domain stands for itself and all names below it. Threads: any number may look. */
#ifndef DANA_PLUGINS_URL_DOMAINS_H
#define DANA_PLUGINS_URL_DOMAINS_H

#include "base/slice.h"
#include "base/status.h"
#include "plugins/url/hash_set.h"

struct psl_library;

enum { DOMAINS_WAITING = 16 };

/** Zeroed: empty. Owner: domains_free. */
struct domains {
	const struct psl_library *psl; /* set by domains_ready */
	struct hash_set set;
	uint64_t suffixes; /* short entries that were left out: public suffixes ("com", "co.uk"), which are nobody's */
	bool single;       /* an entry has no dot: "localhost" */
	size_t n_waiting;
	uint64_t waiting[DOMAINS_WAITING]; /* hashes that domains_settle adds to the set */
};

/** Before all other calls: loads libpsl and libidn2. 0, or DANA_ELIBRARY or DANA_ENOMEM with a text. */
int domains_ready(struct domains *d, struct error *err);
/**
 * Adds the entries of a file: "example.com", "*.example.com", ".example.com", or lines of a hosts file, "0.0.0.0 example.com". 0, or
 * a negative status with a text.
 */
int domains_read(struct domains *d, const char *file, struct error *err);
/** One entry; `name` as a user writes it. 0, DANA_ENOMEM, or DANA_ECONFIG: it is no domain. */
int domains_add(struct domains *d, struct slice name);
/** After domains_add and before domains_find: until then the last entries are not found. 0, or DANA_ENOMEM. */
int domains_settle(struct domains *d);
/** `host` in normal form (host.h), terminated: the part of it that is on the list and no public suffix; empty: none is. */
struct slice domains_find(const struct domains *d, struct slice host);
void domains_free(struct domains *d);

#endif
