/* SPDX-License-Identifier: MIT */
/* The inside of a fetch, shared by the files that make it up. */
#ifndef DANA_IO_NET_FETCH_PRIVATE_H
#define DANA_IO_NET_FETCH_PRIVATE_H

#include <uv.h>

#include "base/buf.h"
#include "io/loop.h"
#include "io/net/fetch.h"
#include "io/net/s3.h"
#include "io/net/session_private.h"
#include "io/net/transfer.h"

enum fetch_state {
	FETCH_IDLE,    /* nothing is asked for */
	FETCH_WAITING, /* for the time of the next attempt */
	FETCH_QUEUED,  /* for a place at the host */
	FETCH_RUNNING, /* as a transfer */
};

enum { FETCH_SHOWN = 1024 };

struct fetch {
	struct network_session *session;
	struct session_client client;
	struct fetch_events events;
	char shown[FETCH_SHOWN]; /* the address, printable */
	struct buf url;          /* with credentials, ends with a NUL */
	struct s3_access s3;
	struct host *host;
	uv_timer_t timer;
	uv_timer_cb on_timer; /* makes the next attempt */
	bool timer_closed;
	enum fetch_state state;
	struct retry retry;
	uint64_t random;
	struct wish wish; /* `from` moves on with each byte taken */
	struct identity identity;
	bool opened;    /* the event has been called */
	bool no_ranges; /* the server does not know them */
	struct fetch_counts counts;
	char fault[1024]; /* why it is given up */

	/* Of the attempt that is running. */
	struct transfer *transfer;
	struct fetch_body {
		struct verdict verdict; /* of its head, or first bytes */
		bool judged;            /* the head was */
		bool looked;            /* the first bytes of the file were, if these are in it */
		bool answered;          /* the gate knows that it was good */
		bool any;               /* bytes that were wanted have come */
		size_t n_first;
		uint8_t first[REPLY_FIRST]; /* the first bytes until they are looked at, or those of an error */
	} body;
};

enum { FETCH_LEAST_MS = 1000 }; /* that an attempt gets, however little of --retry-time is left */

/** Makes the next attempt after so long. */
static inline void fetch_wait(struct fetch *f, uint64_t milliseconds)
{
	f->state = FETCH_WAITING;
	uv_update_time(loop_uv(f->session->loop));
	(void)uv_timer_start(&f->timer, f->on_timer, milliseconds, 0);
}

/* fetch_fault.c */

/** Lets the gate know how the attempt went, where fetch_body.c has not done so. Returns true if the host is well. */
bool fetch_answered(const struct fetch *f);
/** body.verdict says why. Waits for the next attempt, which the server asks to be `asked` later, or gives up. */
void fetch_failed(struct fetch *f, uint64_t asked);
/** These give up: the host lets nobody ask for `wait`; it is HOST_DEAD; there was no place at it in time. */
void fetch_late(struct fetch *f, uint64_t wait);
void fetch_dead(struct fetch *f);
void fetch_turn_missed(struct fetch *f);

/* fetch_body.c */

/** Bytes of the reply's body: looks at what begins, drops what was not asked for, and hands on the rest. */
enum body_answer fetch_body_take(void *fetch, struct slice bytes);
/** The body is over. Afterwards body.verdict is that of the whole attempt, with the words for a fault. */
void fetch_body_end(struct fetch *f);

#endif
