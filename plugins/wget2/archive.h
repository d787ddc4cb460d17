/* SPDX-License-Identifier: MIT */
/*
 * The request and the head of the response that belong to a downloaded file. wget2 passes neither to its plugins; but
 * libwget logs both as bytes for debugging, on the thread that then passes the file. So the debug log is read. If a
 * version of libwget words it differently, and over HTTP/2, no heads are found; callers work without them.
 */
#ifndef DANA_PLUGINS_WGET2_ARCHIVE_H
#define DANA_PLUGINS_WGET2_ARCHIVE_H

#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"
#include "plugins/wget2/host_api.h"

/** As sent, from the request line or status line to the empty line or near it. */
struct heads {
	struct slice request, response;
};

/** Starts to read the log, which still reaches its previous function. Called once, before wget2 has other threads. */
void heads_start(void);

/**
 * Takes the heads of the last exchange on this thread, valid until its next exchange. Returns false if there are no
 * heads, or the last exchange requested something else. `target`: the path and query of the file, escaped.
 */
bool heads_take(struct slice target, struct heads *heads);

/* The bytes of a downloaded file, from wget2's memory or from where it has stored them. */

/**
 * Reads up to `most` bytes, which are in wget2's memory or in `copy`. *cut: there are more. Returns false if the body
 * is not available, because wget2 has not kept it or memory is exhausted.
 */
bool body_read(host_file *file, size_t most, struct buf *copy, struct slice *body, bool *cut);

/*
 * A downloaded file as records of a WARC (WARC/1.1, section 6): the response, and the request where it is known. wget2
 * passes bodies without transfer and content codings. So the head is changed to fit, and the server's own fields become
 * X-Crawler-Content-Length and so on, as in the archives of Common Crawl.
 */

enum { RECORDS_ID = sizeof("<urn:uuid:01234567-89ab-cdef-0123-456789abcdef>") };

struct download {
	struct slice url;
	bool has_heads; /* false: the record is a resource, which has no head */
	struct heads heads;
	struct slice body;
	bool body_cut; /* the body is longer */
};

/** What both records of a download share. */
struct records_origin {
	const char *warcinfo_id; /* NULL: no archive is kept, and digests are left out */
	char date[32];
	char id[RECORDS_ID]; /* of the response */
};

/** Fills date and id. Returns 0, or DANA_EIO if the system has no random bytes. */
int records_begin(struct records_origin *origin, const char *warcinfo_id);

/** Each appends one record. Returns 0 or DANA_ENOMEM. */
int records_response(const struct records_origin *origin, const struct download *download, struct buf *out);

int records_request(const struct records_origin *origin, const struct download *download, struct buf *out);

int records_warcinfo(const struct records_origin *origin, const char *file, struct buf *out);

/*
 * The WARC of a crawl: FILE.part, which is renamed to FILE when the crawl ends. Each record is written as soon as it
 * comes, as a member of its own if FILE is compressed, so that the file is valid however wget2 ends. Any thread.
 */

struct kept_archive;

/**
 * Creates the file; `path` is borrowed. Returns 0, or DANA_ECONFIG (FILE or FILE.part exists), DANA_EIO or DANA_ENOMEM
 * with a text.
 */
int archive_open(struct kept_archive **out, const char *path, bool force, struct error *err);

/** Returns the id of its warcinfo. */
const char *archive_id(const struct kept_archive *a);

/**
 * Writes whole records, each in a buffer of its own, without others between them. Returns 0, or DANA_EIO or DANA_ENOMEM
 * with a text.
 */
int archive_write(struct kept_archive *a, const struct buf *records, size_t n, struct error *err);

/** Completes and renames the file. Returns 0, or DANA_EIO with a text. NULL allowed. */
int archive_close(struct kept_archive *a, struct error *err);

#endif
