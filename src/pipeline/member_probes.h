/* SPDX-License-Identifier: MIT */
/*
 * Where is the first member of an input that does not begin with one, and of which container is it? A codec of each
 * container looks, until one has found a member. One owner; one thread at a time. Zeroed = closed.
 */
#ifndef DANA_PIPELINE_MEMBER_PROBES_H
#define DANA_PIPELINE_MEMBER_PROBES_H

#include "codec/codec.h"

enum { MEMBER_PROBES_MAX = 4 };

struct member_probe {
	struct codec *codec; /* NULL: there are fewer */
	size_t searched;     /* so many of the bytes that are given next hold no member of it */
	bool found;          /* one begins after them */
};

struct member_probes {
	struct member_probe of[MEMBER_PROBES_MAX];
};

/** 0 or DANA_ENOMEM. */
int member_probes_open(struct member_probes *m, const struct codec_limits *limits);
/**
 * *before: how many of `bytes` surely lie before the first member; those after them must be given again, with more.
 * *found: the codec whose member begins there, ready for it; NULL = not yet known. `last`: no input follows. 0 or
 * DANA_ENOMEM.
 */
int member_probes_look(struct member_probes *m, struct slice bytes, bool last, size_t *before, struct codec **found);
/** `keep`, one of them or NULL, is the caller's from now on. */
void member_probes_close(struct member_probes *m, const struct codec *keep);

#endif
