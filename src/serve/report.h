/* SPDX-License-Identifier: MIT */
/* What a worker notes of each page for GET /report, and the service's sum of it (serve_config.report). */
#ifndef DANA_SERVE_REPORT_H
#define DANA_SERVE_REPORT_H

#include "archive/document.h"
#include "base/buf.h"
#include "base/status.h"

struct server;

/** Appends a note of a page; `doc` NULL: it could not be read, for the reason in `err`. Any other fault notes nothing.
 */
int page_note_write(int status, const struct document *doc, struct slice url, const struct error *err,
		    struct buf *note);
/** Adds the notes of a worker's answer. Returns 0, DANA_ENOMEM, or DANA_EFORMAT: they are not notes. */
int server_report_add(struct server *s, struct slice notes);

#endif
