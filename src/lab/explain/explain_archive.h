/* SPDX-License-Identifier: MIT */
/* `dana explain --archive`: an overview of the pages of an archive. */
#ifndef DANA_LAB_EXPLAIN_EXPLAIN_ARCHIVE_H
#define DANA_LAB_EXPLAIN_EXPLAIN_ARCHIVE_H

#include "lab/explain/html_out.h"

/**
 * Reads the archive twice: once for the shares, once for the pictures of the pages with most and least kept. Appends
 * the report. Exit status; faults are told.
 */
int explain_archive(struct html_out *out, const char *file, const char *method);

#endif
