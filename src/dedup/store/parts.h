/* SPDX-License-Identifier: MIT */
/*
 * The inputs that rows are counted in: a list of names, as they were given to dana, and how many documents each had.
 * In a file: a line "COUNT NAME" each; a line end or backslash in a name is written \n or \\.
 */
#ifndef DANA_DEDUP_STORE_PARTS_H
#define DANA_DEDUP_STORE_PARTS_H

#include "dedup/store/index_writer.h"

struct part {
	char *name;
	uint32_t count;
};

/** Zeroed: empty. */
struct parts {
	struct part *items;
	size_t n, cap;
};

/** Adds a part at the end; its name is copied. 0 or DANA_ENOMEM. */
int parts_add(struct parts *p, struct slice name, uint32_t count);
/** Puts the list into the section under way. */
void parts_write(const struct parts *p, struct index_writer *w);
/** Reads the list of a section. */
int parts_load(struct parts *p, const struct index_file *f, unsigned section, struct error *err);
/** The number of a part; its name's, or SIZE_MAX. */
size_t parts_find(const struct parts *p, struct slice name);
void parts_free(struct parts *p);

#endif
