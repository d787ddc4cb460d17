/* SPDX-License-Identifier: MIT */
/* Records of WARC that dana has written, as they stand in the file: for tools that pass them on unchanged. */
#ifndef DANA_RUN_ROWS_PACKED_RECORDS_H
#define DANA_RUN_ROWS_PACKED_RECORDS_H

#include "run/rows/packed_lines.h"

/** Zeroed before use; slices are valid until the next call. */
struct packed_record {
	struct buf bytes;     /* the record, from its version line to the blank lines after its block */
	bool conversion;      /* a document */
	struct slice id, url; /* WARC-Refers-To without < and >, WARC-Target-URI; empty without one */
};

/** Whether the first line of a file is that of a record. */
bool packed_record_begins(struct slice line);
/**
 * The record that begins with `line`, which packed_lines_next has returned. 0; DANA_EFORMAT: it is not one that dana
 * writes, or cut; or what packed_lines_next returns.
 */
int packed_record_read(struct packed_lines *p, struct slice line, struct packed_record *r, struct error *err);
void packed_record_free(struct packed_record *r);

#endif
