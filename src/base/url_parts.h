/* SPDX-License-Identifier: MIT */
/* Where the parts of a URL begin and end. Nothing is decoded or changed: parts are as they were written. */
#ifndef DANA_BASE_URL_PARTS_H
#define DANA_BASE_URL_PARTS_H

#include "base/buf.h"

struct url_parts {
	struct slice scheme; /* with "://"; empty: the URL has none */
	struct slice place;  /* host and port as written, without user and password */
	struct slice host;   /* without dots at its end; an IPv6 address with its brackets */
	struct slice port;   /* without ':' */
	struct slice path;   /* up to '?' or '#' */
	struct slice rest;   /* the path and all that follows */
};

/**
 * Parts the URL without the white space around it; what has no scheme begins with its host. Host and port are those
 * that browsers find in an http URL (WHATWG URL): '\' ends them as '/' does, user and password end with the last '@'.
 */
struct url_parts url_parts(struct slice url);
/** Returns the host; empty: the URL has no scheme or no host. */
struct slice url_host(struct slice url);
/** Returns the scheme with its ':', whatever follows it ("mailto:"); empty: the URL is relative. */
struct slice url_scheme(struct slice url);
/** Returns whether a scheme of url_scheme is one of a list that NULL ends. */
bool url_scheme_is(struct slice scheme, const char *const *list);
/**
 * Cleans a reference as browsers do before they take it apart (WHATWG URL): no controls and blanks at its ends, no tabs
 * and line ends inside. Returns it; it lies in `reference`.
 */
struct slice url_clean(struct buf *reference);
/**
 * Returns whether an address of http, https or ftp has "//" and a host that browsers take, and no port that is none
 * (WHATWG URL). Others they read in another way, or not at all: "https:javascript:x", "http://a:b/". Those of other
 * schemes, and relative ones, have what they need.
 */
bool url_is_whole(struct slice address);
/** Returns whether <base> with this absolute address counts: one of a script or of data does not (HTML, 4.2.3). */
bool url_may_be_base(struct slice address);

#endif
