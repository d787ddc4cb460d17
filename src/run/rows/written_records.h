/* SPDX-License-Identifier: MIT */
/* Records of WARC that dana has written, as they stand in the file: for tools that pass them on unchanged. */
#ifndef DANA_RUN_ROWS_WRITTEN_RECORDS_H
#define DANA_RUN_ROWS_WRITTEN_RECORDS_H

#include "base/buf.h"
#include "base/status.h"

/** Zeroed before use; slices are valid until the next line is taken. */
struct written_record {
	struct buf bytes;     /* the record, from its version line to the blank lines after its block */
	size_t head;          /* how many of them are its head, with the blank line after it */
	uint64_t whole;       /* how many there will be; 0: not known before the end of the head */
	bool conversion;      /* a document */
	struct slice id, url; /* WARC-Refers-To without < and >, WARC-Target-URI; empty without one */
};

/** Returns whether a line, the first of a file, is that of a record. */
bool written_record_begins(struct slice line);
/**
 * Takes the next line of the file, with its end. Returns 1 if the record is complete, and the next line begins another;
 * 0 if more lines follow; DANA_EFORMAT if it is not a record that dana writes; DANA_ENOMEM.
 */
int written_record_take(struct written_record *r, struct slice line, struct error *err);
/** Returns whether the file may end here: no record has begun, or the last one is complete. */
bool written_record_is_over(const struct written_record *r);
void written_record_free(struct written_record *r);

#endif
