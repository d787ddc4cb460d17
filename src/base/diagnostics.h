/* SPDX-License-Identifier: MIT */
/* Bytes from input in messages: control characters, which a terminal would execute, are escaped. */
#ifndef DANA_BASE_DIAGNOSTICS_H
#define DANA_BASE_DIAGNOSTICS_H

#include "base/slice.h"
#include "base/status.h"

/**
 * Writes `s` to `out` (`size` bytes, at least 8), NUL ended: printable ASCII as it is, all other bytes and the
 * backslash as \xNN; a text that does not fit ends with "...". Returns `out`.
 */
const char *printable(struct slice s, char *out, size_t size);
/** The same for a text that contains results of printable(): backslashes stay as they are. */
const char *printable_message(struct slice s, char *out, size_t size);

/*
 * Suggestions for mistyped names: "did you mean NAME?". The caller offers the known names one after the other, from its
 * own table; the nearest one is kept. No memory is allocated.
 */

struct near_name {
	struct slice wanted; /* as typed; borrowed */
	struct slice best;   /* the nearest name so far, borrowed; empty if no name was near enough */
	size_t distance;
};

/** Begins a search. */
struct near_name near_name_of(struct slice wanted);
/**
 * Offers a known name; case is ignored. Names that begin with `wanted` (3 bytes or more) are nearest, then those with
 * the smallest edit distance (Levenshtein), which may be at most a third of the letters plus one. Of two equally near
 * names the first one stays.
 */
void near_name_offer(struct near_name *n, const char *known);
/** Offers each word of "first|second|third". */
void near_name_offer_words(struct near_name *n, const char *words);
/**
 * Sets `err` to "WHERE: 'WANTED' is unknown; expected EXPECTED; did you mean BEST?" (the last part only when there is a
 * near name). Returns DANA_ECONFIG.
 */
int near_name_refuse(const struct near_name *n, const char *where, const char *expected, struct error *err);

/* Values as people write them, of options, settings of plugins and keys of methods; see decimal_with_unit too. */

/** Returns the index of `wanted` among the words of "first|second|third", or -1. */
int word_index(const char *words, struct slice wanted);
/** As near_name_refuse, of a word that is none of these. */
int word_refuse(const char *words, struct slice wanted, const char *where, struct error *err);
/** Returns whether no item of "first,second,third" is empty. */
bool list_is_good(const char *list);

/* Where a room that knows no command line says what is wrong: the command hands it in. */

enum { NOTICE_MOST = 2048 }; /* bytes of a line; more is cut off */

struct notices {
	void (*line)(void *arg, const char *text); /* on any thread; without a line feed */
	void *arg;
};

void notice(const struct notices *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** After what is said of a part that this build lacks: of the quick one (tools/quickstart.sh) the command that builds
 * all. */
#ifdef QUICK_BUILD
#define BUILD_REMEDY \
	"; this is the quick build, and all of dana is: mkdir -p build && cd build && ../configure && make install"
#else
#define BUILD_REMEDY ""
#endif

#endif
