/* SPDX-License-Identifier: MIT */
/*
 * What of a text is shown to the detector: its longest lines. They are sentences; what is short is headings, names and
 * lists. The language of a page is told as well by its best 512 bytes as by all of it (doc/PLUGINS.md has the figures).
 */
#ifndef DANA_LANGUAGE_SAMPLE_H
#define DANA_LANGUAGE_SAMPLE_H

#include <stddef.h>

enum { SAMPLE_BYTES = 512 };

struct sample {
	char text[SAMPLE_BYTES + 1];
	size_t len;
};

/** Takes the longest lines of well-formed UTF-8, the longest first, up to SAMPLE_BYTES; the last may be cut. */
void sample_take(struct sample *s, const char *text, size_t len);

#endif
