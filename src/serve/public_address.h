/* SPDX-License-Identifier: MIT */
#ifndef DANA_SERVE_PUBLIC_ADDRESS_H
#define DANA_SERVE_PUBLIC_ADDRESS_H

#include <stdbool.h>

struct sockaddr;

/**
 * Returns whether an address is one of the internet, as far as its number tells: of no machine's own, private, shared,
 * link-local, multicast or reserved network (the registries of special addresses of IANA, RFC 6890). An IPv6 address
 * that stands for one of IPv4 is as that. Pure; any thread.
 */
bool address_is_public(const struct sockaddr *address);

#endif
