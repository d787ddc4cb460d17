/* SPDX-License-Identifier: MIT */
/* Sockets of the service: bound to the addresses that were asked for, or handed over by a supervisor. */
#ifndef DANA_SERVE_LISTEN_H
#define DANA_SERVE_LISTEN_H

#include "serve/server.h"

/**
 * Are the inherited descriptors sockets? To be asked before anything else is opened, which could get the number of one
 * that is missing. Returns 0 or DANA_ECONFIG.
 */
int listen_check_inherited(const struct serve_config *config, struct error *err);
/**
 * Opens all, and says where it listens. Returns 0, DANA_ECONFIG (an address; the network without a token), DANA_EIO.
 */
int listen_open(struct server *s, struct error *err);
/** Removes the files of unix sockets that listen_open has made. */
void listen_close(const struct server *s);

#endif
