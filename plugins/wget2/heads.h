/* SPDX-License-Identifier: MIT */
/*
 * The request and the head of the response that belong to a downloaded file. wget2 passes neither to its plugins; but
 * libwget logs both as bytes for debugging, on the thread that then passes the file. So its log of that kind is read.
 * What is logged in a version that words it otherwise is not found, and over HTTP/2 nothing is: callers do without.
 */
#ifndef DANA_WGET2_HEADS_H
#define DANA_WGET2_HEADS_H

#include "base/slice.h"

/** As on the wire, from the request line or status line to the empty line or near it. */
struct heads {
	struct slice request, response;
};

/** Begins to read the log; what was logged before goes on. Once, before wget2 has other threads. */
void heads_start(void);
/**
 * The heads of the last exchange on this thread, which are forgotten: valid until the thread's next one. False: there
 * are none, or the last exchange asked for something else. `target`: the path and query of the file, escaped.
 */
bool heads_take(struct slice target, struct heads *heads);

#endif
