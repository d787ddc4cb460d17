/* Heads of ARC 1.0 and 1.1 files (Burner and Kahle, ARC File Format, 1996): one line of five or ten fields. */
#ifndef DANA_WARC_ARC_HEAD_H
#define DANA_WARC_ARC_HEAD_H

#include "warc/field.h"

struct head_verdict;

/** True when `line` is an ARC head line: URL, address, date of digits, media type, length. */
bool arc_head_plausible(struct slice line);

/** True when an input that begins so is taken for ARC; *need_more when more bytes (up to 16) could tell. */
bool arc_head_begins(struct slice first, bool *need_more);

/** Reads a head line. A filedesc becomes a warcinfo record, all others responses; rec->version is left to the framer. */
int arc_head_read(struct slice line, struct field_list *fields, struct record *rec, struct head_verdict *verdict);

#endif
