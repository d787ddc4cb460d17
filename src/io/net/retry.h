/* SPDX-License-Identifier: MIT */
/*
 * When a request that failed is made again, and when its input is given up. Pure: the clock and the random numbers come
 * from the caller. All times are milliseconds. A value without owner; not for concurrent use.
 */
#ifndef DANA_IO_NET_RETRY_H
#define DANA_IO_NET_RETRY_H

#include <stdbool.h>
#include <stdint.h>

enum {
	RETRY_FIRST_MS = 1000, /* the first wait; the most of later ones doubles ... */
	RETRY_MOST_MS = 60000, /* ... up to this */
	/* Faults of one kind without a byte between them that end the input: */
	RETRY_TWICE = 2, /* FAULT_FORBIDDEN, FAULT_CHANGED, FAULT_ASTRAY */
	RETRY_WRONG = 5, /* FAULT_WRONG, FAULT_NO_HOST */
};

enum fault_kind {
	FAULT_BUSY,      /* the server is in trouble or wants us to slow down: again, as long as time is left */
	FAULT_LINK,      /* the connection broke, or nothing came: likewise */
	FAULT_WRONG,     /* what came is not what a server should send: some more times */
	FAULT_NO_HOST,   /* there is no way to the host, by its name or by TLS: some more times */
	FAULT_FORBIDDEN, /* status 403, which some hosts send in place of 429: once more */
	FAULT_CHANGED,   /* another file by now, unless one of several servers lags behind: once more */
	FAULT_ASTRAY,    /* redirects without an end: once more */
	FAULT_DISTRUST,  /* the host's certificate is not accepted: the same would happen again */
	FAULT_FINAL,     /* likewise, for other reasons */
	FAULT_KINDS
};

/** Of one input. */
struct retry {
	uint64_t budget;               /* that may be lost to faults */
	uint64_t lost;                 /* in waits for bytes that came in the end, where a fault was among them */
	uint64_t since;                /* the wait under way: no byte has come from then on */
	unsigned faults;               /* since a byte came */
	unsigned of_kind[FAULT_KINDS]; /* of these */
};

/** Returns a budget that begins now. `budget`: time that may be lost to faults, with the waits between them. */
static inline struct retry retry_begin(uint64_t budget)
{
	return (struct retry){ .budget = budget };
}

/** The input begins to wait: for its turn, an answer, or a byte. Changes nothing while it waits after a fault. */
void retry_waits(struct retry *r, uint64_t now);
/** Returns what is left of the budget if no byte comes until `now`. */
uint64_t retry_left(const struct retry *r, uint64_t now);
/**
 * An attempt has failed. Returns true if make the next one after *wait. Returns false if give up. `asked`: how long the
 * server wants us to wait (Retry-After), 0 when it does not say; `random`: any 32 bits, for the jitter, which keeps
 * clients that failed together from coming back together.
 */
bool retry_failed(struct retry *r, enum fault_kind kind, uint64_t now, uint64_t asked, uint32_t random, uint64_t *wait);
/** A byte of the input has come. */
void retry_progress(struct retry *r, uint64_t now);

#endif
