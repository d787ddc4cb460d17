/* SPDX-License-Identifier: MIT */
/*
 * The part of a text that the detector gets: its longest lines, which are sentences; short lines are headings, names
 * and lists. The best 512 bytes of a page are as good for detection as all of it (figures in doc/PLUGINS.md).
 */
#ifndef DANA_LANGUAGE_SAMPLE_H
#define DANA_LANGUAGE_SAMPLE_H

#include <stddef.h>

enum { SAMPLE_BYTES = 512 };

struct sample {
	char text[SAMPLE_BYTES + 1];
	size_t len;
};

/**
 * Fills the sample with the longest lines of well-formed UTF-8, longest first, up to SAMPLE_BYTES; the last may be cut.
 */
void sample_take(struct sample *s, const char *text, size_t len);

#endif
