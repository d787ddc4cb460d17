/* SPDX-License-Identifier: MIT */
/* Names of inputs and outputs, and parts of inputs. Values without owner but where it is said. */
#ifndef DANA_RUN_NAMES_H
#define DANA_RUN_NAMES_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/slice.h"
#include "base/status.h"

/* A list of names that grows: of the inputs of a command, or of folders that are still to be searched. */

/** `memory` is set by the owner and freed by it: it holds the text of the names. The rest is zeroed before use. */
struct name_list {
	struct arena *memory;
	const char **items; /* ended by NUL; the owner frees the array */
	size_t n, cap;
};

int name_list_add(struct name_list *list, struct slice name, struct error *err);

/*
 * The names of outputs in the folder of -O, made from the names of inputs: any bytes of which a name can consist. They
 * never lead out of the folder: what is put in it has no slash, does not begin with a dot, and folders are no links.
 */

/** Returns the base name of an input: "stdin" for "-"; of an address without a path its host. */
struct slice output_names_base(const char *input);
/** Takes `suffix` off the end of the name, unless nothing would be left. Returns whether it did. */
bool output_names_cut(struct slice *name, const char *suffix);
/**
 * Appends `base` and `ending` to the path of a folder that ends with a slash, and a NUL. A dot at the beginning becomes
 * "_"; of a base that is too long for a name, the beginning stays, and a digest of all of it follows.
 */
int output_names_put(struct buf *path, struct slice base, const char *ending, struct error *err);
/**
 * Returns the folders between a folder that was named and a file in it, with a slash at the end: "b/c/" of "a/b/c/x"
 * with `below` 2, where what is below the named folder begins; 0: no folder was named.
 */
struct slice output_names_below(const char *input, size_t below);
/**
 * Makes the folder of outputs and the folders in it that `names` are in. Returns 0; DANA_EIO; DANA_ECONFIG where a file
 * or a link is in the way; DANA_ENOMEM.
 */
int output_names_folders(const char *folder, const char *const *names, size_t n, struct error *err);
/** Sets for each of the names whether another is the same. Returns 0 or DANA_ENOMEM. */
int output_names_meet(const char *const *names, size_t n, bool *met, struct error *err);
/**
 * Makes a sorted copy of the names of the outputs of `inputs`, which the caller frees. `folder`: bytes of the folder
 * that all begin with. Returns 0; DANA_ECONFIG if two are the same or one is the folder of another; or DANA_ENOMEM.
 */
int output_names_sort(const char *const *names, const char *const *inputs, size_t n, size_t folder,
		      const char ***sorted, struct error *err);

/** By their bytes, the order of inputs. */
int output_names_compare(const void *a, const void *b);
/** That of output_names_sort: names of one file are equal, on systems that take small letters for large ones. */
int output_names_order(const void *a, const void *b);

/* A part of an input: the records whose member (not compressed: whose first byte) lies in [begin, end). Values without
 * owner. */

struct input_range {
	uint64_t begin, end; /* bytes; end 0: to the end of the input; both 0: all of it */
};

static inline bool input_range_is_whole(struct input_range r)
{
	return r.begin == 0 && r.end == 0;
}

/** "BEGIN-END" or "BEGIN-", numbers as decimal_with_unit, BEGIN below END. Returns false if `text` is not a range. */
bool input_range_read(struct slice text, struct input_range *range);
/** Takes "@BEGIN-END" off the end of an input's name. Returns false if the name does not end so. */
bool input_range_cut(struct slice *name, struct input_range *range);

/* Inputs and parts of inputs that several runs have read: none may be there twice. */

struct done_input {
	struct slice name;        /* without the range */
	struct input_range range; /* both 0: all of it */
	const char *by;           /* the run that has read it, for messages; borrowed */
};

/** `memory` is set by the owner and freed by it: it holds the names. The rest is zeroed before use. */
struct done_list {
	struct arena *memory;
	struct done_input *items;
	size_t n, cap;
};

/** Adds "FILE" or "FILE@BEGIN-END". */
int done_list_add(struct done_list *list, struct slice input, const char *by);
/** Sorts by name and place. Returns 0, or DANA_ECONFIG with both runs where a part of an input is there twice. */
int done_list_sort(struct done_list *list, struct error *err);
/** Appends an element: "FILE" or "FILE@BEGIN-END". Failures latch in its buffer. */
void done_input_write(struct slice name, struct input_range range, struct json_writer *w);
int done_list_json(const struct done_list *list, struct buf *out);

#endif
