/* SPDX-License-Identifier: MIT */
/*
 * A downloaded file as records of a WARC (WARC/1.1, section 6): the response, and the request where it is known. wget2
 * passes bodies without transfer and content codings. So the head is changed to fit, and the server's own fields become
 * X-Crawler-Content-Length and so on, as in the archives of Common Crawl.
 */
#ifndef DANA_WGET2_RECORDS_H
#define DANA_WGET2_RECORDS_H

#include "base/buf.h"
#include "plugins/wget2/heads.h"

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

#endif
