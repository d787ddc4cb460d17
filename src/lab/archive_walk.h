/* SPDX-License-Identifier: MIT */
/*
 * A walk over the pages of an archive that `dana filter` takes by default, one after the other, for what judges pages
 * and writes none.
 */
#ifndef DANA_LAB_ARCHIVE_WALK_H
#define DANA_LAB_ARCHIVE_WALK_H

#include "archive/document.h"
#include "base/buf.h"
#include "base/diagnostics.h"
#include "base/status.h"

struct model_reader;

struct archive_walk {
	const char *method;          /* makes the texts of the documents */
	struct model_reader *models; /* of the method; NULL: it has none in files */
	struct notices lines;        /* whole lines about the archive */
	bool quiet;                  /* only about faults */
	struct buf *page;            /* holds the page of the document, as UTF-8 */
	/** Called for each page. A negative status ends the walk, and is reported in a line. */
	int (*document)(void *arg, struct document *doc);
	void *arg;
};

/**
 * Returns 0; DANA_EFORMAT without a text in `err` if some records are damaged, or DANA_EIO if the archive could not be
 * read or the walk was ended, which was reported; or another negative status with a text.
 */
int archive_walk_run(const struct archive_walk *w, const char *file, struct error *err);

#endif
