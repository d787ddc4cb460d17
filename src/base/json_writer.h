/* SPDX-License-Identifier: MIT */
/* JSON text (RFC 8259): always valid, always well-formed UTF-8. All functions append to a buffer. */
#ifndef DANA_BASE_JSON_WRITER_H
#define DANA_BASE_JSON_WRITER_H

#include "base/buf.h"

/**
 * Appends `s` as the inside of a JSON string, without quotes: quote, backslash, controls and U+2028, U+2029 are
 * escaped, malformed UTF-8 becomes U+FFFD (Unicode 15, section 3.9, table 3-8), everything else is copied.
 */
int json_escape(struct buf *out, struct slice s);
/** The same in quotes. */
int json_put_string(struct buf *out, struct slice s);
int json_put_number(struct buf *out, uint64_t number);

/*
 * Writes JSON (RFC 8259) piece by piece and adds the commas. Failures latch in the buffer: write everything, then check
 * buf_status. Member names are constants of the program and are not escaped. Example:
 *
 *	struct json_writer w = { .out = buffer };
 *	json_object_begin(&w), json_count(&w, "pages", 3), json_key(&w, "words"), json_array_begin(&w),
 *		json_element(&w, word), json_array_end(&w), json_object_end(&w);
 *
 * writes {"pages":3,"words":["..."]}.
 */

/** Begin with { .out = buffer }. */
struct json_writer {
	struct buf *out;
	bool comma; /* before the next member or element */
};

/* Values: of the whole text, of the member whose name json_key wrote, or the next element of an array. */

void json_object_begin(struct json_writer *w);
void json_object_end(struct json_writer *w);
void json_array_begin(struct json_writer *w);
void json_array_end(struct json_writer *w);
/** Appends a string. */
void json_element(struct json_writer *w, struct slice value);
/** Appends null. */
void json_no_value(struct json_writer *w);

/* Members of an object. */

/** Appends a member's name; its value must follow. */
void json_key(struct json_writer *w, const char *name);
/** As json_key, for a name that is no constant: it is escaped. */
void json_name(struct json_writer *w, struct slice name);
void json_text(struct json_writer *w, const char *name, struct slice value);
/** Appends null if `value` is empty. */
void json_text_or_null(struct json_writer *w, const char *name, struct slice value);
void json_count(struct json_writer *w, const char *name, uint64_t value);
void json_count_or_null(struct json_writer *w, const char *name, bool known, uint64_t value);
/** `value` is finite. */
void json_decimal(struct json_writer *w, const char *name, double value, int decimals);
/** A value that is JSON already. */
void json_raw(struct json_writer *w, const char *name, struct slice json);
void json_bool(struct json_writer *w, const char *name, bool value);

#endif
