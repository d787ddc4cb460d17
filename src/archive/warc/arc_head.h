/* SPDX-License-Identifier: MIT */
/* Heads of ARC 1.0 and 1.1 files (Burner and Kahle, ARC File Format, 1996): one line of five or ten fields. */
#ifndef DANA_WARC_ARC_HEAD_H
#define DANA_WARC_ARC_HEAD_H

#include "archive/warc/field.h"

struct head_verdict;

/** Returns true when `line` is an ARC head line: URL, address, date of digits, media type, and *length. */
bool arc_head_plausible(struct slice line, uint64_t *length);

/**
 * Returns true when an input that begins with `first` is taken for ARC. *need_more: not yet, but more bytes (up to 16)
 * can make it so.
 */
bool arc_head_begins(struct slice first, bool *need_more);

/**
 * Reads a head line: a filedesc line becomes a warcinfo record, each other one a response. rec->version is set by the
 * framer. Returns 0 or DANA_ENOMEM; what is wrong with the line is in `verdict`.
 */
int arc_head_read(struct slice line, struct field_list *fields, struct record *rec, struct head_verdict *verdict);

#endif
