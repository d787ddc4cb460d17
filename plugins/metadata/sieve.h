/* SPDX-License-Identifier: MIT */
/*
 * What of a page's HTML scan_tags() and near_heading_read() need, kept as the page goes by: the tags meta, time, html and the
 * canonical link, scripts of JSON-LD, where the first heading is, and NEAR_HEADING bytes from there on. This is some per cent of a page.
 */
#ifndef DANA_METADATA_SIEVE_H
#define DANA_METADATA_SIEVE_H

#include "base/buf.h"
#include "base/slice.h"
#include "plugins/metadata/near_heading.h"

/** Zeroed, then sieve_begin() for each page; sieve_free() ends it. */
struct sieve {
	struct buf kept; /* HTML: the tags that scan_tags() reads */
	struct buf near; /* the page from its first heading on */

	/* The rest is for sieve.c. */
	enum sieve_state { SIEVE_TEXT, SIEVE_NAME, SIEVE_TAG, SIEVE_VALUE, SIEVE_RAW, SIEVE_COMMENT } state;
	uint64_t name; /* of the tag that begins: its bytes in lower case, the first is the lowest */
	size_t name_len;
	int kind;         /* of the tag, or of the element whose content is skipped */
	size_t tag_start; /* in `kept` */
	uint8_t quote, last;
	size_t value;   /* bytes of it that were kept */
	size_t matched; /* bytes of the end tag, or dashes of the end of a comment, that were met */
	bool heading, copies;
};

void sieve_begin(struct sieve *s);
/** The next bytes of the page; where they are cut makes no difference. Memory: buf_status of the two. */
void sieve_write(struct sieve *s, struct slice html);
void sieve_free(struct sieve *s);

#endif
