/* SPDX-License-Identifier: MIT */
/*
 * Finds the first member, and so the container, of an input that does not begin with a member. A codec of each
 * container searches until one has found a member: it begins with a record, or all of it decodes and another member
 * follows. One owner; one thread at a time. Zero-initialised means closed.
 */
#ifndef DANA_ARCHIVE_MEMBER_PROBES_H
#define DANA_ARCHIVE_MEMBER_PROBES_H

#include "archive/codec/codec.h"

enum { MEMBER_PROBES_MAX = 4 };

struct member_probe {
	struct codec *codec; /* NULL: unused */
	size_t searched;     /* so many of the next bytes contain no member of it */
	bool seems;          /* one seems to begin after them; and it begins with a record */
	bool found;          /* one begins after them */
	bool verifying;      /* one that begins there, without a record, is being decoded ... */
	bool ended;          /* ... or has been decoded, and the bytes after it must be checked */
	size_t taken;        /* bytes of it ... */
	size_t decoded;      /* ... and what they were decoded to */
	uint64_t verified;   /* how many were verified, good or not */
};

struct member_probes {
	struct member_probe of[MEMBER_PROBES_MAX];
	uint8_t *out;    /* for decoded bytes that are dropped */
	uint64_t passed; /* bytes before the first member */
};

/** Opens the codecs. Returns 0 or DANA_ENOMEM. */
int member_probes_open(struct member_probes *m, const struct codec_limits *limits);
/** Returns how many bytes the next look needs, if there are so many; it should not get many more. */
size_t member_probes_wants(const struct member_probes *m);
/**
 * Searches `bytes`. *before: how many of them are certainly before the first member; the others must be given again,
 * with more. *found: the codec whose member begins there, ready for it; NULL if not yet known. `last`: no input
 * follows. Returns 0 or DANA_ENOMEM.
 */
int member_probes_look(struct member_probes *m, struct slice bytes, bool last, size_t *before, struct codec **found);
/** Closes all codecs but `keep` (one of them or NULL), which the caller owns from now on. */
void member_probes_close(struct member_probes *m, const struct codec *keep);

#endif
