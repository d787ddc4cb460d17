/* SPDX-License-Identifier: MIT */
/*
 * Archives in a zip, as WACZ has them (archive/zip_directory.h): of a file or on a server, and its entries as sources.
 * Errors: negative status, the text in struct error.
 */
#ifndef DANA_IO_ZIP_H
#define DANA_IO_ZIP_H

#include "io/source.h"

struct network;
struct network_session;

/** Returns whether a file begins as a zip does. */
bool zip_begins(const char *path);
/**
 * Appends the archives of the zip at `address`, a path or, with a network, an address. Returns as zip_directory_read,
 * and DANA_EIO: it cannot be read.
 */
int zip_read(struct zip_entries *out, const char *address, const char *shown, struct network *network,
	     struct error *err);

/**
 * What inflates a zip in a zip, after an archive of it is over: the next archive continues with it. Zeroed before use;
 * `address` is borrowed.
 */
struct zip_kept {
	struct source *source; /* NULL: nothing is kept */
	const char *address;
	struct source_part zip;
	struct slice in; /* what is left of its chunk ... */
	uint64_t at;     /* ... from this byte on */
};

struct zip_input {
	const char *address, *shown;    /* the address in messages */
	const struct source_part *part; /* of it; NULL: all */
	uint64_t offset;                /* of the first byte that is wanted */
	bool whole;                     /* all of the part is read, if not by one run: its checksum is compared */
	struct zip_kept *kept;          /* NULL: nothing is kept for others */
};

/**
 * Opens an input, or a part of it that may be deflated; `session` NULL: `address` is a path. Returns as source_open. A
 * part that is deflated, or lies in a zip that is, is not seekable, and begins at 0. At its end source.fault has what
 * is wrong with an entry.
 */
int zip_source_open(struct source **out, struct loop *l, struct network_session *session, const struct zip_input *input,
		    const struct source_events *events, struct error *err);
void zip_kept_drop(struct zip_kept *kept);

#endif
