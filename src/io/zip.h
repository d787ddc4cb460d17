/* SPDX-License-Identifier: MIT */
/*
 * Archives in a zip, as WACZ has them: the directory of the zip, of a file or on a server, and its entries as inputs.
 * Ownership: names are in the caller's arena. Errors: negative status, the text in struct error.
 */
#ifndef DANA_IO_ZIP_H
#define DANA_IO_ZIP_H

#include "base/arena.h"
#include "io/source.h"

struct network;
struct network_session;

/** Entries of a zip, in the order of its directory. `memory` is the owner's, who frees the array; zeroed before use. */
struct zip_entries {
	struct arena *memory;
	struct source_part *items;
	size_t n, cap;
};

/** Returns whether a file begins as a zip does. */
bool zip_begins(const char *path);
/**
 * Reads the directory of the zip at `address`, a path or, with a network, an address, and appends the entries that
 * `wanted` takes. Entries that cannot be read have a fault. Returns 0; DANA_ECONFIG: it is no zip;
 * DANA_EFORMAT: it is damaged; DANA_EIO: it cannot be read; DANA_ENOMEM.
 */
int zip_read(struct zip_entries *out, const char *address, const char *shown, struct network *network,
	     bool (*wanted)(struct slice name), struct error *err);
/**
 * Opens an input, or a part of it that may be deflated; `session` NULL: `address` is a path. Returns as source_open.
 * A deflated part is not seekable, and begins at 0.
 */
int zip_source_open(struct source **out, struct loop *l, struct network_session *session, const char *address,
		    const char *shown, const struct source_part *part, uint64_t offset,
		    const struct source_events *events, struct error *err);

#endif
