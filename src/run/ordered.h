/* SPDX-License-Identifier: MIT */
/*
 * Work on numbered items by several threads, with results in the order of the items: for pages that are files of their
 * own, or lines of one. (Records of an archive go through handoff.h, which copies their bytes.) What is finished and
 * waits for its turn is bounded. Threads: all calls from one thread, the owner's.
 */
#ifndef DANA_RUN_ORDERED_H
#define DANA_RUN_ORDERED_H

#include "base/buf.h"
#include "base/status.h"

enum { ORDERED_MOST = 1024 }; /* threads */

struct ordered_config {
	unsigned jobs;     /* threads; 0: the work is done in ordered_next */
	size_t n;          /* items */
	bool grows;        /* ordered_add will name more */
	size_t bytes_most; /* of results that wait: no item is begun beyond, but the one whose turn it is */
	/**
	 * Appends the result of item `index`. `worker`: 0 to jobs - 1 (0 without threads); no two calls with one at a
	 * time. Returns the status that ordered_next gives.
	 */
	int (*work)(void *arg, unsigned worker, size_t index, struct buf *out);
	void (*wake)(void *arg); /* any thread: the item whose turn it is has been finished */
	void *arg;
};

struct ordered;

struct ordered *ordered_new(const struct ordered_config *config, struct error *err);
/**
 * The result of the item whose turn it is, and what `work` returned; valid until the next call. False: it is not
 * finished yet
 * (`wake` will be called), or there is no item left.
 */
bool ordered_next(struct ordered *o, struct slice *result, int *status);
/** One more item; only with `grows`. Example: a line that was read. */
void ordered_add(struct ordered *o);
/** Returns how many items ordered_next has given. */
size_t ordered_given(const struct ordered *o);
/** Waits for the items that are worked on; no others are begun. */
void ordered_free(struct ordered *o);

#endif
