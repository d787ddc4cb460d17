/* SPDX-License-Identifier: MIT */
/*
 * The inside of network objects, for the files of this room. A session drives libcurl's multi handle by the loop:
 * libcurl says which sockets and which time it waits for, libuv waits.
 */
#ifndef DANA_IO_NET_SESSION_PRIVATE_H
#define DANA_IO_NET_SESSION_PRIVATE_H

#include <uv.h>

#include "base/ondemand/curl_library.h"
#include "io/net/host_gate.h"
#include "io/net/network.h"

struct network {
	struct network_config config;
	const struct curl_library *curl;
	struct host_gate *gate;
};

/** A fetch, as the session knows it: called when a place at a host may be free. */
struct session_client {
	void (*woken)(void *arg);
	void *arg;
	struct session_client *next;
};

struct transfer;

struct network_session {
	struct network *network;
	struct loop *loop;
	CURLM *multi;
	uv_timer_t timer; /* libcurl's */
	uv_async_t wake;
	struct host_user user;
	struct host *idle; /* a connection to it is kept, and a place */
	struct session_client *clients;
	struct transfer *transfers;
	bool settling;    /* in transfers_settle */
	unsigned handles; /* of libuv, not closed yet */
	bool closed;      /* no handle is open any more */
};

struct buf;
struct s3_access;

/**
 * Replaces *url by what is asked for, with a NUL, and finds its host. Returns 0, or with a text in `err`: as fetch_aim.
 */
int network_host(struct network *n, const char *address, struct buf *url, struct s3_access *s3, struct host **host,
		 struct error *err);
void session_add_client(struct network_session *s, struct session_client *client);
void session_remove_client(struct network_session *s, struct session_client *client);
/** As host_ask, whose answer it returns. Gives up the idle connection to another host. */
int64_t session_ask(struct network_session *s, struct host *h);
/** The attempt is over: the connection stays for the next one (`keep`), or is closed. */
void session_leave(struct network_session *s, struct host *h, bool keep);
/** Returns the milliseconds of a clock that all threads share. */
static inline uint64_t session_now(void)
{
	return uv_hrtime() / 1000000;
}

/* transfer.c */

/** Ends the transfers that libcurl has finished, and lets the others know that something came. */
void transfers_settle(struct network_session *s);

#endif
