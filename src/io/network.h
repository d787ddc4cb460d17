/* SPDX-License-Identifier: MIT */
/* The network as a run sees it. */
#ifndef DANA_IO_NETWORK_H
#define DANA_IO_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/*
 * The network as a run sees it: how inputs are to be fetched, and what all inputs together do to a host. One object for
 * the run, a session for each loop.
 * Threads: the object belongs to all sessions, a session to the thread of its loop. Ownership: borrows the texts of its
 * configuration; the object outlives its sessions, a session its sources.
 */

struct loop;
struct network;
struct network_session;

/** How the number of network_given_up is reported. */
#define NETWORK_GIVEN_UP "not requested: %u inputs of its host failed, one after the other"

/** What is said in each run with `insecure`. */
#define NETWORK_INSECURE "--insecure: certificates are not verified; anybody on the way can change what is read"

struct network_config {
	unsigned connections;   /* to one host at once: 1 to 4 */
	uint64_t retry_seconds; /* that an input may lose to faults */
	const char *user_agent; /* NULL: the program and its version */
	const char *ca_file;    /* NULL: the system's */
	const char *proxy;      /* a URL; "env": what http_proxy and the like say; NULL: none */
	bool insecure;          /* certificates are not verified */
	/** Of each retry; `important`: also when nobody asked for more than faults. Any thread. NULL: nobody listens.
	 */
	void (*report)(void *arg, bool important, const char *line);
	void *arg;
};

/** Loads libcurl. Returns NULL with a text in `err` on failure: DANA_ELIBRARY, DANA_ECONFIG or DANA_ENOMEM. */
struct network *network_new(const struct network_config *config, struct error *err);
/**
 * Returns how many inputs of the host were given up, if a request for this address would be refused at once because of
 * them (host_ask); else 0. From any thread.
 */
unsigned network_given_up(struct network *n, const char *address);
void network_free(struct network *n);
struct network_session *network_session_new(struct network *n, struct loop *l, struct error *err);
/** All sources must be gone. */
void network_session_free(struct network_session *s);

#endif
