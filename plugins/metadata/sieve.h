/* SPDX-License-Identifier: MIT */
/* Finds the tags of a page that may hold metadata. */
#ifndef DANA_PLUGINS_METADATA_SIEVE_H
#define DANA_PLUGINS_METADATA_SIEVE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"
#include "plugins/metadata/scan.h"

/**
 * Returns the next '<' with which meta, link, time, html, h1, script, style or a comment may begin; `end` if not found.
 * Most other tags are skipped. Each '<' among the last three bytes is returned, because too few bytes follow it to
 * decide.
 */
const uint8_t *tag_find(const uint8_t *at, const uint8_t *end);

/*
 * Keeps the parts of a page's HTML that scan_tags() and near_heading_read() need, as the page is streamed: the tags
 * meta, time, html and the canonical link, JSON-LD scripts, and the first heading with the BEFORE_HEADING bytes before
 * it and the NEAR_HEADING bytes from there on; of a page without a heading its first PAGE_BEGIN bytes. This is a few
 * per cent of a page.
 */

/** Zero-initialise it; call sieve_begin() for each page, and sieve_free() at the end. */
struct sieve {
	struct buf kept;   /* HTML: the tags that scan_tags() reads */
	struct buf near;   /* the page from its first heading on; without one, from its begin on */
	struct buf before; /* the page before that */

	/* Private to sieve.c. */
	enum sieve_state { SIEVE_TEXT, SIEVE_NAME, SIEVE_TAG, SIEVE_VALUE, SIEVE_RAW, SIEVE_COMMENT } state;
	uint64_t name; /* of the current tag: its bytes in lower case, the first one lowest */
	size_t name_len;
	int kind;         /* of the current tag, or of the element whose content is skipped */
	size_t tag_start; /* in `kept` */
	struct tag_place place;
	size_t value;   /* bytes of the text after the tag that were kept */
	size_t matched; /* matched bytes of the end tag, or dashes of the end of a comment */
	bool heading;   /* there was one */
	bool copies;
	const uint8_t *stretch; /* that is read now */
};

void sieve_begin(struct sieve *s);

/** Takes the next bytes of the page, cut anywhere. If memory is exhausted, buf_status of `kept`, `near` or `before`
 * says so. */
void sieve_write(struct sieve *s, struct slice html);

void sieve_free(struct sieve *s);

#endif
