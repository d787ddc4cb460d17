/* SPDX-License-Identifier: MIT */
/* The inputs of `dana filter` and the outputs that belong to them. */
#ifndef DANA_RUN_INPUTS_H
#define DANA_RUN_INPUTS_H

#include <stdint.h>

#include "base/status.h"
#include "io/source.h"
#include "run/names.h"
#include "run/settings.h"

/* Which share of the inputs a task takes: by --shard, or the variables of a job array of Slurm. */

/** Share `number` of `count`, the first is 0; count 0: all is one share. */
struct share {
	uint64_t number, count;
};

/** Reads the value of --shard: "R/N", or "auto/N", which takes the number from GNU parallel. */
int share_read(const char *text, struct share *share, struct error *err);

/* The inputs of `dana filter` and the outputs that belong to them. */

struct network;

/** All strings live in the memory of `names`. Zeroed before use. */
struct inputs {
	struct name_list names;     /* paths; "-" = standard input; addresses without user and password */
	struct name_list addresses; /* the same with them; empty where none has any */
	const struct source_part *
		*parts; /* which part of the file at its address each is; NULL, in it too: all of it */
	size_t n_parts, parts_cap;
	struct input_range *ranges; /* what is read of each */
	size_t ranges_cap;
	/**
	 * Where, in the name of each, what is below a folder that was named begins; 0: no folder was named.
	 */
	size_t *below;
	size_t below_cap;
	bool *done;                 /* which of them were read to their end */
	const char **outputs;       /* one for each with --output-dir; else NULL */
	struct input_piece *pieces; /* with --cdx, in its order: what is read of the inputs; else NULL */
	size_t n_pieces, pieces_cap;
	struct name_list indexes; /* that pieces are from, as messages call them */
	/**
	 * With --output-dir: pieces [piece_starts[i], piece_starts[i + 1]) are of input i, and their `input` is 0.
	 */
	size_t *piece_starts;
	bool recursive;     /* folders below folders, too */
	struct share share; /* of all inputs, that these are */
	uint64_t missing;   /* files that are not there, of which this share may have parts that are not the first */
	bool incomplete;    /* some lines of the list or the index could not be read */
};

/**
 * The inputs that are named, then what --list or --cdx names; standard input if nothing is named. The archives of a
 * folder or a zip are inputs in its place. *network is made where it is needed and NULL. With --output-dir also the
 * names of the outputs. Returns 0, DANA_ECONFIG (names collide or are not allowed, standard input
 * twice), DANA_EIO (the list) or DANA_ENOMEM.
 */
int inputs_gather(struct inputs *in, const struct run_settings *s, struct network **network, struct error *err);
/** Loads libcurl, and warns where certificates are not verified. Returns 0, or a status with its text in `err`. */
int inputs_connect(struct network **out, const struct run_settings *s, struct error *err);

/** Returns where an input is read from. */
static inline const char *inputs_address(const struct inputs *in, size_t i)
{
	return in->addresses.n ? in->addresses.items[i] : in->names.items[i];
}

/** Gives the bytes of an input, before any range; false where they are not known. */
bool inputs_size(const struct inputs *in, size_t i, uint64_t *size);

/**
 * Appends the path, ended by NUL, that the output of the file or address `input`, or of a part of it, has in the folder
 * of --output-dir. `below` as in struct inputs.
 */
int inputs_output(const struct run_settings *s, const char *input, size_t below, const struct source_part *part,
		  struct input_range range, struct buf *name, struct error *err);

/** Returns whether a list or an index of them is to be fetched, or what these name. */
bool inputs_lists_network(const struct run_settings *s);
/** Returns whether any of them is to be fetched. */
bool inputs_network(const struct inputs *in);
/** Returns why any of them cannot be read twice, for messages; NULL if all can. */
const char *inputs_read_once(const struct inputs *in);
/** Returns whether standard input is among them. */
bool inputs_standard(const struct inputs *in);
/** Appends a JSON array of the inputs that were read to their end, as FILE or FILE@BEGIN-END. */
int inputs_done(const struct inputs *in, struct buf *out);
void inputs_free(struct inputs *in);

#endif
