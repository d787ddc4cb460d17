/* SPDX-License-Identifier: MIT */
/* Status codes of every room and the error object that carries a text. */
#ifndef DANA_BASE_STATUS_H
#define DANA_BASE_STATUS_H

/**
 * What functions return, where their own comment does not say more: an int is 0 or one of these, and any that allocates
 * may answer DANA_ENOMEM; a pointer is NULL where memory is exhausted; one that has an `err` has stored status and text
 * there when it fails, also where it returns NULL or false. A function that frees takes NULL. One that returns positive
 * values documents them itself.
 */
enum dana_status {
	DANA_OK = 0,
	DANA_ENOMEM = -1,   /* memory exhausted; the object may only be freed */
	DANA_EIO = -2,      /* reading or writing failed; the system's text is in the error object */
	DANA_EFORMAT = -3,  /* input is not what it claims to be */
	DANA_ELIMIT = -4,   /* a configured limit was reached; raise it and try again */
	DANA_ECONFIG = -5,  /* bad option value or impossible combination */
	DANA_EPLUGIN = -6,  /* a plugin cannot be loaded, or failed */
	DANA_ESTATE = -7,   /* a call at the wrong time or without an argument: a bug of the caller */
	DANA_EFILES = -8,   /* no file descriptor is left to load a charset's table */
	DANA_ELIBRARY = -9, /* a library that is loaded on demand is missing */
};

/** Holds the first error; later ones are only counted. A zeroed object is empty. */
struct error {
	enum dana_status status;
	unsigned later;
	char text[1024];
};

/** Returns a short English text for a status; never NULL. */
const char *status_text(int status);
/**
 * Returns the system's text for an errno number, or one with advice where dana has a better one. Any thread may call
 * it; the text is valid until the same thread calls it again.
 */
const char *system_text(int error);
/** Text for EAGAIN when a thread cannot be started. */
#define NO_THREAD_TEXT "cannot start a thread: allow more processes and memory (ulimit -u, -v)"

/** Stores status and formatted text unless an error is stored already; returns `status`. */
int error_set(struct error *err, enum dana_status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/** error_set with the text of DANA_ENOMEM, which it returns. */
int error_no_memory(struct error *err);

#endif
