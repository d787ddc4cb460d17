/* SPDX-License-Identifier: MIT */
/*
 * The members of a JSON object as they stand in its text, so that values can be handed through unchanged: a parser
 * makes other numbers of large or long ones. The text must be valid, which a parser has checked.
 */
#ifndef DANA_CLI_JSON_MEMBERS_H
#define DANA_CLI_JSON_MEMBERS_H

#include "base/buf.h"
#include "base/slice.h"

/** Begin with the text of an object. */
struct json_members {
	struct slice rest;
};

struct json_members json_members_of(struct slice object);
/** The next member: its name with the quotes and escapes that it has there, and its value. False: none is left. */
bool json_members_next(struct json_members *m, struct slice *name, struct slice *value);
/** Appends JSON without the white space between its parts. 0 or DANA_ENOMEM. */
int json_append_compact(struct slice json, struct buf *out);

#endif
