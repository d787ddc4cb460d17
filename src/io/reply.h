/* SPDX-License-Identifier: MIT */
/* Is a reply what was asked for, when is a request made again, and how long may a reply be slow? Pure. */
#ifndef DANA_IO_REPLY_H
#define DANA_IO_REPLY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

/*
 * When a request that failed is made again, and when its input is given up. Pure: the clock and the random numbers come
 * from the caller. All times are milliseconds. A value without owner; not for concurrent use.
 */

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

/*
 * The head of an HTTP reply, and whether its body is what was asked for: bytes of one file, from one place on. Pure.
 * Source: RFC 9110 (13 and 14: conditional and range requests; 15: status codes).
 */

enum { REPLY_FIELD = 256 };

/** The fields that are looked at. A field that is longer than its place, or holds a control character, is not kept. */
struct reply {
	unsigned status;
	bool over; /* what follows is not part of the head: fields of a trailer are not looked at */
	bool has_length, has_range;
	bool bad_length, bad_range;    /* a Content-Length, a Content-Range that cannot be read */
	unsigned seen;                 /* bit i: field i of the table in reply.c has come */
	const char *differs;           /* the first field that came again with another value; NULL: none */
	uint64_t length;               /* Content-Length */
	uint64_t range_from, range_to; /* Content-Range: bytes FROM-(TO - 1)/TOTAL; FROM = TO without that field */
	uint64_t range_total;          /* UINT64_MAX: not known */
	char etag[REPLY_FIELD], modified[REPLY_FIELD / 2], type[REPLY_FIELD / 2], coding[REPLY_FIELD / 4];
};

/** What good replies have said of the file; it binds all later ones. Empty texts: not known. */
struct identity {
	bool known;     /* a good reply has come */
	uint64_t total; /* bytes; UINT64_MAX: not known */
	char etag[REPLY_FIELD], modified[REPLY_FIELD / 2];
	char coding[REPLY_FIELD / 4];
};

/** Bytes from `from` up to, without, `to` (UINT64_MAX: to the end) of a file. */
struct wish {
	uint64_t from, to;
	const struct identity *identity; /* of the replies before */
	bool may_be_outside;             /* they may lie beyond the end of the file */
};

struct verdict {
	bool good;
	bool at_end;   /* good: `from` is the end of the file; nothing follows */
	uint64_t skip; /* good: so many bytes of the body come before `from` */
	uint64_t end;  /* good: place in the file after the body's last byte, by this or an earlier reply;
			  UINT64_MAX: none */
	enum fault_kind kind;
	char text[640]; /* not good: why */
};

struct verdict reply_fault(enum fault_kind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Takes a line of the head, the status line first, which forgets an earlier head, and an empty one last. */
void reply_line(struct reply *r, struct slice line);
/** Judges status, range and identity of a reply to a request for `wish`. Returns the verdict. */
struct verdict reply_judge(const struct reply *r, const struct wish *wish);
/** Keeps what the reply, a good one, has of the file and no earlier one had. */
void identity_take(struct identity *id, const struct reply *r);
/** Returns the validator for If-Range; "" if no validator is strong enough. */
const char *identity_condition(const struct identity *id);

enum { REPLY_FIRST = 512 }; /* bytes that reply_judge_first wants, fewer only when the body has no more */

/** Judges the first bytes of a file: no archive begins as an error page does. Returns the verdict. */
struct verdict reply_judge_first(const struct reply *r, struct slice first, const char *address);
/**
 * Writes "CODE: MESSAGE" of an object store's XML error, printable. Returns false if `body` is not such an error.
 * `size` at least 8.
 */
bool reply_error_code(struct slice body, char *out, size_t size);

/*
 * How long a reply may be slow: a reply has so much time, each byte gives some of it back, and there is never more than
 * at the beginning. So a reply that brings fewer than 100 bytes a second ends, whether they come evenly, one now and
 * then, or not at all. Pure; times are milliseconds, by the caller's clock.
 */

enum {
	PATIENCE_MS = 20000, /* the most that anybody has */
	PATIENCE_BYTE_MS = 10,
};

struct patience {
	uint64_t most;
	uint64_t until; /* the reply is given up then */
};

/** Returns a patience that begins now. `most`: at most PATIENCE_MS. */
static inline struct patience patience_begin(uint64_t most, uint64_t now)
{
	return (struct patience){ most, now + most };
}

static inline void patience_bytes(struct patience *p, uint64_t bytes, uint64_t now)
{
	const uint64_t back = bytes < PATIENCE_MS / PATIENCE_BYTE_MS ? bytes * PATIENCE_BYTE_MS : PATIENCE_MS;

	p->until = p->until + back < now + p->most ? p->until + back : now + p->most;
}

/** Returns 0 if it is over. */
static inline uint64_t patience_left(const struct patience *p, uint64_t now)
{
	return p->until > now ? p->until - now : 0;
}

#endif
