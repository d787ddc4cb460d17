/* SPDX-License-Identifier: MIT */
/* `dana explain --archive`: an overview of the pages of an archive. */
#ifndef DANA_LAB_EXPLAIN_EXPLAIN_ARCHIVE_H
#define DANA_LAB_EXPLAIN_EXPLAIN_ARCHIVE_H

#include "base/notice.h"
#include "base/status.h"
#include "lab/explain/html_out.h"

/**
 * Reads the archive twice: once for the shares, once for the pictures of the pages with most and least kept. Appends
 * the report. Returns 0; DANA_EFORMAT without a text in `err` if the report is complete but some records are damaged;
 * or another negative status. Problems of the archive go to `lines`, as whole lines.
 */
int explain_archive(struct html_out *out, const char *file, const char *method, struct notices lines,
		    struct error *err);

#endif
