/* SPDX-License-Identifier: MIT */
/*
 * What all inputs of a run may do together to one host: so many connections, while it is failing one attempt a second,
 * and one a minute when most of its answers were errors (a circuit breaker). A host of which inputs were given up, one
 * after the other and without a good answer between them, is not asked for each of the others in full length again.
 *
 * A connection is a place at the host. Each user (a session, with a thread of its own) asks for one, and waits in a
 * queue while all are taken. A user that has finished may keep its place for its next request, and the connection open;
 * it is asked for it when another needs it.
 *
 * Threads: any; there is a lock inside, and nothing waits. Times are milliseconds of one clock, given by the caller.
 */
#ifndef DANA_IO_HOST_GATE_H
#define DANA_IO_HOST_GATE_H

#include "base/slice.h"

enum {
	HOST_PLACES_MOST = 4,
	HOST_FAILING_MS = 1000, /* at a host that is failing: after an attempt, and after its failure */
	HOST_BREAK_MS = 60000,  /* the same when the breaker is open */
	HOST_ANSWERS = 20,      /* the breaker opens when more than half of so many were errors */
	HOST_GIVEN_UP_MOST =
		3, /* inputs given up, after which the host gets one attempt in HOST_BREAK_MS, and no input waits */
};

struct host_gate;
struct host;

/** Somebody who needs places. Zeroed but for the call; in place until it has none and waits for none. */
struct host_user {
	/** From any thread, under the lock: a place has become free for it, or it is asked for its idle one. */
	void (*wake)(void *arg);
	void *arg;
	bool queued; /* the rest is the gate's: in the queue of a host, one at a time */
	struct host_user *after;
};

/** `places` for each host, 1 to HOST_PLACES_MOST. */
struct host_gate *host_gate_new(unsigned places);
/** The host of that name, made at first; it lives as long as the gate. */
struct host *host_gate_find(struct host_gate *g, struct slice name);

enum { HOST_QUEUED = -1, HOST_DEAD = -2 };
/**
 * Asks for a place, to begin an attempt at once. Returns 0 if granted. More: ask again after so long. HOST_QUEUED:
 * `wake` comes; then ask again. HOST_DEAD: HOST_GIVEN_UP_MOST inputs were given up.
 */
int64_t host_ask(struct host *h, struct host_user *user, uint64_t now);
enum host_answer {
	HOST_GOOD,  /* what was asked for begins to arrive, or the host answers that it does not exist */
	HOST_BROKE, /* it had begun well and broke off: counts as good for the breaker */
	HOST_ERROR,
};
/** How an attempt went. Returns true if with this answer the breaker has opened. */
bool host_answered(struct host *h, enum host_answer answer, uint64_t now);
/** Returns how long to wait until the next attempt may begin, if there is a place. */
uint64_t host_wait(struct host *h, uint64_t now);
/** Returns whether its last answer was a good one; false before the first. */
bool host_is_well(struct host *h);
/** An input is given up through the host's fault. It counts where no good answer has come for `silence`. */
void host_give_up(struct host *h, uint64_t silence, uint64_t now);
/**
 * Returns how many inputs that count were given up since the last good answer. While there are any, no input makes a
 * second attempt.
 */
unsigned host_given_up(struct host *h);
/** Returns host_given_up if host_ask would say HOST_DEAD, else 0. */
unsigned host_dead(struct host *h, uint64_t now);
/** The attempt is over, and the place is kept: the connection stays open. `wake` comes when somebody wants it. */
void host_rest(struct host *h, struct host_user *user);
/** The connection is closed, or a place not wanted any more: gives it back, and leaves the queue. */
void host_leave(struct host *h, struct host_user *user);
/** Returns whether somebody waits for the idle place that `user` keeps. */
bool host_wanted(struct host *h, const struct host_user *user);
/** No user may be left. */
void host_gate_free(struct host_gate *g);

#endif
