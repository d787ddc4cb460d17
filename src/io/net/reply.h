/* SPDX-License-Identifier: MIT */
/*
 * The head of an HTTP reply, and whether its body is what was asked for: bytes of one file, from one place on. Pure.
 * Source: RFC 9110 (13 and 14: conditional and range requests; 15: status codes).
 */
#ifndef DANA_IO_NET_REPLY_H
#define DANA_IO_NET_REPLY_H

#include "base/slice.h"
#include "io/net/retry.h"

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
	uint64_t end;  /* good: place in the file after the body's last byte, as this or an earlier reply says;
			  UINT64_MAX: none */
	enum fault_kind kind;
	char text[640]; /* not good: why */
};

/** Returns a verdict that is not good. */
struct verdict reply_fault(enum fault_kind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Takes a line of the head, the status line first, which forgets an earlier head, and an empty one last. */
void reply_line(struct reply *r, struct slice line);
/** Judges status, range and identity of a reply to a request for `wish`. Returns the verdict. */
struct verdict reply_judge(const struct reply *r, const struct wish *wish);
/** Keeps what the reply, a good one, says of the file and no earlier one has said. */
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

#endif
