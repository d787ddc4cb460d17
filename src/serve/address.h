/* SPDX-License-Identifier: MIT */
/* Where the service listens: names of addresses, and what may be expected of those who come by them. */
#ifndef DANA_SERVE_ADDRESS_H
#define DANA_SERVE_ADDRESS_H

#include <sys/socket.h>
#include <sys/un.h>

#include "base/slice.h"
#include "base/status.h"

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

/** "127.0.0.1:8080", "[::1]:8080", "localhost:8080", "unix:/run/dana.sock". Returns 0 or DANA_ECONFIG. */
int address_read(struct slice text, struct address *address, struct error *err);
/** The address of a socket. Returns 0 or DANA_EIO. */
int address_of_socket(int fd, struct address *address, struct error *err);
/** Writes how a client names it: "http://127.0.0.1:8080/", "unix:/run/dana.sock". */
void address_show(const struct address *address, char *out, size_t size);
/** Returns a number that clients of one machine have in common; 0 for a unix socket. */
uint32_t address_peer(const struct sockaddr *peer, uint32_t seed);

#endif
