/* SPDX-License-Identifier: MIT */
/*
 * Any charset to well-formed UTF-8, incrementally. Decides by BOM, HTTP header, <meta> prescan, uchardet, in this
 * order, where the bytes do not contradict what is said (detect.h). Never fails for bad data: U+FFFD replaces bytes
 * that cannot be decoded. The charsets of the web need nothing of the system. Where a user names another one, a lack of
 * memory or descriptors while iconv loads it is DANA_ENOMEM or DANA_EFILES.
 */
#ifndef DANA_ARCHIVE_CHARSET_CONVERT_H
#define DANA_ARCHIVE_CHARSET_CONVERT_H

#include "archive/byte_sink.h"
#include "base/slice.h"
#include "base/status.h"

struct charset_convert;

/** `next` takes UTF-8; write and finish return any status other than 0 of its write. */
struct charset_convert *charset_convert_new(struct byte_sink *next);
/**
 * Gets ready for the next body. `label`: charset parameter of the HTTP Content-Type; an empty or unknown label is
 * ignored.
 */
void charset_convert_reset(struct charset_convert *c, struct slice label);
/**
 * The same with a name from a user, which no byte but a mark contradicts: a label of the web or a name of iconv; empty:
 * not known. Returns DANA_OK, or as iconv_name_find.
 */
int charset_convert_reset_named(struct charset_convert *c, struct slice name);
/** After a reset: the body is text without markup, in which no <meta> names a charset. */
void charset_convert_text(struct charset_convert *c);
/** Returns 0, the status of `next`, or a negative status, after which only reset and free are allowed. */
int charset_convert_write(struct charset_convert *c, struct slice bytes);
/** Ends the body and flushes held bytes. Does not call next->finish. */
int charset_convert_finish(struct charset_convert *c);
/**
 * Returns the name used for decoding (WHATWG name in lower case, or as given by a user; valid until the next reset).
 * NULL before it is decided.
 */
const char *charset_convert_name(const struct charset_convert *c);
/** Returns a set of PROBLEM_BAD_CHARSET and PROBLEM_CHARSET_LABEL; complete after finish. */
unsigned charset_convert_problems(const struct charset_convert *c);
void charset_convert_free(struct charset_convert *c);

#endif
