/* SPDX-License-Identifier: MIT */
/* A list of domains; a domain matches itself and all its subdomains. Threads: any number may look up. */
#ifndef DANA_PLUGINS_URL_DOMAINS_H
#define DANA_PLUGINS_URL_DOMAINS_H

#include "base/slice.h"
#include "base/status.h"
#include "plugins/url/hash_set.h"

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

#endif
