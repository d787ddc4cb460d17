/* SPDX-License-Identifier: MIT */
/*
 * Where is the first member of an input that does not begin with one, and of which container is it? A codec of each
 * container looks, until one has found a member: it begins with a record, or all of it decodes and another member
 * follows it. One owner; one thread at a time. Zeroed = closed.
 */
#ifndef DANA_ARCHIVE_MEMBER_PROBES_H
#define DANA_ARCHIVE_MEMBER_PROBES_H

#include "archive/codec/codec.h"

enum { MEMBER_PROBES_MAX = 4 };

struct member_probe {
	struct codec *codec; /* NULL: there are fewer */
	size_t searched;     /* so many of the bytes that are given next hold no member of it */
	bool seems;          /* one seems to begin after them; with a record? */
	bool found;          /* one begins after them */
	bool verifying;      /* one that begins there, with no record, is being decoded ... */
	bool ended;          /* ... or is, and what follows has to be seen */
	size_t taken;        /* bytes of it ... */
	size_t decoded;      /* ... and what they were decoded to */
	uint64_t verified;   /* how many were, good or not */
};

struct member_probes {
	struct member_probe of[MEMBER_PROBES_MAX];
	uint8_t *out;    /* for bytes that nobody wants */
	uint64_t passed; /* bytes that lie before a first member */
};

/** 0 or DANA_ENOMEM. */
int member_probes_open(struct member_probes *m, const struct codec_limits *limits);
/** How many bytes the next look wants, if there are so many; it should not be given many more. */
size_t member_probes_wants(const struct member_probes *m);
/**
 * *before: how many of `bytes` surely lie before the first member; those after them must be given again, with more.
 * *found: the codec whose member begins there, ready for it; NULL = not yet known. `last`: no input follows. 0 or
 * DANA_ENOMEM.
 */
int member_probes_look(struct member_probes *m, struct slice bytes, bool last, size_t *before, struct codec **found);
/** `keep`, one of them or NULL, is the caller's from now on. */
void member_probes_close(struct member_probes *m, const struct codec *keep);

#endif
