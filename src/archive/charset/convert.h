/* SPDX-License-Identifier: MIT */
/*
 * Any charset to well-formed UTF-8, incrementally. Decides by BOM, HTTP header, <meta> prescan, uchardet, in this
 * order. Never fails for bad data: U+FFFD takes the place of what cannot be decoded. A charset for which this system
 * has no converter is DANA_ECHARSET, a lack of memory or descriptors while converters are loaded DANA_ENOMEM or
 * DANA_EFILES.
 */
#ifndef DANA_CHARSET_CONVERT_H
#define DANA_CHARSET_CONVERT_H

#include "archive/stream/byte_sink.h"
#include "base/slice.h"
#include "base/status.h"

/** For messages about DANA_ECHARSET; takes charset_convert_name. */
#define CHARSET_MISSING "no converter for %s is installed (" CHARSET_PACKAGES ")"

struct charset_convert;

/** `next` takes UTF-8; a status of its write other than 0 is passed on by write and finish. */
struct charset_convert *charset_convert_new(struct byte_sink *next);
/**
 * Gets ready for the next body. `label`: charset parameter of the HTTP Content-Type; empty or no label of the web: not
 * known.
 */
void charset_convert_reset(struct charset_convert *c, struct slice label);
/**
 * The same with a name that a user gives: a label of the web or a name of iconv; empty: not known. DANA_OK, or what
 * iconv_name_find returns.
 */
int charset_convert_reset_named(struct charset_convert *c, struct slice name);
/** 0, what `next` returned, or a negative status, DANA_ECHARSET among them: after one, only reset and free. */
int charset_convert_write(struct charset_convert *c, struct slice bytes);
/** Ends the body: what waits is flushed. Does not call next->finish. Returns the same. */
int charset_convert_finish(struct charset_convert *c);
/**
 * Name that was used for decoding (WHATWG name in lower case, or as it was given by a user; until the next reset), or
 * that of the charset which has no converter. NULL before anything was decided.
 */
const char *charset_convert_name(const struct charset_convert *c);
/** PROBLEM_BAD_CHARSET or 0; complete after finish. */
unsigned charset_convert_problems(const struct charset_convert *c);
void charset_convert_free(struct charset_convert *c);

/** The charset parameter of a media type; empty when it has no such parameter. */
struct slice charset_of_content_type(struct slice content_type);

#endif
