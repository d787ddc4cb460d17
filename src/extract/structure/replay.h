/* SPDX-License-Identifier: MIT */
/*
 * Records, of a page that was logged, the part that the writers need, once the method has said what it keeps. What is
 * kept is mostly one article in a page several times as long.
 */
#ifndef DANA_STRUCTURE_REPLAY_H
#define DANA_STRUCTURE_REPLAY_H

#include "extract/structure/page_log.h"

struct recorder;
struct structure_page;

/** Entries of the log: the part begins with `from`, and does not end before the place `to` of the page. */
struct replay_part {
	uint32_t from;
	uint64_t to;
};

/**
 * Returns the part around what the method keeps (struct method_span each). It begins some blocks before, since a
 * heading there may be kept too; whether these are enough shows when it is recorded (keep.h).
 */
struct replay_part replay_part_of(const struct page_log *log, struct slice spans);
/** The whole page. */
static const struct replay_part replay_all = { 0, UINT64_MAX };
/** Records the part, or more of the page. *begun: it begins with the page. Returns 0 or DANA_ENOMEM. */
int replay(struct recorder *r, const struct page_log *log, const struct replay_part *part, bool *begun,
	   struct structure_page **page);

#endif
