/* SPDX-License-Identifier: MIT */
/*
 * The form of what a run writes down for another one that resumes it, in four parts: lines of what it depends on
 * (lines_), fields with names and values (fields_), a checksum around them (state_), and the journal of -O, which is a
 * file of such states.
 */
#ifndef DANA_RUN_STATE_FILE_H
#define DANA_RUN_STATE_FILE_H

#include "base/buf.h"
#include "base/status.h"
#include "run/inputs.h"

/*
 * Texts of lines "word value", in which a run writes down what it depends on: its options, the identity of its inputs
 * (io/source.h). Pure functions.
 */

/**
 * Compares the lines of two runs. Their order does not matter, and one without a value is as if it were not there.
 * Returns true if they differ, and the first difference is appended to `what` as text for people ("method was danag, is
 * learned now").
 */
bool lines_differ(struct slice then, struct slice now, struct buf *what);
/** Appends a line; control characters in `value` are escaped. */
void lines_put(struct buf *out, const char *word, struct slice value);

/*
 * Lists of named values as bytes: a field is its name, a space, the length of its value, a colon, the value, a line
 * feed. A value may be any bytes, another list too:
 *
 *     pos 4:4711
 *     stats 36:records 2:12
 *     documents 1:9
 *     ...
 *
 * No field depends on the order of the others. Values without owner; no threads inside.
 */

/** Appends a field; a failure is latched in the buffer (buf_status). `name`: letters, digits, '-', '_' and ':'. */
void fields_put(struct buf *list, const char *name, struct slice value);
void fields_put_text(struct buf *list, const char *name, const char *value);
void fields_put_number(struct buf *list, const char *name, uint64_t value);
/** Appends `n` numbers as one value. */
void fields_put_numbers(struct buf *list, const char *name, const uint64_t *values, size_t n);
/** Appends `inner`, a list, as a value, and frees it. */
void fields_put_list(struct buf *list, const char *name, struct buf *inner);
/**
 * A row of a table of members that are written down and read again. The size gives the type: bool, unsigned, or one or
 * more uint64_t.
 */
struct field_row {
	const char *name;
	unsigned offset, size;
};

#define FIELD_ROW(type, member) \
	{ \
#member, offsetof(type, member), sizeof(((type *)NULL)->member) \
	}

#define FIELD_ROWS(rows) rows, sizeof(rows) / sizeof(*(rows))

void fields_put_members(struct buf *list, const struct field_row *rows, size_t n, const void *object);
/** A list that is read. `bad` latches that a field was missing or was not what was asked for. */
struct fields {
	struct slice list;
	bool bad;
};

/** Returns the value of a field; empty, and bad, if it is missing. Slices point into the list. */
struct slice fields_get(struct fields *f, const char *name);
/** Returns the number of decimal digits as fields_put_number writes them; 0, and bad, if it is not a number. */
uint64_t fields_number(struct fields *f, const char *name);
/** As fields_number, whose number it returns; bad if it is above `most`. */
uint64_t fields_number_to(struct fields *f, const char *name, uint64_t most);
/** `n` numbers, no more and no fewer; what `values` hold is not defined when it is bad. */
void fields_numbers(struct fields *f, const char *name, uint64_t *values, size_t n);
void fields_members(struct fields *f, const struct field_row *rows, size_t n, void *object);
bool fields_flag(struct fields *f, const char *name);
/** Returns a list within the list; bad as well if this one is. */
struct fields fields_list(struct fields *f, const char *name);
/** Returns whether there is a field of that name. A missing field is not bad. */
bool fields_has(const struct fields *f, const char *name);
/**
 * The first field of *rest, which becomes what follows it. Returns false at the end; bad if the bytes are not a list: a
 * reader that wants all of them to be fields goes through them once.
 */
bool fields_next(struct fields *rest, struct slice *name, struct slice *value);

/*
 * The content of a FILE.state: a line with the version of its form, a list of fields, and a line with a checksum over
 * all before it. A reader of its own can say what is in it and what is not; any changed, missing or added byte
 * is found. Pure functions.
 */

enum { STATE_VERSION = 3 };

#define SURVEY_FIELD "survey" /* of a state and of counts: JSON (archive/survey.h); only of a run with a report */

int state_encode(struct slice fields, struct buf *state);
/**
 * Finds the list in `state`, of which *fields becomes a part. Returns 0; DANA_ECONFIG with a text that follows
 * the name of the file ("is damaged: ...") if it is not a state, is one of another version, or is damaged; or
 * DANA_ENOMEM.
 */
int state_decode(struct slice state, struct slice *fields, struct error *err);

/*
 * What a run of `dana filter -O DIR` has completed: DIR/.dana-XXXX.state, where XXXX is a digest of the names of its
 * outputs. FILE.state is removed when FILE is complete; here stay its counters, and what ordered plugins have saved, so
 * that a resumed run knows them. It goes when the run is over and every input was read.
 * Threads: any may add.
 */

struct run_journal;

/**
 * `run`: lines that say what outputs depend on. With `resume`, what an earlier run has noted is read; else it is begun
 * anew. Returns 0; DANA_ECONFIG if an earlier run had other lines; DANA_EIO (also: another run is under way);
 * DANA_ENOMEM.
 */
int run_journal_open(struct run_journal **out, const char *folder, const struct inputs *in, struct slice run,
		     bool resume, struct error *err);
/** As pipeline_config.complete, and returns as that. */
int run_journal_add(void *journal, const char *output, struct slice counts, struct error *err);
/**
 * Finds what an earlier run has noted of an output, valid as long as the journal. Returns false if it has noted
 * nothing.
 */
bool run_journal_find(const struct run_journal *j, const char *output, struct slice *counts);
/** Returns whether all that an earlier run has noted has such a field. */
bool run_journal_all_have(const struct run_journal *j, const char *field);
/** Removes the file, because nothing is left to resume. Returns 0, or DANA_EIO if it stays. */
int run_journal_remove(struct run_journal *j, struct error *err);
void run_journal_close(struct run_journal *j);

#endif
