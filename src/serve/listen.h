/* SPDX-License-Identifier: MIT */
/*
 * Where the service listens: names of addresses, what may be expected of those who come by them, and sockets, bound to
 * the addresses that were asked for, or handed over by a supervisor.
 */
#ifndef DANA_SERVE_LISTEN_H
#define DANA_SERVE_LISTEN_H

#include <sys/socket.h>
#include <sys/un.h>

#include "base/slice.h"
#include "base/status.h"

struct gate;
struct serve_config;

/** Who can reach an address. */
enum address_reach {
	ADDRESS_UNIX,     /* whom the file system lets */
	ADDRESS_LOOPBACK, /* programs of this machine, and pages that a browser of it shows */
	ADDRESS_NETWORK,
};

struct address {
	struct sockaddr_storage socket;
	socklen_t length;
	enum address_reach reach;
};

/** Reads "127.0.0.1:8080", "[::1]:8080", "localhost:8080", "unix:/run/dana.sock". Returns 0 or DANA_ECONFIG. */
int address_read(struct slice text, struct address *address, struct error *err);
enum { ADDRESS_SHOWN = 400 };
/** Writes how a client names it: "http://127.0.0.1:8080/", "unix:/run/dana.sock". */
void address_show(const struct address *address, char *out, size_t size);
/** Returns a number that clients of one machine have in common; 0 for a unix socket. */
uint32_t address_peer(const struct sockaddr *peer, uint32_t seed);

/**
 * Checks that the inherited descriptors are sockets that listen, before anything else is opened, which could get the
 * number of one that is missing. Returns 0 or DANA_ECONFIG.
 */
int listen_check_inherited(const struct serve_config *config, struct error *err);
/**
 * Opens all, and says where it listens. Returns 0, DANA_ECONFIG (an address; the network without a token), DANA_EIO.
 */
int listen_open(const struct serve_config *config, struct gate *gate, struct error *err);
/** Removes the files of unix sockets that listen_open has made. */
void listen_close(const struct serve_config *config);

#endif
