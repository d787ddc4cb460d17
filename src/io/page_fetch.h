/* SPDX-License-Identifier: MIT */
/*
 * A page of a server: one request, its redirects, and all of the body without its content encodings, by a thread that
 * waits for it. (Archives come by fetch.c, in pieces and on a loop.) Nothing is asked for twice.
 *
 * Threads: any number may use one object. Those that want pages of one host wait for one another, and use its
 * connection again. Ownership: borrows what its configuration points to.
 */
#ifndef DANA_IO_PAGE_FETCH_H
#define DANA_IO_PAGE_FETCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"
#include "io/network.h"

struct sockaddr;

struct page_fetch_config {
	struct network_config network; /* what is said of connections, retries and reports does not count */
	struct text_list headers;      /* "Name: value", sent besides */
	uint64_t bytes_most;           /* of the body, without its encodings; the rest is not fetched */
	uint64_t seconds;              /* for all of it, redirects included */
	/**
	 * Called for each address before a connection to it is opened, of every redirect too, after the host's name was
	 * looked up; false: it is not connected to. NULL: all are. With a proxy this is the proxy's address.
	 */
	bool (*allows)(void *arg, const struct sockaddr *address);
	void *arg;
	const atomic_bool *stop; /* true: give up within a second or two; NULL: never */
};

/** What has come. Zeroed before its first use; page_fetched_free gives all back. */
struct page_fetched {
	struct buf body;
	struct buf url;          /* after redirects, without user and password; ends with a NUL */
	struct buf content_type; /* as sent; empty: none */
	bool cut;                /* at bytes_most */
};

struct page_fetcher;

/** Loads libcurl. Returns NULL with a text in `err`: DANA_ELIBRARY, DANA_ECONFIG or DANA_ENOMEM. */
struct page_fetcher *page_fetcher_new(const struct page_fetch_config *config, struct error *err);
/** Returns whether `name` is a URL that is fetched: of http or https. */
bool page_fetch_takes(const char *name);
/**
 * Replaces what `page` holds by the page at `url`. Returns 0; DANA_EIO or DANA_ECONFIG (no URL of a page) with a text:
 * the fault, or a status other than 2xx; DANA_ESTATE: stopped; DANA_ENOMEM.
 */
int page_fetch(struct page_fetcher *f, const char *url, struct page_fetched *page, struct error *err);
void page_fetched_free(struct page_fetched *page);
/** No page_fetch may be under way. */
void page_fetcher_free(struct page_fetcher *f);

#endif
