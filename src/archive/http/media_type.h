/* SPDX-License-Identifier: MIT */
/* The media type of a body (doc/FORMATS.md, "Media type"), from its header and its first bytes. */
#ifndef DANA_ARCHIVE_HTTP_MEDIA_TYPE_H
#define DANA_ARCHIVE_HTTP_MEDIA_TYPE_H

#include "base/slice.h"

enum { MEDIA_SNIFF_BYTES = 512 };

/** The media types that are read as HTML, as string literals with SEPARATOR between them. */
#define MEDIA_HTML(SEPARATOR) "text/html" SEPARATOR "application/xhtml+xml"

/**
 * Returns whether `first` begins a whole page of HTML, and not a piece of markup: by a doctype or the element html,
 * after comments and a declaration.
 */
bool media_type_begins_page(struct slice first);
/** Returns whether `type`, in any case, is one of MEDIA_HTML. */
bool media_type_is_html(struct slice type);
/** The media types that are text as it stands, likewise. */
#define MEDIA_TEXT(SEPARATOR) "text/plain" SEPARATOR "text/markdown"

/** Returns whether `type`, in any case, is one of MEDIA_TEXT; *markdown: it is Markdown. */
bool media_type_is_text(struct slice type, bool *markdown);
/**
 * Returns type and subtype of a Content-Type value, without parameters and white space; of several values, joined by
 * commas, of the last one that can be read; empty if none can.
 */
struct slice media_type_of_header(struct slice content_type);
/** Returns the charset parameter that belongs to it; empty if there is none. */
struct slice media_type_charset(struct slice content_type);
/** Returns whether a body of this Content-Type may be a text: other types may well be compressed files. */
bool media_type_may_be_text(struct slice content_type);
/**
 * Returns the media type that counts: a binary format; the header; where that is vague or missing, HTML by the first
 * bytes, then `payload_type`. Case is as sent. Empty: unknown. `first`: the first MEDIA_SNIFF_BYTES bytes of the
 * decoded body.
 */
struct slice media_type(struct slice content_type, struct slice payload_type, struct slice first);

#endif
