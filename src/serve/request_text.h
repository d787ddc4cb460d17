/* SPDX-License-Identifier: MIT */
/*
 * What clients send, read as strictly as RFC 9112 allows: heads, chunked bodies, queries, forms. What two programs
 *could understand in two ways is refused. All functions are pure, and any split of the bytes gives the same.
 *
 *	struct request_scan scan = { 0 };
 *	int len = request_head_scan(&scan, bytes);  (as often as bytes come, until it is not 0)
 *	if (len > 0 && request_head_read(slice_first(bytes, len), &head) == REQUEST_GOOD)
 *		accept = request_field(&head, "Accept");
 */
#ifndef DANA_SERVE_REQUEST_TEXT_H
#define DANA_SERVE_REQUEST_TEXT_H

#include "base/buf.h"

enum {
	REQUEST_HEAD_MOST = 16 << 10, /* bytes, with the empty line */
	REQUEST_TARGET_MOST = 8 << 10,
	REQUEST_LINES_MOST = 100, /* fields */
};

/** Statuses of RFC 9110 that a head can be refused with. */
enum request_refusal {
	REQUEST_GOOD = 0,
	REQUEST_BAD = 400,
	REQUEST_TARGET_LONG = 414,
	REQUEST_EXPECTS = 417,
	REQUEST_HEAD_LARGE = 431,
	REQUEST_NOT_IMPLEMENTED = 501, /* a method or a transfer coding that nobody knows */
	REQUEST_VERSION = 505,
};

/** How far the head has been looked at as it comes. Zeroed at its beginning. */
struct request_scan {
	size_t seen; /* bytes */
	size_t lines;
};

/** A head. Slices point into it. */
struct request_head {
	struct slice method, target;
	struct slice authority; /* of a target that is a URL; else empty */
	struct slice path;      /* of the target, without the query; "*" */
	struct slice query;     /* without its question mark */
	struct slice host;      /* of the field, where has_host; may be empty */
	struct slice fields;    /* their lines, up to the empty one */
	bool has_host, has_length, chunked;
	uint64_t length; /* of the body, where has_length */
	bool old;        /* HTTP/1.0 */
	bool closes;     /* the connection shall end after the response */
	bool expects;    /* 100-continue */
};

/**
 * Looks at the bytes of a head that are there, from its first one: empty lines before it were dropped. Returns its
 * length when the empty line has come, 0 when more bytes are needed, and the negated enum request_refusal when no more
 * bytes can make it good.
 */
int request_head_scan(struct request_scan *scan, struct slice bytes);
/** Reads a head that request_head_scan has found whole. */
enum request_refusal request_head_read(struct slice bytes, struct request_head *head);
/** Returns the value of the first field of this name, without blanks around it; its data is NULL if there is none. */
struct slice request_field(const struct request_head *head, const char *name);
/** A status that the service sends. */
struct request_status {
	int status;         /* 0 ends the list */
	const char *reason; /* its phrase (RFC 9110, section 15) */
	const char *when;   /* what it means here; "": all is well */
};

extern const struct request_status request_statuses[];

/** Returns the reason phrase of a status (RFC 9110, section 15); "Error" for a status that the service never sends. */
const char *request_reason(int status);

/** Takes the next NAME=VALUE of a query, both as they came; without '=' the value's data is NULL. */
bool request_query_next(struct slice *rest, struct slice *name, struct slice *value);
/**
 * Appends the text that a value of a query or a form means. Returns false at an escape that is wrong or means NUL;
 * where `lenient`, a wrong one stays as it is.
 */
bool request_decode(struct slice text, bool lenient, struct buf *out);

/* What a text is sent as: NAME, "name", "type", "subtype", "what follows in Content-Type". */
/* clang-format off */
#define REPLY_FORMATS(X) \
	X(TEXT, "text", "text", "plain", "; charset=utf-8") \
	X(JSON, "json", "application", "json", "") \
	X(MARKDOWN, "markdown", "text", "markdown", "; charset=utf-8") \
	X(HTML, "html", "text", "html", "; charset=utf-8") \
	X(XML, "xml", "application", "xml", "") \
	X(TEI, "tei", "application", "tei+xml", "")
/* clang-format on */

#define REPLY_FORMAT(id, ...) FORMAT_##id,
enum reply_format { REPLY_FORMATS(REPLY_FORMAT) FORMATS };
#undef REPLY_FORMAT

struct reply_format_row {
	const char *name;         /* "markdown" */
	const char *main, *sub;   /* "text", "markdown" */
	const char *content_type; /* "text/markdown; charset=utf-8" */
};

extern const struct reply_format_row reply_formats[FORMATS];

/**
 * Returns the format that the value of an Accept field asks for, or -1 if it has no preference. The best quality
 * counts, then how exactly it is named; of equal ones Markdown and its like come before the text, and the text before
 * JSON.
 */
int request_accepts(struct slice accept);
/** Returns whether a Content-Type is "MAIN/SUB", without regard to what follows. */
bool request_has_type(struct slice content_type, const char *type);
/** Returns a Host without its port; all of it if that is none. */
struct slice request_host_name(struct slice host);
/** Returns whether a Host belongs to a request that reached this machine by its loopback interface; the port is free.
 */
bool request_is_loopback_host(struct slice host);
/** Appends the password of an Authorization field of the kind Basic. Returns false if it has none. */
bool request_password(struct slice authorization, struct buf *out);

/* ---- chunked bodies ---- */

enum chunk_state {
	CHUNK_SIZE, /* digits of a size */
	CHUNK_EXTENSION,
	CHUNK_SIZE_LF, /* after the CR of a size line */
	CHUNK_DATA,
	CHUNK_DATA_CR, /* after the data */
	CHUNK_DATA_LF,
	CHUNK_TRAILER,    /* at the beginning of a line of the trailer */
	CHUNK_TRAILER_IN, /* inside of it */
	CHUNK_TRAILER_LF, /* after its CR */
	CHUNK_LAST_LF,    /* after the CR of the empty line */
	CHUNK_END,
};

/** Where a chunked body is (RFC 9112, section 7.1). Zeroed at its beginning. */
struct chunk_frames {
	enum chunk_state state;
	unsigned digits;
	uint64_t size;   /* of the chunk; what is missing of its data */
	size_t overhead; /* bytes of extensions and of the trailer */
};

enum { CHUNK_OVERHEAD_MOST = 4 << 10 };

/**
 * Takes bytes until the body ends: *taken of them, whose data, *kept bytes, is moved to the front. Returns false if
 * they are wrong, or extensions and trailer are longer than CHUNK_OVERHEAD_MOST together.
 */
bool chunk_frames_take(struct chunk_frames *f, uint8_t *bytes, size_t len, size_t *taken, size_t *kept);

/* ---- forms ---- */

/** A field that is looked for; what a form has under this name is appended. Of two that fit the first counts. */
struct form_field {
	const char *name;
	bool any_file; /* files under other names are this field, too */
	unsigned found;
	struct buf value;
};

/** Returns whether a body of this Content-Type is a form; *readable is false if its boundary is missing. */
bool form_is(struct slice content_type, bool *readable);
/** Reads a form into the `n` fields. Returns false if it cannot be read; failures of memory latch in the values. */
bool form_read(struct slice content_type, struct slice body, struct form_field *fields, size_t n);

#endif
