/* SPDX-License-Identifier: MIT */
/* The id of what we make of a record (doc/FORMATS.md, "WARC output"): the same in every run over the same input. */
#ifndef DANA_SINK_CONVERSION_ID_H
#define DANA_SINK_CONVERSION_ID_H

#include "archive/stream/document.h"
#include "base/digest/uuid.h"

enum { CONVERSION_ID = sizeof("urn:uuid:") - 1 + UUID_TEXT };

/**
 * "urn:uuid:..." over source id (or "-"), base name of the input, number of the record, method and `form` of the text
 * ("": plain; "+markdown"; "+NAME" of a method after the first); NUL ended. Returns 0 or DANA_ENOMEM.
 */
int conversion_id(const struct document *doc, const char *form, char out[CONVERSION_ID + 1]);
/** As conversion_id for a warcinfo: over its input, the file that it begins ("-": standard output) and the method. */
int warcinfo_id(const char *input, const char *filename, const char *method, char out[CONVERSION_ID + 1]);
/** Returns what follows the last slash of a path or URL; all of it if it has no slash. */
struct slice base_name(const char *path);

#endif
