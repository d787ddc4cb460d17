/* SPDX-License-Identifier: MIT */
/*
 * The built-in filters (--type, --status, --mime, --min-chars): pure functions over a small value.
 * Each is asked as soon as what it needs is known, so that a record that is not wanted costs as little as can be.
 * Threads: a chain is not changed after it is set up; any number of threads may ask it.
 */
#ifndef DANA_FILTER_CHAIN_H
#define DANA_FILTER_CHAIN_H

#include "base/status.h"
#include "stream/record.h"

enum { FILTER_STATUS_LEAST = 100, FILTER_STATUS_MOST = 999 };

/** Strings are borrowed for the life of the chain. */
struct filter_chain {
	const char *types, *mimes; /* lists; NULL takes all */
	bool any_status;
	uint64_t statuses[FILTER_STATUS_MOST / 64 + 1]; /* a bit for each */
	uint64_t min_chars;
	bool needs_uri; /* set it when the output has no place for a document whose URI is empty */
};

/**
 * Reads the lists as the options give them; "any" as one item takes all. Members that are no argument get the value that
 * drops nothing. 0, or DANA_ECONFIG with one line.
 */
int filter_chain_init(struct filter_chain *f, const char *types, const char *statuses, const char *mimes,
		      uint64_t min_chars, struct error *err);

bool filter_type(const struct filter_chain *f, const struct record *rec);
/** False when the head has no WARC-Target-URI; an empty one counts as none when `needs_uri`. */
bool filter_uri(const struct filter_chain *f, const struct record *rec);
/** `status` 0: the record has no HTTP status, and passes. */
bool filter_status(const struct filter_chain *f, int status);
/**
 * `head_type`: HTTP Content-Type (of a record without HTTP head: its Content-Type); empty = not sent. `payload_type`:
 * WARC-Identified-Payload-Type; `first`: the first MEDIA_SNIFF_BYTES (media_type.h) of the decoded body, or all of it
 * when shorter.
 */
bool filter_mime(const struct filter_chain *f, struct slice head_type, struct slice payload_type, struct slice first);
bool filter_length(const struct filter_chain *f, uint64_t text_chars);

#endif
