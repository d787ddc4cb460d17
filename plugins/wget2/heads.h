/* SPDX-License-Identifier: MIT */
/*
 * The request and the head of the response that belong to a downloaded file. wget2 passes neither to its plugins; but
 * libwget logs both as bytes for debugging, on the thread that then passes the file. So the debug log is read. If a
 * version of libwget words it differently, and over HTTP/2, no heads are found; callers work without them.
 */
#ifndef DANA_WGET2_HEADS_H
#define DANA_WGET2_HEADS_H

#include "base/slice.h"

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

#endif
